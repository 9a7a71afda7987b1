//! Manifests of AWS Data Exports and of AWS Cost and Usage Reports.

use super::{Kind, Manifest, Part, text};
use catalogue::parse_timestamp;
use serde_json::Value;

/// Precedes the billing period in the path of a data file.
const PERIOD: &str = "BILLING_PERIOD=";

pub fn parse(document: &Value) -> Option<Manifest> {
    data_export(document).or_else(|| cost_and_usage_report(document))
}

fn data_export(document: &Value) -> Option<Manifest> {
    let parts = parts(document.get("dataFiles")?);
    let period = parts.first().and_then(|part| {
        let (_, after) = part.path.split_once(PERIOD)?;
        Some(after.split('/').next().unwrap_or(after).to_owned())
    });
    let run_id = text(document, "executionId")?;
    let name = text(document, "exportArn").or_else(|| text(document, "reportName")).unwrap_or_default();
    Some(Manifest {
        kind: Kind::AwsExport,
        export: format!("{name} {}", period.as_deref().unwrap_or_default()),
        submitted_at: leading_time(&run_id),
        run_id,
        period,
        parts,
    })
}

fn cost_and_usage_report(document: &Value) -> Option<Manifest> {
    let run_id = text(document, "assemblyId")?;
    let start = document.get("billingPeriod").and_then(|period| text(period, "start"));
    let name = [text(document, "account"), text(document, "reportName"), start.clone()];
    Some(Manifest {
        kind: Kind::AwsCur,
        export: name.map(Option::unwrap_or_default).join(" "),
        submitted_at: leading_time(&run_id),
        run_id,
        period: start.as_deref().and_then(|start| Some(format!("{}-{}", start.get(..4)?, start.get(4..6)?))),
        parts: parts(document.get("reportKeys")?),
    })
}

/// The parts from a list of paths or of URLs such as `s3://bucket/path`.
fn parts(list: &Value) -> Vec<Part> {
    let paths = list.as_array().map(Vec::as_slice).unwrap_or_default().iter().filter_map(Value::as_str);
    let path = |text: &str| match text.strip_prefix("s3://") {
        Some(address) => address.split_once('/').map_or("", |(_, path)| path).to_owned(),
        None => text.to_owned(),
    };
    paths.map(|text| Part { path: path(text), bytes: None }).collect()
}

/// The time at the start of a run id, such as `2024-09-10T11:44:33.000Z-…` or `20240105T080910Z`.
fn leading_time(run_id: &str) -> Option<i64> {
    let end = run_id.find('Z')?;
    let time = &run_id[..=end];
    parse_timestamp(time).or_else(|| {
        let digits = |from: usize, to: usize| {
            time.get(from..to).filter(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
        };
        let [year, month, date] = [digits(0, 4)?, digits(4, 6)?, digits(6, 8)?];
        let [hour, minute, second] = [digits(9, 11)?, digits(11, 13)?, digits(13, 15)?];
        parse_timestamp(&format!("{year}-{month}-{date}T{hour}:{minute}:{second}Z"))
    })
}
