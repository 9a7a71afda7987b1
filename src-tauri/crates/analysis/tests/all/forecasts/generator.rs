//! Generates series of daily costs from a seed. Independent of the methods.

use crate::random::Random;
use catalogue::{Decimal, parse_date};
use std::collections::BTreeMap;

/// The pattern of a service's daily cost.
#[derive(Debug, Clone, Copy)]
pub enum Shape {
    /// Working days and weekends, with noise.
    Steady,
    /// A steady service that grows by up to a fifth a month.
    Growing,
    /// A steady service whose noise carries over to the following days.
    Drifting,
    /// A steady service with occasional days of double cost.
    Bursting,
    /// A steady service whose level changes twice in the year.
    Moved,
    /// A steady service with a fee on the first of each month that the bill marks as recurring.
    WithFee,
}

impl Shape {
    pub const ALL: [Self; 6] =
        [Self::Steady, Self::Growing, Self::Drifting, Self::Bursting, Self::Moved, Self::WithFee];
}

/// A series of one year.
pub struct Made {
    pub first: i32,
    pub amounts: Vec<Decimal>,
    /// Monthly recurring charges by day; not included in `amounts`.
    pub recurring: BTreeMap<i32, Decimal>,
}

const DAYS: usize = 365;

/// Generates a one-year series of a pattern.
pub fn made(shape: Shape, seed: u64) -> Made {
    let mut random = Random(seed.wrapping_mul(64).wrapping_add(shape as u64));
    let first = parse_date("2025-01-01").unwrap();
    let base = 10_f64.powf(random.between(1.0, 3.5));
    let weekend = random.between(0.5, 1.0);
    let unrest = random.between(0.01, 0.10);
    let growth = if matches!(shape, Shape::Growing) { random.between(0.0, 0.006) } else { 0.0 };
    let mut moves = [DAYS; 2].map(|days| (random.below(days), random.between(0.6, 1.6)));
    if !matches!(shape, Shape::Moved) {
        moves = moves.map(|(day, _)| (day, 1.0));
    }
    let fee = if matches!(shape, Shape::WithFee) { base * random.between(0.5, 5.0) } else { 0.0 };
    let mut drift = 0.0;
    let mut made = Made { first, amounts: Vec::new(), recurring: BTreeMap::new() };
    for day in 0..DAYS {
        let date = first + day as i32;
        let mut amount = base * (1.0 + growth).powi(day as i32);
        if matches!(date.rem_euclid(7), 2 | 3) {
            amount *= weekend;
        }
        for (_, level) in moves.iter().filter(|(begin, _)| *begin <= day) {
            amount *= level;
        }
        drift = 0.8 * drift + unrest * random.normal();
        amount *= 1.0 + if matches!(shape, Shape::Drifting) { drift } else { unrest * random.normal() };
        if matches!(shape, Shape::Bursting) && random.share() < 0.05 {
            amount *= 2.0;
        }
        made.amounts.push(Decimal::parse(&format!("{:.4}", amount.max(0.0))).unwrap());
        if fee > 0.0 && catalogue::format_date(date).ends_with("-01") {
            made.recurring.insert(date, Decimal::parse(&format!("{fee:.2}")).unwrap());
        }
    }
    made
}
