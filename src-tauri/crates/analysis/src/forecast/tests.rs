use super::{Method, NEEDED_DAYS, Refused, Series, expected, forecast, round};
use catalogue::{Decimal, format_date, parse_date};
use std::collections::BTreeMap;

fn money(text: &str) -> Decimal {
    Decimal::parse(text).unwrap()
}

fn day(text: &str) -> i32 {
    parse_date(text).unwrap()
}

/// Monday to Friday cost 100, Saturday and Sunday 30; begins on a Monday.
fn weeks(count: usize) -> Vec<Decimal> {
    (0..7 * count).map(|day| if day % 7 < 5 { money("100") } else { money("30") }).collect()
}

fn series(amounts: Vec<Decimal>) -> Series {
    Series { first: day("2026-01-05"), amounts, recurring: BTreeMap::new() }
}

#[test]
fn a_week_that_repeats_is_forecast_without_error() {
    let answer = forecast(&series(weeks(10)), 9, "USD").unwrap();
    // Ten weeks from Monday 5 January end on Sunday 15 March. Monday to Friday, Saturday, Sunday, Monday, Tuesday follow.
    let amounts: Vec<String> = answer.days.iter().map(|day| day.amount.to_string()).collect();
    assert_eq!(amounts, ["100", "100", "100", "100", "100", "30", "30", "100", "100"]);
    assert_eq!(format_date(answer.days[0].date), "2026-03-16");
    let accuracy = answer.accuracy.unwrap();
    assert_eq!(accuracy.method, Method::WeekdayMean);
    assert_eq!((accuracy.mape, accuracy.bias, accuracy.coverage), (Some(0.0), Some(0.0), Some(1.0)));
    // The baseline has no error either, so skill is undefined.
    assert_eq!(accuracy.skill, None);
    assert_eq!(accuracy.held_out_days, 42);
    assert_eq!(answer.days[0].bounds, Some((money("100"), money("100"))));
}

#[test]
fn errors_are_those_a_calculator_gives() {
    // 42 days at 10, but the last seven cost 12: forecasts of 7 days (the fewest) begin on days 28 to 35.
    // Run rate and weekday mean forecast 10 up to day 35; the k-th of the eight forecasts (k = 0 … 7) covers k days at 12.
    // Weekday mean: none of the weeks it learns from has a 12 before day 35, so each forecast is 70. Days at 12: 0+1+…+7 = 28.
    // Σ|actual − forecast| = 28 · 2 = 56; Σ actual = 8 · 70 + 56 = 616. mape = 56 ÷ 616 = 0.0909…
    let mut amounts = vec![money("10"); 35];
    amounts.extend(vec![money("12"); 7]);
    let answer = forecast(&series(amounts), 7, "USD").unwrap();
    let accuracy = answer.accuracy.unwrap();
    let close = |value: Option<f64>, expected: f64| assert!((value.unwrap() - expected).abs() < 1e-12);
    close(accuracy.mape, 56.0 / 616.0);
    close(accuracy.bias, -56.0 / 616.0);
    // The last week has no 12 before day 35 either, so the baseline has the same errors as the mean on all eight: skill 0.
    close(accuracy.skill, 0.0);
    assert_eq!(accuracy.method, Method::WeekdayMean);
    assert_eq!((accuracy.held_out_days, accuracy.horizon), (14, 7));
    // The last week is at another level than the three before: (3 · 10 + 12) ÷ 4 = 10.50 a day, times 12 ÷ 10.50. Relative errors of the sums: 0,
    // 2, 4, …, 14 of 70. The 95% quantile is at position 6.65: 12 ÷ 70 + 0.65 · 2 ÷ 70 = 0.19; the 5% quantile is at position 0.35: 0.7 ÷ 70 =
    // 0.01, which is above 0, so the forecast is the lower bound of the band.
    assert_eq!(answer.days[0].amount, money("12"));
    assert_eq!(answer.days[0].bounds, Some((money("12"), money("14.28"))));
}

#[test]
fn the_method_with_the_smallest_error_answers() {
    // A level that doubled: six weeks at 10, then four at 20. The last week adapts first.
    let mut amounts = vec![money("10"); 42];
    amounts.extend(vec![money("20"); 28]);
    let accuracy = forecast(&series(amounts), 7, "USD").unwrap().accuracy.unwrap();
    assert_eq!(accuracy.method, Method::LastWeek);
    assert_eq!(accuracy.skill, Some(0.0));
    // Weekly noise around one level: the mean over four weeks is closer than the last week.
    let noise = [3, -3, 2, -2, 1, -1, 0];
    let amounts = (0..84_usize).map(|day| Decimal::from(100 + 4 * noise[(day * 5 + day / 7) % 7])).collect();
    let accuracy = forecast(&series(amounts), 7, "USD").unwrap().accuracy.unwrap();
    assert_ne!(accuracy.method, Method::LastWeek);
    assert!(accuracy.skill.unwrap() > 0.0, "{accuracy:?}");
}

#[test]
fn growth_goes_on() {
    // 100 on the first day and 1 more each day: the day after the 84 known ones costs 184, the 28th 211.
    let amounts = (0..84).map(|day| Decimal::from(100 + day)).collect();
    let answer = forecast(&series(amounts), 28, "USD").unwrap();
    assert_eq!(answer.accuracy.unwrap().method, Method::WeekdayTrend);
    assert_eq!([answer.days[0].amount, answer.days[27].amount], [money("184"), money("211")]);
}

#[test]
fn a_series_at_another_level_is_forecast_at_that_level() {
    // Ten weeks, the last two at half the cost. One expensive day does not change the level.
    let mut amounts = weeks(8);
    amounts.extend(weeks(2).iter().map(|amount| amount.divided_by(2)));
    let amount = |amounts: &[Decimal], day: usize| {
        forecast(&series(amounts.to_vec()), 7, "USD").unwrap().days[day].amount
    };
    assert_eq!([amount(&amounts, 0), amount(&amounts, 6)], [money("50"), money("15")]);
    let mut amounts = weeks(10);
    amounts[66] = money("500");
    // One of four Thursdays.
    assert_eq!([amount(&amounts, 3), amount(&amounts, 4)], [money("200"), money("100")]);
}

#[test]
fn too_little_is_refused_and_not_filled_up() {
    let short = weeks(5);
    assert_eq!(forecast(&series(short), 7, "USD").unwrap_err(), Refused::TooShort { days: 35 });
    // Days before the first charge do not count as history.
    let mut late = vec![Decimal::ZERO; 60];
    late.extend(weeks(2));
    assert_eq!(forecast(&series(late), 7, "USD").unwrap_err(), Refused::TooShort { days: 14 });
    // One charge on the first of each month is not a daily bill.
    let monthly = (0..90).map(|day| if day % 30 == 0 { money("900") } else { Decimal::ZERO }).collect();
    assert_eq!(forecast(&series(monthly), 7, "USD").unwrap_err(), Refused::TooFewDays { days: 1 });
    assert_eq!(NEEDED_DAYS, 42);
}

#[test]
fn recurring_charges_are_added_on_their_day_and_not_learned() {
    let mut one = series(weeks(10));
    one.recurring = BTreeMap::from([(day("2026-02-01"), money("7")), (day("2026-03-01"), money("9.99"))]);
    // The last known day is 15 March; the month up to it has the charge of 1 March alone.
    let answer = forecast(&one, 48, "USD").unwrap();
    let at = |text: &str| answer.days.iter().find(|entry| entry.date == day(text)).unwrap();
    // 1 April is a Wednesday, 1 May a Friday.
    assert_eq!(at("2026-04-01").amount, money("109.99"));
    assert_eq!(at("2026-04-01").bounds, Some((money("109.99"), money("109.99"))));
    assert_eq!(at("2026-05-01").amount, money("109.99"));
    assert_eq!(at("2026-04-02").amount, money("100"));
    // With nothing but a recurring charge, it is expected, and there is nothing to evaluate.
    one.amounts = vec![Decimal::ZERO; 70];
    let answer = forecast(&one, 17, "USD").unwrap();
    assert_eq!(answer.days[16].amount, money("9.99"));
    assert!(answer.accuracy.is_none());
}

#[test]
fn a_day_the_month_does_not_have_is_its_last_one() {
    let on_31st = BTreeMap::from([(day("2026-01-31"), money("5"))]);
    let days = expected(&on_31st, day("2026-01-31"), day("2026-04-30"));
    let dates: Vec<String> = days.keys().map(|date| format_date(*date)).collect();
    assert_eq!(dates, ["2026-02-28", "2026-03-31", "2026-04-30"]);
    // Daily charges are not combined on the last day of a shorter month.
    let daily = (day("2026-01-01")..=day("2026-01-31")).map(|date| (date, money("1"))).collect();
    let days = expected(&daily, day("2026-01-31"), day("2026-02-28"));
    assert_eq!(days.len(), 28);
    assert!(days.values().all(|amount| *amount == money("1")));
}

#[test]
fn fees_of_several_days_that_a_month_does_not_have_all_come_on_its_last_one() {
    let fees = [("2026-01-28", "1000"), ("2026-01-30", "300"), ("2026-01-31", "77")];
    let fees = fees.iter().map(|(date, amount)| (day(date), money(amount))).collect();
    let days = expected(&fees, day("2026-02-15"), day("2026-03-31"));
    let days: Vec<(String, String)> =
        days.iter().map(|(date, amount)| (format_date(*date), amount.to_string())).collect();
    let expected =
        [("2026-02-28", "1377"), ("2026-03-28", "1000"), ("2026-03-30", "300"), ("2026-03-31", "77")];
    assert_eq!(days, expected.map(|(date, amount)| (date.to_owned(), amount.to_owned())));
}

#[test]
fn what_recurs_every_day_is_expected_every_day() {
    // Bought on the 10th and known up to the 20th, which is only partly billed; a fee of 100 on the 12th.
    let mut fees: BTreeMap<i32, Decimal> =
        (day("2026-01-10")..=day("2026-01-19")).map(|date| (date, money("24"))).collect();
    fees.insert(day("2026-01-12"), money("124"));
    fees.insert(day("2026-01-20"), money("9"));
    let days = expected(&fees, day("2026-01-20"), day("2026-02-28"));
    assert_eq!(days.len(), 39);
    let fee = day("2026-02-12");
    assert!(days.iter().all(|(date, amount)| *amount == money(if *date == fee { "124" } else { "24" })));
    // Ended on the 15th: only the fee recurs.
    fees.retain(|date, _| *date < day("2026-01-16"));
    let days = expected(&fees, day("2026-01-20"), day("2026-02-28"));
    assert_eq!(days, BTreeMap::from([(fee, money("100"))]));
}

#[test]
fn amounts_are_rounded_to_the_minor_unit() {
    let rounded = |text: &str, currency: &str| round(money(text), currency).to_string();
    assert_eq!(rounded("1.005", "USD"), "1.01");
    assert_eq!(rounded("-1.005", "USD"), "-1.01");
    assert_eq!(rounded("149.5", "JPY"), "150");
    assert_eq!(rounded("1.00049", "KWD"), "1");
    assert_eq!(rounded("7", "EUR"), "7");
}
