//! The basis of a verdict: everything needed to reproduce it by hand.

use super::rules;
use crate::numbers::{consistency, median, percent, product};
use catalogue::Decimal;

/// A reference day (or hour) and the factor for its value. The factor is 1, unless weekends are scaled to the level of weekdays or the reverse,
/// or an earlier month start to today's level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeightedValue {
    pub day: i32,
    pub value: Decimal,
    pub weight: Decimal,
}

impl WeightedValue {
    pub(super) fn plain((day, value): (i32, Decimal)) -> Self {
        Self { day, value, weight: Decimal::from(1) }
    }

    fn weighed(&self) -> Option<Decimal> {
        if self.weight == Decimal::from(1) { Some(self.value) } else { product(self.value, self.weight) }
    }
}

/// How the reference days are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// The last days with the same weekday.
    SameWeekday,
    /// The days just before, for series too short for weekday comparison.
    TrailingDays,
    /// Earlier first days of a month.
    MonthStarts,
    /// The service had no earlier cost.
    NewService,
    /// The extremes of the last 90 days.
    NewExtreme,
    /// The same hour of the last weekdays, or of the last weekends.
    SameHour,
}

impl Rule {
    /// The letter of the rule and its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::SameWeekday => "A: same weekday",
            Self::TrailingDays => "A: last 14 days",
            Self::MonthStarts => "A: month starts",
            Self::NewService => "A: new service",
            Self::NewExtreme => "B: new extreme of 90 days",
            Self::SameHour => "A: same hour",
        }
    }
}

/// The smallest and largest reference value, and the margin by which a new extreme must exceed them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extremes {
    pub low: Decimal,
    pub high: Decimal,
    pub margin: Decimal,
}

/// The lowest and highest value that is not an anomaly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Normal {
    pub low: Decimal,
    pub high: Decimal,
}

/// The usual day-to-day variation of a series, and the days from which it was computed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Unrest {
    pub amount: Decimal,
    /// The first of these days (or hours), and the one after the last; `None` if it was computed from the reference values.
    pub days: Option<(i32, i32)>,
}

/// The effect of users' verdicts on earlier findings of the series, and the limits without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeededVerdicts {
    /// The number of false alarms.
    pub wrong: usize,
    /// The limits as a percentage of the usual ones.
    pub percent: i64,
    pub factor: Decimal,
    /// Only for rule B.
    pub margin: Option<Decimal>,
}

/// The basis of a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Basis {
    pub rule: Rule,
    pub values: Vec<WeightedValue>,
    /// The median of value × weight.
    pub expected: Decimal,
    /// The median of |value × weight − expected|.
    pub mad: Decimal,
    /// The smallest spread: the largest of the usual variation of the series, 2% of the range of the values, 4% of the expected value, and
    /// [`Self::least_spread`] (one cent for costs, 1 for event counts, and for measurements 1% of the unit's whole, if it has one).
    pub floor: Decimal,
    /// max(1.4826 · mad, floor)
    pub spread: Decimal,
    /// A deviation must exceed this multiple of the spread.
    pub factor: Decimal,
    /// A deviation must be at least this percentage of the expected value, and at least `min_amount`.
    pub min_percent: i64,
    pub min_amount: Decimal,
    /// The lower limit of the floor.
    pub least_spread: Decimal,
    /// Only for rule B.
    pub extremes: Option<Extremes>,
    /// Only if it determines the floor.
    pub unrest: Option<Unrest>,
    /// Only for the first day of a month: the comparison with other days of its weekday. The day must be unusual in both.
    pub ordinary: Option<Box<Self>>,
    /// Only for the first day of a run, if users marked earlier findings as false alarms.
    pub verdicts: Option<HeededVerdicts>,
}

/// Limits that apply to every day of a series.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub factor: Decimal,
    pub min_amount: Decimal,
    /// The smallest cost of a new service that is reported.
    pub min_new: Decimal,
    /// The lower limit of the floor.
    pub least_spread: Decimal,
    /// The minimum deviation as a percentage of the expected value, for rules A and B.
    pub min_percent: [i64; 2],
}

impl Basis {
    /// Rule A over these values. `unrest` is the usual variation of the series around its expected value.
    pub(super) fn deviation(
        rule: Rule,
        values: Vec<WeightedValue>,
        unrest: Unrest,
        limits: Limits,
    ) -> Option<Self> {
        let weighed: Vec<Decimal> = values.iter().map(WeightedValue::weighed).collect::<Option<_>>()?;
        let expected = median(weighed.clone())?;
        let distances = weighed.iter().map(|value| value.checked_sub(expected).map(Decimal::abs));
        let mad = median(distances.collect::<Option<Vec<_>>>()?)?;
        let range = weighed.iter().max()?.checked_sub(*weighed.iter().min()?)?;
        let of_level = percent(expected.abs(), rules::FLOOR_PERCENT)?;
        let least = percent(range, rules::RANGE_PERCENT)?.max(of_level).max(limits.least_spread);
        let floor = least.max(unrest.amount);
        Some(Self {
            rule,
            values,
            expected,
            mad,
            floor,
            spread: product(mad, consistency())?.max(floor),
            factor: limits.factor,
            min_percent: limits.min_percent[0],
            min_amount: limits.min_amount,
            least_spread: limits.least_spread,
            extremes: None,
            unrest: Some(unrest).filter(|unrest| unrest.amount > least && unrest.days.is_some()),
            ordinary: None,
            verdicts: None,
        })
    }

    /// Rule B over these values.
    pub(super) fn extreme(values: Vec<WeightedValue>, limits: Limits) -> Option<Self> {
        let basis = Self::deviation(Rule::NewExtreme, values, Unrest::default(), limits)?;
        let low = basis.values.iter().map(|one| one.value).min()?;
        let high = basis.values.iter().map(|one| one.value).max()?;
        let margin = percent(high.checked_sub(low)?, rules::MARGIN_PERCENT)?.max(limits.least_spread);
        let extremes = Some(Extremes { low, high, margin });
        Some(Self { min_percent: limits.min_percent[1], extremes, ..basis })
    }

    /// Raises the limits by 50% for each verdict `wrong` on the series, up to eight.
    pub(super) fn demand_more(&mut self, wrong: usize) {
        let more = 100 + 50 * i64::try_from(wrong.min(8)).unwrap_or(8);
        let margin = self.extremes.map(|extremes| extremes.margin);
        self.verdicts = Some(HeededVerdicts { wrong, percent: more, factor: self.factor, margin });
        self.factor = percent(self.factor, more).unwrap_or(self.factor);
        if let Some(extremes) = &mut self.extremes {
            extremes.margin = percent(extremes.margin, more).unwrap_or(extremes.margin);
        }
    }

    /// The days, or hours, from which its floor and that of [`Self::ordinary`] were computed: first, and after the last.
    pub(super) fn unrest_days(&self) -> impl Iterator<Item = (i32, i32)> + '_ {
        let ordinary = self.ordinary.iter().filter_map(|ordinary| ordinary.unrest);
        self.unrest.into_iter().chain(ordinary).filter_map(|unrest| unrest.days)
    }

    /// Whether a value is an anomaly: outside the usual range, by enough of a percentage and by a large enough amount.
    pub fn condemns(&self, value: Decimal) -> Option<bool> {
        let deviation = value.checked_sub(self.expected)?.abs();
        let is_beyond = match self.extremes {
            Some(Extremes { low, high, margin }) => {
                value > high.checked_add(margin)? || value < low.checked_sub(margin)?
            }
            None => deviation > product(self.spread, self.factor)?,
        };
        Some(is_beyond && self.is_much(value)?)
    }

    /// The range of values that are not anomalies, by the rule's spread, percentage and amount. For a new service, the range of costs that are
    /// not reported.
    pub fn normal(&self) -> Option<Normal> {
        if self.rule == Rule::NewService {
            return Some(Normal { low: Decimal::ZERO, high: self.min_amount });
        }
        let least = percent(self.expected.abs(), self.min_percent)?.max(self.min_amount);
        let around = |far: Decimal| {
            Some(Normal { low: self.expected.checked_sub(far)?, high: self.expected.checked_add(far)? })
        };
        let Some(Extremes { low, high, margin }) = self.extremes else {
            return around(product(self.spread, self.factor)?.max(least));
        };
        let near = around(least)?;
        Some(Normal {
            low: low.checked_sub(margin)?.min(near.low),
            high: high.checked_add(margin)?.max(near.high),
        })
    }

    /// Whether a value deviates from the expected one by enough of a percentage and by a large enough amount.
    pub(super) fn is_much(&self, value: Decimal) -> Option<bool> {
        let deviation = value.checked_sub(self.expected)?.abs();
        let is_share = deviation >= percent(self.expected.abs(), self.min_percent)?;
        Some(is_share && deviation >= self.min_amount)
    }
}
