//! Two hundred runs with a registry that fails in every possible way.

use super::registry::{Content, Fault, Registry, RegistryBehaviour};
use super::{Desk, Dice, content, name, sha256};
use crate::record::State;
use std::sync::Arc;

#[derive(Debug)]
struct Run {
    manners: RegistryBehaviour,
    faults: Vec<Fault>,
    /// The offered hash is that of another file.
    is_wrong: bool,
}

fn draw(seed: u64, first: &[u8], size: usize) -> Run {
    let mut dice = Dice(seed.wrapping_mul(977).wrapping_add(13));
    for _ in 0..4 {
        dice.below(2);
    }
    let is_wrong = dice.below(8) == 0;
    let hex = if is_wrong { sha256(b"another file") } else { sha256(first) };
    let mut manners = RegistryBehaviour {
        etag: [Some("\"first\""), Some("W/\"first\""), None][usize::try_from(dice.below(3)).unwrap()],
        has_ranges: dice.below(5) != 0,
        redirects: dice.below(4) == 0,
        answers_head: dice.below(6) != 0,
        ..RegistryBehaviour::default()
    };
    match dice.below(4) {
        0 => manners.digest = Some(("X-Checksum-Sha256", hex)),
        1 => manners.sidecar = Some(format!("{hex}  svc-llm\n")),
        2 if !is_wrong => {}
        _ => manners.digest = Some(("ETag-Of-Nobody", hex)),
    }
    let offers_hash = manners.sidecar.is_some()
        || manners.digest.as_ref().is_some_and(|(name, _)| *name == "X-Checksum-Sha256");
    let faults = (0..dice.below(7))
        .map(|_| {
            let bytes = dice.below(size as u64);
            match dice.below(if offers_hash { 11 } else { 10 }) {
                0..=3 => Fault::Cut(bytes),
                4 => Fault::Stall(bytes),
                5 => Fault::IgnoreRange,
                6 if !offers_hash => Fault::Change,
                6 | 7 => Fault::WrongSize,
                8 => Fault::WrongPlace,
                9 => [Fault::Status(503), Fault::Status(500), Fault::Redirect, Fault::Status(429)]
                    [usize::try_from(dice.below(4)).unwrap()]
                .clone(),
                _ => Fault::Flip,
            }
        })
        .collect();
    Run { manners, faults, is_wrong: is_wrong && offers_hash }
}

fn check(seed: u64, desk: &mut Desk) -> &'static str {
    let size = 40_000 + usize::try_from(Dice(seed).below(300_000)).unwrap();
    let (first, second) = (content(seed, size), content(seed + 1_000_000, size));
    let run = draw(seed, &first, size);
    let registry = Registry::start(
        Content::Bytes(Arc::new(first.clone())),
        Content::Bytes(Arc::new(second.clone())),
        run.manners.clone(),
    );
    registry.meet(run.faults.clone());
    desk.turn_to(&registry);
    let model = format!("svc-{seed}");
    let status = desk.pull(&model);
    let found = desk.bytes(&model);
    for seen in registry.seen() {
        assert!(!(seen.is_other && seen.has_key), "the key went to another host: {run:?}");
    }
    match (found, status) {
        (Some(found), None) => {
            // One of the registry's files, complete, never a mixture of both.
            assert!(found == first || found == second, "a wrong file of {} bytes: {run:?}", found.len());
            assert!(!run.is_wrong, "a file whose hash is not the one that was offered: {run:?}");
            let hex = desk.library().find(&name(&model)).unwrap().sha256;
            assert_eq!(hex, sha256(&found), "{run:?}");
            "ready"
        }
        (None, Some(status)) => {
            let failure =
                status.failure.unwrap_or_else(|| panic!("{:?} without a reason: {run:?}", status.state));
            assert!(matches!(status.state, State::Failed | State::Quarantined), "{run:?}");
            assert!(!failure.reason.is_empty() && !failure.remedy.is_empty(), "{run:?}");
            if status.state == State::Quarantined { "quarantined" } else { "failed" }
        }
        (found, status) => panic!("neither a model nor an error: {:?} {status:?} {run:?}", found.is_some()),
    }
}

#[test]
fn two_hundred_bad_days_end_in_the_right_file_or_a_clear_error() {
    let mut ends: std::collections::BTreeMap<&str, u32> = std::collections::BTreeMap::new();
    let threads: Vec<_> = (0..8_u64)
        .map(|lane| {
            std::thread::spawn(move || {
                let mut desk = Desk::new(&Registry::of(vec![0]));
                (0..25).map(|row| check(lane * 25 + row, &mut desk)).collect::<Vec<_>>()
            })
        })
        .collect();
    for (lane, thread) in threads.into_iter().enumerate() {
        for end in thread.join().unwrap_or_else(|_| panic!("a run of lane {lane}")) {
            *ends.entry(end).or_default() += 1;
        }
    }
    // The random runs must not all be alike.
    assert!(ends["ready"] >= 120 && ends["quarantined"] >= 8, "{ends:?}");
}
