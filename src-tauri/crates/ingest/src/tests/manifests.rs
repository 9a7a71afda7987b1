//! Exports with manifests: partitions in every order, late parts, and replacement of runs.

use super::kit::{House, PARTIES, focus};
use crate::undo::{UndoError, UndoRequest, undo};
use crate::{Archive, Report, RowsChoice, State};
use uuid::Uuid;

/// A run of an export of June: its id, the time of submission, and the costs of each partition by account.
struct Run {
    id: &'static str,
    submitted: &'static str,
    parts: [&'static [(&'static str, &'static str)]; 2],
}

const FIRST: Run = Run {
    id: "run-1",
    submitted: "2026-06-16T05:00:00.1234567Z",
    parts: [&[("10", "a"), ("20", "b")], &[("30", "c"), ("1", "gone")]],
};
/// It has more charges, one with a higher cost, and lacks one account.
const SECOND: Run = Run {
    id: "run-2",
    submitted: "2026-06-17T05:00:00Z",
    parts: [&[("10", "a"), ("25", "b"), ("3", "d")], &[("30", "c"), ("2", "e")]],
};

impl Run {
    fn folder(&self) -> String {
        format!("export/20260601-20260630/{}", self.id)
    }

    /// The paths of its files: the manifest, then the parts.
    fn paths(&self) -> [String; 3] {
        ["manifest.json", "part_0_0001.csv", "part_1_0001.csv"]
            .map(|name| format!("{}/{name}", self.folder()))
    }

    /// Writes its files to the test folder.
    fn write(&self, house: &House) -> [String; 3] {
        let paths = self.paths();
        let folder = house.folder.path();
        std::fs::create_dir_all(folder.join(self.folder())).unwrap();
        let mut blobs = Vec::new();
        for (path, rows) in paths[1..].iter().zip(self.parts) {
            let rows: Vec<(String, String)> = rows
                .iter()
                .map(|(cost, account)| {
                    (format!("{cost} USD 2026-06-02"), format!("Microsoft,B,{account},{account}"))
                })
                .collect();
            let rows: Vec<(&str, &str)> =
                rows.iter().map(|(charge, more)| (charge.as_str(), more.as_str())).collect();
            let text = focus(PARTIES, &rows);
            blobs.push(format!(r#"{{"blobName":"root/{path}","byteCount":{}}}"#, text.len()));
            std::fs::write(folder.join(path), text).unwrap();
        }
        let manifest = format!(
            r#"{{"manifestVersion":"2024-04-01","blobs":[{}],"exportConfig":{{"resourceId":"/exports/daily"}},
                "runInfo":{{"runId":"{}","submittedTime":"{}","startDate":"2026-06-01T00:00:00","endDate":"2026-06-{}T00:00:00Z"}}}}"#,
            blobs.join(","),
            self.id,
            self.submitted,
            &self.submitted[8..10],
        );
        std::fs::write(folder.join(&paths[0]), manifest).unwrap();
        paths
    }
}

fn house() -> House {
    let mut house = House::new();
    house.archive = Some(Archive::new(house.folder.path().join("archive"), 1 << 20));
    house
}

fn import(house: &House, paths: &[&String]) -> Vec<Report> {
    house.import_all(&paths.iter().map(|path| path.as_str()).collect::<Vec<_>>())
}

fn states(reports: &[Report]) -> Vec<State> {
    reports.iter().map(|report| report.state).collect()
}

/// All permutations of the numbers below `count`.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let mut orders = vec![Vec::new()];
    for number in 0..count {
        orders = orders
            .iter()
            .flat_map(|order: &Vec<usize>| {
                (0..=order.len()).map(move |at| {
                    let mut longer = order.clone();
                    longer.insert(at, number);
                    longer
                })
            })
            .collect();
    }
    orders
}

#[test]
fn the_newest_of_two_runs_stands_in_whatever_order_their_files_are_dropped_together() {
    for order in orders(6).into_iter().step_by(7) {
        let house = house();
        let files = [FIRST.write(&house), SECOND.write(&house)].concat();
        let reports = import(&house, &order.iter().map(|at| &files[*at]).collect::<Vec<_>>());
        assert_eq!(house.sum("amount", "USD"), "70", "{order:?}");
        assert!(reports.iter().all(|report| report.error.is_none()), "{order:?}");
    }
}

#[test]
fn the_newest_of_two_runs_stands_whichever_comes_first() {
    for (runs, sums) in [([&FIRST, &SECOND], ["61", "70"]), ([&SECOND, &FIRST], ["70", "70"])] {
        let house = house();
        for (run, sum) in runs.into_iter().zip(sums) {
            let files = run.write(&house);
            let reports = import(&house, &files.iter().collect::<Vec<_>>());
            assert_eq!(house.sum("amount", "USD"), sum, "{} {:?}", run.id, states(&reports));
        }
        // Importing the same files again changes nothing.
        let reports = import(&house, &SECOND.paths().iter().collect::<Vec<_>>());
        assert_eq!(states(&reports), [State::Unchanged; 3]);
        assert_eq!(house.sum("amount", "USD"), "70");
    }
}

#[test]
fn parts_wait_until_all_are_there_and_what_lacks_is_named() {
    for order in orders(2) {
        let house = house();
        let first = FIRST.write(&house);
        import(&house, &first.iter().collect::<Vec<_>>());
        let [manifest, parts @ ..] = SECOND.write(&house);
        let reports = import(&house, &[&manifest]);
        assert_eq!(states(&reports), [State::WaitingForParts]);
        let reports = import(&house, &[&parts[order[0]]]);
        assert_eq!(states(&reports), [State::WaitingForParts]);
        let delivery = reports[0].delivery.as_ref().unwrap();
        let lacking: Vec<&str> = delivery
            .parts
            .iter()
            .filter(|part| !part.is_present)
            .map(|part| part.file_name.as_str())
            .collect();
        assert_eq!(lacking, [format!("root/{}", parts[order[1]])]);
        assert_eq!(house.sum("amount", "USD"), "61");
        let reports = import(&house, &[&parts[order[1]]]);
        assert_eq!(states(&reports), [State::Done]);
        assert_eq!(house.sum("amount", "USD"), "70");
        let waiting = house.rows("imports", &["state"], &[store::eq("state", "waiting_for_parts")]);
        assert_eq!(waiting, [""; 0]);
        let accounts = house.rows("spend_sources", &["cloud_account"], &[]);
        assert_eq!(accounts.len(), 5, "nothing of the first run is left");
    }
}

#[test]
fn a_run_is_taken_back_as_a_whole_and_the_one_before_it_stands_again() {
    let house = house();
    for run in [&FIRST, &SECOND] {
        let files = run.write(&house);
        import(&house, &files.iter().collect::<Vec<_>>());
    }
    let of_second = house.rows("imports", &["id"], &[store::eq("sequence", 5_i64)]);
    let id: Uuid = of_second[0].parse().unwrap();
    let undoing = UndoRequest { person: None, clock: || 0 };
    let Err(UndoError::Others(others)) = undo(&house.store, &house.caller, id, &[], undoing) else {
        panic!("the other files of the run go with it");
    };
    let with: Vec<Uuid> = others.iter().map(|other| other.id).collect();
    assert_eq!(undo(&house.store, &house.caller, id, &with, undoing).unwrap().len(), 3);
    assert_eq!(house.sum("amount", "USD"), "61");
    // The run can be imported again.
    let reports = import(&house, &SECOND.paths().iter().collect::<Vec<_>>());
    assert_eq!(states(&reports), [State::Done; 3]);
    assert_eq!(house.sum("amount", "USD"), "70");
}

#[test]
fn a_part_that_cannot_be_read_has_the_others_wait_and_a_good_copy_completes_the_run() {
    let house = house();
    let [manifest, good, bad] = SECOND.write(&house);
    let path = house.folder.path().join(&bad);
    let text = std::fs::read(&path).unwrap();
    let mut broken = String::new();
    while broken.len() + 2 < text.len() {
        broken.push_str("x\n");
    }
    broken.push_str(&"y".repeat(text.len() - broken.len()));
    std::fs::write(&path, &broken).unwrap();
    let reports = import(&house, &[&manifest, &good, &bad]);
    assert_eq!(states(&reports), [State::WaitingForParts, State::WaitingForParts, State::Failed]);
    assert_eq!(house.count("spends"), 0);
    std::fs::write(&path, text).unwrap();
    let reports = import(&house, &[&bad]);
    assert_eq!(states(&reports), [State::Done]);
    assert_eq!(house.sum("amount", "USD"), "70");
}

#[test]
fn a_part_of_the_next_run_with_the_same_bytes_stays_where_it_is() {
    let house = house();
    let again =
        Run { id: "run-3", submitted: "2026-06-18T05:00:00Z", parts: [SECOND.parts[0], FIRST.parts[1]] };
    for (run, sum) in [(&SECOND, "70"), (&again, "69")] {
        let files = run.write(&house);
        import(&house, &files.iter().collect::<Vec<_>>());
        assert_eq!(house.sum("amount", "USD"), sum);
    }
    let last = Run { id: "run-4", submitted: "2026-06-19T05:00:00Z", ..FIRST };
    let files = last.write(&house);
    import(&house, &files.iter().collect::<Vec<_>>());
    assert_eq!(house.sum("amount", "USD"), "61");
}

#[test]
fn a_run_that_is_asked_about_is_written_as_a_whole_once_somebody_has_said() {
    for (choice, sum) in [(RowsChoice::Replace, "61"), (RowsChoice::Add, "78")] {
        let house = house();
        // Half of it was imported before, without a manifest.
        house.import(focus(
            PARTIES,
            &[("10 USD 2026-06-02", "Microsoft,B,a,a"), ("7 USD 2026-06-02", "Microsoft,B,x,x")],
        ));
        let files = FIRST.write(&house);
        let reports = import(&house, &files.iter().collect::<Vec<_>>());
        assert_eq!(states(&reports), [State::WaitingForParts, State::NeedsDecision, State::NeedsDecision]);
        assert_eq!(house.sum("amount", "USD"), "17");
        assert_eq!(states(&house.decide(choice)), [State::Done; 2]);
        assert_eq!(house.sum("amount", "USD"), sum);
        let open = store::one_of("state", vec!["waiting_for_parts".into(), "needs_decision".into()]);
        assert_eq!(house.rows("imports", &["file_name"], &[open]), [""; 0]);
        // The next run replaces this one; a question is asked if charges of other files overlap.
        let files = SECOND.write(&house);
        import(&house, &files.iter().collect::<Vec<_>>());
        assert_eq!(house.sum("amount", "USD"), if choice == RowsChoice::Replace { "70" } else { "78" });
    }
}

#[test]
fn a_manifest_alone_waits_and_is_no_failed_import() {
    let house = house();
    let [manifest, ..] = FIRST.write(&house);
    let reports = import(&house, &[&manifest]);
    assert_eq!(
        reports[0].format.as_ref().map(|format| format.title.as_str()),
        Some("Manifest of an Azure cost export")
    );
    assert_eq!(reports[0].delivery.as_ref().unwrap().parts.len(), 2);
    assert_eq!(states(&import(&house, &[&manifest])), [State::Unchanged]);
    assert_eq!(house.rows("imports", &["state"], &[]), ["unchanged", "waiting_for_parts"]);
}

#[test]
fn two_copies_of_a_part_count_once() {
    let house = house();
    let [manifest, left, right] = FIRST.write(&house);
    let copy = format!("{}/part_1_0001 (1).csv", FIRST.folder());
    std::fs::copy(house.folder.path().join(&right), house.folder.path().join(&copy)).unwrap();
    let reports = import(&house, &[&copy, &left, &right, &manifest]);
    assert_eq!(house.sum("amount", "USD"), "61");
    assert_eq!(states(&reports), [State::Done, State::Done, State::Unchanged, State::Done]);
}
