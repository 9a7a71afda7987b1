//! Stores and searches vectors of parts, packed by the object they are parts of.

use crate::StoreError;
use crate::driver::sqlite::store_error;
use crate::rows::Transaction;
use std::fmt::Write as _;
use uuid::Uuid;

/// Number of vectors in a block, which is read at once.
const BLOCK: usize = 4_096;
/// The largest absolute value of a code.
const LARGEST: f32 = 127.0;

/// A row with a similar vector.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Near {
    pub key: Uuid,
    /// Cosine similarity, −1 to 1.
    pub likeness: f32,
}

impl Transaction<'_> {
    /// Stores a vector for each part of an object, replacing all previous ones. All vectors must be of one model and have one length.
    /// Changing or deleting a part deletes the vectors of its object.
    pub fn keep_vectors(
        &self,
        table: &str,
        of: Uuid,
        model: &str,
        vectors: &[(Uuid, Vec<f32>)],
    ) -> Result<(), StoreError> {
        let layout = self.searched(table)?;
        let name = layout.name("vectors");
        let kept = || -> rusqlite::Result<()> {
            let mut remove =
                self.connection().prepare_cached(&format!("DELETE FROM {name} WHERE \"of\" = ?1"))?;
            remove.bind_all(&[of.as_bytes()])?;
            remove.execute()?;
            let sql = format!("INSERT INTO {name} VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
            let mut insert = self.connection().prepare_cached(&sql)?;
            for (block, vectors) in (0_i64..).zip(vectors.chunks(BLOCK)) {
                let (mut keys, mut scales, mut codes) = (Vec::new(), Vec::new(), Vec::new());
                for (key, vector) in vectors {
                    let scale = encode(vector, &mut codes);
                    keys.extend_from_slice(key.as_bytes());
                    scales.extend_from_slice(&scale.to_le_bytes());
                }
                insert.bind_all(&[of.as_bytes(), &block, &model, &keys, &scales, &codes])?;
                insert.execute()?;
            }
            Ok(())
        };
        kept().map_err(store_error)
    }

    /// The model of an object's vectors, if it has any.
    pub fn vectors_of(&self, table: &str, of: Uuid) -> Result<Option<String>, StoreError> {
        let sql = format!(
            "SELECT \"model\" FROM {} WHERE \"of\" = ?1 LIMIT 1",
            self.searched(table)?.name("vectors")
        );
        let mut statement = self.connection().prepare_cached(&sql).map_err(store_error)?;
        statement.bind_all(&[of.as_bytes()]).and_then(|()| statement.first()).map_err(store_error)
    }

    /// The parts of these objects with the most similar vectors, best first. Vectors of other models are ignored.
    pub fn nearest(
        &self,
        table: &str,
        of: &[Uuid],
        model: &str,
        vector: &[f32],
        limit: usize,
    ) -> Result<Vec<Near>, StoreError> {
        let layout = self.searched(table)?;
        // PostgreSQL has no empty list.
        if of.is_empty() {
            return Ok(Vec::new());
        }
        let mut sought = Vec::new();
        let scale = encode(vector, &mut sought);
        let sought: Vec<i8> = sought.into_iter().map(u8::cast_signed).collect();
        let mut found: Vec<Near> = Vec::new();
        let mut all = String::new();
        for of in of {
            let _ = write!(all, "{}text_uuid('{of}')", if all.is_empty() { "" } else { ", " });
        }
        let sql = format!(
            "SELECT \"keys\", \"scales\", \"codes\" FROM {} WHERE \"of\" IN ({all}) AND \"model\" = ?1",
            layout.name("vectors")
        );
        let mut statement = self.connection().prepare_cached(&sql).map_err(store_error)?;
        statement.bind(1, model).map_err(store_error)?;
        let mut rows = statement.query();
        while let Some(row) = rows.next().map_err(store_error)? {
            let blob = |place: usize| row.get_ref(place)?.as_blob().map_err(rusqlite::Error::from);
            let block = || Ok::<_, rusqlite::Error>((blob(0)?, blob(1)?, blob(2)?));
            let (keys, scales, codes) = block().map_err(store_error)?;
            if sought.is_empty() || codes.len() != keys.len() / 16 * sought.len() {
                continue;
            }
            let each =
                keys.chunks_exact(16).zip(scales.chunks_exact(4)).zip(codes.chunks_exact(sought.len()));
            found.extend(each.map(|((key, own), codes)| {
                let own = f32::from_le_bytes([own[0], own[1], own[2], own[3]]);
                Near {
                    key: Uuid::from_slice(key).unwrap_or_default(),
                    likeness: product(&sought, codes) * own * scale,
                }
            }));
            // Holds at most one block and the best results so far.
            keep_best(&mut found, limit);
        }
        found.sort_by(order);
        Ok(found)
    }
}

fn order(one: &Near, other: &Near) -> std::cmp::Ordering {
    other.likeness.total_cmp(&one.likeness).then(one.key.cmp(&other.key))
}

fn keep_best(found: &mut Vec<Near>, limit: usize) {
    if limit == 0 {
        found.clear();
    } else if found.len() > limit {
        found.select_nth_unstable_by(limit - 1, order);
        found.truncate(limit);
    }
}

/// Appends the vector, normalised to length 1, as integers from −127 to 127. Returns the value of one unit.
fn encode(vector: &[f32], codes: &mut Vec<u8>) -> f32 {
    let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
    let most = vector.iter().fold(0.0_f32, |most, number| most.max(number.abs()));
    if !length.is_finite() || length == 0.0 {
        codes.resize(codes.len() + vector.len(), 0);
        return 0.0;
    }
    #[expect(clippy::cast_possible_truncation, reason = "−127 to 127 by what it is divided by")]
    codes.extend(vector.iter().map(|number| ((number / most * LARGEST).round() as i8).cast_unsigned()));
    most / length / LARGEST
}

/// The dot product. With integers the order of additions does not matter, and the compiler can vectorise.
#[expect(clippy::cast_precision_loss, reason = "sums of a few thousand products of bytes fit")]
fn product(one: &[i8], other: &[u8]) -> f32 {
    let products = one.iter().zip(other).map(|(one, other)| i32::from(*one) * i32::from(other.cast_signed()));
    products.sum::<i32>() as f32
}

#[cfg(test)]
mod tests {
    use super::{encode, product};

    #[test]
    fn a_vector_is_as_long_as_one_and_like_itself() {
        let vector: Vec<f32> = (0..256_u16).map(|n| (f32::from(n) * 0.37).sin()).collect();
        let mut codes = Vec::new();
        let scale = encode(&vector, &mut codes);
        let signed: Vec<i8> = codes.iter().map(|code| code.cast_signed()).collect();
        let likeness = product(&signed, &codes) * scale * scale;
        assert!((likeness - 1.0).abs() < 0.01, "{likeness}");
    }

    #[test]
    fn a_vector_of_nothing_is_like_nothing() {
        let mut codes = Vec::new();
        assert!(encode(&[0.0; 8], &mut codes).abs() < f32::EPSILON);
        assert!(encode(&[f32::NAN; 8], &mut codes).abs() < f32::EPSILON);
        assert_eq!(codes, [0; 16]);
    }
}
