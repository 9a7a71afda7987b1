//! KRR, the Kubernetes Resource Recommender: recommended requests and limits of each container.

use crate::format::Format;
use crate::head::{Head, has};
use crate::read_error::ReadError;
use crate::reason;
use crate::record::{Account, Finding, FindingState, Listing, Record, Severity};
use crate::shape::Json;
use crate::sink::Sink;
use serde_json::{Map, Value, json};
use std::io::Read;

pub const FORMAT: Format = Format {
    id: "krr",
    title: "KRR recommendations",
    source: "JSON of `krr simple -f json`",
    fills: "recommendations (right sizing of containers), resources",
    lacks_currency: false,
    certainty,
    read,
};

/// The reason for leaving out an entry without a recommended value.
const NO_DATA: &str = "KRR had too little data to recommend anything";

fn certainty(head: &Head<'_>) -> u8 {
    let object = head.object();
    let scan = object.get("scans").and_then(|scans| scans.get(0)).unwrap_or(&Value::Null);
    if has(scan, &["object", "recommended"]) || has(object, &["scans", "strategy"]) { 97 } else { 0 }
}

fn read(read: &mut dyn Read, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let mut json = Json::new(read);
    json.object(&mut |json, key| {
        if key != "scans" {
            return Ok(());
        }
        json.list(&mut |json, _| {
            let place = json.position();
            let scan = match json.element()? {
                Ok(scan) => scan,
                Err(flaw) => return sink.skip(&place, flaw.reason(), ""),
            };
            match finding_of(&scan) {
                Ok(finding) => sink.record(&place, Record::Finding(Box::new(finding))),
                Err(reason) => {
                    let name =
                        scan.get("object").and_then(|object| object.get("name")).and_then(Value::as_str);
                    sink.skip(&place, reason, name.unwrap_or_default())
                }
            }
        })
        .map(drop)
    })?;
    json.end()
}

fn finding_of(scan: &Value) -> Result<Finding, &'static str> {
    let object = scan.get("object").ok_or(reason::NO_OBJECT)?;
    let text = |key: &str| object.get(key).and_then(Value::as_str).map(str::to_owned);
    let (kind, name) = (text("kind").ok_or(reason::NO_ID)?, text("name").ok_or(reason::NO_ID)?);
    let container = text("container").ok_or(reason::NO_ID)?;
    let namespace = text("namespace");
    let recommended = scan.get("recommended").ok_or(reason::NO_OBJECT)?;
    // A container with suitable requests closes the finding of an earlier report.
    let (severity, state) = match scan.get("severity").and_then(Value::as_str).unwrap_or_default() {
        "CRITICAL" => (Severity::High, FindingState::Open),
        "WARNING" => (Severity::Medium, FindingState::Open),
        "OK" | "GOOD" => (Severity::Info, FindingState::Passed),
        _ => return Err(NO_DATA),
    };
    let cluster = text("cluster").unwrap_or_else(|| "krr".to_owned());
    let details = json!({
        "source": "krr",
        "namespace": namespace,
        "workload": name,
        "kind": kind,
        "container": container,
        "current": object.get("allocations"),
        "recommended": amounts(recommended),
        "info": recommended.get("info"),
    });
    let details = match details {
        Value::Object(details) => details,
        _ => Map::new(),
    };
    Ok(Finding {
        account: Account { provider: "K8s".to_owned(), number: cluster.clone(), name: Some(cluster) },
        scan: None,
        listing: Listing::Recommendations,
        subject: format!("{}/{kind}/{name}", namespace.as_deref().unwrap_or_default()),
        subject_name: Some(name.clone()),
        subject_kind: Some(kind),
        region: None,
        service_name: None,
        category: "RightSizing",
        rule: format!("krr container {container}"),
        title: format!("Container {container} of {name} asks for other than it uses"),
        severity,
        state,
        action: "Modify",
        monthly_savings: None,
        details,
        namespace,
    })
}

/// Cores and bytes as KRR states them; `"?"`, its mark for missing data, is left out.
fn amounts(recommended: &Value) -> Value {
    let mut amounts = Map::new();
    for part in ["requests", "limits"] {
        let of_part = recommended.get(part).and_then(Value::as_object).into_iter().flatten();
        let known = of_part.filter_map(|(resource, stated)| {
            let value = stated.get("value")?;
            value.is_number().then(|| (resource.clone(), value.clone()))
        });
        amounts.insert(part.to_owned(), Value::Object(known.collect()));
    }
    Value::Object(amounts)
}
