//! Buffers for aggregating rows, reused from part to part.
//!
//! Large zeroed allocations cause a page fault per page, and freeing them requires a message to every core: jemalloc does so for every
//! piece of 16 KB and more. For a sum over ten million rows these were 20,000 faults and more than half of the processor time. Reused
//! buffers avoid both.

use super::add::Cell;

/// Initially empty; each buffer stays as large as the largest part needed.
#[derive(Debug, Default)]
pub(super) struct ScratchBuffers {
    /// The number of each chosen row's group within the part.
    pub numbers: Vec<u32>,
    /// The totals of each number.
    pub cells: Vec<Cell>,
    /// The totals of sums after the first.
    pub others: Vec<Cell>,
    /// The global group of each number.
    pub group_of: Vec<u32>,
    /// Row counts of each number.
    pub weights: Vec<u64>,
    pub present: Vec<u64>,
    /// Which values the rows of each number have.
    pub seen: Vec<bool>,
}

/// Fills a buffer with `count` copies of a value.
pub(super) fn fill<T: Clone>(buffer: &mut Vec<T>, count: usize, value: T) -> &mut Vec<T> {
    buffer.clear();
    buffer.resize(count, value);
    buffer
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn what_was_left_in_the_room_is_gone() {
        let mut buffer = vec![7, 8, 9];
        assert_eq!(*fill(&mut buffer, 2, 0), [0, 0]);
        assert_eq!(*fill(&mut buffer, 4, 1), [1, 1, 1, 1]);
    }

    #[test]
    fn room_is_taken_once() {
        let mut buffer = Vec::new();
        let place = fill(&mut buffer, 100, 0u32).as_ptr();
        assert_eq!(fill(&mut buffer, 90, 1).as_ptr(), place);
    }
}
