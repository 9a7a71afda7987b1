//! Matching of log lines.

use super::kit::House;
use crate::ids::derived;
use crate::{Report, State};
use catalogue::Value;
use store::{StoreError, Transaction, eq};
use uuid::Uuid;

const LINES: &str = "2026-01-02T12:00:00Z ERROR it broke\n2026-01-02T12:00:00Z ERROR it broke\n2026-01-02T12:00:01Z INFO on\n";
const ANOTHER: &str = "2026-01-02T12:00:02Z WARN again\n";

/// Gives log lines the ids of the version before time-ordered ids.
fn age(house: &House) {
    let tenant = house.caller.tenant().unwrap();
    let columns = ["id", "account_id", "timestamp", "labels", "message"];
    let age = |rows: &Transaction<'_>| -> Result<(), StoreError> {
        let mut seen: Vec<Uuid> = Vec::new();
        for row in rows.select("logs", &columns, &[])? {
            let [
                Value::Uuid(id),
                Value::Uuid(account),
                Value::Timestamp(at),
                Value::Json(labels),
                Value::Text(message),
            ] = &row[..]
            else {
                panic!("another line: {row:?}")
            };
            // PostgreSQL formats JSON differently.
            let labels: serde_json::Value = serde_json::from_str(labels).unwrap();
            let (account, at, labels) = (account.to_string(), at.to_string(), labels.to_string());
            let told = [account.as_str(), &at, &labels, message];
            let line = derived(tenant, "log line", &told);
            seen.push(line);
            let number = seen.iter().filter(|one| **one == line).count();
            let hash = derived(line, "log line", &[&number.to_string()]);
            assert_eq!(rows.update("logs", &[eq("id", *id)], &[("id", hash.into())])?, 1);
        }
        Ok(())
    };
    house.store.transaction(&house.caller, age).unwrap();
}

fn done(report: &Report) {
    assert_eq!((report.state, report.rows_skipped), (State::Done, 0), "{report:#?}");
}

fn again(house: &House, report: &Report) {
    done(report);
    assert_eq!(house.count("logs"), 4);
    assert!(
        report.notes.iter().any(|note| note == "3 log lines were already imported."),
        "{:?}",
        report.notes
    );
}

fn lines_of_an_earlier_version_are_known(house: &House) {
    done(&house.import(LINES));
    age(house);
    again(house, &house.import(format!("{LINES}{ANOTHER}")));
    // Lines with current ids are matched as well.
    let report = house.import(format!("{ANOTHER}{LINES}"));
    assert!(
        report.notes.iter().any(|note| note == "4 log lines were already imported."),
        "{:?}",
        report.notes
    );
}

#[test]
fn lines_stored_by_an_earlier_version_are_known_again() {
    for house in [Some(House::new()), House::on_postgresql()].into_iter().flatten() {
        lines_of_an_earlier_version_are_known(&house);
    }
}

#[test]
fn lines_are_stored_beside_those_of_their_time() {
    let house = House::new();
    let times = ["12:00:09", "12:00:03", "12:00:06"];
    let text: String = times.iter().map(|time| format!("2026-01-02T{time}Z INFO on\n")).collect();
    done(&house.import(text));
    let by_id = house.rows("logs", &["id", "timestamp"], &[]);
    let by_time: Vec<&str> = by_id.iter().filter_map(|row| row.split(" | ").nth(1)).collect();
    assert_eq!(by_time, ["2026-01-02T12:00:03", "2026-01-02T12:00:06", "2026-01-02T12:00:09"]);
}

#[test]
fn many_lines_of_several_files_are_all_there_once() {
    let house = House::new();
    let lines = |of: &str| -> String {
        (0..20_500)
            .map(|n| format!("2026-01-02T12:{:02}:{:02}Z INFO {of} {n}\n", n / 60 % 60, n % 60))
            .collect()
    };
    for report in house.import_together(&[lines("one"), lines("two")]) {
        done(&report);
    }
    assert_eq!(house.count("logs"), 41_000);
    done(&house.import(format!("{}{ANOTHER}", lines("two"))));
    assert_eq!(house.count("logs"), 41_001);
}
