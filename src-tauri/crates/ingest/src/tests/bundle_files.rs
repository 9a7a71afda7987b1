//! The files of a support bundle in its report.

use super::containers::tar;
use super::kit::{House, gzip};
use crate::{ArchiveFile, State};
use catalogue::ValueRef;
use store::eq;

const PODS: &str = r#"{"kind": "PodList", "items": [{"metadata": {"name": "web-1", "namespace": "shop", "uid": "p1",
    "creationTimestamp": "2026-01-02T00:00:00Z"}, "spec": {}, "status": {}}]}"#;

fn bundle() -> Vec<u8> {
    gzip(&tar(&[
        ("b/cluster-resources/pods/shop.json", PODS.as_bytes()),
        ("b/app/web-1/web.log", b"2026-01-02T00:00:00Z started\n"),
        ("b/app/web-1/other.log", b"no time at all\n"),
        ("b/readme.txt", b"hello"),
    ]))
}

fn line(file: &ArchiveFile) -> String {
    let outcome =
        file.read_as.clone().or_else(|| file.left_out.as_ref().map(|reason| format!("not read: {reason}")));
    format!("{}: {}", file.name, outcome.unwrap_or_default())
}

#[test]
fn the_report_lists_the_files_of_a_bundle_by_name() {
    let report = House::new().import(bundle());
    let files = report.files.unwrap();
    assert_eq!((files.count, files.left_out), (4, 2));
    assert_eq!(
        files.listed.iter().map(line).collect::<Vec<_>>(),
        [
            "b/app/web-1/other.log: not read: No line of the log has a time",
            "b/app/web-1/web.log: Log of a container",
            "b/cluster-resources/pods/shop.json: Pod objects",
            "b/readme.txt: not read: Files of this kind are not read",
        ]
    );
}

#[test]
fn a_bundle_whose_files_an_earlier_version_did_not_list_is_read_again() {
    let house = House::new();
    let mut before = house.import(bundle());
    assert_eq!(house.import(bundle()).state, State::Unchanged);
    before.files = None;
    let report = serde_json::to_string(&before).unwrap();
    house
        .store
        .transaction(&house.caller, |rows| {
            rows.update("imports", &[eq("state", "done_with_skips")], &[("report", ValueRef::Json(&report))])
        })
        .unwrap();
    let again = house.import(bundle());
    assert_eq!((again.state, again.files.unwrap().count), (State::DoneWithSkips, 4));
    let stored = || (house.rows("k8s_pods", &["name"], &[]).len(), house.count("logs"));
    assert_eq!(stored(), (1, 1));
    // Each undo restores the previous state.
    for (number, left) in [(3, 1), (1, 0)] {
        house.take_back(number);
        assert_eq!(stored(), (left, left));
    }
}
