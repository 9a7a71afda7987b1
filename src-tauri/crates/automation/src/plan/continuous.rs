//! `k8s.continuous_rightsize`: adjusts requests of a workload to its usage, one step in each run of the workflow.
//!
//! It is a group of two tasks: a query of the usage, from Prometheus or imported measurements, and the change of the workload.

pub(crate) use crate::commands::CONTINUOUS as KIND;
use crate::definition::{Task, read_tasks};
use crate::services::metrics::is_elsewhere;
use crate::template::to_text;
use serde_json::{Map, Value, json};

const USAGE: &str = "usage";
const RESIZE: &str = "resize";
/// Default period of a Prometheus query, in hours.
const HOURS: &str = "24";
/// Default quantile of the usage.
const QUANTILE: &str = "0.95";
/// Connection parameters for Prometheus.
const ACCESS: [&str; 8] = [
    "url",
    "auth_type",
    "bearer_token",
    "basic_auth_username",
    "basic_auth_password",
    "api_key",
    "api_header_name",
    "timeout",
];

/// The nested tasks.
pub(crate) fn tasks(task: &Task) -> Result<Vec<Task>, serde_json::Error> {
    let params = task.params.clone().unwrap_or_default();
    if is_elsewhere(&params) { of_prometheus(&params) } else { of_imports(&params) }
}

/// With imported measurements of the workload's pods.
fn of_imports(params: &Value) -> Result<Vec<Task>, serde_json::Error> {
    let mut usage = Map::new();
    for name in ["namespace", "kind", "name", "container", "analysis_duration_hour", "cpu", "memory"] {
        if !params[name].is_null() {
            usage.insert(name.to_owned(), params[name].clone());
        }
    }
    let mut resize = change(params);
    for amount in amounts(params) {
        let mut given = params[amount].as_object().cloned().unwrap_or_default();
        given.insert("usage".to_owned(), json!(format!("{{{{ Tasks.{USAGE}.output.{amount} }}}}")));
        if amount == "memory" && !after_kill(params).is_null() {
            given.insert("oom_kill_increase_factor".to_owned(), after_kill(params));
            given.insert("kills".to_owned(), json!(format!("{{{{ Tasks.{USAGE}.output.kills }}}}")));
        }
        resize.insert(amount.to_owned(), Value::Object(given));
    }
    read_tasks(&json!([
        { "id": USAGE, "type": "k8s.workload_usage", "params": usage },
        { "id": RESIZE, "type": "k8s.vertical_rightsize", "depends_on": [USAGE], "params": resize },
    ]))
}

/// The parameters for the change of the workload.
fn change(params: &Value) -> Map<String, Value> {
    let names = ["namespace", "kind", "name", "container", "context", "recommend_only"];
    names.into_iter().map(|name| (name.to_owned(), params[name].clone())).collect()
}

/// CPU and memory, unless only one is given.
fn amounts(params: &Value) -> impl Iterator<Item = &'static str> + '_ {
    let has_one = ["cpu", "memory"].iter().any(|amount| params[*amount].is_object());
    ["cpu", "memory"].into_iter().filter(move |amount| !has_one || params[*amount].is_object())
}

/// The factor for memory after an out-of-memory kill.
fn after_kill(params: &Value) -> Value {
    let own = &params["memory"]["oom_kill_increase_factor"];
    if own.is_null() { params["oom_kill_increase_factor"].clone() } else { own.clone() }
}

fn of_prometheus(params: &Value) -> Result<Vec<Task>, serde_json::Error> {
    let text = |name: &str| to_text(&params[name]).trim().to_owned();
    let hours = Some(text("analysis_duration_hour")).filter(|hours| !hours.is_empty());
    let hours = hours.unwrap_or_else(|| HOURS.to_owned());
    let pods = Pods {
        namespace: text("namespace"),
        kind: text("kind"),
        name: text("name"),
        container: text("container"),
    };
    let (mut queries, mut resize) = (Map::new(), change(params));
    for amount in amounts(params) {
        let mut given = params[amount].as_object().cloned().unwrap_or_default();
        queries.insert(
            amount.to_owned(),
            json!(pods.query(amount, &to_text(&params[amount]["algorithm"]), &hours)),
        );
        given.insert("usage".to_owned(), json!(latest(amount)));
        if amount == "memory" && !after_kill(params).is_null() {
            given.insert("oom_kill_increase_factor".to_owned(), after_kill(params));
            queries.insert("kills".to_owned(), json!(pods.kills(&hours)));
            given.insert("kills".to_owned(), json!(latest("kills")));
        }
        resize.insert(amount.to_owned(), Value::Object(given));
    }
    let mut usage = Map::from_iter([
        ("queries".to_owned(), Value::Object(queries)),
        ("start_time".to_owned(), json!("2m")),
        ("step".to_owned(), json!("1m")),
    ]);
    let access = ACCESS.iter().filter(|name| !params[**name].is_null());
    usage.extend(access.map(|name| ((*name).to_owned(), params[*name].clone())));
    read_tasks(&json!([
        { "id": USAGE, "type": "observability.metrics", "params": usage },
        { "id": RESIZE, "type": "k8s.vertical_rightsize", "depends_on": [USAGE], "params": resize },
    ]))
}

/// The output: the result of the change, and the usage.
pub(super) fn output(outputs: &Value) -> Value {
    let mut output = outputs[RESIZE].clone();
    let used = |amount: &str| {
        let usage = &outputs[USAGE];
        let is_imported = usage["figures"].is_null();
        if is_imported { usage[amount].clone() } else { usage["figures"][amount]["latest"].clone() }
    };
    output["usage"] = json!({ "cpu": used("cpu"), "memory": used("memory") });
    output
}

fn latest(label: &str) -> String {
    format!("{{{{ Tasks.{USAGE}.output.figures.{label}.latest }}}}")
}

/// The pods of a workload, as named in their metrics.
struct Pods {
    namespace: String,
    kind: String,
    name: String,
    container: String,
}

impl Pods {
    fn selector(&self) -> String {
        let tail = match self.kind.to_lowercase().as_str() {
            "deployment" => "-[a-z0-9]+-[a-z0-9]+",
            "cronjob" => "-[0-9]+-[a-z0-9]+",
            "statefulset" => "-[0-9]+",
            "pod" => "",
            _ => "-[a-z0-9]+",
        };
        format!("namespace=\"{}\",pod=~\"{}{tail}\"", self.namespace, self.name)
    }

    /// The usage of one container: cores, or bytes.
    fn query(&self, amount: &str, algorithm: &str, hours: &str) -> String {
        let container = match self.container.as_str() {
            "" => "container!=\"\",container!=\"POD\"".to_owned(),
            name => format!("container=\"{name}\""),
        };
        let selector = format!("{{{},{container}}}", self.selector());
        let series = if amount == "cpu" {
            format!("rate(container_cpu_usage_seconds_total{selector}[5m])[{hours}h:5m]")
        } else {
            format!("container_memory_working_set_bytes{selector}[{hours}h]")
        };
        match algorithm.trim().to_lowercase().as_str() {
            "max" => format!("max(max_over_time({series}))"),
            "avg" | "average" => format!("max(avg_over_time({series}))"),
            other => format!("max(quantile_over_time({}, {series}))", quantile(other)),
        }
    }

    /// Whether a container was killed for lack of memory.
    fn kills(&self, hours: &str) -> String {
        let selector = self.selector();
        format!(
            "max(max_over_time(kube_pod_container_status_last_terminated_reason{{reason=\"OOMKilled\",{selector}}}[{hours}h]))"
        )
    }
}

/// `p99` gives 0.99; an invalid percentile gives the default.
fn quantile(algorithm: &str) -> String {
    let percent = algorithm.strip_prefix('p').and_then(|percent| percent.parse::<f64>().ok());
    let percent = percent.filter(|percent| (0.0..=100.0).contains(percent) && *percent > 0.0);
    percent.map_or_else(|| QUANTILE.to_owned(), |percent| (percent / 100.0).to_string())
}
