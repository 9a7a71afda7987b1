//! Tests of tasks about pull requests over real HTTP, with GitHub and GitLab on loopback: opened once despite interruptions, commented, merged,
//! refused.

use super::waiting::until;
use super::workflows::{ask, create, once, start_on, trigger};
use super::{Client, Service};
use serde_json::{Value, json};
use testkit::repositories::{Fault, Repositories, TOKEN};

const MANIFEST: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web # the shop\nspec:\n  template:\n    spec:\n      containers:\n        - name: app\n          resources:\n            requests: {cpu: \"500m\"}\n";

fn task(id: &str, kind: &str, params: &str, before: &str) -> String {
    format!(r#"{{ id: "{id}", type: "{kind}", params: {{ {params} }}, depends_on: [{before}] }}"#)
}

fn place(double: &Repositories, provider: &str) -> String {
    format!(
        r#"provider: "{provider}", base_url: "{}", repository: "acme/shop", token: "{TOKEN}""#,
        double.address
    )
}

async fn run(service: &Service, client: &Client, tasks: &str) -> (String, String, String) {
    let (account, workflow, _) = create(service, client, "PAUSED", r#"{ type: "manual" }"#, tasks).await;
    let run = trigger(client, &account, &workflow).await;
    (account, workflow, run)
}

async fn ended(client: &Client, (account, workflow, run): &(String, String, String)) -> Value {
    once(client, (account, workflow, run), |run| {
        !["RUNNING", "SCHEDULED"].contains(&run["status"].as_str().unwrap())
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pull_request_is_opened_commented_and_merged() {
    for provider in ["github", "gitlab"] {
        let service = start_on(tempfile::tempdir().unwrap()).await;
        let client = service.administrator().await;
        let double = Repositories::start(&[
            ("deploy/web.yaml", MANIFEST),
            ("notes.txt", "one\ntwo\n"),
            ("tools/run.sh", "old\n"),
        ]);
        let place = place(&double, provider);
        let files = r#"title: "Smaller", description: "As advised.", patch: "--- a/notes.txt\n+++ b/notes.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+zwei\n",
            files: [{ path: "deploy/web.yaml", resources: { kind: "Deployment", namespace: "shop", name: "web", cpu: { request: "250m" } } }, { path: "new/file.txt", content: "new\n" }, { path: "tools/run.sh", content: "new\n" }]"#;
        let number = r#"number: "{{ Tasks.open.output.number }}""#;
        let tasks = [
            task("open", "scm.create_pull_request", &format!("{place}, {files}"), ""),
            task(
                "say",
                "scm.add_comment",
                &format!(r#"{place}, {number}, comment: "Please look.""#),
                r#""open""#,
            ),
            task("merge", "scm.merge_pull_request", &format!("{place}, {number}"), r#""say""#),
            task("look", "scm.get_pull_request", &format!("{place}, {number}"), r#""merge""#),
        ];
        let names = run(&service, &client, &tasks.join(" ")).await;
        let seen = ended(&client, &names).await;
        assert_eq!(seen["status"], "COMPLETED", "{provider}: {seen}");
        let opened = &seen["tasks"][0]["output"];
        assert_eq!(
            (&opened["number"], &opened["state"], &opened["was_there"]),
            (&json!(1), &json!("open"), &json!(false))
        );
        assert!(
            opened["patch"]
                .as_str()
                .unwrap()
                .contains("-            requests: {cpu: \"500m\"}\n+            requests: {cpu: \"250m\"}\n"),
            "{opened}"
        );
        assert_eq!(seen["tasks"][3]["output"]["state"], "merged");
        let pull = &double.pulls()[0];
        assert_eq!(pull.branch, format!("quarterdeck-{}-open", names.2));
        assert!(
            pull.text.starts_with(&format!("As advised.\n\nOpened by Quarterdeck (qd:{}:open:1).", names.2)),
            "{}",
            pull.text
        );
        assert!(
            pull.comments.len() == 1 && pull.comments[0].starts_with("Please look."),
            "{:?}",
            pull.comments
        );
        assert_eq!(double.file("main", "deploy/web.yaml"), Some(MANIFEST.replace("500m", "250m")));
        assert_eq!(double.file("main", "notes.txt").as_deref(), Some("one\nzwei\n"));
        assert_eq!(double.file("main", "new/file.txt").as_deref(), Some("new\n"));
        assert!(!seen.to_string().contains(TOKEN), "{seen}");
        if provider == "github" {
            // An executable stays one.
            let seen = double.seen();
            let tree = seen.iter().find(|asked| asked.method == "POST" && asked.path.ends_with("git/trees"));
            let entries = tree.unwrap().body["tree"].as_array().unwrap();
            let modes: Vec<_> = entries.iter().map(|entry| (&entry["path"], &entry["mode"])).collect();
            assert!(modes.contains(&(&json!("tools/run.sh"), &json!("100755"))), "{modes:?}");
            assert!(modes.contains(&(&json!("deploy/web.yaml"), &json!("100644"))), "{modes:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_ends_in_between_there_is_one_pull_request() {
    for (provider, branch, pulls) in
        [("github", "git/refs", "pulls"), ("gitlab", "repository/commits", "merge_requests")]
    {
        let double = Repositories::start(&[("deploy/web.yaml", MANIFEST)]);
        // The branch and the pull request are created, but the response is lost: once because the connection breaks, once because the service
        // stops.
        double.fail(branch, Fault::CutOff);
        double.fail(pulls, Fault::Stalls);
        let service = start_on(tempfile::tempdir().unwrap()).await;
        let client = service.administrator().await;
        let params = format!(
            r#"namespace: "shop", kind: "Deployment", name: "web", direction: "down", cpu: {{ change_pct: 50 }},
            gitops_config: {{ enabled: true, path: "deploy/web.yaml", {} }}"#,
            place(&double, provider)
        );
        let tasks = format!(
            r#"{{ id: "open", type: "k8s.vertical_rightsize", params: {{ {params} }}, failure_policy: {{ retry: {{ maximum_attempts: 3, initial_interval: "10ms" }} }} }}"#
        );
        let names = run(&service, &client, &tasks).await;
        until("a pull request", async || double.pulls().len(), |count| *count > 0).await;
        let service = start_on(service.stop().await).await;
        let client =
            service.program("eve@example.com", catalogue::Role::TenantAdmin, &service.tenant()).await;
        let seen = ended(&client, &names).await;
        assert_eq!(seen["status"], "COMPLETED", "{provider}: {seen}");
        assert_eq!(seen["tasks"][0]["output"]["was_there"], true, "{seen}");
        assert_eq!((double.pulls().len(), double.branches().len()), (1, 2), "{provider}");
        assert_eq!(
            double.file(&double.pulls()[0].branch, "deploy/web.yaml"),
            Some(MANIFEST.replace("500m", "250m"))
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_missing_is_said_plainly_and_a_dry_run_asks_nobody() {
    let service = start_on(tempfile::tempdir().unwrap()).await;
    let client = service.administrator().await;
    let double = Repositories::start(&[("deploy/web.yaml", MANIFEST)]);
    let with = |provider: &str, repository: &str, token: &str| {
        format!(
            r#"provider: "{provider}", base_url: "{}", repository: "{repository}", token: "{token}", title: "x", files: [{{ path: "deploy/web.yaml", content: "x" }}]"#,
            double.address
        )
    };
    let tasks = [
        task("a", "scm.create_pull_request", &with("github", "acme/shop", ""), ""),
        task("b", "scm.create_pull_request", &with("github", "acme/shop", "wrong"), ""),
        task("c", "scm.create_pull_request", &with("github", "acme/none", TOKEN), ""),
    ];
    let tasks: Vec<String> = tasks
        .iter()
        .map(|task| task.replacen('{', r#"{ failure_policy: { action: "continue" },"#, 1))
        .collect();
    let names = run(&service, &client, &tasks.join(" ")).await;
    ended(&client, &names).await;
    let query = format!(
        r#"{{ workflow_get_execution(request: {{ account_id: "{}", workflow_id: "{}", id: "{}" }}) {{ tasks {{ error }} }} }}"#,
        names.0, names.1, names.2
    );
    let seen = ask(&client, &query).await["workflow_get_execution"]["tasks"].clone();
    for (place, expected) in [
        (0, "there is no token for github: set SECRET_GITHUB_TOKEN"),
        (1, "does not accept the name and key (status 401)"),
        (2, "knows no such place (status 404)"),
    ] {
        let error = seen[place]["error"].as_str().unwrap_or_default();
        assert!(error.contains(expected), "{seen}");
    }
    assert!(double.pulls().is_empty());
    let before = double.seen().len();
    let place = place(&double, "github");
    let definition = format!(
        r#"triggers: [{{ type: "manual" }}] tasks: [{}]"#,
        task(
            "open",
            "k8s.vertical_rightsize",
            &format!(
                r#"namespace: "shop", kind: "Deployment", name: "web", cpu: {{ request: "250m" }}, gitops_config: {{ enabled: true, path: "deploy/web.yaml", {place} }}"#
            ),
            ""
        )
    );
    let dry = ask(&client, &format!(
        r#"mutation {{ workflow_trigger_dryrun(request: {{ account_id: "{}", definition: {{ {definition} }} }}) {{ status output }} }}"#,
        names.0
    )).await;
    let told = dry.to_string();
    assert!(told.contains("deploy/web.yaml: Deployment shop/web, its container: cpu request 250m"), "{told}");
    assert_eq!(double.seen().len(), before);
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_repository_a_workload_is_read_and_patched_with_kubectl() {
    use std::os::unix::fs::PermissionsExt;
    let programs = tempfile::tempdir().unwrap();
    let (file, written) = (programs.path().join("kubectl"), programs.path().join("written"));
    let live = json!({ "spec": { "template": { "spec": { "containers": [
        { "name": "app", "resources": { "requests": { "cpu": "500m" }, "limits": { "cpu": "1" } } }] } } } });
    let script = format!(
        "#!/bin/sh\nfor word in \"$@\"; do printf '%s|' \"$word\" >> {0}; done; echo >> {0}\ncase \" $* \" in *' get '*) echo '{live}';; *) echo patched;; esac\n",
        written.display()
    );
    std::fs::write(&file, script).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    let data_dir = tempfile::tempdir().unwrap();
    let mut settings = super::workflows::acting(data_dir.path());
    settings.automation.programs = vec!["kubectl".to_owned()];
    settings.automation.search_path = Some(programs.path().to_path_buf());
    let service = Service { running: crate::start::start(settings).await.unwrap(), data_dir };
    let client = service.administrator().await;
    let params = r#"namespace: "shop", kind: "Deployment", name: "web", context: "prod", direction: "up", cpu: { change_pct: 50 }"#;
    let names = run(&service, &client, &task("more", "k8s.vertical_rightsize", params, "")).await;
    let seen = ended(&client, &names).await;
    assert_eq!(seen["status"], "COMPLETED", "{seen}");
    assert_eq!(seen["tasks"][0]["output"]["status"], "changed");
    let resources = r#"{"limits":{"cpu":"1500m"},"requests":{"cpu":"750m"}}"#;
    let change = format!(
        r#"{{"spec":{{"template":{{"spec":{{"containers":[{{"name":"app","resources":{resources}}}]}}}}}}}}"#
    );
    assert_eq!(
        std::fs::read_to_string(&written).unwrap(),
        format!(
            "--context|prod|--namespace|shop|get|deployment/web|--output|json|\n--context|prod|--namespace|shop|patch|deployment/web|--type|strategic|--patch|{change}|\n"
        )
    );
}
