//! Prometheus: the response of `/api/v1/alerts`. Pending alerts are left out, because they do not fire yet.
//!
//! <https://prometheus.io/docs/prometheus/latest/querying/api/#alerts>

use super::alertmanager;
use crate::alerts::fields::{at, text, time};
use crate::alerts::{Alert, AlertError, Message, Source};
use serde_json::Value;

pub fn read(json: &Value) -> Option<Result<Message, AlertError>> {
    text(json, &["status"])?;
    let list = at(json, &["data", "alerts"])?.as_array()?;
    let firing = list.iter().filter(|alert| !is_pending(alert));
    let alerts: Option<Vec<Alert>> = firing.map(alert).collect();
    Some(match alerts {
        Some(alerts) => Ok(Message { source: Source::Prometheus, alerts }),
        None => {
            Err(AlertError::Lacks { source_name: Source::Prometheus.title(), path: "data.alerts[].labels" })
        }
    })
}

/// The indices of pending alerts in the response's list.
pub fn pending(json: &Value) -> Vec<usize> {
    let list = at(json, &["data", "alerts"]).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    list.iter().enumerate().filter(|(_, alert)| is_pending(alert)).map(|(place, _)| place).collect()
}

fn is_pending(alert: &Value) -> bool {
    text(alert, &["state"]).as_deref() == Some("pending")
}

fn alert(json: &Value) -> Option<Alert> {
    let mut alert = alertmanager::alert(json)?;
    alert.starts_at = time(json, &["activeAt"]);
    alert.stated_status = text(json, &["state"]).map(Into::into);
    Some(alert)
}
