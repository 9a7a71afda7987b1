//! Budgets and forecasts: sums of days, the days on which thresholds were reached, and the resulting state.

use super::{Client, data, number, rows, same, text};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

const BUDGETS: &str = "{ spend_budgets { rows {
    name amount spent forecast low high state crossed_on from until thresholds { percent on reached_on }
    days { date amount running is_forecast } accounts { spent }
} } }";

const FORECAST: &str = r#"request: { until: "UNTIL", group_by: GROUPS }"#;

pub async fn check(there: &Client) {
    let found = data(there, BUDGETS).await;
    let mut states = BTreeSet::new();
    for budget in rows(&found["spend_budgets"], "rows") {
        days(budget);
        standing(budget);
        states.insert(text(budget, "state").to_owned());
        let shares = budget["accounts"].as_array().unwrap();
        if !shares.is_empty() {
            same(shares.iter().map(|share| number(share, "spent")).sum(), number(budget, "spent"), budget);
        }
    }
    assert!(states.len() >= 2, "the sample has budgets in several states: {states:?}");
    let known = data(there, "{ spend_forecast(request: {}) { known_until until } }").await;
    let month_end = text(&known["spend_forecast"], "until").to_owned();
    for groups in ["[]", r#"["provider_name"]"#] {
        forecast(there, &month_end, groups).await;
    }
}

/// Billed amounts add up day by day, and with the expected amounts to the forecast.
fn days(budget: &Value) {
    let days = rows(budget, "days");
    let mut running = 0.0;
    for day in days.iter().filter(|day| day["is_forecast"] == false) {
        running += number(day, "amount");
        same(running, number(day, "running"), day);
    }
    same(running, number(budget, "spent"), budget);
    let last = days.last().unwrap();
    assert_eq!((&days[0]["date"], &last["date"]), (&budget["from"], &budget["until"]), "{}", budget["name"]);
    // Too few charges: there is no forecast.
    if budget["forecast"].is_null() {
        return same(running, number(last, "running"), budget);
    }
    let (low, forecast, high) = (number(budget, "low"), number(budget, "forecast"), number(budget, "high"));
    same(number(last, "running"), forecast, budget);
    assert!(low <= forecast && forecast <= high && low >= number(budget, "spent"), "{low} {forecast} {high}");
}

/// The first day on which a percentage of the amount is reached.
fn reached(budget: &Value, percent: f64, with_expected: bool) -> Option<&str> {
    let least = number(budget, "amount") * percent / 100.0;
    let known = rows(budget, "days").iter().filter(|day| with_expected || day["is_forecast"] == false);
    known.filter(|day| number(day, "running") >= least).map(|day| text(day, "date")).next()
}

fn standing(budget: &Value) {
    let (mut near, mut is_expected) = (None::<(f64, bool)>, false);
    for threshold in rows(budget, "thresholds") {
        let (percent, on_forecast) = (number(threshold, "percent"), threshold["on"] == "forecast");
        let day = reached(budget, percent, on_forecast);
        assert_eq!(threshold["reached_on"].as_str(), day, "{percent}% of {}", budget["name"]);
        if on_forecast {
            is_expected |= day.is_some();
        } else if percent < 100.0 && near.is_none_or(|(before, _)| percent > before) {
            near = Some((percent, day.is_some()));
        }
    }
    assert_eq!(budget["crossed_on"].as_str(), reached(budget, 100.0, false), "{}", budget["name"]);
    let amount = number(budget, "amount");
    let state = match () {
        () if number(budget, "spent") >= amount => "crossed",
        () if is_expected || budget["forecast"].as_f64().is_some_and(|sum| sum >= amount) => {
            "forecast_crossed"
        }
        () if near.is_some_and(|(_, is_reached)| is_reached) => "near",
        () => "ok",
    };
    assert_eq!(text(budget, "state"), state, "{}", budget["name"]);
}

/// Days add up to totals, and the amount billed so far equals the sum of the charges.
async fn forecast(there: &Client, until: &str, groups: &str) {
    let request = FORECAST.replace("UNTIL", until).replace("GROUPS", groups);
    let query = format!(
        "{{ spend_forecast({request}) {{ rows {{ group amount low high }} totals {{ group from booked expected amount low high }} }} }}"
    );
    let found = data(there, &query).await["spend_forecast"].clone();
    let mut sums: BTreeMap<Option<&str>, [f64; 3]> = BTreeMap::new();
    for row in found["rows"].as_array().unwrap() {
        let of = sums.entry(row["group"].as_str()).or_default();
        let (low, amount, high) = (number(row, "low"), number(row, "amount"), number(row, "high"));
        assert!(low <= amount && amount <= high, "{row}");
        for (sum, more) in of.iter_mut().zip([low, amount, high]) {
            *sum += more;
        }
    }
    let mut booked = 0.0;
    let totals = rows(&found, "totals");
    for total in totals {
        let [low, expected, high] = sums.get(&total["group"].as_str()).copied().unwrap_or_default();
        let known = number(total, "booked");
        same(expected, number(total, "expected"), total);
        same(known + expected, number(total, "amount"), total);
        same(known + low, number(total, "low"), total);
        same(known + high, number(total, "high"), total);
        booked += known;
    }
    let since = &totals[0]["from"];
    // OpenCost's costs of machines that are also on the bill are excluded from all totals.
    let query = format!(
        "{{ spends_aggregate(where: {{ date: {{ _gte: {since} }}, exclude_aggregate: {{ _eq: false }} }}) {{ aggregate {{ sum {{ amount }} }} }} }}"
    );
    let billed = data(there, &query).await;
    let billed = billed["spends_aggregate"]["aggregate"]["sum"]["amount"].as_f64();
    same(billed.unwrap_or_default(), booked, &found);
}
