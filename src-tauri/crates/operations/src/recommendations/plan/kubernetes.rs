//! Plans for requests and limits of one container.

use super::{ChangePlan, Program, Subject, told};
use automation::changes::{Amount, read_quantity};
use serde_json::{Map, Value};

/// Workload kinds whose pod template `kubectl set resources` changes.
const KINDS: [&str; 3] = ["Deployment", "StatefulSet", "DaemonSet"];

/// The plan of a recommendation that has requests and limits in cores and bytes, as KRR writes them.
pub(super) fn resources(subject: &Subject<'_>) -> Option<ChangePlan> {
    let details = subject.details;
    let text = |name: &str| details.get(name)?.as_str().filter(|text| is_name(text));
    let (namespace, workload, container) = (text("namespace")?, text("workload")?, text("container")?);
    let kind = KINDS.into_iter().find(|kind| details.get("kind").and_then(Value::as_str) == Some(kind))?;
    let wanted = amounts(&details["recommended"]);
    if wanted.iter().all(|(_, list)| list.is_empty()) {
        return None;
    }
    let before = amounts(&details["current"]);
    let command = |amounts: &[(&str, Vec<(String, String)>)]| {
        let mut command: Vec<String> = Vec::new();
        // Naming the context ensures that no other cluster is changed, whichever context is current.
        command.extend(["--context", subject.account_name, "--namespace", namespace].map(str::to_owned));
        command.extend(["set", "resources"].map(str::to_owned));
        command.push(format!("{}/{workload}", kind.to_lowercase()));
        command.push(format!("--containers={container}"));
        for (part, list) in amounts.iter().filter(|(_, list)| !list.is_empty()) {
            let list: Vec<String> = list.iter().map(|(name, value)| format!("{name}={value}")).collect();
            command.push(format!("--{part}={}", list.join(",")));
        }
        command
    };
    // The inverse is known only if every changed value has a known previous value.
    let states = |part: &str, name: &str| {
        before.iter().any(|(known, list)| *known == part && list.iter().any(|(known, _)| known == name))
    };
    let is_known = wanted.iter().all(|(part, list)| list.iter().all(|(name, _)| states(part, name)));
    let told_before = line(&before);
    let change = format!(
        "{kind} {namespace}/{workload}, container {container}: {} instead of {}. Its pods are replaced one after the other.",
        line(&wanted),
        if told_before.is_empty() { "nothing".to_owned() } else { told_before },
    );
    // Without a valid context name there is no command. A pull request needs no context.
    let has_context = is_context(subject.account_name);
    let plan = ChangePlan {
        patch: Some(patch((kind, namespace, workload, container), &wanted)),
        resources: Some(resources_of((kind, namespace, workload, container), &wanted)),
        program: has_context.then_some(Program::Kubectl),
        commands: if has_context { vec![command(&wanted)] } else { Vec::new() },
        inverse: if has_context && is_known { vec![command(&before)] } else { Vec::new() },
        ..ChangePlan::default()
    };
    Some(told(&subject.title, &change, plan))
}

/// A request or limit that a recommendation changes, in thousandths of a core, or bytes.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::recommendations) struct WantedAmount {
    /// `requests` or `limits`.
    pub part: &'static str,
    pub amount: Amount,
    pub before: Option<f64>,
    pub after: f64,
}

/// The recommendation's container and its recommended requests and limits; `None` if the recommendation does not name them.
pub(in crate::recommendations) fn wanted_of(details: &Value) -> Option<(&str, Vec<WantedAmount>)> {
    let container = details.get("container")?.as_str()?;
    let (wanted, before) = (amounts(&details["recommended"]), amounts(&details["current"]));
    let figure = |stated: &Amounts, part: &str, amount: Amount| {
        let (_, list) = stated.iter().find(|(known, _)| *known == part)?;
        let (_, quantity) = list.iter().find(|(known, _)| known == amount.name())?;
        read_quantity(amount, quantity)
    };
    let pairs = ["requests", "limits"].into_iter().flat_map(|part| Amount::ALL.map(|amount| (part, amount)));
    let found = pairs.filter_map(|(part, amount)| {
        let after = figure(&wanted, part, amount)?;
        Some(WantedAmount { part, amount, before: figure(&before, part, amount), after })
    });
    let found: Vec<WantedAmount> = found.collect();
    let is_whole = found.len() == wanted.iter().map(|(_, list)| list.len()).sum::<usize>();
    (is_whole && !found.is_empty()).then_some((container, found))
}

/// Whether a text has the form of a Kubernetes name, and cannot be read as an option of the program.
fn is_name(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_ascii_alphanumeric())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-.".contains(letter))
}

/// Whether a text can be the name of a context, and cannot be read as an option of the program or as a template expression.
fn is_context(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_ascii_alphanumeric())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_./:@".contains(letter))
}

type Amounts = Vec<(&'static str, Vec<(String, String)>)>;

/// Requests and limits as Kubernetes quantities.
fn amounts(stated: &Value) -> Amounts {
    let part = |part: &'static str| {
        let list = stated.get(part).and_then(Value::as_object).into_iter().flatten();
        let known = list.filter_map(|(name, value)| {
            let is_known = matches!(name.as_str(), "cpu" | "memory");
            quantity(name, value).filter(|_| is_known).map(|value| (name.clone(), value))
        });
        (part, known.collect())
    };
    vec![part("requests"), part("limits")]
}

/// Converts a number of cores or bytes to a Kubernetes quantity; text that is a quantity stays as it is.
fn quantity(name: &str, value: &Value) -> Option<String> {
    if let Some(text) = value.as_str() {
        let is_quantity = text.starts_with(|first: char| first.is_ascii_digit())
            && text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '.');
        return is_quantity.then(|| text.to_owned());
    }
    let number = value.as_f64().filter(|number| number.is_finite() && *number > 0.0)?;
    if name == "cpu" {
        return Some(format!("{:.0}m", (number * 1000.0).ceil().max(1.0)));
    }
    let bytes = number.ceil().max(1.0);
    let mebibytes = bytes / 1_048_576.0;
    Some(if mebibytes.fract() == 0.0 { format!("{mebibytes:.0}Mi") } else { format!("{bytes:.0}") })
}

fn line(amounts: &Amounts) -> String {
    let parts = amounts.iter().filter(|(_, list)| !list.is_empty()).map(|(part, list)| {
        let list: Vec<String> = list.iter().map(|(name, value)| format!("{name} {value}")).collect();
        format!("{part} of {}", list.join(" and "))
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// The change in the form that a task which edits a manifest takes.
fn resources_of((kind, namespace, workload, container): (&str, &str, &str, &str), wanted: &Amounts) -> Value {
    let mut fields = Map::new();
    for (field, text) in
        [("kind", kind), ("namespace", namespace), ("name", workload), ("container", container)]
    {
        fields.insert(field.to_owned(), text.into());
    }
    for (part, list) in wanted {
        let field = if *part == "requests" { "request" } else { "limit" };
        for (name, quantity) in list {
            let amount = fields.entry(name.clone()).or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(amount) = amount {
                amount.insert(field.to_owned(), quantity.as_str().into());
            }
        }
    }
    Value::Object(fields)
}

/// The change as a strategic merge patch, for a repository.
fn patch((kind, namespace, workload, container): (&str, &str, &str, &str), wanted: &Amounts) -> String {
    let object = |pairs: Vec<(&str, Value)>| {
        Value::Object(pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    };
    let mut resources = Map::new();
    for (part, list) in wanted.iter().filter(|(_, list)| !list.is_empty()) {
        let list = list.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str())));
        resources.insert((*part).to_owned(), Value::Object(list.collect()));
    }
    let container = object(vec![("name", container.into()), ("resources", Value::Object(resources))]);
    let pods = object(vec![("spec", object(vec![("containers", Value::Array(vec![container]))]))]);
    automation::yaml::write(&object(vec![
        ("apiVersion", "apps/v1".into()),
        ("kind", kind.into()),
        ("metadata", object(vec![("name", workload.into()), ("namespace", namespace.into())])),
        ("spec", object(vec![("template", pods)])),
    ]))
}

#[cfg(test)]
mod tests {
    use super::super::{Subject, plan};
    use serde_json::json;

    #[test]
    fn a_container_gets_other_requests_and_the_way_back_is_known() {
        let details = json!({
            "namespace": "shop", "workload": "web", "kind": "Deployment", "container": "app",
            "current": { "requests": { "cpu": "500m", "memory": "2048Mi" }, "limits": { "cpu": 2.0 } },
            "recommended": { "requests": { "cpu": 0.0065, "memory": 134_217_728.0 } },
        });
        let subject = Subject { title: "Too large".to_owned(), details: &details, account_name: "prod" };
        let plan = plan(&subject);
        assert_eq!(
            plan.lines(),
            [
                "kubectl --context prod --namespace shop set resources deployment/web --containers=app --requests=cpu=7m,memory=128Mi"
            ]
        );
        assert_eq!(
            plan.inverse[0][7..],
            ["--containers=app", "--requests=cpu=500m,memory=2048Mi", "--limits=cpu=2000m"]
        );
        assert_eq!(
            plan.patch.as_deref(),
            Some(
                "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  namespace: shop\nspec:\n  template:\n    spec:\n      containers:\n        - name: app\n          resources:\n            requests:\n              cpu: \"7m\"\n              memory: \"128Mi\"\n"
            )
        );
    }

    #[test]
    fn a_context_is_a_name() {
        for account_name in ["{{ Secrets.TOKEN }}", "--kubeconfig=/x", ""] {
            let details = json!({
                "namespace": "shop", "workload": "web", "kind": "Deployment", "container": "app",
                "recommended": { "requests": { "cpu": 1 } },
            });
            let subject = Subject { title: "x".to_owned(), details: &details, account_name };
            let plan = plan(&subject);
            assert!(plan.commands.is_empty() && plan.program.is_none(), "{account_name}");
            // A pull request needs no context.
            assert!(plan.resources.is_some() && plan.patch.is_some(), "{account_name}");
        }
    }

    #[test]
    fn names_that_are_options_and_kinds_without_a_template_give_no_command() {
        for (kind, name) in [("Job", "web"), ("Deployment", "--all")] {
            let details = json!({
                "namespace": "shop", "workload": name, "kind": kind, "container": "app",
                "recommended": { "requests": { "cpu": 1 } },
            });
            let subject = Subject { title: "x".to_owned(), details: &details, account_name: "prod" };
            assert!(plan(&subject).commands.is_empty(), "{kind} {name}");
        }
    }
}
