//! Distributes the bytes of a file among connections: they claim missing parts from the front, and share the remaining ones at the end.

use crate::ranges::Ranges;

/// The bytes of one file: present, claimed, missing.
#[derive(Debug)]
pub struct Plan {
    size: u64,
    /// Maximum size of a claim, in bytes.
    piece: u64,
    /// A claim with at least twice this many bytes left is worth splitting.
    least: u64,
    pub done: Ranges,
    claims: Vec<Claim>,
    next_id: u64,
}

/// A range that one connection downloads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    pub id: u64,
    pub start: u64,
    /// The next byte to arrive.
    pub at: u64,
    pub end: u64,
}

impl Plan {
    pub fn new(size: u64, done: Ranges, piece: u64, least: u64) -> Self {
        Self { size, piece: piece.max(1), least: least.max(1), done, claims: Vec::new(), next_id: 0 }
    }

    /// The next range to download: the first unclaimed bytes, to let the hash proceed from the beginning; if there are none, the second half of
    /// what another connection has left.
    pub fn claim(&mut self) -> Option<Claim> {
        let mut taken = self.done.clone();
        for claim in &self.claims {
            taken.add(claim.at, claim.end);
        }
        let (at, end) = match taken.gaps(self.size).first() {
            Some(&(start, end)) => (start, end.min(start + self.piece)),
            None => self.share()?,
        };
        self.next_id += 1;
        let claim = Claim { id: self.next_id, start: at, at, end };
        self.claims.push(claim);
        Some(claim)
    }

    fn share(&mut self) -> Option<(u64, u64)> {
        let least = self.least;
        let claim = self.claims.iter_mut().max_by_key(|claim| claim.end - claim.at)?;
        let left = claim.end - claim.at;
        if left < 2 * least {
            return None;
        }
        let middle = claim.at + left / 2;
        let end = std::mem::replace(&mut claim.end, middle);
        Some((middle, end))
    }

    /// The current claim: another connection may have taken its end.
    pub fn find(&self, id: u64) -> Option<Claim> {
        self.claims.iter().find(|claim| claim.id == id).copied()
    }

    /// Records bytes of a claim as present and returns the updated claim.
    pub fn arrived(&mut self, id: u64, bytes: u64) -> Option<Claim> {
        let claim = self.claims.iter_mut().find(|claim| claim.id == id)?;
        let end = (claim.at + bytes).min(claim.end);
        self.done.add(claim.at, end);
        claim.at = end;
        Some(*claim)
    }

    /// Ends a claim; its remaining bytes are missing again.
    pub fn give_back(&mut self, id: u64) {
        self.claims.retain(|claim| claim.id != id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_take_pieces_from_the_front_and_then_halves_of_what_others_have_left() {
        let mut plan = Plan::new(100, Ranges::default(), 50, 10);
        let first = plan.claim().unwrap();
        let second = plan.claim().unwrap();
        assert_eq!((first.at, first.end, second.at, second.end), (0, 50, 50, 100));
        plan.arrived(first.id, 30);
        let third = plan.claim().unwrap();
        assert_eq!((third.at, third.end), (75, 100));
        assert_eq!(plan.find(second.id).unwrap().end, 75);
        // 20 bytes are left of the first claim, 25 of the others: the last possible split.
        assert!(plan.claim().is_some());
    }

    #[test]
    fn what_was_given_back_is_fetched_by_the_next_and_what_came_is_not() {
        let mut plan = Plan::new(100, Ranges::default(), 100, 100);
        let first = plan.claim().unwrap();
        plan.arrived(first.id, 40);
        assert_eq!(plan.claim(), None);
        plan.give_back(first.id);
        let again = plan.claim().unwrap();
        assert_eq!((again.at, again.end), (40, 100));
        plan.arrived(again.id, 1000);
        plan.give_back(again.id);
        assert_eq!((plan.done.total(), plan.claim()), (100, None));
    }
}
