//! Groups consecutive unusual days (or hours) into one finding.

use super::basis::{Basis, Limits, Normal, Rule, Unrest, WeightedValue};
use super::grain::Grain;
use super::series::Series;
use super::{Feedback, Kind, SeriesKey, Verdict as Said};
use super::{hours, judge, rules};
use crate::numbers::sum;
use catalogue::Decimal;
use std::collections::BTreeMap;

/// A day or hour of a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunDay {
    /// Days since 1970, UTC; hours since 1970 for an hourly finding.
    pub day: i32,
    pub actual: Decimal,
    pub expected: Decimal,
    /// The range that would have been normal. Days of a new service after its first are not judged separately and have none.
    pub normal: Option<Normal>,
    /// The basis of the verdict on a day after the first; stored for the first [`rules::COMPARED`] days of a run.
    pub basis: Option<Basis>,
}

/// The state of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// The newest judged day is its first day.
    New,
    /// It continues up to the newest judged day.
    Growing,
    /// An ordinary day has followed.
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

/// A run of days, with the basis of its first day's verdict.
#[derive(Debug, Clone)]
pub(super) struct Run {
    pub key: SeriesKey,
    pub grain: Grain,
    pub kind: Kind,
    pub days: Vec<RunDay>,
    pub state: State,
    pub basis: Basis,
    /// The days from which the floors of its days were computed, in order, with their values.
    pub unrest_days: Vec<(i32, Decimal)>,
    /// Whether feedback silences it. It still explains the deviation of the total.
    pub is_silenced: bool,
}

impl Run {
    pub fn first(&self) -> i32 {
        self.days.first().map(|day| day.day).unwrap_or_default()
    }

    /// Σ(actual − expected) over the days for which `among` is true.
    pub fn impact(&self, among: impl Fn(i32) -> bool) -> Decimal {
        let days = self.days.iter().filter(|day| among(day.day));
        sum(days.filter_map(|day| day.actual.checked_sub(day.expected))).unwrap_or_default()
    }
}

/// A step judged unusual, and the first step of the run it would belong to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub first: i32,
    pub value: Decimal,
    pub kind: Kind,
}

/// How a series is judged: the limits, and which unusual steps are accepted.
pub(super) struct Terms<'a> {
    pub limits: Limits,
    pub admits: &'a dyn Fn(Candidate) -> bool,
}

/// Judges one step; `None` if too little is known.
type Judge = fn(&Series, i32, Limits) -> Option<judge::Verdict>;

/// The runs of a series.
pub(super) fn find(series: &Series, feedback: &[Feedback], terms: &Terms<'_>) -> Vec<Run> {
    let own: Vec<&Feedback> = feedback.iter().filter(|one| one.key == series.key).collect();
    let expected = Expectations::of(&own, series.grain);
    let mut runs = new_service(series, terms.limits, &expected);
    let (judge, most_normal): (Judge, u32) = match series.grain {
        Grain::Day => (judge::judge, rules::NORMAL_DAYS),
        Grain::Hour => (hours::judge, rules::NORMAL_HOURS),
    };
    let mut open: Option<(Run, u32)> = None;
    for day in series.judged_days() {
        let Some(verdict) = judge(series, day, terms.limits) else { continue };
        let out = verdict.basis.map(|basis| {
            let kind = if verdict.value >= basis.expected { Kind::Increase } else { Kind::Decrease };
            (basis, kind)
        });
        let goes_on = |run: &Run, kind: Kind| run.kind == kind && !expected.ends_between(run.first(), day);
        let out = out.filter(|(_, kind)| {
            let first =
                open.as_ref().filter(|(run, _)| goes_on(run, *kind)).map_or(day, |(run, _)| run.first());
            (terms.admits)(Candidate { first, value: verdict.value, kind: *kind })
        });
        let Some((basis, kind)) = out else {
            if let Some((mut run, normal)) = open.take() {
                run.state = State::Over;
                if normal + 1 >= most_normal {
                    runs.push(run);
                } else {
                    open = Some((run, normal + 1));
                }
            }
            continue;
        };
        // When data arrives in parts, the following day has even less.
        let may_still_come =
            || !series.is_settled(day) && series.at(day + 1).is_none_or(|next| next < verdict.value);
        if kind == Kind::Decrease && may_still_come() {
            continue;
        }
        let (actual, expected, normal) = (verdict.value, basis.expected, basis.normal());
        let mut one = RunDay { day, actual, expected, normal, basis: None };
        match open.take() {
            Some((mut run, _)) if goes_on(&run, kind) => {
                one.basis = (run.days.len() < rules::COMPARED).then_some(basis);
                run.days.push(one);
                run.state = State::Growing;
                open = Some((run, 0));
            }
            before => {
                runs.extend(before.map(|(run, _)| Run { state: State::Over, ..run }));
                let (key, grain, days) = (series.key.clone(), series.grain, vec![one]);
                let (state, unrest_days) = (State::New, Vec::new());
                let run = Run { key, grain, kind, days, state, basis, unrest_days, is_silenced: false };
                open = Some((run, 0));
            }
        }
    }
    runs.extend(open.map(|(run, _)| run));
    for run in &mut runs {
        heed(run, &own, &expected);
        run.unrest_days = unrest_days(series, run);
    }
    runs
}

/// The days, or hours, from which floors of a run were computed, each once.
fn unrest_days(series: &Series, run: &Run) -> Vec<(i32, Decimal)> {
    let later = run.days.iter().filter_map(|day| day.basis.as_ref());
    let spans = std::iter::once(&run.basis).chain(later).flat_map(Basis::unrest_days);
    let days: BTreeMap<i32, Decimal> = spans
        .flat_map(|(from, until)| match series.grain {
            Grain::Day => series.ordinary(from, until).collect::<Vec<_>>(),
            Grain::Hour => {
                (from..until).filter_map(|hour| Some((hour, series.at(hour)?))).collect::<Vec<_>>()
            }
        })
        .collect();
    days.into_iter().collect()
}

/// The periods in which a user expects deviations, as first and last steps of a series.
struct Expectations(Vec<(i32, i32)>);

impl Expectations {
    fn of(feedback: &[&Feedback], grain: Grain) -> Self {
        let expected = feedback.iter().filter(|one| one.verdict == Said::Expected);
        let span = |one: &&Feedback| {
            let last = one.expected_until?.max(one.started_on);
            Some((grain.first_of(one.started_on), grain.first_of(last + 1) - 1))
        };
        Self(expected.filter_map(span).collect())
    }

    fn holds(&self, step: i32) -> bool {
        self.0.iter().any(|(first, last)| (*first..=*last).contains(&step))
    }

    /// Whether `begin` was expected and `step` is not: the run then continues after the expected period and is judged again.
    fn ends_between(&self, begin: i32, step: i32) -> bool {
        self.holds(begin) && !self.holds(step)
    }
}

/// Applies users' feedback on findings of the series.
fn heed(run: &mut Run, feedback: &[&Feedback], expected: &Expectations) {
    let first = run.grain.day(run.first());
    let mut wrong = 0;
    for one in feedback {
        match one.verdict {
            Said::Useful => {}
            Said::Wrong if one.started_on < first => wrong += 1,
            // Without a last day, only this finding is expected.
            Said::Wrong | Said::Expected => run.is_silenced |= one.started_on == first,
        }
    }
    run.is_silenced |= expected.holds(run.first());
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

/// The first days of a service that is new in the bill. Begins with the first day whose cost is large enough, and again after the last day on
/// which it was expected.
fn new_service(series: &Series, limits: Limits, expected: &Expectations) -> Vec<Run> {
    let first = series.first_charge;
    if series.key.account.is_none() || first - series.known_since < rules::KNOWN_DAYS {
        return Vec::new();
    }
    let young = first..first + rules::NEW_DAYS;
    let days = series.judged_days().filter(|day| young.contains(day)).filter_map(|day| {
        Some(RunDay { day, actual: series.at(day)?, expected: Decimal::ZERO, normal: None, basis: None })
    });
    let mut days = days.peekable();
    let mut runs = Vec::new();
    while let Some(begin) = days.find(|day| day.actual >= limits.min_new) {
        let since = begin.day;
        let mut of_run = vec![begin];
        while let Some(day) = days.next_if(|day| !expected.ends_between(since, day.day)) {
            of_run.extend(Some(day).filter(|day| !day.actual.is_zero()));
        }
        runs.extend(new_run(series, of_run, limits));
    }
    runs
}

fn new_run(series: &Series, mut days: Vec<RunDay>, limits: Limits) -> Option<Run> {
    let (since, last) = (days.first()?.day, days.last()?.day);
    let before = (since - rules::TRAILING_DAYS..since).filter(|day| *day < series.first_charge);
    let values = before.map(|day| WeightedValue::plain((day, Decimal::ZERO))).collect();
    let basis = Basis::deviation(Rule::NewService, values, Unrest::default(), limits)?;
    let basis = Basis { min_amount: limits.min_new, ..basis };
    if let Some(first) = days.first_mut() {
        first.normal = basis.normal();
    }
    let newest = series.judged_days().last().unwrap_or_default();
    let state = match days.len() {
        _ if last < newest => State::Over,
        1 => State::New,
        _ => State::Growing,
    };
    let (key, grain) = (series.key.clone(), series.grain);
    let (kind, unrest_days) = (Kind::New, Vec::new());
    Some(Run { key, grain, kind, days, state, basis, unrest_days, is_silenced: false })
}
