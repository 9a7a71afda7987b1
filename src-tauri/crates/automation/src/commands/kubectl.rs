//! Tasks that change a cluster with kubectl.

use super::patches::{LiveChange, PatchAfter};
use crate::changes::{ReplicasChange, ResourceChange, StorageChange};
use crate::template::to_text;
use serde_json::Value;

/// The supported kinds.
pub(super) const KINDS: [&str; 6] =
    [HORIZONTAL, "k8s.node_graceful_shutdown", "k8s.pod_delete", STORAGE, VERTICAL, "k8s.workload_restart"];

/// Queries Prometheus first, then runs kubectl like [`VERTICAL`].
pub(crate) const CONTINUOUS: &str = "k8s.continuous_rightsize";
pub(crate) const HORIZONTAL: &str = "k8s.horizontal_rightsize";
pub(crate) const STORAGE: &str = "k8s.pv_rightsize";
pub(crate) const VERTICAL: &str = "k8s.vertical_rightsize";

/// The calls of a task; `None` for other kinds.
pub(super) fn calls(kind: &str, params: &Value) -> Option<Result<Vec<Vec<String>>, String>> {
    let made = match kind {
        "k8s.workload_restart" => {
            place(params).and_then(|place| Ok(vec![with(place, &["rollout", "restart", &workload(params)?])]))
        }
        HORIZONTAL => place(params).and_then(|place| scale(place, &workload(params)?, params)),
        "k8s.pod_delete" => place(params).and_then(|place| {
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

fn place(params: &Value) -> Result<Vec<String>, String> {
    let mut place = Vec::new();
    let context = to_text(&params["context"]);
    if !context.is_empty() {
        place.extend(["--context".to_owned(), context]);
    }
    place.extend(["--namespace".to_owned(), name(params, "namespace")?]);
    Ok(place)
}

fn workload(params: &Value) -> Result<String, String> {
    Ok(format!("{}/{}", name(params, "kind")?.to_lowercase(), name(params, "name")?))
}

/// Kinds that read an object first and then patch it.
pub(super) fn patch(kind: &str, params: &Value) -> Option<Result<(Vec<String>, PatchAfter), String>> {
    match kind {
        HORIZONTAL if steps(params) => Some(copies(params)),
        VERTICAL => Some(vertical(params)),
        STORAGE => Some(storage(params)),
        _ => None,
    }
}

/// Whether the number of replicas is given as a relative change: by `scaling_mode`, else by which parameter is set.
fn steps(params: &Value) -> bool {
    match to_text(&params["scaling_mode"]).as_str() {
        "change_by" => true,
        "change_to" => false,
        _ => to_text(&params["change_to"]).is_empty() && !to_text(&params["change_by"]).is_empty(),
    }
}

fn copies(params: &Value) -> Result<(Vec<String>, PatchAfter), String> {
    let (place, workload) = (place(params)?, workload(params)?);
    let change = ReplicasChange::read(params, name(params, "namespace")?, workload.clone())?;
    let get = with(place.clone(), &["get", &workload, "--output", "json"]);
    let arguments = with(place, &["patch", &workload, "--type", "merge", "--patch"]);
    Ok((get, PatchAfter::new(LiveChange::Copies(change), arguments)))
}

fn storage(params: &Value) -> Result<(Vec<String>, PatchAfter), String> {
    let change = StorageChange::read(params)?;
    let place = place(params)?;
    let claim = format!("persistentvolumeclaim/{}", change.name);
    let get = with(place.clone(), &["get", &claim, "--output", "json"]);
    let arguments = with(place, &["patch", &claim, "--type", "merge", "--patch"]);
    Ok((get, PatchAfter::new(LiveChange::Storage(change), arguments)))
}

fn vertical(params: &Value) -> Result<(Vec<String>, PatchAfter), String> {
    let change = ResourceChange::read(params)?;
    let place = place(params)?;
    let workload = format!("{}/{}", change.kind.to_lowercase(), change.name);
    let get = with(place.clone(), &["get", &workload, "--output", "json"]);
    let arguments = with(place, &["patch", &workload, "--type", "strategic", "--patch"]);
    let then = PatchAfter::new(LiveChange::Resources(change), arguments);
    let only_tells = to_text(&params["recommend_only"]).trim() == "true";
    Ok((get, if only_tells { then.only_told() } else { then }))
}

fn with(mut place: Vec<String>, words: &[&str]) -> Vec<String> {
    place.extend(words.iter().map(|word| (*word).to_owned()));
    place
}

/// A valid Kubernetes name: a program cannot mistake it for an option.
fn name(params: &Value, parameter: &str) -> Result<String, String> {
    let text = to_text(&params[parameter]);
    let is_name = text.starts_with(|letter: char| letter.is_ascii_alphanumeric())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-.".contains(letter));
    if is_name { Ok(text) } else { Err(format!("{parameter}: expected a name, found \"{text}\"")) }
}

fn scale(place: Vec<String>, workload: &str, params: &Value) -> Result<Vec<Vec<String>>, String> {
    let number = |parameter: &str| {
        let text = to_text(&params[parameter]);
        let wrong = || format!("{parameter}: expected a whole number, found \"{text}\"");
        if text.is_empty() { Ok(None) } else { text.parse::<u32>().map(Some).map_err(|_| wrong()) }
    };
    let wanted =
        number("change_to")?.ok_or("change_to: expected how many copies there are to be, or change_by")?;
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
    use super::{calls, patch};
    use serde_json::{Value, json};

    fn made(kind: &str, params: &Value) -> Result<Vec<String>, String> {
        calls(kind, params).unwrap().map(|calls| calls.iter().map(|call| call.join(" ")).collect())
    }

    #[test]
    fn a_step_of_copies_reads_the_workload_and_patches_it() {
        let web = json!({ "namespace": "shop", "kind": "Deployment", "name": "web", "scaling_mode": "change_by", "change_by": 2 });
        let (get, then) = patch("k8s.horizontal_rightsize", &web).unwrap().unwrap();
        assert_eq!(get.join(" "), "--namespace shop get deployment/web --output json");
        let (outcome, call) = then.call(r#"{"spec": {"replicas": 3}}"#, 1).unwrap();
        assert_eq!((outcome.old_replicas, outcome.new_replicas), (Some(3), Some(5)));
        let call = call.unwrap().calls.concat().join(" ");
        assert_eq!(
            call,
            r#"--namespace shop patch deployment/web --type merge --patch {"spec":{"replicas":5}}"#
        );
        let fixed = json!({ "scaling_mode": "change_to", "change_to": 2, "change_by": 1 });
        assert!(patch("k8s.horizontal_rightsize", &fixed).is_none());
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
