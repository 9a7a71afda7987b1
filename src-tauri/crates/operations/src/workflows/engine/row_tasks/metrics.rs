//! Reads imported measurements for tasks: one metric of the resources in the run's account, between two times.

use super::super::run_row::RunRow;
use crate::logs::Selector;
use automation::plan::Call;
use automation::services::metrics::{Measurements, MetricsQuery, Point, Series};
use graphql::Refusal;
use model::tables::{cloud_resource_metrics, cloud_resourses};
use model::{Read, Timestamp, row};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use store::Transaction;
use uuid::Uuid;

/// Maximum number of measurements per query of a task.
const MAX_READ: usize = 50_000;
/// Number of resource ids per database query.
const AT_ONCE: usize = 400;

row! { struct MetricRow from cloud_resource_metrics { cloud_resource_id, timestamp, tags, value } }
row! { struct Resource from cloud_resourses { id, name, resourse_id, region, service_name, r#type } }

/// Handles `observability.metrics` without an address.
pub(super) fn read(rows: &Transaction<'_>, run: &RunRow, call: &Call) -> Result<Measurements, Refusal> {
    let question =
        MetricsQuery::read(&call.params, rows.now()).map_err(|failure| Refusal::invalid(failure.message))?;
    let mut series = Vec::new();
    for (label, query) in &question.queries {
        let (metric, selector) = selected(label, query)?;
        let measured = measured(rows, run, (label, &metric), &question)?;
        series.extend(measured.into_iter().filter(|series| selector.matches(&series.metric, "")));
    }
    let labels = question.queries.iter().map(|(label, _)| label.as_str());
    Ok(Measurements::of(labels, series))
}

/// Splits a query such as `CPUUtilization{region="eu-central-1"}` into the metric and the labels that its series must have.
fn selected(label: &str, query: &str) -> Result<(String, Selector), Refusal> {
    let (metric, rest) = query.find('{').map_or((query, ""), |at| query.split_at(at));
    let metric = metric.trim();
    if metric.is_empty() || metric.contains(['(', ')']) {
        return Err(Refusal::invalid(format!(
            "queries.{label} is \"{query}\": expected the name of an imported metric, such as \
             CPUUtilization{{region=\"eu-central-1\"}}; functions need a Prometheus: give its address as url"
        )));
    }
    let unreadable = |error| Refusal::invalid(format!("queries.{label}: {error}"));
    let selector = Selector::parse(rest).map_err(unreadable)?;
    Ok((metric.to_owned(), selector))
}

/// The series of a metric in the account of the run.
fn measured(
    rows: &Transaction<'_>,
    run: &RunRow,
    (label, metric): (&str, &str),
    question: &MetricsQuery,
) -> Result<Vec<Series>, Refusal> {
    let found = rows
        .query::<MetricRow>()
        .filter(cloud_resource_metrics::cloud_account_id.eq_or_null(Some(run.account)))
        .filter(cloud_resource_metrics::metric.eq(metric))
        .filter(cloud_resource_metrics::timestamp.ge(Timestamp(question.start)))
        .filter(cloud_resource_metrics::timestamp.lt(Timestamp(question.end)))
        .order(cloud_resource_metrics::timestamp.asc())
        .limit(MAX_READ as u64 + 1)
        .rows()?;
    if found.len() > MAX_READ {
        return Err(Refusal::invalid(format!(
            "queries.{label}: there are more than {MAX_READ} measurements of {metric}: ask for a shorter time"
        )));
    }
    let mut points: BTreeMap<(Uuid, String), Vec<Point>> = BTreeMap::new();
    for one in found {
        let series = points.entry((one.cloud_resource_id.uuid(), one.tags.text().to_owned())).or_default();
        series.push(Point::at(one.timestamp.micros(), one.value));
    }
    let resources: BTreeSet<Uuid> = points.keys().map(|(resource, _)| *resource).collect();
    let named = names(rows, &resources.into_iter().collect::<Vec<_>>())?;
    let series = |((resource, tags), points): ((Uuid, String), Vec<Point>)| {
        let mut labels: Map<String, Value> = serde_json::from_str(&tags).unwrap_or_default();
        labels.extend(named.get(&resource).cloned().unwrap_or_default());
        labels.insert("metric".to_owned(), metric.into());
        Series { label: label.to_owned(), metric: labels, points }
    };
    Ok(points.into_iter().map(series).collect())
}

/// The names of resources, as labels.
fn names(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<HashMap<Uuid, Map<String, Value>>, Refusal> {
    let mut names = HashMap::new();
    for some in ids.chunks(AT_ONCE) {
        let found = rows.query::<Resource>().filter(cloud_resourses::id.one_of(some.iter().copied()));
        for resource in found.rows()? {
            let labels = [
                ("resource", resource.resourse_id),
                ("name", resource.name),
                ("region", Some(resource.region)),
                ("service", resource.service_name),
                ("type", resource.r#type),
            ];
            let said = labels.into_iter().filter_map(|(name, text)| Some((name.to_owned(), text?.into())));
            names.insert(resource.id.uuid(), said.collect());
        }
    }
    Ok(names)
}
