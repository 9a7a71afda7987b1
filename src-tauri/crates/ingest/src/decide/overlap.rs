//! Measures the overlap of two sets of rows.

use super::Sketch;

/// Minimum number of keys with equal rows and amounts that is not accidental, if nearly all shared keys are of this kind.
const FEWEST_EQUAL: f64 = 10.0;
const NEARLY_ALL: f64 = 0.98;

/// Numbers of keys, estimated when a sketch is only a sample.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Overlap {
    /// Keys of the new rows.
    pub new: f64,
    /// Keys of the older rows.
    pub older: f64,
    /// Keys of both.
    pub shared: f64,
    /// Shared keys that certainly identify the same charge: there is one row on each side, or the rows are equal with equal amounts.
    pub certain: f64,
    /// Shared keys with equal rows and amounts.
    pub equal: f64,
}

impl Overlap {
    /// Compares the rows of one account.
    #[expect(clippy::cast_precision_loss, reason = "shares need no more than 53 bits")]
    pub fn of(new: Option<&Sketch>, older: Option<&Sketch>) -> Self {
        let bound = [new, older].into_iter().flatten().map(Sketch::bound).min().unwrap_or(u64::MAX);
        let weight = u64::MAX as f64 / bound.max(1) as f64;
        let count =
            |side: Option<&Sketch>| side.map_or(0, |sketch| sketch.up_to(bound).count()) as f64 * weight;
        let mut overlap = Self { new: count(new), older: count(older), ..Self::default() };
        if let (Some(new), Some(older)) = (new, older) {
            for (key, rows) in new.up_to(bound) {
                let Some(before) = older.rows(key) else { continue };
                overlap.shared += weight;
                let is_equal = rows == before;
                if is_equal {
                    overlap.equal += weight;
                }
                if is_equal || (rows.count == 1 && before.count == 1) {
                    overlap.certain += weight;
                }
            }
        }
        overlap
    }

    /// The sum of both comparisons.
    pub fn plus(self, other: Self) -> Self {
        Self {
            new: self.new + other.new,
            older: self.older + other.older,
            shared: self.shared + other.shared,
            certain: self.certain + other.certain,
            equal: self.equal + other.equal,
        }
    }

    /// Whether several rows are restated unchanged. Parts of an export occasionally share a key, but then mostly with different amounts.
    pub fn is_restatement(self) -> bool {
        self.equal >= FEWEST_EQUAL && self.equal >= NEARLY_ALL * self.shared
    }

    /// The share of the new keys that the older rows contain.
    pub fn share_of_new(self) -> f64 {
        share(self.shared, self.new)
    }

    /// The share of the older keys that the new rows contain.
    pub fn share_of_older(self) -> f64 {
        share(self.shared, self.older)
    }
}

pub(super) fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}
