//! Queries of measurements by tasks: the period, the requests to Prometheus, and summary figures for use in conditions.

use crate::call::{Call, TaskFailure};
use crate::duration;
use crate::services::requests::{HttpRequest, is_address, request};
use crate::template::to_text;
use catalogue::{format_timestamp, parse_timestamp};
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Default period; µs.
const LOOK_BACK: i64 = 3_600_000_000;
/// Default number of points of a Prometheus series.
const POINTS: i64 = 240;
/// Minimum default step; µs.
const LEAST_STEP: i64 = 15_000_000;
/// Maximum number of queries in a task.
const MOST_QUERIES: usize = 20;

/// The query of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MetricsQuery {
    /// Queries by label.
    pub queries: Vec<(String, String)>,
    /// Start of the period, included, µs since 1970 UTC.
    pub start: i64,
    /// End of the period, excluded, µs since 1970 UTC.
    pub end: i64,
    /// µs between two points.
    pub step: i64,
    /// Address of a Prometheus; `None` for imported measurements.
    pub url: Option<String>,
}

/// A query of Prometheus, with one request for each of its queries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MetricsCall {
    pub requests: Vec<(String, HttpRequest)>,
}

/// A value at a time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Point {
    /// For example `2026-11-20T06:38:00Z`.
    pub time: String,
    pub value: f64,
}

/// One series: its identifying labels, and its points in order of time.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Series {
    /// The label of its query.
    pub label: String,
    pub metric: Map<String, Value>,
    pub points: Vec<Point>,
}

/// Summary of all series of a query.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Figures {
    pub series: usize,
    pub points: usize,
    pub minimum: Option<f64>,
    pub maximum: Option<f64>,
    pub average: Option<f64>,
    /// The newest value; the largest one if several series have a value at that time.
    pub latest: Option<f64>,
}

/// The output of the task.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Measurements {
    pub metrics: Vec<Series>,
    /// By the label of the query; a query without data has null figures.
    pub figures: BTreeMap<String, Figures>,
}

fn wrong(message: impl Into<String>) -> TaskFailure {
    TaskFailure::new("InvalidParameters", message)
}

/// Whether a task queries Prometheus rather than imported measurements.
pub fn is_elsewhere(params: &Value) -> bool {
    !to_text(&params["url"]).trim().is_empty()
}

impl MetricsQuery {
    /// Reads the parameters of a task; `now` is µs since 1970 UTC.
    pub fn read(params: &Value, now: i64) -> Result<Self, TaskFailure> {
        let Value::Object(given) = &params["queries"] else {
            return Err(wrong(format!(
                "queries: expected an object of queries by label, such as {{\"cpu\": \"CPUUtilization\"}}, found {}",
                params["queries"]
            )));
        };
        if given.is_empty() || given.len() > MOST_QUERIES {
            return Err(wrong(format!(
                "queries: expected 1 to {MOST_QUERIES} queries, found {}",
                given.len()
            )));
        }
        let queries: Vec<(String, String)> =
            given.iter().map(|(label, query)| (label.clone(), to_text(query).trim().to_owned())).collect();
        if let Some((label, _)) = queries.iter().find(|(_, query)| query.is_empty()) {
            return Err(wrong(format!("queries.{label}: expected a query, found an empty text")));
        }
        let end = moment(params, "end_time", now)?.unwrap_or(now);
        let start = moment(params, "start_time", end)?.unwrap_or(end.saturating_sub(LOOK_BACK));
        if start >= end {
            return Err(wrong(format!(
                "start_time ({}) is not before end_time ({})",
                shown(start),
                shown(end)
            )));
        }
        let step = match to_text(&params["step"]).trim() {
            "" => (end.saturating_sub(start) / POINTS).max(LEAST_STEP),
            given => span(given)
                .filter(|step| *step >= 1_000_000)
                .ok_or_else(|| wrong(format!("step: expected a span such as 5m, found \"{given}\"")))?,
        };
        let url = Some(to_text(&params["url"]).trim().to_owned()).filter(|url| !url.is_empty());
        if let Some(url) = url.as_deref().filter(|url| !is_address(url)) {
            return Err(wrong(format!(
                "url: expected the address of a Prometheus that begins with https:// or http://, found \"{url}\""
            )));
        }
        Ok(Self { queries, start, end, step, url })
    }

    /// The requests to Prometheus. `execution` is the id of the run.
    pub fn call(&self, execution: &str, call: &Call) -> Result<MetricsCall, TaskFailure> {
        let base = self.url.as_deref().unwrap_or_default().trim_end_matches('/');
        let mut requests = Vec::new();
        for (label, query) in &self.queries {
            let mut asked = call.clone();
            "integrations.http".clone_into(&mut asked.kind);
            if let Value::Object(params) = &mut asked.params {
                params.insert("url".to_owned(), format!("{base}/api/v1/query_range").into());
                params.insert("method".to_owned(), "GET".into());
                params.remove("body");
            }
            let mut one = request(execution, &asked, &Map::new())?;
            let seconds = |micros: i64| (micros / 1_000_000).to_string();
            one.url
                .query_pairs_mut()
                .append_pair("query", query)
                .append_pair("start", &seconds(self.start))
                .append_pair("end", &seconds(self.end))
                .append_pair("step", &seconds(self.step));
            // A query has no side effects and needs no key.
            one.headers.retain(|(name, _)| name != "Idempotency-Key");
            requests.push((label.clone(), one));
        }
        Ok(MetricsCall { requests })
    }
}

/// A time, or a duration before another time.
fn moment(params: &Value, name: &str, before: i64) -> Result<Option<i64>, TaskFailure> {
    let text = to_text(&params[name]);
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    let found = parse_timestamp(text).or_else(|| span(text).map(|span| before.saturating_sub(span)));
    found.map(Some).ok_or_else(|| {
        wrong(format!(
            "{name} is \"{text}\": expected a time such as 2026-11-20T06:38:00Z, or a span before it such as 24h"
        ))
    })
}

fn span(text: &str) -> Option<i64> {
    duration::parse(text).or_else(|| duration::parse(&format!("{text}s")))
}

fn shown(time: i64) -> String {
    format!("{}Z", format_timestamp(time).trim_end_matches('Z'))
}

impl Point {
    /// A value at a time in µs since 1970 UTC.
    pub fn at(time: i64, value: f64) -> Self {
        Self { time: shown(time), value }
    }
}

/// The series in a response of Prometheus to `query_range` or `query`.
pub fn series_of(label: &str, body: &Value) -> Result<Vec<Series>, TaskFailure> {
    let Some(result) = body["data"]["result"].as_array().filter(|_| body["status"] == "success") else {
        let said: String = body.to_string().chars().take(200).collect();
        return Err(TaskFailure::new(
            "HttpError",
            format!("queries.{label}: this is no answer of Prometheus: {said}"),
        ));
    };
    let one = |found: &Value| {
        let points = match (&found["values"], &found["value"]) {
            (Value::Array(points), _) => points.iter().filter_map(point).collect(),
            (_, point_of) => point(point_of).into_iter().collect(),
        };
        let metric = found["metric"].as_object().cloned().unwrap_or_default();
        Series { label: label.to_owned(), metric, points }
    };
    Ok(result.iter().map(one).collect())
}

/// Parses `[1795149480.5, "0.25"]`. `NaN` and `+Inf` are skipped.
fn point(pair: &Value) -> Option<Point> {
    let value = to_text(&pair[1]).parse::<f64>().ok().filter(|value| value.is_finite())?;
    let seconds = pair[0].as_f64().filter(|seconds| seconds.abs() < 9e9)?;
    #[expect(clippy::cast_possible_truncation, reason = "whole microseconds within the range checked above")]
    let micros = (seconds * 1e6).round() as i64;
    Some(Point::at(micros, value))
}

impl Measurements {
    /// Summarises series by the labels of their queries.
    pub fn of<'l>(labels: impl IntoIterator<Item = &'l str>, metrics: Vec<Series>) -> Self {
        let figures = |label: &str| Figures::of(metrics.iter().filter(|series| series.label == label));
        let figures = labels.into_iter().map(|label| (label.to_owned(), figures(label))).collect();
        Self { metrics, figures }
    }
}

impl Figures {
    fn of<'s>(series: impl Iterator<Item = &'s Series>) -> Self {
        let (mut figures, mut sum, mut newest) = (Self::default(), 0.0, "");
        for one in series {
            figures.series += 1;
            for Point { time, value } in &one.points {
                figures.points += 1;
                sum += value;
                figures.minimum = Some(figures.minimum.map_or(*value, |known| known.min(*value)));
                figures.maximum = Some(figures.maximum.map_or(*value, |known| known.max(*value)));
                if time.as_str() > newest {
                    (newest, figures.latest) = (time, Some(*value));
                } else if time == newest {
                    figures.latest = figures.latest.map(|known| known.max(*value));
                }
            }
        }
        #[expect(clippy::cast_precision_loss, reason = "nobody keeps 2^52 points")]
        let average = (figures.points > 0).then(|| sum / figures.points as f64);
        Self { average, ..figures }
    }
}

#[cfg(test)]
mod tests {
    use super::{Measurements, MetricsQuery, Point, series_of};
    use crate::call::Call;
    use serde_json::{Value, json};

    const NOW: i64 = 1_793_491_200_000_000; // 2026-11-01

    fn call(params: Value) -> Call {
        Call {
            path: "m".to_owned(),
            task_id: "m".to_owned(),
            kind: "observability.metrics".to_owned(),
            attempt: 1,
            secrets: std::collections::BTreeSet::new(),
            params,
            timeout: 60_000_000,
        }
    }

    #[test]
    fn prometheus_is_asked_once_a_query_and_no_secret_stands_in_the_address() {
        let params = json!({
            "queries": { "cpu": "sum(rate(cpu[5m])) by (pod)" }, "url": "https://p.example/prom/",
            "start_time": "1h", "auth_type": "bearer", "bearer_token": "word",
        });
        let question = MetricsQuery::read(&params, NOW).unwrap();
        let made = question.call("run", &call(params)).unwrap();
        let [(label, request)] = made.requests.as_slice() else { panic!("{made:?}") };
        assert_eq!(label, "cpu");
        assert_eq!(
            request.url.as_str(),
            "https://p.example/prom/api/v1/query_range?query=sum%28rate%28cpu%5B5m%5D%29%29+by+%28pod%29\
             &start=1793487600&end=1793491200&step=15"
        );
        assert_eq!(request.headers, [("Authorization".to_owned(), "Bearer word".to_owned())]);
    }

    #[test]
    fn what_cannot_be_asked_says_why() {
        for (params, expected) in [
            (json!({ "queries": "cpu" }), "queries: expected an object of queries by label"),
            (json!({ "queries": {} }), "queries: expected 1 to 20 queries"),
            (json!({ "queries": { "cpu": " " } }), "queries.cpu: expected a query"),
            (json!({ "queries": { "a": "b" }, "start_time": "soon" }), "start_time is \"soon\""),
            (
                json!({ "queries": { "a": "b" }, "start_time": "2026-11-01T00:00:00Z", "end_time": "1h" }),
                "start_time (2026-11-01T00:00:00Z) is not before end_time (2026-10-31T23:00:00Z)",
            ),
            (json!({ "queries": { "a": "b" }, "step": "0s" }), "step: expected a span"),
            (json!({ "queries": { "a": "b" }, "url": "prometheus" }), "url: expected the address"),
        ] {
            let failure = MetricsQuery::read(&params, NOW).unwrap_err();
            assert!(failure.message.starts_with(expected), "{}", failure.message);
        }
    }

    #[test]
    fn an_answer_becomes_series_and_figures() {
        let body = json!({ "status": "success", "data": { "resultType": "matrix", "result": [
            { "metric": { "pod": "a" }, "values": [[1_793_487_600, "1"], [1_793_487_660.5, "3"], [1_793_487_720, "NaN"]] },
            { "metric": { "pod": "b" }, "value": [1_793_487_660.5, "8"] },
        ] } });
        let series = series_of("cpu", &body).unwrap();
        assert_eq!(series[0].points[0], Point { time: "2026-10-31T23:00:00Z".to_owned(), value: 1.0 });
        let found = serde_json::to_value(Measurements::of(["cpu", "memory"], series)).unwrap();
        assert_eq!(
            found["figures"],
            json!({
                "cpu": { "series": 2, "points": 3, "minimum": 1.0, "maximum": 8.0, "average": 4.0, "latest": 8.0 },
                "memory": { "series": 0, "points": 0, "minimum": null, "maximum": null, "average": null, "latest": null },
            })
        );
        assert!(series_of("cpu", &json!("<html>")).unwrap_err().message.contains("no answer of Prometheus"));
    }
}
