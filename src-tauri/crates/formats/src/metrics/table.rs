//! Metrics as CSV with the columns `account,resource,metric,time,value` and optionally `unit`.

use crate::read_error::ReadError;
use crate::record::{Account, Metric, Record};
use crate::shape::Table;
use crate::sink::Sink;
use catalogue::parse_timestamp;
use serde_json::Map;
use std::io::Read;

/// Required columns.
pub const COLUMNS: [&str; 5] = ["account", "resource", "metric", "time", "value"];

/// Reads all rows.
pub fn read(bytes: &mut dyn Read, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let mut table = Table::new(bytes, b',')?;
    while let Some(row) = table.next_row()? {
        let place = row.position();
        let [account, resource, name, time, value] = COLUMNS.map(|column| row.cell(column));
        let (Some(account), Some(resource), Some(name)) = (account, resource, name) else {
            sink.skip(&place, "no account, resource or metric", "")?;
            continue;
        };
        let Some(at) = time.and_then(parse_timestamp) else {
            sink.skip(&place, "its time is not as 2026-11-20T06:38:00Z", time.unwrap_or_default())?;
            continue;
        };
        let number = value.and_then(|value| value.parse::<f64>().ok()).filter(|value| value.is_finite());
        let Some(number) = number else {
            sink.skip(&place, "its value is no number", value.unwrap_or_default())?;
            continue;
        };
        let metric = Metric {
            // Matches the account with this number or name, of any provider.
            account: Account { provider: String::new(), number: account.to_owned(), name: None },
            subject: resource.to_owned(),
            name: name.to_owned(),
            at: Some(at),
            value: number,
            unit: row.cell("unit").map(str::to_owned),
            tags: Map::new(),
        };
        sink.record(&place, Record::Metric(metric))?;
    }
    Ok(())
}
