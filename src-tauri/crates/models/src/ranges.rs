//! Sets of byte ranges.

use serde::{Deserialize, Serialize};

/// Half-open ranges, sorted, neither overlapping nor adjacent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ranges(Vec<(u64, u64)>);

impl Ranges {
    /// Adds `start..end`, which may overlap existing ranges.
    pub fn add(&mut self, start: u64, end: u64) {
        if start >= end {
            return;
        }
        // Usually this extends the end of a range.
        let from = self.0.partition_point(|&(_, old_end)| old_end < start);
        let to = self.0.partition_point(|&(old_start, _)| old_start <= end);
        if from == to {
            self.0.insert(from, (start, end));
        } else {
            let joined = (self.0[from].0.min(start), self.0[to - 1].1.max(end));
            self.0[from] = joined;
            self.0.drain(from + 1..to);
        }
    }

    /// The number of bytes.
    pub fn total(&self) -> u64 {
        self.0.iter().map(|(start, end)| end - start).sum()
    }

    /// The number of contiguous bytes from the first byte.
    pub fn prefix(&self) -> u64 {
        self.0.first().filter(|(start, _)| *start == 0).map_or(0, |(_, end)| *end)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The end of the last range.
    pub fn end(&self) -> u64 {
        self.0.last().map_or(0, |(_, end)| *end)
    }

    /// The missing ranges of a file of that size, in order.
    pub fn gaps(&self, size: u64) -> Vec<(u64, u64)> {
        let mut gaps = Vec::new();
        let mut at = 0;
        for &(start, end) in &self.0 {
            if at < start.min(size) {
                gaps.push((at, start.min(size)));
            }
            at = end;
        }
        if at < size {
            gaps.push((at, size));
        }
        gaps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_join_where_they_touch_and_gaps_are_what_is_left() {
        let mut ranges = Ranges::default();
        for (start, end) in [(10, 20), (30, 40), (20, 25), (0, 5), (24, 31), (7, 7)] {
            ranges.add(start, end);
        }
        assert_eq!(ranges, Ranges(vec![(0, 5), (10, 40)]));
        assert_eq!((ranges.total(), ranges.prefix(), ranges.end()), (35, 5, 40));
        assert_eq!(ranges.gaps(50), [(5, 10), (40, 50)]);
        assert_eq!(ranges.gaps(40), [(5, 10)]);
    }

    #[test]
    fn they_stay_the_same_sets_as_counted_byte_by_byte() {
        let mut seed = 7_u64;
        let mut draw = move |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for _ in 0..200 {
            let (mut ranges, mut bytes) = (Ranges::default(), [false; 64]);
            for _ in 0..12 {
                let start = draw(64);
                let end = (start + draw(20)).min(64);
                ranges.add(start, end);
                bytes[usize::try_from(start).unwrap()..usize::try_from(end).unwrap()].fill(true);
            }
            assert_eq!(ranges.total(), bytes.iter().filter(|there| **there).count() as u64);
            let missing: Vec<u64> = ranges.gaps(64).into_iter().flat_map(|(start, end)| start..end).collect();
            let counted: Vec<u64> = (0..64).filter(|at| !bytes[usize::try_from(*at).unwrap()]).collect();
            assert_eq!(missing, counted);
        }
    }
}
