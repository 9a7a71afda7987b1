//! Files that make up one delivery of a bill.

use std::collections::{BTreeMap, HashSet};
use std::sync::Mutex;
use uuid::Uuid;

/// The imports of one delivery so far. Parts of a delivery bring the same billing period and do not replace each other.
#[derive(Debug, Default)]
pub struct Delivery {
    imports: Mutex<HashSet<Uuid>>,
}

impl Delivery {
    /// A delivery nothing was imported of yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts an import among the delivery, also one made earlier that a part was found unchanged from.
    pub fn add(&self, import: Uuid) {
        self.imports.lock().unwrap_or_else(std::sync::PoisonError::into_inner).insert(import);
    }

    /// Whether an import is a part of this delivery.
    pub fn contains(&self, import: Uuid) -> bool {
        self.imports.lock().unwrap_or_else(std::sync::PoisonError::into_inner).contains(&import)
    }
}

/// Which of the files named are parts of one delivery: a number of the group for each, in the order given.
///
/// Exporters that split a bill number the parts with leading zeros at the end of the name, in one folder: `part_0_0001.csv.gz`,
/// `export-00002.csv`. Names that differ otherwise (a date, a version) are deliveries of their own.
pub fn groups<'a>(paths: impl IntoIterator<Item = &'a str>) -> Vec<usize> {
    let mut known: BTreeMap<(String, usize), usize> = BTreeMap::new();
    let mut count = 0;
    let mut fresh = || {
        count += 1;
        count - 1
    };
    paths
        .into_iter()
        .map(|path| match part_of(path) {
            Some(series) => *known.entry(series).or_insert_with(&mut fresh),
            None => fresh(),
        })
        .collect()
}

/// The name without its part number, and how many digits that has.
fn part_of(path: &str) -> Option<(String, usize)> {
    let folder_end = path.rfind(['/', '\\']).map_or(0, |at| at + 1);
    let (folder, name) = path.split_at(folder_end);
    let unpacked = name.strip_suffix(".gz").unwrap_or(name);
    let stem = unpacked.rsplit_once('.').map_or(unpacked, |(stem, _)| stem);
    let prefix = stem.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &stem[prefix.len()..];
    // Eight digits are a date, four without a leading zero a year.
    ((4..=6).contains(&digits.len()) && digits.starts_with('0'))
        .then(|| (format!("{folder}{prefix}*{}", &name[stem.len()..]), digits.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(paths: &[&str], expected: &[usize]) {
        assert_eq!(groups(paths.iter().copied()), expected, "{paths:?}");
    }

    #[test]
    fn numbered_parts_of_a_folder_are_one_delivery() {
        check(&["a/part_0_0001.csv.gz", "a/part_0_0002.csv.gz", "b/part_0_0001.csv.gz"], &[0, 0, 1]);
        check(&["focus-00001.csv", "focus-00002.csv", "focus-1.4-00001.csv"], &[0, 0, 1]);
    }

    #[test]
    fn dates_and_versions_in_names_are_deliveries_of_their_own() {
        check(&["costs-2026.csv", "costs-2027.csv"], &[0, 1]);
        check(&["costs-20260501.csv", "costs-20260502.csv"], &[0, 1]);
        check(&["focus-1.4.csv", "focus-1.4-restated.csv", "focus-1.3.csv"], &[0, 1, 2]);
    }
}
