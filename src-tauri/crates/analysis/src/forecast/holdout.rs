//! Evaluates forecasts of days whose cost is already known.

use super::band::{Band, band, ratio};
use super::method::{Method, TREND_DAYS, check};
use super::{LEARNED_DAYS, Refused, level, total};
use catalogue::Decimal;

/// The largest number of held-out days: older ones are not representative.
const MOST_HELD_OUT: usize = 180;
/// The shortest and longest forecast that is evaluated, in days.
const SHORTEST: usize = 7;
const LONGEST: usize = 28;
/// The minimum number of other forecasts for measuring the coverage of a band.
const MEASURED: usize = 5;

/// The errors of the chosen method on held-out days. Fractions, not percent: 0.075 is 7.5%.
#[derive(Debug, Clone, PartialEq)]
pub struct Accuracy {
    pub method: Method,
    /// Σ|actual − forecast| ÷ Σ|actual| over the days of all evaluated forecasts: the percentage error of a day, weighted by its cost. `None` if
    /// these days cost nothing.
    pub mape: Option<f64>,
    /// Σ(forecast − actual) ÷ Σ actual: positive if forecasts were too high.
    pub bias: Option<f64>,
    /// The fraction of evaluated sums within the band computed from forecasts of other days (target 80%); `None` with fewer than five other
    /// forecasts.
    pub coverage: Option<f64>,
    /// 1 − mape ÷ the mape of [`Method::LastWeek`]; `None` if that is 0.
    pub skill: Option<f64>,
    /// The number of distinct days that were forecast and compared.
    pub held_out_days: usize,
    /// The length of one evaluated forecast in days. The band is measured for sums over this many days.
    pub horizon: usize,
    /// Factors for the bounds of the band; `None` without a usable held-out sum.
    pub(super) band: Option<Band>,
}

/// The forecasts of one method, starting on every day for which the actual cost is known.
struct Trial {
    method: Method,
    /// (actual sum − forecast sum) ÷ forecast sum, by start day; `None` if the forecast is not positive.
    errors: Vec<Option<f64>>,
    mape: Option<f64>,
    bias: Option<f64>,
}

/// Evaluates the methods on forecasts as long as the wanted one, as far as the history allows. The history has at least [`super::NEEDED_DAYS`]
/// days.
pub(super) fn judge(history: &[Decimal], wanted: usize) -> Result<Accuracy, Refused> {
    check(history)?;
    // Trends need twice as many days: if the history is long enough, evaluation starts after them, so that all methods are evaluated on the same
    // days.
    let learned = if history.len() >= TREND_DAYS + LONGEST { TREND_DAYS } else { LEARNED_DAYS };
    let history = &history[history.len().saturating_sub(learned + MOST_HELD_OUT)..];
    let held_out = history.len() - learned;
    // One third, so that some forecasts have no days in common and coverage can be measured.
    let horizon = wanted.min(held_out / 3).clamp(SHORTEST, LONGEST);
    let weeks: Vec<usize> =
        (learned..=history.len() - horizon).map(|begin| level::weeks(&history[..begin])).collect();
    let trials: Vec<Trial> = Method::ALL
        .into_iter()
        .map(|method| trial(method, history, &weeks, horizon))
        .collect::<Result<_, _>>()?;
    let baseline = trials.iter().find(|trial| trial.method == Method::LastWeek).and_then(|trial| trial.mape);
    let error = |trial: &Trial| trial.mape.unwrap_or(0.0);
    let mut best = &trials[0];
    for trial in &trials[1..] {
        if error(trial) < error(best) {
            best = trial;
        }
    }
    let known: Vec<f64> = best.errors.iter().copied().flatten().collect();
    Ok(Accuracy {
        method: best.method,
        mape: best.mape,
        bias: best.bias,
        coverage: coverage(&best.errors, horizon),
        skill: best.mape.zip(baseline).filter(|(_, base)| *base > 0.0).map(|(own, base)| 1.0 - own / base),
        held_out_days: held_out,
        horizon,
        band: band(&known),
    })
}

/// `weeks` contains, for each start day of a forecast, the number of weeks at the same level before it, up to the last start day.
fn trial(method: Method, history: &[Decimal], weeks: &[usize], horizon: usize) -> Result<Trial, Refused> {
    let (mut off, mut over, mut spent, mut size) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut errors = Vec::new();
    let first = history.len() - horizon + 1 - weeks.len();
    for (begin, weeks) in (first..).zip(weeks) {
        let actual = &history[begin..begin + horizon];
        let forecast = method.predict(&history[..begin], *weeks, horizon);
        for (actual, forecast) in actual.iter().zip(&forecast) {
            let difference = forecast.checked_sub(*actual).ok_or(Refused::TooLarge)?;
            over.push(difference);
            off.push(difference.abs());
            spent.push(*actual);
            size.push(actual.abs());
        }
        let (sum, expected) = (total(actual)?, total(&forecast)?);
        let is_usable = !expected.is_zero() && !expected.is_negative();
        let error = sum.checked_sub(expected).ok_or(Refused::TooLarge)?;
        errors.push(if is_usable { ratio(error, expected) } else { None });
    }
    Ok(Trial {
        method,
        errors,
        mape: ratio(total(&off)?, total(&size)?),
        bias: ratio(total(&over)?, total(&spent)?),
    })
}

/// The fraction of sums within the band of the forecasts that have no day in common with them.
fn coverage(errors: &[Option<f64>], horizon: usize) -> Option<f64> {
    let (mut judged, mut within) = (0_u32, 0_u32);
    for (place, error) in errors.iter().enumerate() {
        let Some(error) = error else { continue };
        let others: Vec<f64> = errors
            .iter()
            .enumerate()
            .filter(|(other, _)| other.abs_diff(place) >= horizon)
            .filter_map(|(_, error)| *error)
            .collect();
        if others.len() < MEASURED {
            continue;
        }
        let Some((low, high)) = super::band::bounds(&others) else { continue };
        judged += 1;
        within += u32::from(low <= *error && *error <= high);
    }
    (judged > 0).then(|| f64::from(within) / f64::from(judged))
}
