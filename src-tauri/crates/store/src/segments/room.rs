//! Room that adding rows up takes, kept from part to part.
//!
//! Large memory that is asked for as zeros comes from the system page by page, each with a fault, and goes back with a word to every
//! core: jemalloc does so for every piece of 16 KB and more. For a sum over ten million rows these were 20,000 faults, more than
//! half of its processor time. What is written over again costs neither.

use super::add::Cell;

/// Empty at first, and as large as the largest part has needed from then on.
#[derive(Debug, Default)]
pub(super) struct Room {
    /// Of each chosen row, which group of the part it is in.
    pub numbers: Vec<u32>,
    /// By that number, what is known of it.
    pub cells: Vec<Cell>,
    /// The same for sums behind the first.
    pub others: Vec<Cell>,
    /// By that number, the group of all parts.
    pub group_of: Vec<u32>,
    /// Counts of rows by that number.
    pub weights: Vec<u64>,
    pub present: Vec<u64>,
    /// Which values the rows of each number have.
    pub seen: Vec<bool>,
}

/// So many of one value.
pub(super) fn fill<T: Clone>(room: &mut Vec<T>, count: usize, value: T) -> &mut Vec<T> {
    room.clear();
    room.resize(count, value);
    room
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn what_was_left_in_the_room_is_gone() {
        let mut room = vec![7, 8, 9];
        assert_eq!(*fill(&mut room, 2, 0), [0, 0]);
        assert_eq!(*fill(&mut room, 4, 1), [1, 1, 1, 1]);
    }

    #[test]
    fn room_is_taken_once() {
        let mut room = Vec::new();
        let place = fill(&mut room, 100, 0u32).as_ptr();
        assert_eq!(fill(&mut room, 90, 1).as_ptr(), place);
    }
}
