//! Tests of detection rules over HTTP: they are evaluated automatically after they are saved.

use super::waiting::until;
use super::workflows::ask;
use super::{Service, settings};
use crate::settings::Settings;
use crate::start::start;
use catalogue::{Caller, ValueRef};
use serde_json::Value;
use store::{StoreError, Transaction};
use uuid::Uuid;

const HOUR: i64 = 3_600_000_000;
const DAY: i64 = 24 * HOUR;
const ACCOUNT: Uuid = Uuid::from_u128(0xa1);
const MACHINE: Uuid = Uuid::from_u128(0xa2);

/// A machine with a utilisation of 30% for six weeks until the start of yesterday, and of 90% for three hours of a day in between.
fn measured(rows: &Transaction<'_>, user: Uuid) -> Result<(), StoreError> {
    rows.insert(
        "cloud_accounts",
        &[
            ("id", ACCOUNT.into()),
            ("account_name", "shop".into()),
            ("account_type", "aws".into()),
            ("created_by", user.into()),
            ("updated_by", user.into()),
        ],
    )?;
    rows.insert(
        "cloud_resourses",
        &[
            ("id", MACHINE.into()),
            ("account", ACCOUNT.into()),
            ("cloud_provider", "AWS".into()),
            ("name", "web-1".into()),
            ("region", "eu".into()),
            ("resourse_id", "i-1".into()),
            ("service_name", "EC2".into()),
            ("status", "Active".into()),
            ("type", "VM".into()),
        ],
    )?;
    let end = (rows.now().div_euclid(DAY) - 1) * DAY;
    let spike = end - 5 * DAY + 9 * HOUR;
    for hour in 0..42 * 24 {
        let at = end - 42 * DAY + hour * HOUR;
        let is_busy = (spike..spike + 3 * HOUR).contains(&at);
        rows.insert(
            "cloud_resource_metrics",
            &[
                ("cloud_account_id", ACCOUNT.into()),
                ("cloud_resource_id", MACHINE.into()),
                ("metric", "CPUUtilization".into()),
                ("metric_type", "average".into()),
                ("tags", ValueRef::Json(r#"{"unit": "%"}"#)),
                ("timestamp", ValueRef::Timestamp(at)),
                ("value", ValueRef::Float(if is_busy { 90.0 } else { 30.0 })),
            ],
        )?;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_rule_watches_is_judged_once_it_is_saved() {
    is_judged(Service::start().await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_postgresql_what_a_rule_watches_is_judged_once_it_is_saved() {
    let Some(url) = testkit::postgres::database() else { return };
    let data_dir = tempfile::tempdir().unwrap();
    let settings = Settings { database: Some(url), ..settings(data_dir.path(), "127.0.0.1:0") };
    is_judged(Service { running: start(settings).await.unwrap(), data_dir }).await;
}

/// A rule finds the three hours; deleting it removes the finding.
async fn is_judged(service: Service) {
    let client = service.administrator().await;
    let users = ask(&client, "{ users(limit: 1) { id } }").await;
    let user = Uuid::parse_str(users["users"][0]["id"].as_str().unwrap()).unwrap();
    let system = Caller::system_for(service.tenant().id);
    service.store().transaction::<_, StoreError>(&system, |rows| measured(rows, user)).unwrap();
    let save = format!(
        r#"mutation {{ anomaly_config_create(request: {{ account_id: "{ACCOUNT}", anomaly_type: CPU }}) {{ id }} }}"#
    );
    let rule = ask(&client, &save).await["anomaly_config_create"]["id"].clone();
    let found = async || ask(&client, "{ anomaly { name config_id } }").await["anomaly"].clone();
    let rows =
        until("a finding of the rule", found, |rows: &Value| !rows.as_array().unwrap().is_empty()).await;
    assert_eq!((&rows[0]["name"], &rows[0]["config_id"]), (&"web-1".into(), &rule), "{rows}");
    let gone = format!("mutation {{ delete_anomaly_config_by_pk(id: {rule}) {{ id }} }}");
    ask(&client, &gone).await;
    assert_eq!(ask(&client, "{ anomaly { id } }").await["anomaly"], serde_json::json!([]));
}
