//! Tasks that change something of a cluster with kubectl.

use super::patches::{LiveChange, PatchAfter};
use crate::changes::{ResourceChange, StorageChange};
use crate::template::to_text;
use serde_json::Value;

/// The kinds that are carried out.
pub(super) const KINDS: [&str; 6] = [
    "k8s.horizontal_rightsize",
    "k8s.node_graceful_shutdown",
    "k8s.pod_delete",
    STORAGE,
    VERTICAL,
    "k8s.workload_restart",
];

pub(crate) const STORAGE: &str = "k8s.pv_rightsize";
pub(crate) const VERTICAL: &str = "k8s.vertical_rightsize";

/// The calls of a task; none when it is no such kind.
pub(super) fn calls(kind: &str, params: &Value) -> Option<Result<Vec<Vec<String>>, String>> {
    let place = || -> Result<Vec<String>, String> {
        let mut place = Vec::new();
        let context = to_text(&params["context"]);
        if !context.is_empty() {
            place.extend(["--context".to_owned(), context]);
        }
        place.extend(["--namespace".to_owned(), name(params, "namespace")?]);
        Ok(place)
    };
    let workload = || -> Result<String, String> {
        Ok(format!("{}/{}", name(params, "kind")?.to_lowercase(), name(params, "name")?))
    };
    let made = match kind {
        "k8s.workload_restart" => {
            place().and_then(|place| Ok(vec![with(place, &["rollout", "restart", &workload()?])]))
        }
        "k8s.horizontal_rightsize" => place().and_then(|place| scale(place, &workload()?, params)),
        "k8s.pod_delete" => place().and_then(|place| {
            let pod = if to_text(&params["target_pod_name"]).is_empty() { "name" } else { "target_pod_name" };
            let mut call = with(place, &["delete", "pod", &name(params, pod)?]);
            if to_text(&params["force"]) == "true" {
                call.extend(["--force", "--grace-period=0"].map(str::to_owned));
            }
            Ok(vec![call])
        }),
        "k8s.node_graceful_shutdown" => node(params),
        _ => return None,
    };
    Some(made)
}

/// Kinds whose object is read, and patched by what it says.
pub(super) fn patch(kind: &str, params: &Value) -> Option<Result<(Vec<String>, PatchAfter), String>> {
    match kind {
        VERTICAL => Some(vertical(params)),
        STORAGE => Some(storage(params)),
        _ => None,
    }
}

fn storage(params: &Value) -> Result<(Vec<String>, PatchAfter), String> {
    let change = StorageChange::read(params)?;
    let mut place = Vec::new();
    let context = to_text(&params["context"]);
    if !context.is_empty() {
        place.extend(["--context".to_owned(), context]);
    }
    place.extend(["--namespace".to_owned(), change.namespace.clone()]);
    let claim = format!("persistentvolumeclaim/{}", change.name);
    let get = with(place.clone(), &["get", &claim, "--output", "json"]);
    let arguments = with(place, &["patch", &claim, "--type", "merge", "--patch"]);
    Ok((get, PatchAfter::new(LiveChange::Storage(change), arguments)))
}

fn vertical(params: &Value) -> Result<(Vec<String>, PatchAfter), String> {
    let change = ResourceChange::read(params)?;
    let mut place = Vec::new();
    let context = to_text(&params["context"]);
    if !context.is_empty() {
        place.extend(["--context".to_owned(), context]);
    }
    place.extend(["--namespace".to_owned(), change.namespace.clone()]);
    let workload = format!("{}/{}", change.kind.to_lowercase(), change.name);
    let get = with(place.clone(), &["get", &workload, "--output", "json"]);
    let arguments = with(place, &["patch", &workload, "--type", "strategic", "--patch"]);
    Ok((get, PatchAfter::new(LiveChange::Resources(change), arguments)))
}

fn with(mut place: Vec<String>, words: &[&str]) -> Vec<String> {
    place.extend(words.iter().map(|word| (*word).to_owned()));
    place
}

/// A name that Kubernetes gives: nothing that a program would take for an option.
fn name(params: &Value, parameter: &str) -> Result<String, String> {
    let text = to_text(&params[parameter]);
    let is_name = text.starts_with(|letter: char| letter.is_ascii_alphanumeric())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-.".contains(letter));
    if is_name { Ok(text) } else { Err(format!("{parameter}: expected a name, found \"{text}\"")) }
}

fn scale(place: Vec<String>, workload: &str, params: &Value) -> Result<Vec<Vec<String>>, String> {
    if to_text(&params["scaling_mode"]) == "change_by" {
        return Err("scaling_mode: change_by needs the number of copies there are, which is not read here: use change_to".to_owned());
    }
    let number = |parameter: &str| {
        let text = to_text(&params[parameter]);
        let wrong = || format!("{parameter}: expected a whole number, found \"{text}\"");
        if text.is_empty() { Ok(None) } else { text.parse::<u32>().map(Some).map_err(|_| wrong()) }
    };
    let wanted = number("change_to")?.ok_or("change_to: expected how many copies there are to be")?;
    let (least, most) = (number("min")?.unwrap_or(0), number("max")?.unwrap_or(u32::MAX));
    if least > most {
        return Err(format!("min is {least} and max {most}: expected no more than max"));
    }
    Ok(vec![with(place, &["scale", workload, &format!("--replicas={}", wanted.clamp(least, most))])])
}

fn node(params: &Value) -> Result<Vec<Vec<String>>, String> {
    let mut context = Vec::new();
    if !to_text(&params["context"]).is_empty() {
        context.extend(["--context".to_owned(), to_text(&params["context"])]);
    }
    let node = name(params, "name")?;
    let mut drain = with(context.clone(), &["drain", &node, "--ignore-daemonsets", "--delete-emptydir-data"]);
    if to_text(&params["ignore_pdbs"]) == "true" {
        drain.push("--disable-eviction".to_owned());
    }
    let mut calls = vec![drain];
    if to_text(&params["delete_node"]) == "true" {
        calls.push(with(context, &["delete", "node", &node]));
    }
    Ok(calls)
}

#[cfg(test)]
mod tests {
    use super::calls;
    use serde_json::{Value, json};

    fn made(kind: &str, params: &Value) -> Result<Vec<String>, String> {
        calls(kind, params).unwrap().map(|calls| calls.iter().map(|call| call.join(" ")).collect())
    }

    #[test]
    fn a_change_of_a_cluster_is_a_call_of_kubectl() {
        let web =
            json!({ "namespace": "shop", "kind": "Deployment", "name": "web", "change_to": 9, "max": "5" });
        assert_eq!(
            made("k8s.horizontal_rightsize", &web),
            Ok(vec!["--namespace shop scale deployment/web --replicas=5".to_owned()])
        );
        assert_eq!(
            made("k8s.workload_restart", &web),
            Ok(vec!["--namespace shop rollout restart deployment/web".to_owned()])
        );
        let node = json!({ "name": "n1", "context": "prod", "delete_node": true });
        assert_eq!(made("k8s.node_graceful_shutdown", &node).map(|calls| calls.len()), Ok(2));
        let odd = json!({ "namespace": "--all", "name": "x" });
        assert!(made("k8s.pod_delete", &odd).is_err());
    }
}
