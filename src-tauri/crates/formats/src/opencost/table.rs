//! The CSV that OpenCost exports daily.

use super::allocation::subject;
use crate::read_error::ReadError;
use crate::record::{Account, Charge, Record};
use crate::shape::Table;
use crate::sink::Sink;
use catalogue::{Decimal, parse_timestamp};
use serde_json::{Map, Value};
use std::io::Read;

/// Required columns.
pub const COLUMNS: [&str; 6] =
    ["Date", "Namespace", "ControllerKind", "ControllerName", "CPUCoreUsageAverage", "TotalCost"];
/// Columns that become metrics, with the metrics' names and units.
const MEASURED: [(&str, &str, &str); 7] = [
    ("CPUCoreUsageAverage", "cpuCoreUsageAverage", "cores"),
    ("CPUCoreRequestAverage", "cpuCoreRequestAverage", "cores"),
    ("RAMBytesUsageAverage", "ramByteUsageAverage", "bytes"),
    ("RAMBytesRequestAverage", "ramByteRequestAverage", "bytes"),
    ("NetworkReceiveBytes", "networkReceiveBytes", "bytes"),
    ("NetworkTransferBytes", "networkTransferBytes", "bytes"),
    ("TotalCost", "totalCost", "money"),
];
const PARTS: [&str; 5] = ["CPUCost", "RAMCost", "NetworkCost", "PVCost", "GPUCost"];
const DAY: i64 = 86_400_000_000;

/// Reads all rows.
pub fn read(bytes: &mut dyn Read, account: &Account, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let mut table = Table::new(bytes, b',')?;
    while let Some(row) = table.next_row()? {
        let place = row.position();
        let Some(start) = row.cell("Date").and_then(parse_timestamp) else {
            sink.skip(&place, "its date is not as 2026-11-20", row.cell("Date").unwrap_or_default())?;
            continue;
        };
        let cost = row.cell("TotalCost").unwrap_or_default();
        let Ok(billed) = Decimal::parse(cost) else {
            sink.skip(&place, "its cost is no number", cost)?;
            continue;
        };
        let Some(namespace) = row.cell("Namespace") else {
            sink.skip(&place, "it has no namespace", "")?;
            continue;
        };
        let controller = row.cell("ControllerKind").zip(row.cell("ControllerName"));
        let subject =
            subject(namespace, Some(namespace), controller, row.cell("Pod"), row.cell("Container"), None);
        let labels =
            row.cell("Labels").and_then(|json| serde_json::from_str::<Map<String, Value>>(json).ok());
        let mut details = Map::new();
        for part in PARTS {
            if let Some(cost) = row.cell(part).filter(|cost| *cost != "0") {
                details.insert(part.to_owned(), cost.into());
            }
        }
        for (column, metric, unit) in MEASURED {
            if let Some(value) =
                row.cell(column).and_then(|cell| cell.parse::<f64>().ok()).filter(|value| value.is_finite())
            {
                let metric = subject.measured(account, metric, unit, Some(start), value);
                sink.record(&place, Record::Metric(metric))?;
            }
        }
        let charge = Charge {
            account: account.clone(),
            source: "OpenCost",
            start,
            end: start + DAY,
            billed,
            effective: Some(billed),
            list: None,
            currency: None,
            service: Some(namespace.to_owned()),
            subject: subject.id(),
            subject_name: subject.name.clone(),
            subject_kind: Some(subject.kind.clone()),
            machine: None,
            tags: labels.unwrap_or_default(),
            details,
        };
        sink.record(&place, Record::Charge(Box::new(charge)))?;
    }
    Ok(())
}
