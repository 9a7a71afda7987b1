//! Bills made up from a seed, with events that are planted and labelled. Nothing here knows the rules.

use analysis::anomalies::DailyCost;
use catalogue::{Decimal, format_date, parse_date};
use uuid::Uuid;

/// A small generator of random numbers (SplitMix64): the same seed gives the same numbers everywhere.
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From 0 to 1.
    pub fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.share()
    }

    pub fn whole(&mut self, below: usize) -> usize {
        (self.next() % below as u64) as usize
    }

    /// Mean 0, deviation 1 (a sum of twelve).
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.share()).sum::<f64>() - 6.0
    }
}

/// An event that was planted.
#[derive(Debug, Clone)]
pub struct Label {
    pub account: Uuid,
    pub service: String,
    pub from: i32,
    pub until: i32,
    /// The smallest difference of its days, in money.
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
/// Events are planted from this day on; the last ones are over when the bill ends.
const QUIET: i32 = 42;

/// Half a year of ten series with weekends, growth, unrest and monthly fees. Each of `shares` is planted once, in a series and at a time
/// of its own.
pub fn bill(seed: u64, shares: &[f64]) -> Bill {
    let mut random = Random(seed);
    let begin = parse_date("2026-01-01").unwrap();
    let mut labels: Vec<Label> = Vec::new();
    let mut costs = Vec::new();
    let mut places: Vec<usize> = (0..ACCOUNTS * SERVICES).collect();
    let planted: Vec<(usize, f64, i32, i32)> = shares
        .iter()
        .map(|share| {
            let place = places.remove(random.whole(places.len()));
            let from = begin + QUIET + random.whole((DAYS - QUIET - 10) as usize) as i32;
            (place, *share, from, from + 1 + random.whole(3) as i32)
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
