//! Measures the processor time of a SAML sign-in: a good response, eight at once, hostile responses, and pysaml2 on the same response.
//!
//! Processor time, unlike wall-clock time, does not depend on the load of the machine. HTTP is not included; it takes a fraction of a millisecond.

#[allow(dead_code, clippy::unwrap_used)] // it is a part of the tests
#[path = "../src/saml/kit.rs"]
mod kit;

use auth::saml::check::{self, VerifiedResponse};
use auth::saml::exchange::{SignInOptions, accept, begin, finish};
use auth::saml::provision::Deployment;
use auth::saml::{Settings, settings, time};
use auth::tenancy;
use catalogue::{Catalogue, Source};
use kit::{Answer, Idp, NOW};
use rustix::time::{ClockId, clock_gettime};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::Store;

const LOGINS: usize = 160;
/// `TIMES` as an integer, to divide by.
const TIMES: u32 = 160;
const AT_ONCE: usize = 8;
const DAY: i64 = 86_400_000_000;

fn main() {
    auth::saml::warm_up();
    let house = House::new();
    println!("{:<58}{:>12}{:>10}", "sign-in by SAML, processor time", "found", "goal");
    let (acs, hop) = house.sign_in_one_by_one();
    line("50 groups, both signed, the provider's POST: ms", ms(acs), "<= 3", acs <= Duration::from_millis(3));
    line("the hop after it: ms", ms(hop), "", true);
    let (at_once, speed_up) = house.sign_in_at_once();
    let growth = at_once.as_secs_f64() / (acs + hop).as_secs_f64();
    line(&format!("{AT_ONCE} at once: times the processor time of one"), growth, "<= 1.3", growth <= 1.3);
    line("  and times as many a second, on the wall", speed_up, "", true);
    let (name, slowest) = house.slowest_hostile();
    line(
        &format!("the slowest hostile one ({name}): ms"),
        ms(slowest),
        "<= 100",
        slowest < Duration::from_millis(100),
    );
    let checks = house.checks();
    line("its checks alone: ms", ms(checks), "", true);
    match house.pysaml2() {
        Some(theirs) => {
            line("pysaml2 on the same answer: ms", ms(theirs), "", true);
            let ratio = theirs.as_secs_f64() / checks.as_secs_f64();
            line("pysaml2 / ours", ratio, ">= 5", ratio >= 5.0);
        }
        None => println!("pysaml2 is not installed (Debian: python3-pysaml2): not compared"),
    }
}

fn line(what: &str, found: f64, goal: &str, is_met: bool) {
    let verdict = match (goal, is_met) {
        ("", _) => "",
        (_, true) => "met",
        (_, false) => "MISSED",
    };
    println!("{what:<58}{found:>12.2}{goal:>10}  {verdict}");
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Processor time of this process.
fn cpu() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or_default())
}

/// Processor time of this process since `before`.
fn since(before: Duration) -> Duration {
    cpu().saturating_sub(before)
}

struct House {
    store: Store,
    idp: Idp,
    settings: Settings,
    deployment: Deployment,
    folder: tempfile::TempDir,
}

impl House {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let store =
            Store::open(&folder.path().join("bench.db"), Arc::new(catalogue())).expect("a new database");
        tenancy::ensure(&store, None, NOW, &mut rand::rng()).expect("a first tenant");
        let idp = Idp::new("sso.example.com", NOW - DAY, NOW + 100 * DAY);
        let mapping = r#"{"group-1": "tenant_admin", "group-2": "tenant_admin_readonly"}"#;
        let draft = [("SAML_GROUP_MAPPING".to_owned(), Some(mapping.to_owned()))].into_iter().collect();
        let settings = kit::settings(&idp.pem()).with(&draft);
        Self { store, idp, settings, deployment: Deployment::SelfHosted { tenant: None }, folder }
    }

    /// A response with 50 groups to a new request. Assertion and response are both signed.
    fn answer(&self, n: usize) -> String {
        let verifier = self.settings.verifier().expect("complete settings");
        let wish = SignInOptions { browser: "browser", return_to: "/", test: None };
        let begun = begin(&self.store, &verifier, None, wish, NOW, &mut rand::rng()).expect("a request");
        let groups: Vec<String> = (0..50).map(|n| format!("group-{n}")).collect();
        let groups: Vec<&str> = groups.iter().map(String::as_str).collect();
        let email = format!("person{}@example.com", n % 20);
        let answer = Answer::to(&begun.id, &format!("_assertion{n}"), &email, &groups);
        kit::pack(&Answer { signs_response: true, ..answer }.signed(&self.idp))
    }

    fn answers(&self, from: usize) -> Vec<String> {
        (from..from + LOGINS).map(|n| self.answer(n)).collect()
    }

    /// Handles the POST of the provider's response. Returns the code for the next redirect.
    fn bring(&self, posted: &str) -> String {
        let verified: VerifiedResponse =
            check::examine(posted, &self.settings, NOW).outcome.expect("a good answer");
        accept(&self.store, &self.settings, &self.deployment, &verified, NOW, &mut rand::rng())
            .expect("a good answer")
    }

    fn sign_in(&self, posted: &str) {
        let code = self.bring(posted);
        finish(&self.store, &code, Some("browser"), NOW).expect("the browser that began");
    }

    /// The POST, and the redirect after it.
    fn sign_in_one_by_one(&self) -> (Duration, Duration) {
        // The first sign-in of each person creates the user.
        for posted in &self.answers(0) {
            self.sign_in(posted);
        }
        let answers = self.answers(LOGINS);
        let begun = cpu();
        let codes: Vec<String> = answers.iter().map(|posted| self.bring(posted)).collect();
        let brought = cpu();
        for code in &codes {
            finish(&self.store, code, Some("browser"), NOW).expect("the browser that began");
        }
        (brought.saturating_sub(begun) / TIMES, since(brought) / TIMES)
    }

    /// Time of one sign-in when several run at once, and their number per second.
    fn sign_in_at_once(&self) -> (Duration, f64) {
        let answers = self.answers(2 * LOGINS);
        let begun = Instant::now();
        for posted in &answers {
            self.sign_in(posted);
        }
        let one_by_one = begun.elapsed();
        let answers = self.answers(3 * LOGINS);
        let (begun, before) = (Instant::now(), cpu());
        std::thread::scope(|scope| {
            for part in answers.chunks(LOGINS / AT_ONCE) {
                scope.spawn(move || {
                    for posted in part {
                        self.sign_in(posted);
                    }
                });
            }
        });
        (since(before) / TIMES, one_by_one.as_secs_f64() / begun.elapsed().as_secs_f64())
    }

    fn checks(&self) -> Duration {
        let posted = self.answer(9999);
        let before = cpu();
        for _ in 0..LOGINS {
            let examined = check::examine(&posted, &self.settings, NOW);
            assert!(examined.outcome.is_ok(), "a good answer");
        }
        since(before) / TIMES
    }

    /// The slowest of the hostile responses, which are as large and as complex as the limits allow.
    fn slowest_hostile(&self) -> (&'static str, Duration) {
        let all = hostile(&self.idp).into_iter().map(|(name, posted)| {
            let before = cpu();
            let outcome = check::examine(&posted, &self.settings, NOW).outcome;
            let taken = since(before);
            assert!(outcome.is_err(), "{name} was accepted");
            (name, taken)
        });
        all.max_by_key(|(_, taken)| *taken).expect("there are some")
    }

    /// The time pysaml2 takes for the same response, where it is installed.
    fn pysaml2(&self) -> Option<Duration> {
        let python = ["python3", "/usr/bin/python3"].into_iter().find(|python| {
            Command::new(python).args(["-c", "import saml2"]).output().is_ok_and(|run| run.status.success())
        })?;
        let write = |name: &str, text: &str| -> PathBuf {
            let path = self.folder.path().join(name);
            std::fs::write(&path, text).expect("a temporary file");
            path
        };
        let groups: Vec<String> = (0..50).map(|n| format!("group-{n}")).collect();
        let groups: Vec<&str> = groups.iter().map(String::as_str).collect();
        let answer = Answer::to(kit::REQUEST, "_pysaml2", "mei@example.com", &groups);
        let posted = kit::pack(&Answer { signs_response: true, ..answer }.signed(&self.idp));
        let naked: String = self.idp.pem().lines().filter(|line| !line.starts_with("---")).collect();
        let run = Command::new(python)
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/pysaml2.py"))
            .args([write("answer", &posted), write("certificate", &naked)])
            .args([kit::ISSUER, kit::AUDIENCE, kit::ACS, kit::REQUEST])
            .output()
            .expect("python was just there");
        let text = String::from_utf8_lossy(&run.stdout);
        let seconds = text.trim().parse().unwrap_or_else(|_| {
            panic!("pysaml2 did not accept the answer: {text}{}", String::from_utf8_lossy(&run.stderr))
        });
        Some(Duration::from_secs_f64(seconds))
    }
}

/// Responses that are refused late, or that are large where a check could be slow.
fn hostile(idp: &Idp) -> Vec<(&'static str, String)> {
    let groups: Vec<String> = (0..2000).map(|n| format!("group-{n}")).collect();
    let groups: Vec<&str> = groups.iter().map(String::as_str).collect();
    let large =
        Answer { signs_response: true, ..Answer::to(kit::REQUEST, "_a1", "mei@example.com", &groups) };
    let large = large.signed(idp);
    let small = Answer::good().signed(idp);
    let many = |piece: &str, times: usize| {
        small.replacen(
            "</saml:AttributeStatement>",
            &format!("{}</saml:AttributeStatement>", piece.repeat(times)),
            1,
        )
    };
    let namespaces: String = (0..45).map(|n| format!(" xmlns:n{n}=\"urn:{n}\"")).collect();
    let nested = format!("{}{}", format!("<a{namespaces}>").repeat(15), "</a>".repeat(15));
    let texts = [
        ("2000 groups, one changed", large.replacen("group-1999", "group-x", 1)),
        ("2000 groups, signed by a stranger", {
            let stranger = Answer::to(kit::REQUEST, "_a1", "mei@example.com", &groups);
            Answer { signs_response: true, ..stranger }.signed(&Idp::stranger())
        }),
        ("10000 elements", many("<a/>", 9_900)),
        ("10000 namespaces", many(&format!("<a{namespaces}/>"), 250)),
        ("nested namespaces", many(&nested, 8)),
        ("400 kB of text", many(&"x".repeat(1000), 380)),
        ("400 kB of brackets", "<".repeat(380_000)),
        ("400 kB of quotes", format!("<a b=\"{}", "'".repeat(380_000))),
        ("400 kB of references to letters", many("&#x41;", 60_000)),
        (
            "a thousand references",
            many("<ds:Reference xmlns:ds=\"http://www.w3.org/2000/09/xmldsig#\" URI=\"#_a1\"/>", 1_000),
        ),
        ("10000 attributes of one name", many("<a b=\"\" b=\"\"/>", 5_000)),
        ("deeper than allowed", format!("{}{}", "<a>".repeat(50_000), "</a>".repeat(50_000))),
    ];
    let mut all: Vec<(&'static str, String)> =
        texts.into_iter().map(|(name, text)| (name, kit::pack(&text))).collect();
    all.push(("5 MB", "A".repeat(5_000_000)));
    all.push(("512 kB that is no XML", kit::pack(&"\u{1}".repeat(380_000))));
    all
}

fn catalogue() -> Catalogue {
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../schema");
    let mut files = Vec::new();
    for part in ["tables", "operations", "views"] {
        for entry in std::fs::read_dir(schema.join(part)).expect("the schema is there") {
            let path = entry.expect("it can be read").path();
            let name = path.file_name().and_then(|name| name.to_str()).expect("a plain name");
            files.push((format!("{part}/{name}"), std::fs::read_to_string(&path).expect("it can be read")));
        }
    }
    let sources: Vec<Source<'_>> = files.iter().map(|(name, text)| Source { name, text }).collect();
    Catalogue::parse(&sources).unwrap_or_else(|error| panic!("{error}"))
}
