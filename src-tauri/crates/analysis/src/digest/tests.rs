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
            "Low: shop cost USD 302.51 in the week 16–22 Nov 2026, USD 37.51 more than the week before (+14.2 %).",
            "Medium: EC2 cost USD 45.00 more than the week before (+36.0 %): BoxUsage:m5.large USD 50.00 more (50.0 % more was used).",
            "Low: RDS cost nothing, after USD 30.00 the week before.",
            "Medium: Glue is new: it cost USD 12.50.",
            "Low: S3 cost USD 10.00 more than the week before (+10.0 %): Storage USD 10.00 more (at a price 10.0 % higher).",
        ]
    );
    let facts = serde_json::to_value(&write(&week(&parts))[1].facts).unwrap();
    assert_eq!((&facts["change"], &facts["drivers"][0]["change"]), (&45.into(), &50.into()), "{facts}");
    assert_eq!((&facts["from"], &facts["compared_to"]), (&"2026-11-16".into(), &"2026-11-15".into()));
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
