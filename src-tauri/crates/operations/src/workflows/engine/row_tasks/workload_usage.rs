//! The task `k8s.workload_usage`: the resource usage of a workload's container in the last hours, from imported measurements of its pods.

use super::super::run_row::RunRow;
use crate::savings::PodResources;
use analysis::savings::{FEWEST_HOURS, FEWEST_MEASUREMENTS, Measurements};
use automation::plan::Call;
use automation::services::usage::{Statistic, UsageQuery};
use catalogue::format_timestamp;
use graphql::Refusal;
use model::tables::k8s_pods;
use model::{Json, Read, row};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use store::Transaction;

/// One hour in µs.
const HOUR: i64 = 3_600_000_000;

row! { struct PodRow from k8s_pods { name, is_active, workload_type, workload_name, meta } }

#[derive(Default, Deserialize)]
struct PodMeta {
    last_end: Option<String>,
}

/// The output of the task.
#[derive(Debug, Serialize)]
pub(super) struct WorkloadUsage {
    /// CPU usage in cores, of the pod with the highest usage.
    cpu: Option<f64>,
    /// Memory usage in bytes, of the pod with the highest usage.
    memory: Option<i64>,
    /// Number of existing pods whose last container was killed for lack of memory.
    kills: usize,
    /// Number of measurements of CPU or memory, whichever is lower.
    measurements: usize,
    pods: usize,
    container: String,
    first: String,
    last: String,
}

pub(super) fn read(rows: &Transaction<'_>, run: &RunRow, call: &Call) -> Result<WorkloadUsage, Refusal> {
    let question = UsageQuery::read(&call.params).map_err(Refusal::invalid)?;
    let known = rows
        .query::<PodRow>()
        .filter(k8s_pods::cloud_account_id.eq(run.account))
        .filter(k8s_pods::namespace.eq(question.namespace.as_str()))
        .filter(k8s_pods::workload_name.eq_or_null(Some(question.name.as_str())))
        .rows()?;
    let is_own = |pod: &PodRow| {
        pod.workload_type.as_deref().is_some_and(|kind| kind.eq_ignore_ascii_case(&question.kind))
    };
    let own: Vec<&PodRow> = known.iter().filter(|pod| is_own(pod)).collect();
    let names: BTreeSet<&str> = own.iter().map(|pod| pod.name.as_str()).collect();
    let is_asked = |namespace: &str, pod: &str| {
        namespace == question.namespace && (names.contains(pod) || question.may_name(pod))
    };
    let resources = PodResources::find(rows, run.account, is_asked)?;
    let until = rows.now();
    let from = until.saturating_sub(question.hours.saturating_mul(HOUR));
    let measured = resources.measured(rows, (from, until))?;
    if measured.is_empty() {
        return Err(nothing(&question, resources.newest(rows)?));
    }
    let kills = own.iter().filter(|pod| pod.is_active && was_killed(pod.meta.as_ref())).count();
    usage(&question, measured, kills)
}

fn was_killed(meta: Option<&Json>) -> bool {
    let meta: PodMeta = meta.and_then(|meta| meta.parse().ok()).unwrap_or_default();
    meta.last_end.as_deref() == Some("OOMKilled")
}

fn nothing(question: &UsageQuery, newest: Option<i64>) -> Refusal {
    let newest =
        newest.map_or_else(String::new, |at| format!(" (the newest is of {}Z)", format_timestamp(at)));
    Refusal::new(
        "too-few-measurements",
        format!(
            "nothing was measured of {} in the last {} hours{newest}: import metrics of its pods (Prometheus or OpenCost), or give the address of a Prometheus as url",
            question.subject(),
            question.hours
        ),
    )
}

/// Namespace, pod, container.
type Place = (String, String, String);

fn usage(
    question: &UsageQuery,
    measured: BTreeMap<Place, Measurements>,
    kills: usize,
) -> Result<WorkloadUsage, Refusal> {
    let container = container(question, measured.keys().map(|(_, _, container)| container.as_str()))?;
    let series: Vec<(Place, Measurements)> =
        measured.into_iter().filter(|((_, _, one), _)| *one == container).collect();
    let of = |amount: fn(&Measurements) -> &Vec<i64>, statistic: Statistic| {
        series.iter().filter_map(|(_, one)| statistic.of(amount(one))).max()
    };
    let count =
        |amount: fn(&Measurements) -> &Vec<i64>| series.iter().map(|(_, one)| amount(one).len()).sum();
    let counts: Vec<usize> = [
        question.cpu.is_some().then(|| count(|one| &one.cpu)),
        question.memory.is_some().then(|| count(|one| &one.memory)),
    ]
    .into_iter()
    .flatten()
    .collect();
    let measurements = counts.into_iter().min().unwrap_or_default();
    let first = series.iter().map(|(_, one)| one.first).min().unwrap_or_default();
    let last = series.iter().map(|(_, one)| one.last).max().unwrap_or_default();
    let hours = (last - first) / HOUR;
    if measurements < FEWEST_MEASUREMENTS || hours < FEWEST_HOURS {
        return Err(Refusal::new(
            "too-few-measurements",
            format!(
                "{} has {measurements} measurements over {hours} hours, and {FEWEST_MEASUREMENTS} over {FEWEST_HOURS} hours are needed: import more, or look back further \
                 with analysis_duration_hour (now {})",
                question.subject(),
                question.hours
            ),
        ));
    }
    #[expect(clippy::cast_precision_loss, reason = "thousandths of cores, far below 2^52")]
    let cores = |milli: i64| milli as f64 / 1000.0;
    let pods: BTreeSet<&str> = series.iter().map(|((_, pod, _), _)| pod.as_str()).collect();
    Ok(WorkloadUsage {
        cpu: question.cpu.and_then(|statistic| of(|one| &one.cpu, statistic)).map(cores),
        memory: question.memory.and_then(|statistic| of(|one| &one.memory, statistic)),
        kills,
        measurements,
        pods: pods.len(),
        container,
        first: format!("{}Z", format_timestamp(first)),
        last: format!("{}Z", format_timestamp(last)),
    })
}

/// The requested container: the named one, or the only one. Empty if whole pods were measured.
fn container<'m>(question: &UsageQuery, measured: impl Iterator<Item = &'m str>) -> Result<String, Refusal> {
    let all: BTreeSet<&str> = measured.collect();
    let named: Vec<&str> = all.iter().copied().filter(|name| !name.is_empty()).collect();
    let list = || named.join(", ");
    match (question.container.as_str(), named.as_slice()) {
        ("", []) => Ok(String::new()),
        ("", [only]) => Ok((*only).to_owned()),
        ("", _) => Err(Refusal::invalid(format!(
            "container: {} has the containers {}: expected one of them",
            question.subject(),
            list()
        ))),
        (name, _) if all.contains(name) => Ok(name.to_owned()),
        (name, []) => Err(Refusal::invalid(format!(
            "container: of {} whole pods were measured, not the container {name}",
            question.subject()
        ))),
        (name, _) => Err(Refusal::invalid(format!(
            "container: nothing was measured of {name} of {}, but of {}",
            question.subject(),
            list()
        ))),
    }
}
