//! Tests randomly changed responses.
//!
//! Each must be refused with a cause, or yield exactly the signed content; none may panic or take long.
//!
//! `make test` tries a few thousand, the same in every run. To run for longer, or with another seed:
//!
//! ```sh
//! FUZZ_SECONDS=600 FUZZ_SEED=7 nice cargo test --release -p auth --lib fuzz -- --nocapture 2>/tmp/xmlsec.log
//! ```

mod change;
mod dice;
mod pack;

use super::cpu::{self, LIMIT};
use super::good_idp;
use crate::saml::certificate::Certificate;
use crate::saml::check::{self, examine};
use crate::saml::kit::{self, Answer, Idp, NOW};
use crate::saml::{Settings, signature};
use dice::Dice;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Number of tries unless a duration is set.
const ROUNDS: u64 = 3_000;

/// An accepted response with the values read from it.
struct Original {
    xml: String,
    /// The bytes its signatures cover.
    signed: String,
    /// All values that the service uses.
    verified: String,
}

struct Fuzz {
    settings: Settings,
    certificates: Vec<Certificate>,
    originals: Vec<Original>,
    /// Count by cause; accepted responses under "accepted".
    outcomes: BTreeMap<String, u64>,
    slowest: Duration,
}

impl Fuzz {
    fn new() -> Self {
        let idp = good_idp();
        let settings = kit::settings(&idp.pem());
        let certificates = settings.certificates().unwrap();
        let originals = originals(&idp).into_iter().map(|xml| {
            let verified = examine(&kit::pack(&xml), &settings, NOW).outcome.unwrap();
            let (signed, _) = signature::verify(&xml, &certificates).unwrap();
            Original { signed, verified: format!("{verified:?}"), xml }
        });
        let originals = originals.collect();
        Self { settings, certificates, originals, outcomes: BTreeMap::new(), slowest: Duration::ZERO }
    }

    /// Changes a response with `seed`, submits it and checks the result.
    fn try_one(&mut self, seed: u64) {
        let mut dice = Dice::new(seed);
        let xmls: Vec<&str> = self.originals.iter().map(|original| original.xml.as_str()).collect();
        let posted = pack::pack(&change::change(&xmls, &mut dice), &mut dice);
        let before = cpu::of_this_thread();
        let walked = catch_unwind(AssertUnwindSafe(|| examine(&posted, &self.settings, NOW)));
        let taken = cpu::since(before);
        let Ok(examined) = walked else {
            panic!("seed {seed} made the service panic; what was posted:\n{posted}")
        };
        self.slowest = self.slowest.max(taken);
        assert!(taken < LIMIT, "seed {seed} took {taken:?}; what was posted:\n{posted}");
        let failed: Vec<_> = examined.ladder.steps.iter().filter_map(|step| step.cause).collect();
        let outcome = match examined.outcome {
            Err(refused) => {
                assert_eq!(failed, [refused.cause], "seed {seed}; what was posted:\n{posted}");
                refused.cause.code()
            }
            Ok(verified) => {
                let xml = examined.xml.unwrap_or_default();
                self.check_accepted(seed, &verified, &xml);
                "accepted"
            }
        };
        // Reading the request id before all checks must not panic either.
        let _ = check::claimed_request(&posted);
        *self.outcomes.entry(outcome.to_owned()).or_default() += 1;
    }

    /// An accepted response must be one that was signed: all values the service uses and the covered bytes are unchanged.
    fn check_accepted(&self, seed: u64, verified: &check::VerifiedResponse, xml: &str) {
        let verified = format!("{verified:?}");
        let (signed, _) = signature::verify(xml, &self.certificates).unwrap();
        let is_original = |one: &Original| one.verified == verified && one.signed == signed;
        assert!(self.originals.iter().any(is_original), "seed {seed} was accepted: {verified}\n{xml}");
    }
}

/// Responses signed in every way, with few groups and many, identified by e-mail address and by account.
fn originals(idp: &Idp) -> Vec<String> {
    let groups: Vec<String> = (0..50).map(|n| format!("group-{n}")).collect();
    let groups: Vec<&str> = groups.iter().map(String::as_str).collect();
    let many = Answer::to(kit::REQUEST, "_a2", "mei@example.com", &groups);
    let other = Answer::to(kit::REQUEST, "_a3", "admin@example.com", &["admins"]);
    let mut all = Vec::new();
    for (signs_response, signs_assertion) in [(false, true), (true, false), (true, true)] {
        for answer in [Answer::good(), many.clone(), other.clone()] {
            all.push(Answer { signs_response, signs_assertion, ..answer }.signed(idp));
        }
    }
    all
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name)
        .ok()
        .map(|value| value.parse().unwrap_or_else(|_| panic!("{name} is no number: {value}")))
}

#[test]
fn changed_answers_are_refused_with_a_cause_or_say_what_was_signed() {
    let mut fuzz = Fuzz::new();
    let first = number("FUZZ_SEED").unwrap_or(1) << 32;
    let rounds = match number("FUZZ_SECONDS") {
        None => {
            (first..first + ROUNDS).for_each(|seed| fuzz.try_one(seed));
            ROUNDS
        }
        Some(seconds) => {
            let end = Instant::now() + Duration::from_secs(seconds);
            let mut seed = first;
            while Instant::now() < end {
                fuzz.try_one(seed);
                seed += 1;
            }
            seed - first
        }
    };
    println!("{rounds} answers, the slowest {:?} of CPU; {:#?}", fuzz.slowest, fuzz.outcomes);
    // If all changes failed at the same check, the test would prove little.
    assert!(fuzz.outcomes.len() > 25, "{:?}", fuzz.outcomes);
    assert!(fuzz.outcomes.contains_key("accepted") && fuzz.outcomes.contains_key("signature_wrong"));
}
