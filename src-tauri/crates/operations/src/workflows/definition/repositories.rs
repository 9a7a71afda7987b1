//! Validates pull-request tasks before the run: unknown providers, invalid addresses or repositories, and missing manifests.

use super::check::Mistakes;
use automation::services::pulls::is_one;
use automation::template::to_text;
use serde_json::Value;
use trackers::pulls::{Place, check_path};

/// A placeholder repository that is valid for GitHub and GitLab, used where the real one is only known in the run.
const ANY: &str = "owner/repository";

/// Checks literal parameters. Values from templates are checked in the run.
pub(super) fn check(place: &str, kind: &str, params: Option<&Value>, mistakes: &mut Mistakes) {
    let Some(params) = params.filter(|params| is_one(kind, params)) else { return };
    let is_gitops = !kind.starts_with("scm.");
    let (given, place) = if is_gitops {
        (&params["gitops_config"], format!("{place}.params.gitops_config"))
    } else {
        (params, format!("{place}.params"))
    };
    let text = |name: &str| to_text(&given[name]).trim().to_owned();
    let is_known = |text: &str| !text.contains("{{") && !text.contains("{%");
    let provider = text("provider");
    if !is_known(&provider) {
        return;
    }
    let name =
        Some(text("repository")).filter(|name| !name.is_empty()).unwrap_or_else(|| text("repository_name"));
    let base_url = Some(text("base_url")).filter(|url| is_known(url)).unwrap_or_default();
    let repository = if is_known(&name) { name } else { ANY.to_owned() };
    if let Err(why) = Place::read(&provider, &base_url, &repository) {
        mistakes.add(&place, why);
    }
    let path = text("path");
    if is_gitops
        && is_known(&path)
        && let Err(why) = check_path(&path)
    {
        mistakes.add(&format!("{place}.path"), why);
    }
}

#[cfg(test)]
mod tests {
    use crate::workflows::definition::Definition;
    use crate::workflows::definition::check::check;
    use serde_json::{Value, json};

    fn mistakes(kind: &str, params: &Value) -> String {
        let definition = json!({ "triggers": [{ "type": "manual" }], "tasks": [{ "id": "a", "type": kind, "params": params }] });
        let found = check(&Definition::read(&definition).unwrap());
        found.err().map(|mistakes| mistakes.into_lines().join("; ")).unwrap_or_default()
    }

    #[test]
    fn an_unknown_service_and_a_repository_that_is_none_show_before_the_run() {
        let pull = |more: Value| {
            let mut params = json!({ "provider": "github", "repository": "acme/shop", "number": 1 });
            params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            mistakes("scm.get_pull_request", &params)
        };
        assert_eq!(pull(json!({})), "");
        assert_eq!(
            pull(json!({ "provider": "{{ Inputs.provider }}", "repository": "{{ Inputs.repository }}" })),
            ""
        );
        assert_eq!(
            pull(json!({ "provider": "bitbucket" })),
            "tasks[0].params: provider is \"bitbucket\": expected github or gitlab"
        );
        assert!(
            pull(json!({ "repository": "shop" }))
                .contains("repository is \"shop\": expected owner/repository")
        );
        assert!(pull(json!({ "base_url": "git.example.com" })).contains("base_url is not a full URL"));
        let web = json!({ "namespace": "shop", "kind": "Deployment", "name": "web", "cpu": { "request": "1" },
            "gitops_config": { "enabled": true, "provider": "gitlab", "repository_name": "acme/shop" } });
        assert!(
            mistakes("k8s.vertical_rightsize", &web)
                .starts_with("tasks[0].params.gitops_config.path: \"\" is no path")
        );
    }
}
