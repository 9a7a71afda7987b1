//! What a verdict rests on: everything a person needs to come to it again.

use super::rules;
use crate::numbers::{consistency, median, percent, product};
use catalogue::Decimal;

/// A day (or hour) that is compared with, and what its value is multiplied by: 1, unless weekends are brought to the level of weekdays or
/// the other way round, or a month start of another time to the level of today.
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

/// Which days a value is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// The last days of the same weekday.
    SameWeekday,
    /// The days just before, for series too young for weekdays.
    TrailingDays,
    /// Earlier first days of a month.
    MonthStarts,
    /// The service was not there before.
    NewService,
    /// The extremes of the last 90 days.
    NewExtreme,
    /// The same hour of the last days of its kind, weekdays or weekends.
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

/// The smallest and the largest of the values, and how far beyond a new extreme must lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extremes {
    pub low: Decimal,
    pub high: Decimal,
    pub margin: Decimal,
}

/// The lowest and the highest value that is nothing to tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Normal {
    pub low: Decimal,
    pub high: Decimal,
}

/// How much a series differs from itself on ordinary days, and the days that tell it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Unrest {
    pub amount: Decimal,
    /// The first of these days (or hours), and the one after the last; none where it follows from the values that are compared with.
    pub days: Option<(i32, i32)>,
}

/// What people have said of earlier findings of the series, and what would have been demanded without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeededVerdicts {
    /// So many were false alarms.
    pub wrong: usize,
    /// So many hundredths of the usual are demanded.
    pub percent: i64,
    pub factor: Decimal,
    /// Of rule B only.
    pub margin: Option<Decimal>,
}

/// What a verdict rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Basis {
    pub rule: Rule,
    pub values: Vec<WeightedValue>,
    /// The median of value × weight.
    pub expected: Decimal,
    /// The median of |value × weight − expected|.
    pub mad: Decimal,
    /// The least spread: the largest of the unrest of the series, 2% of the range of the values, 4% of what is expected, and
    /// a cent (of a number of events 1; of a measurement a hundredth of what its unit has as a whole, where it has one).
    pub floor: Decimal,
    /// max(1.4826 · mad, floor)
    pub spread: Decimal,
    /// How many times the spread a deviation must surpass.
    pub factor: Decimal,
    /// A deviation must be at least so many hundredths of what was expected, and at least so much.
    pub min_percent: i64,
    pub min_amount: Decimal,
    /// The floor is never less.
    pub least_spread: Decimal,
    /// Of rule B only.
    pub extremes: Option<Extremes>,
    /// Where it makes the floor.
    pub unrest: Option<Unrest>,
    /// Of the first day of a month: the same day beside others of its weekday. It must be out of the ordinary there as well.
    pub ordinary: Option<Box<Self>>,
    /// Of the first day of a run, where people have called earlier findings false alarms.
    pub verdicts: Option<HeededVerdicts>,
}

/// Limits that hold for every day of a series.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub factor: Decimal,
    pub min_amount: Decimal,
    /// Smallest cost of a new service.
    pub min_new: Decimal,
    /// The least spread.
    pub least_spread: Decimal,
    /// So many hundredths of what is expected a deviation must have under rule A, and under rule B.
    pub min_percent: [i64; 2],
}

impl Basis {
    /// Rule A over these values. `unrest` is how much the series usually differs from what is expected of it.
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

    /// What it takes after so many verdicts `wrong` on the series: half as much more for each.
    pub(super) fn demand_more(&mut self, wrong: usize) {
        let more = 100 + 50 * i64::try_from(wrong.min(8)).unwrap_or(8);
        let margin = self.extremes.map(|extremes| extremes.margin);
        self.verdicts = Some(HeededVerdicts { wrong, percent: more, factor: self.factor, margin });
        self.factor = percent(self.factor, more).unwrap_or(self.factor);
        if let Some(extremes) = &mut self.extremes {
            extremes.margin = percent(extremes.margin, more).unwrap_or(extremes.margin);
        }
    }

    /// The days, or hours, that its floor was taken from, and those of the ordinary day beside it: first, and after the last.
    pub(super) fn unrest_days(&self) -> impl Iterator<Item = (i32, i32)> + '_ {
        let ordinary = self.ordinary.iter().filter_map(|ordinary| ordinary.unrest);
        self.unrest.into_iter().chain(ordinary).filter_map(|unrest| unrest.days)
    }

    /// Whether a value is out of the ordinary: beyond what is usual, by enough of a share, and by enough money.
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

    /// What is not condemned: as far from what is expected as the rule, the share and the amount allow. Of a new service, what it may
    /// cost before it is told.
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

    /// Whether a value differs from what is expected by enough of a share and enough money.
    pub(super) fn is_much(&self, value: Decimal) -> Option<bool> {
        let deviation = value.checked_sub(self.expected)?.abs();
        let is_share = deviation >= percent(self.expected.abs(), self.min_percent)?;
        Some(is_share && deviation >= self.min_amount)
    }
}
