//! Days out of the ordinary that follow each other, as one finding.

use super::basis::{Basis, Limits, Normal, Rule, Weighted};
use super::judge::judge;
use super::rules;
use super::series::Series;
use super::{Feedback, Kind, SeriesKey, Verdict as Said};
use crate::numbers::sum;
use catalogue::Decimal;

/// A day of a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunDay {
    pub day: i32,
    pub actual: Decimal,
    pub expected: Decimal,
    /// What would have been nothing to tell. Days of a new service after its first one are not judged by themselves and have none.
    pub normal: Option<Normal>,
}

/// How a finding stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// The newest day that was judged is its first one.
    New,
    /// It goes on up to the newest day that was judged.
    Growing,
    /// A day that is not out of the ordinary has followed.
    Over,
}

impl State {
    pub fn name(self) -> &'static str {
        match self {
            Self::New => "NEW",
            Self::Growing => "GROWING",
            Self::Over => "OVER",
        }
    }
}

/// One run of days, with what its first day was judged by.
#[derive(Debug, Clone)]
pub(super) struct Run {
    pub key: SeriesKey,
    pub kind: Kind,
    pub days: Vec<RunDay>,
    pub state: State,
    pub basis: Basis,
    /// A person has said that it is not to be told. It still explains what happened to the total.
    pub is_silenced: bool,
}

impl Run {
    pub fn first(&self) -> i32 {
        self.days.first().map(|day| day.day).unwrap_or_default()
    }

    /// Σ(actual − expected) over the days that pass the test.
    pub fn impact(&self, among: impl Fn(i32) -> bool) -> Decimal {
        let days = self.days.iter().filter(|day| among(day.day));
        sum(days.filter_map(|day| day.actual.checked_sub(day.expected))).unwrap_or_default()
    }
}

/// What is found in a series.
pub(super) fn find(series: &Series, feedback: &[Feedback]) -> Vec<Run> {
    let (min_amount, min_new) = rules::floors(&series.key.currency);
    let limits = Limits { factor: rules::factor(0), min_amount, min_new };
    let mut runs = Vec::new();
    runs.extend(new_service(series, limits));
    let mut open: Option<(Run, u32)> = None;
    for day in series.judged_days() {
        let Some(verdict) = judge(series, day, limits) else { continue };
        let Some(basis) = verdict.basis else {
            if let Some((mut run, normal)) = open.take() {
                run.state = State::Over;
                if normal + 1 >= rules::NORMAL_DAYS {
                    runs.push(run);
                } else {
                    open = Some((run, normal + 1));
                }
            }
            continue;
        };
        let kind = if verdict.value >= basis.expected { Kind::Increase } else { Kind::Decrease };
        // A delivery that trickles in has still less of the day after.
        let may_still_come =
            || !series.is_settled(day) && series.at(day + 1).is_none_or(|next| next < verdict.value);
        if kind == Kind::Decrease && may_still_come() {
            continue;
        }
        let one = RunDay { day, actual: verdict.value, expected: basis.expected, normal: basis.normal() };
        match open.take() {
            Some((mut run, _)) if run.kind == kind => {
                run.days.push(one);
                run.state = State::Growing;
                open = Some((run, 0));
            }
            before => {
                runs.extend(before.map(|(run, _)| Run { state: State::Over, ..run }));
                let (key, days) = (series.key.clone(), vec![one]);
                let run = Run { key, kind, days, state: State::New, basis, is_silenced: false };
                open = Some((run, 0));
            }
        }
    }
    runs.extend(open.map(|(run, _)| run));
    let own: Vec<&Feedback> = feedback.iter().filter(|one| one.key == series.key).collect();
    for run in &mut runs {
        heed(run, &own);
    }
    runs
}

/// Does what people have said about findings of the series.
fn heed(run: &mut Run, feedback: &[&Feedback]) {
    let first = run.first();
    let mut wrong = 0;
    for one in feedback {
        match one.verdict {
            Said::Useful => {}
            Said::Wrong if one.started_on < first => wrong += 1,
            Said::Wrong => run.is_silenced |= one.started_on == first,
            Said::Expected => {
                let last = one.expected_until.unwrap_or(one.started_on).max(one.started_on);
                run.is_silenced |= (one.started_on..=last).contains(&first);
            }
        }
    }
    if wrong > 0 {
        run.basis.demand_more(wrong);
        let normal = run.basis.normal();
        let value = run.days.first_mut().map(|day| {
            day.normal = normal;
            day.actual
        });
        run.is_silenced |= value.and_then(|value| run.basis.condemns(value)) != Some(true);
    }
}

/// The first days of a service in a bill that was known without it. It begins with the first day that costs enough to be told.
fn new_service(series: &Series, limits: Limits) -> Option<Run> {
    series.key.account?;
    let first = series.first_charge;
    if first - series.known_since < rules::KNOWN_DAYS {
        return None;
    }
    let young = first..first + rules::NEW_DAYS;
    let mut days = series.judged_days().filter(|day| young.contains(day)).filter_map(|day| {
        Some(RunDay { day, actual: series.at(day)?, expected: Decimal::ZERO, normal: None })
    });
    let begin = days.find(|day| day.actual >= limits.min_new)?;
    let before = (begin.day - rules::TRAILING_DAYS..begin.day).filter(|day| *day < first);
    let values = before.map(|day| Weighted::plain((day, Decimal::ZERO))).collect();
    let mut run: Vec<RunDay> = vec![begin];
    run.extend(days.filter(|day| !day.actual.is_zero()));
    let basis = Basis::deviation(Rule::NewService, values, Decimal::ZERO, limits)?;
    let basis = Basis { min_amount: limits.min_new, ..basis };
    if let Some(first) = run.first_mut() {
        first.normal = basis.normal();
    }
    let newest = series.judged_days().last().unwrap_or_default();
    let state = match (run.last().map(|day| day.day), run.len()) {
        (Some(last), _) if last < newest => State::Over,
        (_, 1) => State::New,
        _ => State::Growing,
    };
    let key = series.key.clone();
    Some(Run { key, kind: Kind::New, days: run, state, basis, is_silenced: false })
}
