//! kube-bench: the CIS Kubernetes benchmark. An object with `Controls`, or the bare list of older versions.

use super::common::{cluster, finding, owned, put, text};
use crate::format::Format;
use crate::head::{Head, has};
use crate::read_error::ReadError;
use crate::reason;
use crate::record::{Finding, FindingState, Listing, Record, Scan, Severity};
use crate::shape::{Json, Kind};
use crate::sink::{Position, Sink};
use serde_json::Value;
use std::io::Read;

const TOOL: &str = "kube-bench";

pub const FORMAT: Format = Format {
    id: TOOL,
    title: "kube-bench report",
    source: "JSON of `kube-bench --json`",
    fills: "recommendations (checks of the CIS benchmark)",
    lacks_currency: false,
    certainty,
    read,
};

fn certainty(head: &Head<'_>) -> u8 {
    let controls = head.object().get("Controls").and_then(|list| list.get(0)).unwrap_or(&Value::Null);
    let is_control = |control: &Value| has(control, &["tests", "node_type"]);
    let is_empty =
        head.object().get("Controls").is_some_and(Value::is_array) && has(head.object(), &["Totals"]);
    if is_control(controls) || is_control(head.first()) || is_empty { 98 } else { 0 }
}

fn read(read: &mut dyn Read, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let mut json = Json::new(read);
    sink.note(
        "kube-bench does not name the cluster: its checks are in the cluster \u{201c}kube-bench\u{201d}."
            .to_owned(),
    );
    if json.kind()? == Kind::List {
        json.list(&mut |json, _| control(json, sink))?;
    } else {
        json.object(&mut |json, key| match key {
            "Controls" => json.list(&mut |json, _| control(json, sink)).map(drop),
            _ => Ok(()),
        })?;
    }
    json.end()
}

/// One chapter of the benchmark, for one node type.
fn control(json: &mut Json<'_>, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let place = json.position();
    let control = match json.element()? {
        Ok(control) if control.is_object() => control,
        Ok(_) => return sink.skip(&place, reason::NO_OBJECT, ""),
        Err(flaw) => return sink.skip(&place, flaw.reason(), ""),
    };
    let account = cluster(TOOL);
    let node = text(&control, "node_type").unwrap_or("node").to_owned();
    let target = format!("{node} {}", text(&control, "id").unwrap_or_default());
    sink.record(&place, Record::Scan(Scan { account, tool: TOOL, target: target.clone(), taken_at: None }))?;
    let tests = control.get("tests").and_then(Value::as_array).into_iter().flatten();
    for (index, test) in tests.enumerate() {
        let results = test.get("results").and_then(Value::as_array).into_iter().flatten();
        for (result, check) in results.enumerate() {
            let place = Position(format!("{}.tests[{index}].results[{result}]", place.0));
            match self::check(check, test, &control, &node) {
                Ok(mut finding) => {
                    finding.scan = Some((TOOL, target.clone()));
                    sink.record(&place, Record::Finding(Box::new(finding)))?;
                }
                Err(reason) => {
                    sink.skip(&place, reason, text(check, "test_number").unwrap_or_default())?;
                }
            }
        }
    }
    Ok(())
}

fn check(check: &Value, test: &Value, control: &Value, node: &str) -> Result<Finding, &'static str> {
    let number = owned(check, "test_number").ok_or(reason::NO_ID)?;
    let title = owned(check, "test_desc").unwrap_or_else(|| number.clone());
    let mut finding =
        finding(&cluster(TOOL), Listing::Benchmark, node.to_owned(), number.clone(), title.clone());
    finding.state = match text(check, "status") {
        Some("FAIL") => FindingState::Open,
        Some("PASS") => FindingState::Passed,
        // kube-bench reports WARN for checks that need a person.
        Some("WARN") => FindingState::Manual,
        _ => return Err(reason::NOT_RUN),
    };
    // kube-bench states no severity: scored checks matter more than others.
    let is_scored = check.get("scored").and_then(Value::as_bool).unwrap_or(true);
    finding.severity = if is_scored { Severity::Medium } else { Severity::Low };
    finding.subject_kind = Some("Node group".to_owned());
    let details = &mut finding.details;
    put(details, "Id", Some(&number));
    put(details, "Name", Some(&title));
    put(details, "Description", text(test, "desc"));
    put(details, "benchmark_version", text(control, "version"));
    put(details, "node_type", Some(node));
    for key in ["remediation", "audit", "actual_value", "expected_result", "reason"] {
        put(details, key, text(check, key));
    }
    details.insert("scored".to_owned(), is_scored.into());
    Ok(finding)
}
