//! Hourly measurements of an account: the pods of a workload combined, otherwise by resource.

use super::rule::Rule;
use super::{DAYS, METRIC, Source, classes};
use crate::anomalies::costs::{HOUR, WatchLabel};
use analysis::anomalies::{Grain, Measure, MeasuredSeries, SeriesKey, WatchRule};
use catalogue::Decimal;
use graphql::Refusal;
use model::tables::{cloud_resource_metrics, cloud_resourses};
use model::{Read, Timestamp, count, row};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use store::{StoreError, Transaction};
use uuid::Uuid;

/// Resources per query.
const AT_ONCE: usize = 400;
/// Decimal places of a mean; a binary float is not more precise.
const DIGITS: usize = 9;

row! { struct Metric from cloud_resource_metrics { metric } }
row! { struct Point from cloud_resource_metrics { cloud_resource_id, tags, timestamp, value } }
row! { struct Resource from cloud_resourses { id, name, resourse_id } }

/// The fields read from the tags of a measurement.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Tags {
    unit: Option<String>,
    namespace: Option<String>,
    workload_fqdn: Option<String>,
}

/// The subject of a measurement: a workload with its namespace, or a resource.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Subject {
    Workload(String),
    Resource(Uuid),
}

/// The values of one subject: sum and count by hour.
#[derive(Default)]
struct Readings {
    unit: String,
    namespace: Option<String>,
    hours: BTreeMap<i32, (f64, u32)>,
}

/// The series of an account that a rule watches, from measurements before `until`.
pub(super) fn read(
    rows: &Transaction<'_>,
    rule: &Rule,
    watch: &WatchRule,
    until: i64,
) -> Result<Vec<Source>, Refusal> {
    let of_account = || {
        cloud_resource_metrics::cloud_account_id
            .eq_or_null(Some(rule.cloud_account_id))
            .and(cloud_resource_metrics::timestamp.lt(Timestamp(until)))
    };
    let metrics = rows.query::<Metric>().filter(of_account()).group((
        cloud_resource_metrics::metric.key(),
        cloud_resource_metrics::timestamp.max(),
        count(),
    ));
    let mut sources = Vec::new();
    for (metric, newest, _) in metrics.rows()? {
        let Some(Timestamp(newest)) = newest.filter(|_| classes::class(&metric) == Some(rule.anomaly_type))
        else {
            continue;
        };
        let newest = hour_of(newest);
        let since = Grain::Day.begins(Grain::Hour.day(newest) - DAYS);
        let points = rows
            .query::<Point>()
            .filter(of_account())
            .filter(cloud_resource_metrics::metric.eq(metric.as_str()))
            .filter(cloud_resource_metrics::timestamp.ge(Timestamp(since)))
            .order(cloud_resource_metrics::timestamp.asc())
            .order(cloud_resource_metrics::id.asc());
        let mut gathered: BTreeMap<Subject, Readings> = BTreeMap::new();
        points.for_each(|point| {
            gather(&mut gathered, point);
            Ok::<_, StoreError>(())
        })?;
        let names = names(rows, gathered.keys())?;
        let source = |(subject, values)| source((rule, watch), &metric, newest, (subject, values), &names);
        sources.extend(gathered.into_iter().map(source));
    }
    Ok(sources)
}

fn gather(gathered: &mut BTreeMap<Subject, Readings>, point: Point) {
    let tags: Tags = point.tags.parse().unwrap_or_default();
    let resource = Subject::Resource(point.cloud_resource_id.uuid());
    let subject = tags.workload_fqdn.filter(|name| !name.is_empty()).map_or(resource, Subject::Workload);
    let of_subject = gathered.entry(subject).or_default();
    of_subject.unit = tags.unit.unwrap_or_default();
    of_subject.namespace = tags.namespace;
    let (sum, count) = of_subject.hours.entry(hour_of(point.timestamp.micros())).or_default();
    *sum += point.value;
    *count += 1;
}

fn source(
    (rule, watch): (&Rule, &WatchRule),
    metric: &str,
    newest: i32,
    (subject, gathered): (Subject, Readings),
    names: &HashMap<Uuid, (String, String)>,
) -> Source {
    let (name, id) = match &subject {
        // The workload's name follows its namespace and a slash.
        Subject::Workload(name) => (name.rsplit('/').next().unwrap_or(name).to_owned(), name.clone()),
        Subject::Resource(id) => names.get(id).cloned().unwrap_or_else(|| (id.to_string(), id.to_string())),
    };
    let mean = |(hour, (sum, count)): (i32, (f64, u32))| {
        Some((hour, Decimal::parse(&format!("{:.DIGITS$}", sum / f64::from(count))).ok()?))
    };
    let key = SeriesKey {
        measure: Measure::Metric(gathered.unit),
        account: Some(rule.cloud_account_id),
        tag: None,
        name: format!("{metric} of {id}"),
    };
    Source {
        series: MeasuredSeries {
            key,
            hours: gathered.hours.into_iter().filter_map(mean).collect(),
            newest,
            watch: watch.clone(),
            is_whole: false,
        },
        watched: WatchLabel {
            config: rule.id.uuid(),
            scope: METRIC,
            anomaly_type: rule.anomaly_type.to_string(),
            name,
            namespace: gathered.namespace,
        },
    }
}

/// The names of resources and the ids their source uses for them.
fn names<'s>(
    rows: &Transaction<'_>,
    subjects: impl Iterator<Item = &'s Subject>,
) -> Result<HashMap<Uuid, (String, String)>, Refusal> {
    let resource = |subject: &Subject| if let Subject::Resource(id) = subject { Some(*id) } else { None };
    let ids: Vec<Uuid> = subjects.filter_map(resource).collect();
    let mut names = HashMap::new();
    for some in ids.chunks(AT_ONCE) {
        let found = rows.query::<Resource>().filter(cloud_resourses::id.one_of(some.iter().copied()));
        for Resource { id, name, resourse_id } in found.rows()? {
            let id_of_source = resourse_id.unwrap_or_else(|| id.uuid().to_string());
            let name = name.filter(|name| !name.is_empty()).unwrap_or_else(|| id_of_source.clone());
            names.insert(id.uuid(), (name, id_of_source));
        }
    }
    Ok(names)
}

/// The hour that contains a time, in hours since 1970.
pub(super) fn hour_of(micros: i64) -> i32 {
    i32::try_from(micros.div_euclid(HOUR)).unwrap_or_default()
}
