//! Groups of rows with their counts and exact sums, accumulated over any number of parts.

use super::pack::NULL;
use catalogue::Decimal;
use std::collections::{HashMap, HashSet};

type Hasher = foldhash::fast::RandomState;

/// Up to this number of key combinations a direct table is used; more are looked up by hash.
const DENSE: u64 = 1 << 20;

/// A total needs more digits than the fixed-size arithmetic here supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooLong;

/// Groups, identified by the ids of their key values.
#[derive(Debug)]
pub(super) struct Groups {
    /// The number of keys.
    width: usize,
    /// Key ids of all groups, concatenated. 0 is null if the key has a dictionary.
    ids: Vec<u32>,
    /// Number of table rows in each group.
    pub counts: Vec<u64>,
    pub sums: Vec<Sums>,
    /// Ids of keys that are integers, by index of the key.
    pub numbers: Vec<Option<NumberIndex>>,
    pub distinct: Vec<Distinct>,
    pub extremes: Vec<Extremes>,
    index: Index,
}

/// One sum for every group.
#[derive(Debug, Default)]
pub(super) struct Sums {
    pub scale: u8,
    pub totals: Vec<i128>,
    /// The number of values added.
    pub present: Vec<u64>,
}

/// The smallest or greatest integer of every group; [`NULL`] if there is none.
#[derive(Debug, Default)]
pub(super) struct Extremes {
    pub is_greatest: bool,
    pub values: Vec<i64>,
}

/// Integers, numbered in order of occurrence.
#[derive(Debug, Default)]
pub(super) struct NumberIndex {
    ids: HashMap<i64, u32, Hasher>,
    pub values: Vec<i64>,
}

/// The distinct combinations of values in each group.
#[derive(Debug, Default)]
pub(super) struct Distinct {
    /// A single column does not count nulls; combinations do.
    pub is_single: bool,
    combinations: HashMap<Box<[i64]>, u32, Hasher>,
    seen: HashSet<(u32, u32), Hasher>,
}

#[derive(Debug)]
enum Index {
    /// One entry per combination; 0 is empty.
    Dense {
        sizes: Vec<u32>,
        places: Vec<u32>,
    },
    Packed(HashMap<u128, u32, Hasher>),
    Wide(HashMap<Box<[u32]>, u32, Hasher>),
}

impl Groups {
    /// `sizes` has for each key the number of possible ids, if known, and whether the key is an integer.
    pub fn new(
        keys: &[(Option<u32>, bool)],
        sums: usize,
        distinct: Vec<Distinct>,
        extremes: Vec<Extremes>,
    ) -> Self {
        let known: Option<Vec<u32>> = keys.iter().map(|(size, _)| *size).collect();
        let product = known.as_ref().map(|sizes| sizes.iter().map(|size| u64::from(*size)).product::<u64>());
        let index = match (known, product) {
            (Some(sizes), Some(product)) if product <= DENSE => {
                Index::Dense { sizes, places: vec![0; usize::try_from(product).unwrap_or_default()] }
            }
            _ if keys.len() <= 4 => Index::Packed(HashMap::default()),
            _ => Index::Wide(HashMap::default()),
        };
        Self {
            width: keys.len(),
            ids: Vec::new(),
            counts: Vec::new(),
            sums: (0..sums).map(|_| Sums::default()).collect(),
            numbers: keys.iter().map(|(_, is_number)| is_number.then(NumberIndex::default)).collect(),
            distinct,
            extremes,
            index,
        }
    }

    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Reserves memory for exactly this many more groups.
    pub fn reserve(&mut self, more: usize) {
        self.ids.reserve_exact(more * self.width);
        self.counts.reserve_exact(more);
        for sums in &mut self.sums {
            sums.totals.reserve_exact(more);
            sums.present.reserve_exact(more);
        }
    }

    /// Frees the indices for finding groups and distinct values, when nothing is added any more.
    pub fn drop_indices(&mut self) {
        self.index = Index::Wide(HashMap::default());
        self.distinct.clear();
        self.numbers.iter_mut().flatten().for_each(|numbers| numbers.ids = HashMap::default());
    }

    /// The number of ids of each key, if there are few combinations.
    pub fn sizes(&self) -> Option<&[u32]> {
        match &self.index {
            Index::Dense { sizes, .. } => Some(sizes),
            Index::Packed(_) | Index::Wide(_) => None,
        }
    }

    /// Whether equal ids mean equal keys in both; ids that only `other` has are added here.
    pub fn unify_ids(&mut self, other: &Self) -> bool {
        let mut pairs = self.numbers.iter_mut().zip(&other.numbers);
        let pairs: Vec<_> =
            pairs.by_ref().filter_map(|(ours, theirs)| Some((ours.as_mut()?, theirs.as_ref()?))).collect();
        let is_alike = |(ours, theirs): &(&mut NumberIndex, &NumberIndex)| {
            ours.values.iter().zip(&theirs.values).all(|(ours, theirs)| ours == theirs)
        };
        if !pairs.iter().all(is_alike) {
            return false;
        }
        for (ours, theirs) in pairs {
            for value in &theirs.values {
                ours.id(*value);
            }
        }
        true
    }

    /// Assigns ids to a key's values before they occur.
    pub fn preassign_ids(&mut self, key: usize, values: impl Iterator<Item = i64>) {
        if let Some(numbers) = self.numbers.get_mut(key).and_then(Option::as_mut) {
            for value in values {
                numbers.id(value);
            }
        }
    }

    /// The id of a key in a group.
    pub fn id(&self, group: usize, key: usize) -> u32 {
        self.ids[group * self.width + key]
    }

    /// The index of the group with these keys; adds the group if it is new.
    pub fn find(&mut self, ids: &[u32]) -> usize {
        let next = u32::try_from(self.counts.len()).unwrap_or(u32::MAX);
        if let Index::Dense { sizes, places } = &mut self.index {
            if ids.iter().zip(&*sizes).all(|(id, size)| id < size) {
                let at = ids.iter().zip(&*sizes).fold(0, |at, (id, size)| at * widen(*size) + widen(*id));
                let place = &mut places[at];
                if *place > 0 {
                    return widen(*place - 1);
                }
                *place = next + 1;
                return self.add(ids);
            }
            self.spread();
        }
        let known = match &mut self.index {
            Index::Dense { .. } => next,
            Index::Packed(index) => {
                let packed = ids.iter().fold(0u128, |packed, id| packed << 32 | u128::from(*id));
                *index.entry(packed).or_insert(next)
            }
            Index::Wide(index) => {
                if let Some(known) = index.get(ids) {
                    *known
                } else {
                    index.insert(ids.into(), next);
                    next
                }
            }
        };
        if known == next { self.add(ids) } else { widen(known) }
    }

    fn add(&mut self, ids: &[u32]) -> usize {
        self.ids.extend_from_slice(ids);
        self.counts.push(0);
        for sums in &mut self.sums {
            sums.totals.push(0);
            sums.present.push(0);
        }
        for extremes in &mut self.extremes {
            extremes.values.push(NULL);
        }
        self.counts.len() - 1
    }

    /// Adds the groups of another accumulation.
    pub fn merge(&mut self, other: &Self) -> Result<(), TooLong> {
        let ids: Vec<Option<Vec<u32>>> = other
            .numbers
            .iter()
            .zip(&mut self.numbers)
            .map(|(theirs, ours)| {
                let (theirs, ours) = (theirs.as_ref()?, ours.as_mut()?);
                Some(theirs.values.iter().map(|value| ours.id(*value)).collect())
            })
            .collect();
        let mut key = vec![0; self.width];
        let mut places = Vec::with_capacity(other.len());
        for group in 0..other.len() {
            for (at, id) in key.iter_mut().enumerate() {
                let theirs = other.id(group, at);
                *id = ids[at].as_ref().map_or(theirs, |ids| ids[widen(theirs)]);
            }
            places.push(self.find(&key));
        }
        for (place, count) in places.iter().zip(&other.counts) {
            self.counts[*place] += count;
        }
        for (ours, theirs) in self.sums.iter_mut().zip(&other.sums) {
            // Both then have the larger scale.
            ours.align(theirs.scale)?;
            let factor = Decimal::raise(1, ours.scale - theirs.scale).ok_or(TooLong)?;
            for (group, place) in places.iter().enumerate() {
                ours.add(*place, theirs.totals[group], factor, theirs.present[group])?;
            }
        }
        for (ours, theirs) in self.distinct.iter_mut().zip(&other.distinct) {
            ours.merge(theirs, &places);
        }
        for (ours, theirs) in self.extremes.iter_mut().zip(&other.extremes) {
            for (place, value) in places.iter().zip(&theirs.values) {
                ours.see(*place, *value);
            }
        }
        Ok(())
    }

    /// Switches to hashing when a key exceeds the direct table.
    fn spread(&mut self) {
        let mut index = HashMap::default();
        for group in 0..self.counts.len() {
            let ids: Box<[u32]> = self.ids[group * self.width..][..self.width].into();
            index.insert(ids, u32::try_from(group).unwrap_or(u32::MAX));
        }
        self.index = Index::Wide(index);
    }
}

impl Sums {
    /// Prepares for numbers of this scale; returns the factor for their mantissas.
    pub fn align(&mut self, scale: u8) -> Result<i128, TooLong> {
        if scale > self.scale {
            let digits = scale - self.scale;
            for total in &mut self.totals {
                *total = Decimal::raise(*total, digits).ok_or(TooLong)?;
            }
            self.scale = scale;
        }
        Decimal::raise(1, self.scale - scale).ok_or(TooLong)
    }

    pub fn add(&mut self, group: usize, mantissa: i128, factor: i128, present: u64) -> Result<(), TooLong> {
        let total = &mut self.totals[group];
        *total = mantissa.checked_mul(factor).and_then(|number| total.checked_add(number)).ok_or(TooLong)?;
        self.present[group] += present;
        Ok(())
    }
}

impl NumberIndex {
    pub fn id(&mut self, value: i64) -> u32 {
        let next = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
        let id = *self.ids.entry(value).or_insert(next);
        if id == next {
            self.values.push(value);
        }
        id
    }
}

impl Distinct {
    pub fn new(is_single: bool) -> Self {
        Self { is_single, ..Self::default() }
    }

    /// The id of a combination; `None` if it is not counted.
    pub fn id(&mut self, combination: &[i64]) -> Option<u32> {
        if self.is_single && combination == [NULL] {
            return None;
        }
        let next = u32::try_from(self.combinations.len()).unwrap_or(u32::MAX);
        if let Some(known) = self.combinations.get(combination) {
            return Some(*known);
        }
        self.combinations.insert(combination.into(), next);
        Some(next)
    }

    pub fn see(&mut self, group: usize, combination: u32) {
        self.seen.insert((u32::try_from(group).unwrap_or(u32::MAX), combination));
    }

    /// Adds the combinations of another accumulation, whose groups have the indices `places` here.
    fn merge(&mut self, other: &Self, places: &[usize]) {
        let mut ids = vec![None; other.combinations.len()];
        for (combination, id) in &other.combinations {
            ids[widen(*id)] = self.id(combination);
        }
        for (group, combination) in &other.seen {
            if let Some(id) = ids[widen(*combination)] {
                self.see(places[widen(*group)], id);
            }
        }
    }

    /// The number of distinct combinations in each of the first `groups` groups.
    pub fn counts(&self, groups: usize) -> Vec<u64> {
        let mut counts = vec![0; groups];
        for (group, _) in &self.seen {
            counts[widen(*group)] += 1;
        }
        counts
    }
}

impl Extremes {
    pub fn of(is_greatest: bool) -> Self {
        Self { is_greatest, values: Vec::new() }
    }

    pub fn see(&mut self, group: usize, value: i64) {
        let known = &mut self.values[group];
        let is_better = match self.is_greatest {
            _ if value == NULL => false,
            true => value > *known,
            false => value < *known || *known == NULL,
        };
        if is_better {
            *known = value;
        }
    }
}

/// Converts an id to an index.
pub(super) fn widen(id: u32) -> usize {
    usize::try_from(id).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::{Distinct, Extremes, Groups, NULL, Sums};

    #[test]
    fn a_group_is_found_again_however_many_keys_there_are() {
        for keys in [vec![], vec![(Some(4), false)], vec![(None, true); 3], vec![(None, false); 6]] {
            let mut groups = Groups::new(&keys, 0, Vec::new(), Vec::new());
            for round in 0..2 {
                for id in 0..if keys.is_empty() { 1 } else { 9 } {
                    assert_eq!(groups.find(&vec![id; keys.len()]), id as usize, "{keys:?} {round}");
                }
            }
        }
    }

    #[test]
    fn groups_of_two_threads_make_those_of_one() {
        let new = || {
            let extremes = vec![Extremes::of(false), Extremes::of(true)];
            Groups::new(&[(Some(4), false), (None, true)], 1, vec![Distinct::new(true)], extremes)
        };
        let add = |groups: &mut Groups, code: u32, number: i64, amount: (i128, u8), seen: i64| {
            let number = groups.numbers[1].as_mut().unwrap().id(number);
            let group = groups.find(&[code, number]);
            groups.counts[group] += 1;
            let factor = groups.sums[0].align(amount.1).unwrap();
            groups.sums[0].add(group, amount.0, factor, 1).unwrap();
            if let Some(id) = groups.distinct[0].id(&[seen]) {
                groups.distinct[0].see(group, id);
            }
            groups.extremes.iter_mut().for_each(|extremes| extremes.see(group, seen));
        };
        let (mut first, mut second) = (new(), new());
        add(&mut first, 1, 7, (5, 1), NULL);
        add(&mut first, 2, 8, (1, 0), 30);
        add(&mut second, 3, 9, (25, 2), 10);
        add(&mut second, 2, 8, (25, 2), 20);
        add(&mut second, 2, 8, (25, 2), 30);
        first.merge(&second).unwrap();
        assert_eq!((first.counts.as_slice(), first.sums[0].scale), (&[1, 3, 1][..], 2));
        assert_eq!(first.sums[0].totals, [50, 150, 25]);
        assert_eq!(first.distinct[0].counts(3), [0, 2, 1]);
        assert_eq!(first.extremes[0].values, [NULL, 20, 10]);
        assert_eq!(first.extremes[1].values, [NULL, 30, 10]);
    }

    #[test]
    fn numbers_of_unlike_scales_add_up() {
        let mut sums = Sums { scale: 0, totals: vec![0], present: vec![0] };
        for (mantissa, scale) in [(125, 2), (3, 0), (1, 6)] {
            let factor = sums.align(scale).unwrap();
            sums.add(0, mantissa, factor, 1).unwrap();
        }
        assert_eq!((sums.totals[0], sums.scale, sums.present[0]), (4_250_001, 6, 3));
        assert!(sums.align(40).is_err());
    }
}
