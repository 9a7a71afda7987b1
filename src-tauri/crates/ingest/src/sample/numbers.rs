//! Business numbers of the sample, one value per day of its bill: orders, active users, and requests by team.

use super::bill::{days, varied};
use catalogue::format_date;
use std::fmt::Write as _;

/// Name, group and the value of a usual day.
const NUMBERS: [(&str, &str, i64); 6] = [
    ("orders", "web", 5_200),
    ("orders", "app", 3_100),
    ("active users", "", 41_000),
    ("requests", "shop", 9_600_000),
    ("requests", "data", 2_900_000),
    ("requests", "finance", 700_000),
];

/// A CSV with the columns name, group, date and value.
pub fn csv(now: i64) -> String {
    let mut text = "name,group,date,value\n".to_owned();
    for day in days(now) {
        for (place, (name, group, usual)) in NUMBERS.iter().enumerate() {
            let value = varied(*usual, day, 200 + place);
            writeln!(text, "{name},{group},{},{value}", format_date(day)).expect("a text takes every line");
        }
    }
    text
}
