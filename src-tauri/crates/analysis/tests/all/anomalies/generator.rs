//! Generates bills from a seed, with planted and labelled events. Independent of the rules.

use crate::random::Random;
use analysis::anomalies::DailyCost;
use catalogue::{Decimal, format_date, parse_date};
use uuid::Uuid;

/// A planted event.
#[derive(Debug, Clone)]
pub struct Label {
    pub account: Uuid,
    pub service: String,
    pub from: i32,
    pub until: i32,
    /// The smallest deviation of its days, in money.
    pub amount: f64,
}

pub struct Bill {
    pub costs: Vec<DailyCost>,
    pub labels: Vec<Label>,
    pub days: i32,
}

pub const ACCOUNTS: usize = 2;
pub const SERVICES: usize = 5;
const DAYS: i32 = 180;
/// Events are planted from this day on; the last ones end before the bill does.
const QUIET: i32 = 42;

/// Half a year of ten series with weekends, growth, noise and monthly fees. Each of `shares` is planted once, in its own series and at its own
/// time.
pub fn bill(seed: u64, shares: &[f64]) -> Bill {
    let mut random = Random(seed);
    let begin = parse_date("2026-01-01").unwrap();
    let mut labels: Vec<Label> = Vec::new();
    let mut costs = Vec::new();
    let mut places: Vec<usize> = (0..ACCOUNTS * SERVICES).collect();
    let planted: Vec<(usize, f64, i32, i32)> = shares
        .iter()
        .map(|share| {
            let place = places.remove(random.below(places.len()));
            let from = begin + QUIET + random.below((DAYS - QUIET - 10) as usize) as i32;
            (place, *share, from, from + 1 + random.below(3) as i32)
        })
        .collect();
    for place in 0..ACCOUNTS * SERVICES {
        let account = Uuid::from_u128(1 + (place / SERVICES) as u128);
        let service = format!("Service {}", place % SERVICES);
        let base = 10_f64.powf(random.between(1.6, 3.5));
        let weekend = random.between(0.6, 1.0);
        let growth = random.between(-0.0005, 0.002);
        let unrest = random.between(0.01, 0.06);
        let fee = if random.share() < 0.3 { base * random.between(0.3, 2.0) } else { 0.0 };
        let event = planted.iter().find(|(planted, ..)| *planted == place);
        let mut least = f64::MAX;
        for day in begin..begin + DAYS {
            let of_week = if matches!(day.rem_euclid(7), 2 | 3) { weekend } else { 1.0 };
            let level = base * of_week * (1.0 + growth).powi(day - begin);
            let mut amount = level * (1.0 + unrest * random.normal());
            if let Some((_, share, from, until)) = event
                && (*from..*until).contains(&day)
            {
                amount += level * share;
                least = least.min((level * share).abs());
            }
            if format_date(day).ends_with("-01") {
                amount += fee;
            }
            let amount = Decimal::parse(&format!("{:.4}", amount.max(0.0))).unwrap();
            let (billing_account, currency) = (Some("bill".to_owned()), "USD".to_owned());
            costs.push(DailyCost {
                day,
                account,
                billing_account,
                service: service.clone(),
                currency,
                amount,
            });
        }
        labels.extend(event.map(|(_, _, from, until)| Label {
            account,
            service: service.clone(),
            from: *from,
            until: *until,
            amount: least,
        }));
    }
    Bill { costs, labels, days: DAYS }
}
