use super::{Account, Anomaly, ClosedAdvice, Part, Week, last_week, write};
use catalogue::{Decimal, format_date, parse_date};

fn amount(text: &str) -> Decimal {
    Decimal::parse(text).unwrap()
}

fn part(service: &str, usage: &str, (cost, before): (&str, &str), (used, used_before): (&str, &str)) -> Part {
    Part {
        service: service.to_owned(),
        usage: usage.to_owned(),
        currency: "USD".to_owned(),
        is_use: true,
        cost: amount(cost),
        cost_before: amount(before),
        quantity: amount(used),
        quantity_before: amount(used_before),
    }
}

fn told(week: &Week<'_>) -> Vec<String> {
    write(week).into_iter().map(|one| format!("{}: {}", one.weight.name(), one.title)).collect()
}

fn week(parts: &[Part]) -> Week<'_> {
    let first = parse_date("2026-11-16").unwrap();
    Week { account: Some(Account { name: "shop" }), first, parts, anomalies: &[], closed: &[], late: &[] }
}

#[test]
fn a_week_says_what_changed_and_why_with_figures_that_add_up() {
    let parts = [
        part("EC2", "BoxUsage:m5.large", ("150", "100"), ("1500", "1000")),
        part("EC2", "DataTransfer-Out", ("20", "25"), ("200", "250")),
        part("S3", "Storage", ("110", "100"), ("1000", "1000")),
        part("RDS", "db.t3", ("0", "30"), ("0", "168")),
        part("Glue", "DPU", ("12.5", "0"), ("28", "0")),
        part("Logs", "Ingest", ("10.01", "10"), ("10", "10")),
    ];
    assert_eq!(
        told(&week(&parts)),
        [
            "Low: shop cost USD 302.51 in the week 16–22 Nov 2026, USD 37.51 more than the week before (+14.2%).",
            "Medium: EC2 cost USD 45.00 more than the week before (+36.0%): BoxUsage:m5.large USD 50.00 more (50.0% more was used).",
            "Low: RDS cost nothing, after USD 30.00 the week before.",
            "Medium: Glue is new: it cost USD 12.50.",
            "Low: S3 cost USD 10.00 more than the week before (+10.0%): Storage USD 10.00 more (at a price 10.0% higher).",
        ]
    );
    let facts = serde_json::to_value(&write(&week(&parts))[1].facts).unwrap();
    assert_eq!((&facts["change"], &facts["drivers"][0]["change"]), (&45.into(), &50.into()), "{facts}");
    assert_eq!((&facts["from"], &facts["compared_to"]), (&"2026-11-16".into(), &"2026-11-15".into()));
}

#[test]
fn a_large_rise_is_told_as_a_multiple() {
    let parts = [
        part("Logs", "Ingest", ("231.89", "1"), ("2000", "10")),
        part("EC2", "m5", ("40", "20"), ("4", "2")),
    ];
    assert_eq!(
        told(&week(&parts))[1..],
        [
            "High: Logs cost USD 230.89 more than the week before (231.9 times as much): Ingest USD 230.89 more (200 times as much was used, at a price 16.0% higher).",
            "High: EC2 cost USD 20.00 more than the week before (+100.0%): m5 USD 20.00 more (100.0% more was used).",
        ]
    );
}

#[test]
fn a_fee_that_is_charged_in_one_week_of_the_month_is_neither_new_nor_unused() {
    let fee = |service, usage, costs| Part { is_use: false, ..part(service, usage, costs, ("1", "1")) };
    let parts = [
        part("EC2", "BoxUsage:m5.large", ("100", "101"), ("1000", "1010")),
        fee("EC2", "Support of the month", ("0", "50")),
        part("RDS", "db.t3", ("10", "40"), ("40", "160")),
        part("RDS", "Snapshots", ("0", "30"), ("0", "20")),
        fee("S3", "Reserved fee", ("60", "0")),
        part("S3", "Storage", ("10", "10"), ("10", "10")),
        fee("Marketplace", "Subscription", ("25", "0")),
    ];
    assert_eq!(
        told(&week(&parts))[1..],
        [
            "Low: RDS cost USD 60.00 less than the week before (−85.7%): Snapshots USD 30.00 less, because it was not used; db.t3 USD 30.00 less (75.0% less was used).",
            "High: S3 cost USD 60.00 more than the week before (+600.0%): Reserved fee USD 60.00 more, because it was not charged the week before.",
            "Low: EC2 cost USD 51.00 less than the week before (−33.8%): Support of the month USD 50.00 less, because it was not charged this week; BoxUsage:m5.large USD 1.00 less.",
            "High: Marketplace cost USD 25.00, after nothing the week before.",
        ]
    );
}

#[test]
fn the_first_week_has_nothing_to_be_compared_with() {
    let parts = [part("EC2", "BoxUsage", ("7", "0"), ("7", "0"))];
    assert_eq!(
        told(&week(&parts)),
        ["Low: shop cost USD 7.00 in the week 16–22 Nov 2026, the first week with costs."]
    );
}

#[test]
fn what_else_happened_is_told_after_the_costs() {
    let anomaly = |name: &str, impact| Anomaly {
        name: name.to_owned(),
        currency: "EUR".to_owned(),
        impact: amount(impact),
    };
    let all = Week {
        account: None,
        anomalies: &[anomaly("EC2", "512"), anomaly("S3", "-20")],
        closed: &[
            ClosedAdvice { currency: Some("EUR".to_owned()), savings: amount("60.5") },
            ClosedAdvice { currency: Some("EUR".to_owned()), savings: amount("2") },
            ClosedAdvice { currency: None, savings: Decimal::ZERO },
        ],
        late: &[("lab".to_owned(), parse_date("2026-11-12").unwrap())],
        ..week(&[])
    };
    assert_eq!(
        told(&all),
        [
            "Medium: 2 anomalies of cost began in the week 16–22 Nov 2026: EC2 (EUR 512.00 more than expected), S3 (EUR 20.00 less than expected).",
            "Low: 3 recommendations were closed in the week 16–22 Nov 2026. They were to save EUR 62.50 a month.",
            "Low: Not counted, because their bills end before the week does: lab (billed until 12 Nov 2026).",
        ]
    );
}

#[test]
fn a_week_is_told_once_a_later_day_is_billed() {
    for (newest, monday) in [
        ("2026-11-22", "2026-11-09"),
        ("2026-11-23", "2026-11-16"),
        ("2026-11-26", "2026-11-16"),
        ("2026-11-29", "2026-11-16"),
    ] {
        assert_eq!(format_date(last_week(parse_date(newest).unwrap())), monday, "{newest}");
    }
}
