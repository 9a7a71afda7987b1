//! The rules for the relation between the rows of a delivery and stored rows.

use super::Overlap;
use super::overlap::share;
use catalogue::Decimal;
use std::fmt;

/// Up to this share of known keys, rows are new. It is not 0, because the amount of one charge may be split over several rows.
const NEW: f64 = 0.02;
/// From this share of known keys, rows are restated.
const AGAIN: f64 = 0.9;
/// A restatement with fewer keys than this share of those it would replace is probably incomplete.
const MUCH_SMALLER: f64 = 0.8;

/// The rows of a delivery in one billing period of one source.
#[derive(Debug, Clone, Copy)]
pub struct IncomingRows {
    /// Whether there are charges other than credits, corrections and adjustments.
    pub has_charges: bool,
    /// Whether some rows of the file could not be read.
    pub has_unreadable: bool,
    /// The share of the delivery's distinct keys that any older import contains, from 0 to 1; `keys` is the number of these keys.
    pub known_share: f64,
    pub keys: f64,
    pub billed: Decimal,
}

/// The rows of one older import in the same period.
#[derive(Debug, Clone, Copy)]
pub struct OlderRows {
    pub overlap: Overlap,
    pub has_charges: bool,
    pub billed: Decimal,
    /// The import has the same bytes, and some of its rows were deleted by hand.
    pub is_same_file: bool,
}

/// The user's answer about the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    Add,
    /// They replace all rows of the overlapping imports.
    Replace,
    /// They replace the rows of the same accounts.
    ReplaceAccounts,
    /// They replace only the rows of the same charges; all others remain.
    Combine,
}

impl Choice {
    /// The name used by the interface.
    pub fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Replace => "replace",
            Self::ReplaceAccounts => "replace_accounts",
            Self::Combine => "combine",
        }
    }

    /// The choice with this name.
    pub fn parse(word: &str) -> Option<Self> {
        let all = [Self::Add, Self::Replace, Self::ReplaceAccounts, Self::Combine];
        all.into_iter().find(|choice| choice.name() == word)
    }
}

/// The reason for a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    PartlyKnown,
    MuchSmaller,
    OnlyCredits,
    UnreadableRows,
    LowersPeriod,
    UnclearIdentity,
    TwoVersions,
    /// Actual cost is stored and the file contains amortised cost, or the reverse.
    OtherCostView,
    /// No charge identity matches, but the same cost is probably stored.
    RestatedDifferently,
    /// No charge identity matches, and nothing shows that both are parts of one report.
    UnknownParts,
}

impl Reason {
    /// Whether both certainly contain some of the same charges, which can count once while all others remain.
    pub fn may_combine(self) -> bool {
        matches!(self, Self::PartlyKnown | Self::MuchSmaller | Self::UnreadableRows)
    }

    /// The text of the question.
    pub fn question(self, periods: &str) -> String {
        if self == Self::OtherCostView {
            return format!(
                "For {periods}, an export of the other kind is stored: only one of actual and amortised cost may count. Does this \
                 file take its place? To keep what is stored, remove this import."
            );
        }
        let why = match self {
            Self::PartlyKnown => "Some charges of {} are already stored, others are not",
            Self::MuchSmaller => {
                "The file has far fewer charges of {} than are stored, and all of them are already stored"
            }
            Self::OnlyCredits => {
                "The file has only credits and corrections of {}, where charges are there already"
            }
            Self::UnreadableRows => {
                "Some rows of the file could not be read, and the others tell charges of {} that are there already"
            }
            Self::LowersPeriod => {
                "Taking the place of the charges of {} that are there would lower them by much"
            }
            Self::UnclearIdentity => {
                "Nothing tells the charges of {} in the file apart from those that are there already"
            }
            Self::OtherCostView => "An export of {} of the other kind of cost is there",
            Self::TwoVersions => "The files tell the same charges of {} in different versions",
            Self::UnknownParts => {
                "Another Cost and Usage Report has charges of {} for the same accounts and days, all of them others, and neither a manifest nor the names of \
                 the files show that both are parts of one report"
            }
            Self::RestatedDifferently => {
                "Charges of {} for the same accounts and days are there already, told in another way: by another kind of file, by \
                 the hour or by the day, in another currency, billing period or billing account, or with the same sum"
            }
        };
        format!("{}. Are these further charges, or do they take their place?", why.replace("{}", periods))
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::PartlyKnown => "partly_known",
            Self::MuchSmaller => "much_smaller",
            Self::OnlyCredits => "only_credits",
            Self::UnreadableRows => "unreadable_rows",
            Self::LowersPeriod => "lowers_period",
            Self::UnclearIdentity => "unclear_identity",
            Self::TwoVersions => "two_versions",
            Self::OtherCostView => "other_cost_view",
            Self::RestatedDifferently => "told_otherwise",
            Self::UnknownParts => "unknown_parts",
        })
    }
}

/// What happens with the rows of one billing period of one source. The numbers are indices into the list of older imports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// They are added to the stored rows.
    Add,
    /// They replace the rows of these imports.
    Replace(Vec<usize>),
    /// Nothing until the user answers; these imports would be replaced.
    Ask(Reason, Vec<usize>),
}

/// Applies the rules. `most_lower` is the share by which a replacement may lower the cost of the period (0.1 is a tenth).
pub fn decide(incoming: &IncomingRows, older: &[OlderRows], most_lower: f64) -> Verdict {
    let places = |test: &dyn Fn(&OlderRows) -> bool| -> Vec<usize> {
        older
            .iter()
            .enumerate()
            .filter(|(_, older_import)| test(older_import))
            .map(|(place, _)| place)
            .collect()
    };
    let same_file = places(&|older_import| older_import.is_same_file);
    let overlapping = places(&|older_import| older_import.overlap.shared > 0.0);
    // Another import may contain the rows that were lost.
    if !same_file.is_empty() && overlapping.iter().all(|place| same_file.contains(place)) {
        return Verdict::Replace(same_file);
    }
    if older.is_empty() {
        return Verdict::Add;
    }
    let all = || (0..older.len()).collect::<Vec<_>>();
    if incoming.known_share <= NEW
        && older.iter().all(|older_import| older_import.overlap.share_of_older() <= NEW)
    {
        let shared =
            overlapping.iter().fold(Overlap::default(), |sum, place| sum.plus(older[*place].overlap));
        if shared.is_restatement() {
            return Verdict::Ask(Reason::PartlyKnown, overlapping);
        }
        let covers_charges =
            !incoming.has_charges && older.iter().any(|older_import| older_import.has_charges);
        return if covers_charges { Verdict::Ask(Reason::OnlyCredits, all()) } else { Verdict::Add };
    }
    // Single keys shared by accident do not make one file a restatement of the other.
    let restated: Vec<usize> = places(&|older_import| {
        older_import.overlap.share_of_older() > NEW || share(older_import.overlap.shared, incoming.keys) > NEW
    });
    let overlap = restated.iter().fold(Overlap::default(), |sum, place| sum.plus(older[*place].overlap));
    if share(overlap.certain, overlap.shared) < AGAIN {
        return Verdict::Ask(Reason::UnclearIdentity, overlapping);
    }
    if restated.iter().any(|place| older[*place].overlap.share_of_older() < AGAIN) {
        let is_smaller = incoming.known_share >= AGAIN && incoming.keys < MUCH_SMALLER * overlap.older;
        return Verdict::Ask(if is_smaller { Reason::MuchSmaller } else { Reason::PartlyKnown }, overlapping);
    }
    if !incoming.has_charges && restated.iter().any(|place| older[*place].has_charges) {
        return Verdict::Ask(Reason::OnlyCredits, restated);
    }
    if incoming.has_unreadable {
        return Verdict::Ask(Reason::UnreadableRows, restated);
    }
    let before: f64 = older.iter().map(|older_import| older_import.billed.to_f64()).sum();
    let replaced: f64 = restated.iter().map(|place| older[*place].billed.to_f64()).sum();
    let lowered = replaced - incoming.billed.to_f64();
    if lowered > 1.0 && lowered > most_lower * before.abs() {
        return Verdict::Ask(Reason::LowersPeriod, restated);
    }
    Verdict::Replace(restated)
}

/// Applies the user's choice. Returns the indices of the imports that are replaced.
pub fn imports_replaced_by(choice: Choice, incoming: &IncomingRows, older: &[OlderRows]) -> Vec<usize> {
    let all = 0..older.len();
    match choice {
        Choice::Add => Vec::new(),
        Choice::Replace | Choice::ReplaceAccounts | Choice::Combine => {
            let overlapping: Vec<usize> =
                all.clone().filter(|place| older[*place].overlap.shared > 0.0).collect();
            // Credits share no key with the charges concerned; charges that share no key are a further part.
            if overlapping.is_empty() && !incoming.has_charges { all.collect() } else { overlapping }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide::{RowKey, Sketch};

    fn sketch(keys: impl IntoIterator<Item = (u64, u32)>) -> Sketch {
        let mut sketch = Sketch::default();
        for (key, amounts) in keys {
            sketch.add(RowKey { identity: crate::keys::mix(key), amounts });
        }
        sketch
    }

    fn keys(range: std::ops::Range<u64>) -> Sketch {
        sketch(range.map(|key| (key, 1)))
    }

    fn older_import(new: &Sketch, older: &Sketch, billed: &str) -> OlderRows {
        OlderRows {
            overlap: Overlap::of(Some(new), Some(older)),
            has_charges: true,
            billed: Decimal::parse(billed).unwrap(),
            is_same_file: false,
        }
    }

    fn incoming(older: &[OlderRows], keys: f64, billed: &str) -> IncomingRows {
        let shared: f64 = older.iter().map(|older_import| older_import.overlap.shared).sum();
        IncomingRows {
            has_charges: true,
            has_unreadable: false,
            known_share: share(shared, keys),
            keys,
            billed: Decimal::parse(billed).unwrap(),
        }
    }

    fn verdict(new: std::ops::Range<u64>, older: &[(std::ops::Range<u64>, &str)], billed: &str) -> Verdict {
        let new = keys(new);
        let older: Vec<OlderRows> =
            older.iter().map(|(range, billed)| older_import(&new, &keys(range.clone()), billed)).collect();
        decide(&incoming(&older, Overlap::of(Some(&new), None).new, billed), &older, 0.1)
    }

    #[test]
    fn a_part_is_added_and_a_restatement_replaces() {
        assert_eq!(verdict(0..100, &[], "5"), Verdict::Add);
        assert_eq!(verdict(100..200, &[(0..100, "5")], "5"), Verdict::Add);
        assert_eq!(verdict(0..100, &[(0..100, "5")], "5.5"), Verdict::Replace(vec![0]));
        assert_eq!(verdict(0..300, &[(0..100, "5"), (100..200, "6")], "16"), Verdict::Replace(vec![0, 1]));
        assert_eq!(verdict(0..100, &[(0..100, "5"), (100..200, "6")], "6"), Verdict::Replace(vec![0]));
    }

    #[test]
    fn a_few_rows_told_again_as_they_stand_are_asked_about() {
        assert_eq!(verdict(990..1990, &[(0..1000, "5")], "5"), Verdict::Ask(Reason::PartlyKnown, vec![0]));
        assert_eq!(verdict(991..1991, &[(0..1000, "5")], "5"), Verdict::Add, "nine may be an accident");
        let (new, other) = (sketch((990..1990).map(|key| (key, 2))), keys(0..1000));
        let older = [older_import(&new, &other, "5")];
        assert_eq!(decide(&incoming(&older, 1000.0, "5"), &older, 0.1), Verdict::Add, "with other amounts");
    }

    #[test]
    fn what_lies_between_is_asked() {
        assert_eq!(verdict(0..100, &[(50..150, "5")], "5"), Verdict::Ask(Reason::PartlyKnown, vec![0]));
        assert_eq!(verdict(0..10, &[(0..100, "5")], "1"), Verdict::Ask(Reason::MuchSmaller, vec![0]));
        assert_eq!(verdict(0..100, &[(0..100, "50")], "40"), Verdict::Ask(Reason::LowersPeriod, vec![0]));
        assert_eq!(verdict(0..100, &[(0..100, "50")], "46"), Verdict::Replace(vec![0]));
        assert_eq!(verdict(0..1, &[(0..1, "1.5")], "0.6"), Verdict::Replace(vec![0]));
    }

    #[test]
    fn credits_never_take_the_place_of_charges_unasked() {
        for range in [0..100, 100..200] {
            let (new, charges) = (keys(range), keys(0..100));
            let older = [older_import(&new, &charges, "50")];
            let credits = IncomingRows { has_charges: false, ..incoming(&older, 100.0, "-1") };
            assert!(matches!(decide(&credits, &older, 0.1), Verdict::Ask(Reason::OnlyCredits, _)));
            let before =
                [OlderRows { has_charges: false, billed: Decimal::parse("-1").unwrap(), ..older[0] }];
            assert!(!matches!(decide(&credits, &before, 0.1), Verdict::Ask(..)));
        }
    }

    #[test]
    fn a_file_with_unreadable_rows_is_added_and_never_replaces_unasked() {
        let (new, other) = (keys(0..100), keys(100..200));
        for (older, is_asked) in
            [([older_import(&new, &new, "5")], true), ([older_import(&new, &other, "5")], false)]
        {
            let damaged = IncomingRows { has_unreadable: true, ..incoming(&older, 100.0, "5") };
            assert_eq!(
                matches!(decide(&damaged, &older, 0.1), Verdict::Ask(Reason::UnreadableRows, _)),
                is_asked
            );
        }
    }

    #[test]
    fn rows_that_nothing_tells_apart_prove_nothing_unless_their_amounts_are_the_same() {
        let many = |amount: u32| sketch((0..50).flat_map(|key| (0..4).map(move |_| (key, amount))));
        for (again, expected) in
            [(many(9), Verdict::Ask(Reason::UnclearIdentity, vec![0])), (many(1), Verdict::Replace(vec![0]))]
        {
            let older = [older_import(&again, &many(1), "5")];
            assert_eq!(decide(&incoming(&older, 50.0, "5"), &older, 0.1), expected);
        }
    }

    #[test]
    fn a_choice_replaces_what_overlaps_or_everything() {
        let new = keys(0..10);
        let older = [older_import(&new, &keys(5..15), "5"), older_import(&new, &keys(50..60), "5")];
        let charges = incoming(&older, 10.0, "5");
        assert_eq!(imports_replaced_by(Choice::Add, &charges, &older), [0; 0]);
        assert_eq!(imports_replaced_by(Choice::Replace, &charges, &older), [0]);
        assert_eq!(imports_replaced_by(Choice::Replace, &charges, &older[1..]), [0; 0]);
        let credits = IncomingRows { has_charges: false, ..charges };
        assert_eq!(imports_replaced_by(Choice::ReplaceAccounts, &credits, &older[1..]), [0]);
    }
}
