//! A sample to look around with: files as people export them, made up here for the day of the clock.
//!
//! They are imported as anybody's files are, so that each page shows what imports, rules and analysis make of them. The same day gives the
//! same bytes. Nothing in it is anybody's: numbers, names and amounts are made up.

mod alerts;
mod bill;
mod cluster;
mod latency;
mod logs;
mod numbers;
mod opencost;
mod scan;

use crate::formats::FormAnswers;

/// The name the import of the bill goes by.
pub const FILE_NAME: &str = "sample.csv";

const DAY: i64 = 86_400_000_000;

/// A file of the sample.
#[derive(Debug, Clone)]
pub struct SampleFile {
    pub name: &'static str,
    pub text: String,
}

/// How many files there are.
pub const FILES: u8 = 10;
/// The place of the file that names no currency.
const OPENCOST: u8 = 9;

/// The files, the bill first, as of `now`, µs since 1970 UTC.
pub fn files(now: i64) -> [SampleFile; FILES as usize] {
    let file = |name, text| SampleFile { name, text };
    [
        file(FILE_NAME, bill::csv(now)),
        file("sample-cluster-shop-before.json", cluster::shop_before(now)),
        file("sample-cluster-shop.json", cluster::shop(now)),
        file("sample-cluster-analytics.json", cluster::analytics(now)),
        file("sample-alerts.json", alerts::alerts(now)),
        file("sample-image-scan.json", scan::scan(now)),
        file("sample-response-times.json", latency::json(now)),
        file("sample-logs.json", logs::json(now)),
        file("sample-business-numbers.csv", numbers::csv(now)),
        file("sample-cluster-costs.json", opencost::json(now)),
    ]
}

/// What is said of the file at a place, so that nobody need be asked: OpenCost names no currency.
pub fn answers(place: u8) -> Option<FormAnswers> {
    if place == OPENCOST { FormAnswers::default().with("currency_usd") } else { None }
}

/// The day of a time, in days since 1970.
fn day_of(now: i64) -> i32 {
    i32::try_from(now.div_euclid(DAY)).expect("a clock's days are fewer than 32 bits hold")
}

/// RFC 3339, so many minutes before the day of `now` began.
fn before(now: i64, minutes: i64) -> String {
    let begin = i64::from(day_of(now)) * DAY;
    format!("{}Z", catalogue::format_timestamp(begin - minutes * 60_000_000))
}
