//! Rule: unusual spend on the day of the event.

use super::{HOUR, score};
use crate::evidence::{Collection, Kind};
use crate::material::{Event, Material, Spend};
use crate::report::Draft;

const DAY: i64 = 24 * HOUR;
/// The minimum number of days for determining what is usual.
const LEAST: usize = 5;
/// The limit of a deviation (design, "Anomalies"): this multiple of the median deviation, and at least a tenth of the median.
const FAR: f64 = 3.0 * 1.4826;

pub(super) fn rule(event: &Event, material: &Material, evidence: &mut Collection) -> Vec<Draft> {
    let day = event.starts_at.div_euclid(DAY) * DAY;
    let Some(then) = material.spends.iter().find(|spend| spend.day == day) else { return Vec::new() };
    let before: Vec<&Spend> = material.spends.iter().filter(|spend| spend.day < day).collect();
    if before.len() < LEAST {
        return Vec::new();
    }
    let usual = median(before.iter().map(|spend| spend.amount).collect());
    let spread = median(before.iter().map(|spend| (spend.amount - usual).abs()).collect());
    let bound = (FAR * spread).max(usual.abs() / 10.0);
    let off = then.amount - usual;
    if off.abs() <= bound || bound <= 0.0 {
        return Vec::new();
    }
    let Some(typical) = before.iter().min_by(|one, other| {
        (one.amount - usual).abs().total_cmp(&(other.amount - usual).abs()).then(other.day.cmp(&one.day))
    }) else {
        return Vec::new();
    };
    let rows =
        material.spends.iter().filter(|spend| spend.day <= day).map(|spend| spend.day.to_string()).collect();
    let title = format!("{} that day, {} on a usual one", then.text, typical.text);
    let id = evidence.add(Kind::Query, "spends", rows, title.clone(), Some(day));
    let way = if off > 0.0 { "rose" } else { "fell" };
    Vec::from([Draft {
        score: score(&[20, if off.abs() > 2.0 * bound { 15 } else { 5 }, if off > 0.0 { 5 } else { 0 }]),
        claim: format!("Spend {way} on the same day: {title}"),
        reason: format!(
            "Outside what {} days before had: load or resources changed with the event.",
            before.len()
        ),
        evidence: vec![id],
        against: Vec::new(),
        next: "Group the spend of that day by service and resource, and see which of them is new.".to_owned(),
    }])
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => 0.0,
        even if even % 2 == 0 => f64::midpoint(values[middle - 1], values[middle]),
        _ => values[middle],
    }
}
