//! Measures how much planted waste is found, and the error of its saving. `make bench-analysis` prints the result.

use super::generator::plan;
use crate::seeds;
use analysis::savings::find;
use std::collections::BTreeMap;

#[test]
fn waste_that_is_planted_is_found_with_its_saving() {
    let mut found_of: BTreeMap<&str, (u64, u64, f64)> = BTreeMap::new();
    let mut others = 0;
    for seed in 0..seeds() {
        let plan = plan(seed);
        let mut findings = find(&plan.bill);
        for planted in &plan.planted {
            let entry = found_of.entry(planted.kind).or_default();
            entry.0 += 1;
            let is_it = |one: &analysis::savings::Finding| {
                one.rule.name == planted.kind && one.object == planted.subject
            };
            let Some(place) = findings.iter().position(is_it) else { continue };
            let finding = findings.remove(place);
            entry.1 += 1;
            if let Some(saving) = planted.saving {
                let (told, planted) = (finding.estimated_savings().to_f64(), saving.to_f64());
                entry.2 = entry.2.max((told - planted).abs() / planted);
            }
        }
        others += findings.len();
        assert!(
            findings.is_empty(),
            "seed {seed}: {:?}",
            findings.iter().map(|one| &one.title).collect::<Vec<_>>()
        );
    }
    println!("planted waste          found      largest error of the saving");
    // Print all figures before a failure.
    let mut missed = Vec::new();
    for (kind, (planted, found, error)) in &found_of {
        println!("{kind:20} {found:>5}/{planted:<5} {:>10.4}%", error * 100.0);
        if planted != found || *error > 0.01 {
            missed.push(format!("{kind}: {found} of {planted} found, the saving is {error} off"));
        }
    }
    println!("findings of what was not planted: {others}");
    assert!(missed.is_empty(), "{missed:?}");
}
