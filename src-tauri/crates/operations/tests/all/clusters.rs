//! Tests a support bundle from the file to the interface: the listings of clusters, events and logs contain its data.

use crate::house::{House, NOW, PERSON, TENANT};
use catalogue::{Caller, Role};
use serde_json::Value;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use uuid::Uuid;

fn import(house: &House, path: &Path) {
    let never = AtomicBool::new(false);
    let file = ingest::File {
        import_id: Uuid::from_u128(1),
        name: "support-bundle.tar.gz",
        location: "support-bundle.tar.gz",
        path,
        original: None,
        forms: None,
        answers: &[],
        progress: ingest::Progress { on_progress: &|_, _| {}, cancelled: &never },
    };
    let options = ingest::Options {
        owner: PERSON,
        delivery: Uuid::from_u128(2),
        choice: None,
        most_lower: ingest::MOST_LOWER,
        archive: None,
        forms: ingest::FormAnswers::default(),
        mapping: None,
        draft: None,
        dry_run: false,
        is_still_due: None,
        clock: || NOW,
    };
    let reports = ingest::import(&house.store, &Caller::system_for(TENANT), &[file], options).unwrap();
    let report = reports.into_iter().next().unwrap().unwrap();
    assert!(report.rows_written > 0, "{report:#?}");
}

#[test]
fn a_support_bundle_answers_the_listings_of_its_cluster() {
    let file = Path::new("/work/shared/data/kubernetes/support-bundle.tar.gz");
    if !file.exists() {
        eprintln!("the folder of real files is not there; nothing was tried");
        return;
    }
    let house = House::new();
    import(&house, file);
    let caller = Caller::user(PERSON, TENANT, vec![Role::TenantAdmin]);
    let ask = |query: &str| -> Value {
        let answer = house.ask_as(&caller, query);
        assert!(answer["errors"].is_null(), "{answer}");
        answer["data"].clone()
    };
    let data = ask(r#"{
          cloud_accounts(where: { cloud_provider: { _eq: K8s } }) { id status }
          k8s_pods_v2 { rows { name namespace status workload_name workload_type node_name } }
          k8s_workloads_v2(where: { kind: { _eq: "Deployment" } }) { rows { name namespace } }
          k8s_namespace_groupings_v2(columns: ["count"]) { rows { count } }
          k8s_cluster_groupings_v2 { rows { node_count } }
          events_v2 { rows { title source } }
          insight { title severity }
        }"#);
    let rows = |listing: &str| data[listing]["rows"].as_array().unwrap().clone();
    let pods = rows("k8s_pods_v2");
    assert_eq!(pods.len(), 8, "{data}");
    let of_nginx = |pod: &&Value| pod["name"].as_str().unwrap().starts_with("nginx-deployment");
    let web = pods.iter().find(of_nginx).unwrap();
    assert_eq!(
        (&web["workload_name"], &web["workload_type"]),
        (&"nginx-deployment".into(), &"Deployment".into())
    );
    assert_eq!(rows("k8s_workloads_v2").len(), 5, "{data}");
    assert_eq!(rows("k8s_namespace_groupings_v2")[0]["count"], 4, "{data}");
    assert_eq!(rows("k8s_cluster_groupings_v2")[0]["node_count"], 1, "{data}");
    let events = rows("events_v2");
    assert_eq!(events.len(), 5, "{data}");
    assert!(events.iter().all(|event| event["source"] == "kubernetes_api_server"), "{data}");
    assert_eq!(data["insight"].as_array().unwrap().len(), 10);
    let account = data["cloud_accounts"][0]["id"].as_str().unwrap();
    let lines = ask(&format!(
        r#"{{ logs_query(request: {{ account_id: "{account}", query: "{{pod=~\"metrics-server.*\"}}", start_time: 1600000000, end_time: 1800000000 }}) {{ message severity labels }} }}"#
    ));
    let lines = lines["logs_query"].as_array().unwrap();
    assert!(lines.len() > 20, "{}", lines.len());
    assert!(lines.iter().all(|line| line["labels"]["namespace"] == "kube-system"));
}
