//! Tests of single steps of a download, each with a suitable registry.

use super::registry::{Content, Fault, KEY, Registry, RegistryBehaviour};
use super::{Desk, content, name, sha256};
use crate::downloads::DownloadEnd;
use crate::failure::Kind;
use crate::installed::Trust;
use crate::record::State;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

fn registry_of(bytes: &[u8], manners: RegistryBehaviour) -> Registry {
    let content = Content::Bytes(Arc::new(bytes.to_vec()));
    Registry::start(content.clone(), content, manners)
}

#[test]
fn a_file_comes_over_several_connections_each_byte_once_and_is_verified() {
    let bytes = content(1, 500_000);
    let manners = RegistryBehaviour {
        digest: Some(("X-Checksum-Sha256", sha256(&bytes))),
        ..RegistryBehaviour::default()
    };
    let registry = registry_of(&bytes, manners);
    let desk = Desk::new(&registry);
    assert_eq!(desk.pull("svc-llm"), None);
    assert_eq!(desk.bytes("svc-llm").unwrap(), bytes);
    assert_eq!(registry.sent(), 500_000);
    let model = desk.library().find(&name("svc-llm")).unwrap();
    assert_eq!((model.trust, model.told_by.as_str()), (Trust::Registry, "X-Checksum-Sha256"));
    assert!(!desk.folder().join("models/incoming/svc-llm.part").exists());
}

#[test]
fn without_a_hash_the_first_file_is_trusted_and_that_is_said() {
    let registry = Registry::of(content(2, 100_000));
    let desk = Desk::new(&registry);
    desk.pull("svc-slm");
    assert_eq!(desk.library().find(&name("svc-slm")).unwrap().trust, Trust::FirstUse);
}

/// A registry without lengths: HEAD without one, and whole files in chunks.
fn unmeasured(digest: Option<(&'static str, String)>) -> RegistryBehaviour {
    RegistryBehaviour { says_length: false, has_ranges: false, digest, ..RegistryBehaviour::default() }
}

#[test]
fn a_file_without_a_length_comes_whole_when_its_hash_is_told() {
    let bytes = content(31, 300_000);
    let registry = registry_of(&bytes, unmeasured(Some(("X-Checksum-Sha256", sha256(&bytes)))));
    // The first response is to the request for the length.
    registry.meet([Fault::Cut(10), Fault::Cut(50_000), Fault::Status(503)]);
    let desk = Desk::new(&registry);
    assert_eq!(desk.pull("svc-llm"), None);
    assert_eq!(desk.bytes("svc-llm").unwrap(), bytes);
    let model = desk.library().find(&name("svc-llm")).unwrap();
    assert_eq!((model.size_bytes, model.trust), (300_000, Trust::Registry));
    // Under another name the same file is not downloaded again.
    let before = registry.seen().iter().filter(|seen| seen.method == "GET" && seen.range.is_none()).count();
    assert_eq!(desk.pull("svc-slm"), None);
    assert_eq!(desk.library().find(&name("svc-slm")).unwrap().size_bytes, 300_000);
    let after = registry.seen().iter().filter(|seen| seen.method == "GET" && seen.range.is_none()).count();
    assert_eq!(before, after, "nothing is fetched twice");
}

#[test]
fn a_file_without_a_length_that_is_not_what_its_hash_says_is_put_aside() {
    let bytes = content(32, 100_000);
    let registry = registry_of(&bytes, unmeasured(Some(("X-Checksum-Sha256", sha256(b"other")))));
    let desk = Desk::new(&registry);
    let status = desk.pull("svc-llm").unwrap();
    assert_eq!((status.state, status.failure.unwrap().kind), (State::Quarantined, Kind::Mismatch));
    assert_eq!(desk.bytes("svc-llm"), None);
}

#[test]
fn a_file_without_a_length_and_without_a_hash_is_refused() {
    let registry = registry_of(&content(33, 100_000), unmeasured(None));
    let desk = Desk::new(&registry);
    let failure = desk.pull("svc-llm").unwrap().failure.unwrap();
    assert_eq!(failure.kind, Kind::Refused);
    assert!(failure.reason.contains("neither how long the file is nor its hash"), "{failure}");
}

#[test]
fn connections_that_break_cost_no_byte_twice() {
    let bytes = content(3, 400_000);
    let registry = registry_of(&bytes, RegistryBehaviour::default());
    registry.meet([Fault::Cut(10_000), Fault::Cut(1), Fault::Status(503), Fault::Cut(30_000)]);
    let desk = Desk::new(&registry);
    assert_eq!(desk.pull("svc-llm"), None);
    assert_eq!(desk.bytes("svc-llm").unwrap(), bytes);
    assert_eq!(registry.sent(), 400_000);
    assert!(desk.stage.waits.lock().unwrap().len() >= 4);
}

#[test]
fn a_registry_that_keeps_breaking_off_is_given_up_and_resumed_later_from_there() {
    let bytes = content(4, 300_000);
    let registry = registry_of(&bytes, RegistryBehaviour::default());
    registry.meet([Fault::Cut(50_000), Fault::Cut(50_000), Fault::Cut(50_000)]);
    registry.meet(vec![Fault::Status(500); 60]);
    let desk = Desk::new(&registry);
    let status = desk.pull("svc-llm").unwrap();
    assert_eq!((status.state, status.can_resume), (State::Failed, true));
    assert_eq!(status.failure.unwrap().kind, Kind::GaveUp);
    let kept = status.kept_bytes;
    assert!(kept >= 40_000, "{kept}");
    let before = registry.sent();
    assert_eq!(before, kept);
    registry.forgive();
    assert_eq!(desk.pull("svc-llm"), None);
    assert_eq!(desk.bytes("svc-llm").unwrap(), bytes);
    assert_eq!(registry.sent(), 300_000);
}

#[test]
fn a_refused_key_is_told_apart_from_a_network_that_is_gone() {
    let registry = Registry::of(content(5, 1_000));
    let desk = Desk::with(&registry, &[("LICENSE_KEY", "another-key")]);
    let failure = desk.pull("svc-llm").unwrap().failure.unwrap();
    assert_eq!(failure.kind, Kind::KeyRefused);
    assert!(!failure.to_string().contains("another-key"));
    assert!(registry.seen().iter().all(|seen| !seen.has_key));
}

#[test]
fn the_key_goes_to_the_registry_and_not_where_it_sends() {
    let bytes = content(6, 200_000);
    let registry = registry_of(&bytes, RegistryBehaviour { redirects: true, ..RegistryBehaviour::default() });
    let desk = Desk::new(&registry);
    assert_eq!(desk.pull("svc-llm"), None);
    let seen = registry.seen();
    assert!(seen.iter().any(|seen| seen.is_other) && seen.iter().any(|seen| seen.has_key));
    assert!(seen.iter().all(|seen| seen.has_key != seen.is_other), "{seen:?}");
    // The address was determined once; the parts are downloaded from there.
    assert!(seen.iter().filter(|seen| !seen.is_other).count() <= 3, "{seen:?}");
}

#[test]
fn a_wrong_hash_puts_the_file_aside_and_says_both_hashes() {
    let bytes = content(7, 90_000);
    let manners = RegistryBehaviour {
        sidecar: Some(format!("{}  svc-llm\n", sha256(b"other"))),
        ..RegistryBehaviour::default()
    };
    let registry = registry_of(&bytes, manners);
    let desk = Desk::new(&registry);
    let status = desk.pull("svc-llm").unwrap();
    let failure = status.failure.unwrap();
    assert_eq!((status.state, failure.kind), (State::Quarantined, Kind::Mismatch));
    assert!(
        failure.reason.contains(&sha256(&bytes)) && failure.reason.contains(&sha256(b"other")),
        "{failure}"
    );
    assert_eq!(std::fs::read_dir(desk.folder().join("models/quarantine")).unwrap().count(), 1);
    assert_eq!(desk.bytes("svc-llm"), None);
}

#[test]
fn two_hashes_that_disagree_stop_it_before_a_byte_comes() {
    let bytes = content(8, 90_000);
    let manners = RegistryBehaviour {
        etag: Some("\"sha256:0000000000000000000000000000000000000000000000000000000000000000\""),
        digest: Some(("X-Checksum-Sha256", sha256(&bytes))),
        ..RegistryBehaviour::default()
    };
    let registry = registry_of(&bytes, manners);
    let desk = Desk::new(&registry);
    assert_eq!(desk.pull("svc-llm").unwrap().failure.unwrap().kind, Kind::Contradiction);
    assert_eq!(registry.sent(), 0);
}

#[test]
fn a_file_that_changes_midway_is_fetched_from_the_beginning_and_that_is_said() {
    let (first, second) = (content(9, 300_000), content(10, 300_000));
    let registry = Registry::start(
        Content::Bytes(Arc::new(first)),
        Content::Bytes(Arc::new(second.clone())),
        RegistryBehaviour::default(),
    );
    registry.meet([Fault::Cut(20_000), Fault::Cut(20_000), Fault::Cut(20_000), Fault::Change]);
    let desk = Desk::new(&registry);
    assert_eq!(desk.pull("svc-llm"), None);
    assert_eq!(desk.bytes("svc-llm").unwrap(), second);
}

#[test]
fn a_disk_without_room_is_said_before_anything_comes() {
    let registry = Registry::of(content(11, 100_000));
    let desk = Desk::new(&registry);
    desk.stage.free.store(104_999, Ordering::Relaxed);
    let failure = desk.pull("svc-llm").unwrap().failure.unwrap();
    assert_eq!(failure.kind, Kind::DiskFull);
    assert_eq!(registry.sent(), 0);
    desk.stage.free.store(105_000, Ordering::Relaxed);
    assert_eq!(desk.pull("svc-llm"), None);
}

#[test]
fn a_download_that_was_paused_goes_on_where_it_was_in_another_process() {
    let bytes = content(12, 400_000);
    let registry =
        registry_of(&bytes, RegistryBehaviour { rate: Some(20_000), ..RegistryBehaviour::default() });
    let mut desk = Desk::new(&registry);
    let name = name("svc-llm");
    let mut changed = desk.downloads.changed();
    desk.downloads.start(&name).unwrap();
    let some =
        |desk: &Desk| desk.downloads.status(&name).unwrap().is_some_and(|status| status.bytes > 60_000);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    while !some(&desk) {
        runtime.block_on(changed.changed()).unwrap();
    }
    desk.downloads.pause(&name).unwrap();
    let paused = desk.downloads.status(&name).unwrap().unwrap();
    assert_eq!((paused.state, paused.can_resume), (State::Paused, true));
    assert!(paused.kept_bytes > 60_000 && paused.kept_bytes < 400_000);
    desk.again();
    registry.change_manners(|manners| manners.rate = None);
    // Still paused.
    desk.downloads.restore().unwrap();
    assert!(!desk.downloads.is_running(&name));
    assert_eq!(desk.pull("svc-llm"), None);
    assert_eq!(desk.bytes("svc-llm").unwrap(), bytes);
    let asked: u64 = registry
        .seen()
        .iter()
        .filter(|seen| seen.method == "GET")
        .filter_map(|seen| seen.range)
        .map(|(start, end)| end + 1 - start)
        .sum();
    // Only ranges that were requested before the pause and had not arrived were requested again.
    assert!(asked >= 400_000 && registry.sent() <= 400_000 + 3 * 128 * 1024, "{asked} {}", registry.sent());
}

#[test]
fn the_bound_on_bytes_per_second_holds_for_all_connections_together() {
    let registry = Registry::of(content(13, 400_000));
    let desk = Desk::with(&registry, &[("MODEL_MAX_BYTES_PER_SECOND", "100000")]);
    assert_eq!(desk.pull("svc-llm"), None);
    let waited: Duration = desk.stage.waits.lock().unwrap().iter().sum();
    assert!(waited >= Duration::from_secs(2), "{waited:?}");
}

#[test]
fn nothing_connects_without_an_address_and_a_key() {
    let registry = Registry::of(content(14, 1_000));
    for (setting, kind) in [("MODEL_REGISTRY_URL", Kind::NotConfigured), ("LICENSE_KEY", Kind::NoLicenseKey)]
    {
        let desk = Desk::with(&registry, &[(setting, "")]);
        assert_eq!(desk.downloads.start(&name("svc-llm")).unwrap_err().kind, kind);
    }
    assert!(registry.seen().is_empty());
}

#[test]
fn what_is_written_down_holds_no_key_and_no_signed_address() {
    let registry = registry_of(
        &content(15, 50_000),
        RegistryBehaviour { redirects: true, ..RegistryBehaviour::default() },
    );
    registry.meet(vec![Fault::Status(500); 400]);
    let desk = Desk::new(&registry);
    let status = serde_json::to_string(&desk.pull("svc-llm").unwrap()).unwrap();
    let record = serde_json::to_string(&desk.library().records().unwrap()).unwrap();
    for text in [status, record] {
        assert!(!text.contains(KEY) && !text.contains("signature"), "{text}");
    }
}

#[test]
fn a_look_tells_whether_the_registry_answers_and_takes_the_key() {
    let registry = Registry::of(content(16, 1_000));
    let look = |settings: &[(&str, &str)]| {
        let desk = Desk::with(&registry, settings);
        wait(desk.downloads.look())
    };
    let found = look(&[]).unwrap();
    assert_eq!(found.host, registry.address.trim_start_matches("http://"));
    assert!(found.found.is_ok() && !found.is_encrypted, "{found:?}");
    let seen = registry.seen();
    assert!(!seen[0].has_key && seen[1].has_key, "the key comes after a look at who is there: {seen:?}");
    assert_eq!((seen.len(), registry.sent()), (2, 0));
    for (settings, kind) in [
        ([("LICENSE_KEY", "another-key")], Kind::KeyRefused),
        ([("LICENSE_KEY", "")], Kind::NoLicenseKey),
        ([("MODEL_REGISTRY_URL", "http://127.0.0.1:1")], Kind::Unreachable),
    ] {
        assert_eq!(look(&settings).unwrap().found.unwrap_err().kind, kind, "{settings:?}");
    }
    assert_eq!(look(&[("MODEL_REGISTRY_URL", "")]).unwrap_err().kind, Kind::NotConfigured);
}

fn wait<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

#[test]
fn who_watches_is_told_whether_a_download_came_through_failed_or_was_stopped_by_a_person() {
    let slow = RegistryBehaviour { rate: Some(50_000), ..RegistryBehaviour::default() };
    let registry = registry_of(&content(30, 300_000), slow);
    let desk = Desk::new(&registry);
    assert_eq!(desk.downloads.ended("svc-llm"), None);
    desk.downloads.start(&name("svc-llm")).unwrap();
    desk.downloads.cancel(&name("svc-llm")).unwrap();
    assert_eq!(desk.downloads.status(&name("svc-llm")).unwrap(), None);
    assert_eq!(desk.downloads.ended("svc-llm"), Some(DownloadEnd::Stopped));

    registry.change_manners(|manners| manners.rate = None);
    assert_eq!(desk.pull("svc-llm"), None);
    assert_eq!(desk.downloads.ended("svc-llm"), Some(DownloadEnd::Ready));

    registry.meet(vec![Fault::Status(500); 60]);
    desk.pull("svc-slm");
    assert_eq!(desk.downloads.ended("svc-slm"), Some(DownloadEnd::Failed));
}
