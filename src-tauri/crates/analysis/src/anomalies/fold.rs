//! Findings of the total and of its parts: which tells the other.

use super::rules::EXPLAINED_PERCENT;
use super::runs::Run;
use super::{Finding, Kind, Part, SeriesKey};
use crate::numbers::{percent, sum};
use catalogue::Decimal;

/// What is told, and what a person has said is not to be told.
#[derive(Default)]
pub(super) struct FindingLists {
    pub told: Vec<Finding>,
    pub silenced: Vec<Finding>,
}

impl FindingLists {
    fn add(&mut self, run: Run, parts: Vec<Part>) {
        let of = if run.is_silenced { &mut self.silenced } else { &mut self.told };
        of.push(finding(run, parts));
    }
}

/// One list of findings out of those of all series.
///
/// Parts that together explain 80 % of what happened to the total go into its finding. Where one part alone does, its own
/// finding tells more (whose it is, and without the unrest of the others), and that of the total goes; so it does where a part
/// lasted longer than the total was out of the ordinary, and where services are new.
pub(super) fn fold(runs: Vec<Run>) -> FindingLists {
    let (totals, mut parts): (Vec<Run>, Vec<Run>) =
        runs.into_iter().partition(|run| run.key.account.is_none());
    let mut findings = FindingLists::default();
    for total in totals {
        let impact = total.impact(|_| true);
        let days = |day: i32| total.days.iter().any(|of_total| of_total.day == day);
        let share = |run: &Run| run.impact(days);
        let explains = |run: &Run| {
            let share = share(run);
            run.key.currency == total.key.currency
                && !share.is_zero()
                && share.is_negative() == impact.is_negative()
        };
        let members: Vec<&Run> = parts.iter().filter(|run| explains(run)).collect();
        let explained = sum(members.iter().map(|run| share(run))).unwrap_or_default();
        if !is_most(explained, impact) {
            findings.add(total, Vec::new());
            continue;
        }
        let lies_within = |run: &&Run| is_most(share(run), run.impact(|_| true));
        let alone = members.iter().any(|run| is_most(share(run), impact));
        let is_new = members.iter().any(|run| run.kind == Kind::New);
        // What a person has said of a part goes for the total that it explains.
        let is_silenced = members.iter().any(|run| run.is_silenced);
        if alone || is_new || is_silenced || !members.iter().all(lies_within) {
            continue;
        }
        let mut told: Vec<Part> =
            members.iter().map(|run| Part { key: run.key.clone(), impact: share(run) }).collect();
        told.sort_by(|left, right| {
            right.impact.abs().cmp(&left.impact.abs()).then_with(|| left.key.cmp(&right.key))
        });
        let gone: Vec<(SeriesKey, i32)> = members.iter().map(|run| (run.key.clone(), run.first())).collect();
        parts.retain(|run| !gone.contains(&(run.key.clone(), run.first())));
        findings.add(total, told);
    }
    for run in parts {
        findings.add(run, Vec::new());
    }
    let order = |left: &Finding, right: &Finding| {
        (left.days[0].day, &left.key, left.kind).cmp(&(right.days[0].day, &right.key, right.kind))
    };
    findings.told.sort_by(order);
    findings
}

fn is_most(share: Decimal, whole: Decimal) -> bool {
    percent(whole.abs(), EXPLAINED_PERCENT).is_some_and(|most| share.abs() >= most)
}

fn finding(run: Run, parts: Vec<Part>) -> Finding {
    let impact = run.impact(|_| true);
    Finding {
        key: run.key,
        kind: run.kind,
        state: run.state,
        days: run.days,
        basis: run.basis,
        impact,
        parts,
    }
}
