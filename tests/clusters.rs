//! A support bundle from the file to the interface: the listings of clusters, events and logs answer from what was in it.

use crate::support::exact::at;
use crate::support::programs::run;
use crate::support::service::Service;
use crate::support::shared_data;

#[tokio::test]
async fn a_support_bundle_answers_the_listings_of_its_cluster() {
    let Some(data) = shared_data() else {
        println!("not asked: there is no ../shared/data beside this project");
        return;
    };
    let service = Service::start();
    let client = service.client().await;
    let file = data.join("kubernetes/support-bundle.tar.gz");
    run(service.data_dir(), &["import", file.to_str().unwrap(), "--json"]).succeeded();
    let answer = client
        .data(
            r#"{
              cloud_accounts(where: { cloud_provider: { _eq: K8s } }) { id status }
              k8s_pods_v2(order_by: [{ column: "name", order: asc }]) { rows { name namespace status workload_name workload_type node_name } }
              k8s_workloads_v2(where: { kind: { _eq: "Deployment" } }) { rows { name namespace ready_pods total_pods } }
              k8s_namespace_groupings_v2 { rows { count } }
              k8s_cluster_groupings_v2 { rows { node_count } }
              events_v2 { rows { title source } }
            }"#,
        )
        .await;
    let rows = |listing: &str| -> Vec<serde_json::Value> {
        serde_json::from_str(at(&answer, &[listing, "rows"])).unwrap()
    };
    let pods = rows("k8s_pods_v2");
    assert_eq!(pods.len(), 8, "{answer}");
    let web = pods.iter().find(|pod| pod["name"].as_str().unwrap().starts_with("nginx-deployment")).unwrap();
    assert_eq!((&web["workload_name"], &web["workload_type"]), (&"nginx-deployment".into(), &"Deployment".into()));
    assert_eq!(rows("k8s_workloads_v2").len(), 5, "{answer}");
    assert_eq!(rows("k8s_namespace_groupings_v2")[0]["count"], 4, "{answer}");
    assert_eq!(rows("k8s_cluster_groupings_v2")[0]["node_count"], 1, "{answer}");
    let events = rows("events_v2");
    assert_eq!(events.len(), 5, "{answer}");
    assert!(events.iter().all(|event| event["source"] == "kubernetes_api_server"), "{answer}");
    let account = at(&answer, &["cloud_accounts", "0", "id"]).trim_matches('"');
    let lines = client
        .data(&format!(
            r#"{{ logs_query(request: {{ account_id: "{account}", query: "{{pod=~\"metrics-server.*\"}}", start_time: 1600000000, end_time: 1800000000 }}) {{ message severity labels }} }}"#
        ))
        .await;
    let lines: Vec<serde_json::Value> = serde_json::from_str(at(&lines, &["logs_query"])).unwrap();
    assert!(lines.len() > 20, "{}", lines.len());
    assert!(lines.iter().all(|line| line["labels"]["namespace"] == "kube-system"));
}
