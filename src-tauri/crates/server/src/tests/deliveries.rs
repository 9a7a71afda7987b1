//! Tests that split a month into files and import them in several ways over HTTP: the stored sum is always exact.

use super::Service;
use super::client::Client;
use super::imports::{ended, upload};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use uuid::Uuid;

const HEADER: &str = "BilledCost,BillingCurrency,BillingAccountId,BillingPeriodStart,ChargePeriodStart,ChargePeriodEnd,\
                      ChargeCategory,ServiceName,ProviderName,SubAccountId,ResourceId\n";
const PARTS: usize = 3;

/// A charge, in hundredths.
#[derive(Clone, Copy)]
struct Charge {
    cents: u64,
    day: usize,
    account: usize,
    resource: usize,
}

/// Three accounts with a charge for each day and resource; the amounts are pseudo-random and the same in every run.
fn month(seed: u64) -> Vec<Charge> {
    let mut state = seed;
    let mut charges = Vec::new();
    for day in 1..=10 {
        for account in 0..3 {
            for resource in 0..2 {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                charges.push(Charge { cents: state % 10_000, day, account, resource });
            }
        }
    }
    charges
}

fn file(charges: &[Charge]) -> String {
    let mut text = HEADER.to_owned();
    for Charge { cents, day, account, resource } in charges {
        let (whole, part) = (cents / 100, cents % 100);
        writeln!(
            text,
            "{whole}.{part:02},USD,b-1,2026-05-01T00:00:00Z,2026-05-{day:02}T00:00:00Z,2026-05-{:02}T00:00:00Z,\
             Usage,Compute,AWS,a-{account},r-{account}-{resource}",
            day + 1
        )
        .unwrap();
    }
    text
}

/// The month split into files: by row, by day, by account.
fn ways(charges: &[Charge]) -> Vec<Vec<String>> {
    let splits: [fn(usize, &Charge) -> usize; 3] =
        [|row, _| row % PARTS, |_, charge| charge.day * PARTS / 11, |_, charge| charge.account];
    splits
        .iter()
        .map(|split| {
            let of = |part: usize| -> Vec<Charge> {
                let chosen = charges.iter().enumerate().filter(|(row, charge)| split(*row, charge) == part);
                chosen.map(|(_, charge)| *charge).collect()
            };
            (0..PARTS).map(|part| file(&of(part))).collect()
        })
        .collect()
}

fn expected(charges: &[Charge]) -> BTreeMap<String, u64> {
    let mut sums = BTreeMap::new();
    for charge in charges {
        *sums.entry(format!("a-{}", charge.account)).or_default() += charge.cents;
    }
    sums
}

/// The stored amounts in hundredths, by account.
async fn stored(client: &Client) -> BTreeMap<String, u64> {
    let query = r#"{"query": "{ cloud_accounts { account_number id } spends { cloud_account amount } }"}"#;
    let answer = client.post("/api/graphql", query).await.json();
    let rows = |table: &str| answer["data"][table].as_array().unwrap().clone();
    let numbers: BTreeMap<String, String> = rows("cloud_accounts")
        .iter()
        .map(|row| {
            (row["id"].as_str().unwrap().to_owned(), row["account_number"].as_str().unwrap().to_owned())
        })
        .collect();
    let mut sums = BTreeMap::new();
    for row in rows("spends") {
        let amount = row["amount"].to_string();
        let (whole, part) = amount.split_once('.').unwrap_or((&amount, "0"));
        let cents = whole.parse::<u64>().unwrap() * 100 + format!("{part:0<2}").parse::<u64>().unwrap();
        *sums.entry(numbers[row["cloud_account"].as_str().unwrap()].clone()).or_default() += cents;
    }
    sums
}

async fn all_done(client: &Client, ids: &[String]) {
    for id in ids {
        let ended = ended(client, id).await;
        assert_eq!(ended["state"], "done", "{ended}");
    }
}

#[tokio::test]
async fn parts_handed_in_one_by_one_together_and_at_once_sum_up() {
    let charges = month(7);
    for parts in ways(&charges) {
        for mode in ["one by one", "together", "at once"] {
            let service = Service::start().await;
            let client = service.administrator().await;
            let batch = Uuid::from_u128(9);
            let name = |part: usize| match mode {
                "together" => format!("{part}.csv&batch={batch}&batch_files={PARTS}"),
                _ => format!("part_{part}_0001.csv"),
            };
            let names: Vec<String> = (0..PARTS).map(name).collect();
            let mut ids = Vec::new();
            if mode == "at once" {
                let sent = names.iter().zip(&parts).map(|(name, part)| upload(&client, name, part));
                ids = futures_util::future::join_all(sent).await;
            } else {
                for (name, part) in names.iter().zip(&parts) {
                    ids.push(upload(&client, name, part).await);
                    if mode == "one by one" {
                        all_done(&client, &ids[ids.len() - 1..]).await;
                    }
                }
            }
            all_done(&client, &ids).await;
            assert_eq!(stored(&client).await, expected(&charges), "{mode}");
        }
    }
}

#[tokio::test]
async fn parts_before_and_after_a_restart_sum_up_and_a_month_told_again_replaces_them() {
    let charges = month(11);
    for parts in ways(&charges) {
        let mut service = Service::start().await;
        for (part, text) in parts.iter().enumerate() {
            let client = service.signed_in_page().await;
            let id = upload(&client, &format!("focus_00000000000{part}.csv"), text).await;
            all_done(&client, &[id]).await;
            service = Service::start_on(service.stop().await).await;
        }
        let client = service.signed_in_page().await;
        assert_eq!(stored(&client).await, expected(&charges));
        let again: Vec<Charge> =
            charges.iter().map(|charge| Charge { cents: charge.cents + 1, ..*charge }).collect();
        let id = upload(&client, "export-1.csv", &file(&again)).await;
        all_done(&client, &[id]).await;
        assert_eq!(stored(&client).await, expected(&again));
    }
}

#[tokio::test]
async fn a_manifest_over_http_has_its_parts_wait_over_a_restart() {
    let charges = month(13);
    let parts = ways(&charges).remove(0);
    let blobs: Vec<String> = parts
        .iter()
        .enumerate()
        .map(|(part, text)| {
            format!(r#"{{"blobName":"root/run-1/part_{part}_0001.csv","byteCount":{}}}"#, text.len())
        })
        .collect();
    let manifest = format!(
        r#"{{"manifestVersion":"2024-04-01","blobs":[{}],"exportConfig":{{"exportName":"daily"}},
            "runInfo":{{"runId":"run-1","submittedTime":"2026-06-02T05:00:00Z","startDate":"2026-05-01T00:00:00Z"}}}}"#,
        blobs.join(",")
    );
    let mut service = Service::start().await;
    let client = service.signed_in_page().await;
    let head = upload(&client, "run-1/manifest.json", &manifest).await;
    let mut ids = vec![head];
    for (part, text) in parts.iter().enumerate() {
        let client = service.signed_in_page().await;
        for id in &ids {
            assert_eq!(ended(&client, id).await["state"], "waiting_for_parts");
        }
        service = Service::start_on(service.stop().await).await;
        let client = service.signed_in_page().await;
        ids.push(upload(&client, &format!("run-1/part_{part}_0001.csv"), text).await);
        ended(&client, &ids[ids.len() - 1]).await;
    }
    let client = service.signed_in_page().await;
    all_done(&client, &ids).await;
    assert_eq!(stored(&client).await, expected(&charges));
}
