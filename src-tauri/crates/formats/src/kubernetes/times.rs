//! Estimates when a dump was taken from its objects: not before the latest past time that any of them states.

use catalogue::parse_timestamp;
use serde_json::Value;

/// Fields that contain past times. Other times, such as the end of a certificate, do not limit the time of the dump.
const PAST: [&str; 17] = [
    "creationTimestamp",
    "lastHeartbeatTime",
    "lastTransitionTime",
    "lastUpdateTime",
    "time",
    "startedAt",
    "finishedAt",
    "startTime",
    "completionTime",
    "firstTimestamp",
    "lastTimestamp",
    "eventTime",
    "lastObservedTime",
    "lastScheduleTime",
    "lastSuccessfulTime",
    "renewTime",
    "acquireTime",
];
/// Maximum nesting depth of these fields.
const DEEPEST: u32 = 12;

/// The latest past time that an object states; µs since 1970 UTC.
pub fn latest(object: &Value) -> Option<i64> {
    let mut latest = None;
    walk(object, 0, &mut latest);
    latest
}

fn walk(value: &Value, depth: u32, latest: &mut Option<i64>) {
    if depth > DEEPEST {
        return;
    }
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                match value {
                    Value::String(text) if PAST.contains(&key.as_str()) => {
                        *latest = (*latest).max(parse_timestamp(text));
                    }
                    // Contains only field names.
                    Value::Object(_) if key == "fieldsV1" => {}
                    value => walk(value, depth + 1, latest),
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|value| walk(value, depth + 1, latest)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn times_to_come_say_nothing() {
        let object = json!({
            "metadata": {"creationTimestamp": "2026-01-01T00:00:00Z"},
            "spec": {"notAfter": "2030-01-01T00:00:00Z"},
            "status": {"conditions": [{"lastHeartbeatTime": "2026-01-02T00:00:00Z"}]},
        });
        assert_eq!(latest(&object), parse_timestamp("2026-01-02T00:00:00Z"));
        assert_eq!(latest(&json!({})), None);
    }
}
