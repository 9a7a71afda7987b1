//! Sample data for a first look: files as people export them, generated for the current day.
//!
//! They are imported like any other file; each page therefore shows real results of imports, rules and analyses. The same day gives the same
//! bytes. All numbers, names and amounts are fictitious.

mod alerts;
mod bill;
mod cluster;
mod latency;
mod logs;
mod numbers;
mod opencost;
mod scan;

use crate::formats::FormAnswers;

/// The file name of the bill.
pub const FILE_NAME: &str = "sample.csv";

const DAY: i64 = 86_400_000_000;

/// A file of the sample.
#[derive(Debug, Clone)]
pub struct SampleFile {
    pub name: &'static str,
    pub text: String,
}

/// The number of files.
pub const FILES: u8 = 10;
/// The index of the file that states no currency.
const OPENCOST: u8 = 9;

/// The files at `now`, µs since 1970 UTC, starting with the bill.
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

/// The answers for the file at this index, which avoid questions: OpenCost states no currency.
pub fn answers(place: u8) -> Option<FormAnswers> {
    if place == OPENCOST { FormAnswers::default().with("currency_usd") } else { None }
}

/// The day of a time, in days since 1970.
fn day_of(now: i64) -> i32 {
    i32::try_from(now.div_euclid(DAY)).expect("a clock's days are fewer than 32 bits hold")
}

/// An RFC 3339 time, `minutes` before the start of the day of `now`.
fn before(now: i64, minutes: i64) -> String {
    let begin = i64::from(day_of(now)) * DAY;
    format!("{}Z", catalogue::format_timestamp(begin - minutes * 60_000_000))
}
