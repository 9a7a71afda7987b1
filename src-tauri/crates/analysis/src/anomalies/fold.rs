//! Merges findings of the total, of tag values and of their parts, so that each event is reported once.

use super::measured::Bar;
use super::rules::EXPLAINED_PERCENT;
use super::runs::Run;
use super::{Finding, Kind, Measure, Part, SeriesKey, TaggedCost};
use crate::numbers::{percent, quotient, sum};
use catalogue::Decimal;
use std::collections::BTreeMap;
use uuid::Uuid;

/// The findings to report, and those that feedback silences.
#[derive(Default)]
pub(super) struct FindingLists {
    pub told: Vec<Finding>,
    pub silenced: Vec<Finding>,
}

impl FindingLists {
    /// Adds a run with the parts it includes, to the list of silenced findings if feedback silences it.
    pub fn add(&mut self, run: Run, parts: Vec<Part>) {
        let of = if run.is_silenced { &mut self.silenced } else { &mut self.told };
        of.push(finding(run, parts));
    }

    /// Adds a finding of a user-defined rule.
    pub fn add_with(&mut self, told: FoldedRun, bar: Option<Bar>, around: Vec<(i32, Decimal)>) {
        let of = if told.run.is_silenced { &mut self.silenced } else { &mut self.told };
        of.push(Finding { bar, around, ..finding(told.run, told.parts) });
    }

    /// Sorts by first day and series.
    pub fn sort(&mut self) {
        let order = |one: &Finding| (one.first_day(), one.key.clone(), one.kind, one.first_step());
        self.told.sort_by_key(order);
    }
}

/// Merges the findings of all series into one list.
///
/// If parts together explain 80% of a tag value's or the total's deviation, they become parts of its finding. If one part alone explains that
/// much, its own finding is more specific (it names the account, and its limits do not include the variation of the others), and the finding of
/// the whole is dropped. The same applies if a part lasted longer than the deviation of the whole, or is a new service. Tag values are parts of
/// the total, like services.
pub(super) fn fold(runs: Vec<Run>, cells: &Cells<'_>) -> FindingLists {
    let (of_accounts, wholes): (Vec<Run>, Vec<Run>) =
        runs.into_iter().partition(|run| run.key.account.is_some());
    let (tags, totals): (Vec<Run>, Vec<Run>) = wholes.into_iter().partition(|run| run.key.tag.is_some());
    let mut parts: Vec<FoldedRun> = of_accounts.into_iter().map(FoldedRun::alone).collect();
    let in_tag = |part: &Run, whole: &Run| cells.share(part, whole);
    let of_tags: Vec<FoldedRun> =
        distinct(tags).into_iter().filter_map(|tag| settle(tag, &mut parts, &in_tag)).collect();
    parts.extend(of_tags);
    for total in totals {
        let told = settle(total, &mut parts, &common);
        parts.extend(told);
    }
    let mut findings = FindingLists::default();
    for FoldedRun { run, parts } in parts {
        findings.add(run, parts);
    }
    findings.sort();
    findings
}

/// A run to report, and the parts that it includes.
pub(super) struct FoldedRun {
    pub run: Run,
    pub parts: Vec<Part>,
}

impl FoldedRun {
    pub fn alone(run: Run) -> Self {
        Self { run, parts: Vec::new() }
    }
}

/// The impact of a part on the days of the whole.
pub(super) fn common(part: &Run, whole: &Run) -> Decimal {
    part.impact(|day| whole.days.iter().any(|of_whole| of_whole.day == day))
}

/// The finding of a whole with the parts that it includes, which are removed from the list; `None` if the parts' own findings are more specific.
pub(super) fn settle(
    whole: Run,
    parts: &mut Vec<FoldedRun>,
    share: &dyn Fn(&Run, &Run) -> Decimal,
) -> Option<FoldedRun> {
    let impact = whole.impact(|_| true);
    let explains = |run: &Run| {
        let share = share(run, &whole);
        run.key.measure == whole.key.measure
            && !share.is_zero()
            && share.is_negative() == impact.is_negative()
    };
    let members: Vec<&Run> = parts.iter().map(|told| &told.run).filter(|run| explains(run)).collect();
    let explained = sum(members.iter().map(|run| share(run, &whole))).unwrap_or_default();
    if !is_most(explained, impact) {
        return Some(FoldedRun::alone(whole));
    }
    let lies_within = |run: &&Run| is_most(share(run, &whole), run.impact(|_| true));
    let alone = members.iter().any(|run| is_most(share(run, &whole), impact));
    let is_new = members.iter().any(|run| run.kind == Kind::New);
    // Feedback on a part also applies to the whole that it explains.
    let is_silenced = members.iter().any(|run| run.is_silenced);
    if alone || is_new || is_silenced || !members.iter().all(lies_within) {
        return None;
    }
    let mut told: Vec<Part> =
        members.iter().map(|run| Part { key: run.key.clone(), impact: share(run, &whole) }).collect();
    told.sort_by(|left, right| {
        right.impact.abs().cmp(&left.impact.abs()).then_with(|| left.key.cmp(&right.key))
    });
    let gone: Vec<(SeriesKey, i32)> = members.iter().map(|run| (run.key.clone(), run.first())).collect();
    parts.retain(|told| !gone.contains(&(told.run.key.clone(), told.run.first())));
    Some(FoldedRun { run: whole, parts: told })
}

/// One run per event, if values of several tags show the same event: that of the first tag by key.
fn distinct(tags: Vec<Run>) -> Vec<Run> {
    let mut kept: Vec<Run> = Vec::new();
    for run in tags {
        let is_told = kept.iter().any(|other| {
            let (here, there) = (common(&run, other), common(other, &run));
            // A charge has one value per tag, so two values of the same tag never describe the same event.
            other.key.tag != run.key.tag
                && other.key.measure == run.key.measure
                && here.is_negative() == there.is_negative()
                && is_most(here, other.impact(|_| true))
                && is_most(there, run.impact(|_| true))
        });
        if !is_told {
            kept.push(run);
        }
    }
    kept
}

/// The daily cost of services of accounts for each tag value.
pub(super) struct Cells<'a>(BTreeMap<Cell<'a>, BTreeMap<i32, Decimal>>);

/// Currency, account, service, tag and its value.
type Cell<'a> = (&'a str, Uuid, &'a str, &'a str, &'a str);

impl<'a> Cells<'a> {
    pub fn of(tagged: &'a [TaggedCost]) -> Self {
        let mut cells: BTreeMap<Cell<'a>, BTreeMap<i32, Decimal>> = BTreeMap::new();
        for TaggedCost { tag, value, cost } in tagged {
            let key =
                (cost.currency.as_str(), cost.account, cost.service.as_str(), tag.as_str(), value.as_str());
            let amount = cells.entry(key).or_default().entry(cost.day).or_insert(Decimal::ZERO);
            *amount = amount.checked_add(cost.amount).unwrap_or(*amount);
        }
        Self(cells)
    }

    /// The part of a service's run that charges with a tag value caused, on the common days: their cost above their own cost on the run's
    /// reference days.
    fn share(&self, part: &Run, tag: &Run) -> Decimal {
        let share = || {
            let (Measure::Cost(currency), Some(account), Some(of_tag)) =
                (&part.key.measure, part.key.account, &tag.key.tag)
            else {
                return None;
            };
            let key =
                (currency.as_str(), account, part.key.name.as_str(), of_tag.as_str(), tag.key.name.as_str());
            let cell = self.0.get(&key)?;
            let on =
                |days: &mut dyn Iterator<Item = i32>| sum(days.filter_map(|day| cell.get(&day).copied()));
            let both: Vec<i32> = part
                .days
                .iter()
                .map(|day| day.day)
                .filter(|day| tag.days.iter().any(|of_tag| of_tag.day == *day))
                .collect();
            let before = on(&mut part.basis.values.iter().map(|one| one.day))?;
            let days = i64::try_from(part.basis.values.len()).ok()?.max(1);
            let usual =
                quotient(before.checked_mul_int(i64::try_from(both.len()).ok()?)?, Decimal::from(days), 10)?;
            on(&mut both.into_iter())?.checked_sub(usual)
        };
        share().unwrap_or_default()
    }
}

fn is_most(share: Decimal, whole: Decimal) -> bool {
    percent(whole.abs(), EXPLAINED_PERCENT).is_some_and(|most| share.abs() >= most)
}

fn finding(run: Run, parts: Vec<Part>) -> Finding {
    let impact = run.impact(|_| true);
    Finding {
        key: run.key,
        grain: run.grain,
        kind: run.kind,
        state: run.state,
        days: run.days,
        basis: run.basis,
        unrest_days: run.unrest_days,
        impact,
        parts,
        bar: None,
        around: Vec::new(),
    }
}
