use super::*;

fn number(text: &str) -> Decimal {
    Decimal::parse(text).unwrap()
}

/// Hours with these costs.
fn hours(costs: &[&str]) -> HourlyUse {
    let mut found = HourlyUse::new(0, i64::try_from(costs.len()).unwrap());
    for (hour, cost) in (0..).zip(costs) {
        found.add((hour, hour + 1), number(cost)).unwrap();
    }
    found
}

fn terms(discount: &str, upfront: &str) -> Terms {
    Terms { discount: number(discount), upfront: number(upfront), days: 365 }
}

/// One day: 20 hours at 10, 4 at 2.
fn day() -> HourlyUse {
    hours(&[vec!["10"; 20], vec!["2"; 4]].concat())
}

#[test]
fn the_recommended_amount_is_the_use_that_more_than_the_needed_share_of_hours_reach() {
    // 20 of 24 hours are more than 0.7 of them: usage of 10 an hour is covered, for 10 × 0.7.
    assert_eq!(recommended(&day(), number("0.3")), Some(number("7")));
    // 0.9 of 24 hours is more than 20: only usage of 2 an hour occurs in that many hours.
    assert_eq!(recommended(&day(), number("0.1")), Some(number("1.8")));
    assert_eq!(recommended(&hours(&["0", "0"]), number("0.3")), None);
    assert_eq!(recommended(&hours(&[]), number("0.3")), None);
    // At a discount of one half, usage in half of the hours saves nothing: the smaller amount is chosen.
    assert_eq!(recommended(&hours(&["4", "0"]), number("0.5")), None);
    assert_eq!(recommended(&hours(&["0.0004"]), number("0.5")), Some(number("0.0002")));
}

#[test]
fn a_proposal_can_be_worked_out_by_hand() {
    let found = assess(&day(), number("7"), terms("0.3", "0")).unwrap();
    // 24 × 7; 20 × 7 + 4 × 1.4; 20 × 10 + 4 × 2.
    assert_eq!(found.commitment_cost, number("168"));
    assert_eq!(found.used_cost, number("145.6"));
    assert_eq!(found.covered_cost, number("208"));
    assert_eq!((found.cost, found.saving), (number("168"), number("40")));
    assert_eq!(found.term_cost, number("61320"));
    assert_eq!((found.upfront_cost, found.pays_back_after), (Decimal::ZERO, Some(0)));
    // 61320 ÷ 208 a day.
    assert_eq!(found.earns_term_after, Some(295));
    let small = assess(&day(), number("1.4"), terms("0.3", "0")).unwrap();
    assert_eq!((small.covered_cost, small.saving), (number("48"), number("14.4")));
}

#[test]
fn no_other_amount_saves_more() {
    let use_of = hours(&["3", "9.5", "4", "4", "7.25", "1", "0", "6", "8", "2.5", "4.75"]);
    for discount in ["0.1", "0.25", "0.4", "0.66"] {
        let best = recommended(&use_of, number(discount));
        let saving = |hourly: Decimal| assess(&use_of, hourly, terms(discount, "0")).unwrap().saving;
        let most = best.map_or(Decimal::ZERO, saving);
        for thousandths in 1..9_000 {
            let other = Decimal::from_parts(thousandths, 3).unwrap();
            // Truncating to a thousandth per hour costs less than a hundredth over these hours.
            assert!(saving(other) <= most.checked_add(number("0.02")).unwrap(), "{discount}: {other}");
        }
    }
}

#[test]
fn what_is_paid_upfront_comes_back_on_a_day_or_not_at_all() {
    // 61,320 on the first day, then 208 less per day.
    assert_eq!(assess(&day(), number("7"), terms("0.3", "1")).unwrap().pays_back_after, Some(295));
    // 30,660 on the first day; then 208 − 84 less per day.
    let half = assess(&day(), number("7"), terms("0.3", "0.5")).unwrap();
    assert_eq!((half.upfront_cost, half.pays_back_after), (number("30660"), Some(248)));
    let too_much = assess(&day(), number("20"), terms("0.3", "1")).unwrap();
    assert!(too_much.saving.is_negative());
    assert_eq!((too_much.pays_back_after, too_much.earns_term_after), (None, None));
    assert_eq!(assess(&day(), number("20"), terms("0.3", "0")).unwrap().pays_back_after, None);
}

#[test]
fn charges_of_days_are_spread_over_their_hours_within_the_time() {
    let mut found = HourlyUse::new(24, 72);
    found.add((24, 48), number("48")).unwrap();
    found.add((0, 48), number("96")).unwrap();
    found.add((60, 61), number("5")).unwrap();
    found.add((80, 81), number("5")).unwrap();
    assert_eq!(found.hours(), 48);
    assert_eq!((found.total(), found.by_hour()), (Some(number("101")), number("5")));
    assert_eq!(recommended(&found, number("0.6")), Some(number("1.6")));
    // A day's cost that is not divisible by 24 still adds up exactly.
    let mut found = HourlyUse::new(0, 24);
    found.add((0, 24), number("100")).unwrap();
    assert_eq!(found.total(), Some(number("100")));
}

#[test]
fn a_discount_is_a_share_between_none_and_all() {
    assert_eq!(shown_discount(number("100"), number("72")), Some(number("0.28")));
    assert_eq!(shown_discount(number("3"), number("2")), Some(number("0.3333")));
    for (contracted, effective) in [("100", "100"), ("100", "120"), ("0", "0"), ("100", "0"), ("-5", "-4")] {
        assert_eq!(shown_discount(number(contracted), number(effective)), None, "{contracted} {effective}");
    }
    assert_eq!((rest(number("0")), rest(number("1")), rest(number("-0.1"))), (None, None, None));
}
