//! Tests that the segments for fast sums agree with the rows: while two processes write, and after one was killed.

use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::support::client::Client;
use crate::support::exact::at;
use crate::support::programs::{run, server};
use crate::support::service::Service;

/// The query whose sums come from segments.
const KEPT: &str = "{ spend_groupings_v2(columns: [\"resource_service_name\", \"spend_amount\", \"spend_count\"]) { rows { resource_service_name spend_amount spend_count } } }";

/// A bill of one month with that many charges, each with a different amount.
fn bill(folder: &Path, month: u32, charges: u32) -> PathBuf {
    let mut text = "BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,BilledCost,EffectiveCost,ListCost,ContractedCost,\
                    ChargeCategory,ProviderName,BillingAccountId,BillingCurrency,SubAccountId,ServiceName,ResourceId\n"
        .to_owned();
    for charge in 0..charges {
        let (day, amount) = (charge % 28 + 1, format!("{}.{:06}", charge % 90, charge * 7919 % 1_000_000));
        writeln!(
            text,
            "2024-{month:02}-01 00:00:00,2024-{:02}-01 00:00:00,2024-{month:02}-{day:02} 00:00:00,2024-{month:02}-{day:02} 01:00:00,\
             {amount},{amount},{amount},{amount},Usage,AWS,900000000001,USD,90000000001{},Service {},r-{}",
            month + 1,
            charge % 3,
            charge % 7,
            charge % 500
        )
        .unwrap();
    }
    let path = folder.join(format!("bill-{month:02}.csv"));
    std::fs::write(&path, text).unwrap();
    path
}

/// How sums by service were computed.
#[derive(Debug, PartialEq, Eq)]
struct Answered {
    from: String,
    rows_without_segment: u64,
}

/// Queries sums by service and compares each with the sum of the rows.
async fn compare(client: &Client) -> Answered {
    let body = json!({ "query": KEPT, "extensions": { "explain": true } });
    let answer = client.post("/api/graphql", &body).await;
    let rows: Vec<Value> =
        serde_json::from_str(at(&answer.body, &["data", "spend_groupings_v2", "rows"])).unwrap();
    for row in &rows {
        let service = &row["resource_service_name"];
        let of_rows = client
            .data(&format!(
                "{{ spends_aggregate(where: {{ service_name: {{ _eq: {service} }} }}) {{ aggregate {{ count sum {{ amount }} }} }} }}"
            ))
            .await;
        let aggregate = at(&of_rows, &["spends_aggregate", "aggregate"]);
        assert_eq!(at(aggregate, &["sum", "amount"]), row["spend_amount"].to_string(), "{service}");
        assert_eq!(at(aggregate, &["count"]), row["spend_count"].to_string(), "{service}");
    }
    let told = answer.json()["extensions"]["explain"]["spend_groupings_v2"].clone();
    Answered {
        from: told["chosen"].as_str().unwrap().to_owned(),
        rows_without_segment: told["rows_without_segment"].as_u64().unwrap(),
    }
}

#[tokio::test]
async fn answers_follow_what_another_process_imports_at_once() {
    let files = tempfile::tempdir().unwrap();
    let service = Service::start();
    let ada = service.client().await;
    service.import(&[bill(files.path(), 3, 3000)]);
    let cube = Answered { from: "cube".to_owned(), rows_without_segment: 0 };
    assert_eq!(compare(&ada).await, cube);
    let before = ada.data(KEPT).await;
    service.import(&[bill(files.path(), 4, 2000)]);
    assert_eq!(compare(&ada).await, cube);
    let both = ada.data(KEPT).await;
    assert_ne!(both, before);
    // Imports the same period again: its charges are replaced.
    service.import(&["--replace".into(), bill(files.path(), 4, 1000)]);
    assert_eq!(compare(&ada).await.from, "cube");
    assert_ne!(ada.data(KEPT).await, both);
}

#[tokio::test]
async fn what_a_write_makes_stale_is_read_from_the_rows_until_it_is_made_anew() {
    let files = tempfile::tempdir().unwrap();
    let service = Service::start();
    let ada = service.client().await;
    service.import(&[bill(files.path(), 3, 3000)]);
    let changed = ada
        .data("mutation { update_spends(where: { service_name: { _eq: \"Service 3\" } }, _set: { amount: 0.1 }) { affected_rows } }")
        .await;
    assert_eq!(at(&changed, &["update_spends", "affected_rows"]), "429");
    let until = Instant::now() + Duration::from_mins(1);
    // Meanwhile every query returns correct sums, however they are computed.
    while compare(&ada).await.rows_without_segment > 0 {
        assert!(Instant::now() < until, "nobody has made the segments anew");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let data = service.stop();
    let doctor = run(data.path(), &["doctor"]).succeeded();
    assert!(doctor.stdout.contains("spends: 3000 rows in 1 segments"), "{doctor:#?}");
}

#[tokio::test]
async fn killed_while_it_writes_a_process_leaves_segments_that_tell_what_rows_do() {
    let files = tempfile::tempdir().unwrap();
    let data = tempfile::tempdir().unwrap();
    let first = bill(files.path(), 3, 20_000);
    run(data.path(), &["import", first.to_str().unwrap()]).succeeded();
    let second = bill(files.path(), 4, 20_000);
    let wal = data.path().join("quarterdeck.db-wal");
    for (arguments, bytes) in [
        (vec!["doctor", "--repair"], 1),
        (vec!["doctor", "--repair"], 300_000),
        (vec!["import", second.to_str().unwrap()], 1_000_000),
        (vec!["import", second.to_str().unwrap()], 4_000_000),
    ] {
        let before = length(&wal);
        let mut process = server(data.path())
            .args(&arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        kill_once(&mut process, || length(&wal) >= before + bytes);
        run(data.path(), &["doctor"]).succeeded();
    }
    let service = Service::start_on(data);
    let ada = service.client().await;
    compare(&ada).await;
    service.import(&[second]);
    assert_eq!(compare(&ada).await.rows_without_segment, 0);
    run(service.data_dir(), &["doctor"]).succeeded();
}

fn length(file: &Path) -> u64 {
    std::fs::metadata(file).map_or(0, |metadata| metadata.len())
}

/// Kills the process once `is_so_far` returns true, unless it ends before.
fn kill_once(process: &mut Child, is_so_far: impl Fn() -> bool) {
    while process.try_wait().unwrap().is_none() {
        if is_so_far() {
            // It may have ended already.
            drop(process.kill());
            process.wait().unwrap();
            return;
        }
        std::thread::yield_now();
    }
}
