//! Fuzz tests: damaged files of every shape go through the whole import. Each ends in a report, without a panic, in limited time and memory.
//!
//! The mutations are seeded and can be repeated: `make fuzz SHAPE=zip SECONDS=3600 SEED=1`. The last file tried is stored as
//! `target/fuzz/SHAPE.last`.

use super::bill_aws_cur::report;
use super::bill_azure_cost::export;
use super::containers::{tar, zip};
use super::kit::{House, PARTIES, focus, gzip};
use super::rows_parquet;
use parquet::basic::Compression;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A shape, with small files of it.
type Shape = (&'static str, fn() -> Vec<Vec<u8>>);

const SHAPES: [Shape; 10] = [
    ("csv", csv),
    ("json", json),
    ("ndjson", ndjson),
    ("yaml", yaml),
    ("text", text),
    ("parquet", parquet_files),
    ("gzip", || csv().iter().chain(&json()).map(|bytes| gzip(bytes)).collect()),
    ("zstd", || csv().iter().map(|bytes| zstd::encode_all(bytes.as_slice(), 1).unwrap()).collect()),
    ("zip", || vec![zip(&members()), zip(&[("a/inner.zip", &zip(&members()))])]),
    ("tar", || vec![tar(&members()), gzip(&tar(&members())), tar(&[("inner.tar", &tar(&members()))])]),
];

/// Time limit for one file; a longer one is assumed never to end.
const PATIENCE: Duration = Duration::from_secs(20);
/// Memory limit of the process while only small files are read, in KiB.
const MOST_KIB: u64 = 400 << 10;

fn csv() -> Vec<Vec<u8>> {
    let charge =
        [("1.5 USD 2026-05-02", "AWS,100,200,Shop"), ("-0.25 USD 2026-05-03", "AWS,100,200,\"Sh\"\"op\"")];
    let azure = [
        ("05/13/2026", "Usage", "OnDemand", "", "1.25"),
        ("05/14/2026", "Purchase", "Reservation", "r-1", "7"),
    ];
    [
        focus(PARTIES, &charge),
        report("", &[("Usage", "10", ""), ("Tax", "2", ""), ("Credit", "-1", "")]),
        export(&azure),
        "account,resource,metric,time,value\n1,i-1,cpu,2026-01-01T00:00:00Z,0.5\n".to_owned(),
        "CHECK_ID;STATUS;FINDING_UID;SEVERITY;ACCOUNT_UID;RESOURCE_UID\nc1;FAIL;f1;high;1;r1\n".to_owned(),
    ]
    .map(String::into_bytes)
    .to_vec()
}

const ROW: &str = r#"{"BilledCost":"1.5","BillingCurrency":"USD","BillingAccountId":"1","BillingPeriodStart":"2026-05-01T00:00:00Z","ChargePeriodStart":"2026-05-02T00:00:00Z","ChargePeriodEnd":"2026-05-03T00:00:00Z","ChargeCategory":"Usage","ServiceName":"EC2","ProviderName":"AWS","Tags":{"env":"prod"}}"#;
const PODS: &str = r#"{"kind":"List","items":[{"kind":"Pod","metadata":{"name":"a","namespace":"b","uid":"u"},"spec":{"containers":[{"name":"c","resources":{"requests":{"cpu":"100m"}}}]},"status":{"phase":"Running"}}]}"#;
const TRIVY: &str = r#"{"SchemaVersion":2,"ArtifactName":"a","ArtifactType":"container_image","Results":[{"Target":"t","Vulnerabilities":[{"VulnerabilityID":"CVE-1","PkgName":"z","Severity":"HIGH"}]}]}"#;

fn json() -> Vec<Vec<u8>> {
    vec![format!("[{ROW},{ROW}]").into_bytes(), PODS.into(), TRIVY.into()]
}

fn ndjson() -> Vec<Vec<u8>> {
    let pod =
        PODS.strip_prefix(r#"{"kind":"List","items":["#).and_then(|pod| pod.strip_suffix("]}")).unwrap();
    vec![format!("{ROW}\n{ROW}\n").into_bytes(), format!("{pod}\n{pod}\n").into_bytes()]
}

fn yaml() -> Vec<Vec<u8>> {
    let pod = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  namespace: b\n  labels: {x: \"y\", z: |\n    long\n    }\nspec:\n  containers:\n  - name: c\n    image: \"x:1\"\n";
    let list = "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Node\n  metadata:\n    name: n\n- kind: Namespace\n  metadata: {name: &a b, uid: *a}\nkind: List\n";
    vec![pod.into(), list.into(), format!("{pod}---\n{list}").into_bytes()]
}

fn text() -> Vec<Vec<u8>> {
    let klog =
        "I0501 10:00:00.000000       1 main.go:1] started\nE0501 10:00:01.000000       1 main.go:2] failed\n";
    let utf16: Vec<u8> = [0xff, 0xfe]
        .into_iter()
        .chain(
            focus(PARTIES, &[("1 USD 2026-05-02", "AWS,1,2,Shop")]).encode_utf16().flat_map(u16::to_le_bytes),
        )
        .collect();
    vec![klog.into(), "NAME CPU(cores) MEMORY(bytes)\nweb-1 10m 20Mi\n".into(), utf16]
}

fn parquet_files() -> Vec<Vec<u8>> {
    [Compression::UNCOMPRESSED, Compression::SNAPPY].map(|packed| rows_parquet::file(3, packed)).to_vec()
}

fn members() -> [(&'static str, &'static [u8]); 3] {
    [
        ("bundle/cluster-resources/pods/b.json", PODS.as_bytes()),
        ("scan.json", TRIVY.as_bytes()),
        ("rows.json", ROW.as_bytes()),
    ]
}

/// A deterministic pseudo-random generator.
struct Dice(u64);

impl Dice {
    /// The generator for one file of a run.
    fn of(seed: u64, number: u64) -> Self {
        let mixed = (seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        Self(mixed | 1)
    }

    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or_default() % sides.max(1)
    }
}

/// Cuts, repeats, moves or replaces slices, or inserts too large numbers or text that is difficult for parsers.
fn damage(bytes: &[u8], dice: &mut Dice) -> Vec<u8> {
    const WORDS: [&[u8]; 20] = [
        b"{",
        b"}",
        b"[",
        b"]",
        b"\"",
        b",",
        b";",
        b":",
        b"\n",
        b"\r\n",
        b"null",
        b"-",
        b"1e999",
        b"\0",
        b"\\u",
        b"\xef\xbb\xbf",
        b"../",
        b"99999999999999999999",
        b"&a *a",
        b"PK\x03\x04",
    ];
    let mut bytes = bytes.to_vec();
    for _ in 0..=dice.roll(4) {
        let at = dice.roll(bytes.len() + 1);
        let to = (at + dice.roll(40)).min(bytes.len());
        match dice.roll(8) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..to)),
            2 => {
                let piece = bytes[at..to].to_vec();
                bytes.splice(at..at, piece.repeat(1 + dice.roll(8)));
            }
            3 if at < bytes.len() => bytes[at] = u8::try_from(dice.roll(256)).unwrap_or_default(),
            4 if at < bytes.len() => bytes[at] ^= 1 << dice.roll(8),
            5 => {
                let width = [1, 2, 4, 8][dice.roll(4)].min(bytes.len() - at);
                let value = [0x00, 0x7f, 0x80, 0xff][dice.roll(4)];
                bytes[at..at + width].fill(value);
            }
            6 => {
                let other = dice.roll(bytes.len() + 1);
                let piece = bytes[at..to].to_vec();
                bytes.splice(other..other, piece);
            }
            _ => bytes
                .splice(at..to.min(at + dice.roll(2)), WORDS[dice.roll(WORDS.len())].iter().copied())
                .for_each(drop),
        }
    }
    bytes
}

/// Imports one damaged file; its report states a result or a refusal.
fn try_one(house: &House, samples: &[Vec<u8>], (seed, number): (u64, u64), keep: Option<&Path>) {
    let mut dice = Dice::of(seed, number);
    let bytes = damage(&samples[dice.roll(samples.len())], &mut dice);
    if let Some(path) = keep {
        std::fs::write(path, &bytes).unwrap();
    }
    let path = house.file("file", &bytes);
    let report = house.try_import(&path, true, &AtomicBool::new(false));
    let report = report.unwrap_or_else(|error| panic!("seed {seed}, file {number}: {error}"));
    assert_eq!(report.rows_read, report.rows_written + report.rows_skipped, "seed {seed}, file {number}");
    assert!(report.error.is_none_or(|error| !error.message.is_empty()), "seed {seed}, file {number}");
}

#[test]
fn damaged_files_of_every_shape_end_in_a_report() {
    let house = House::new();
    for (_, samples) in SHAPES {
        let samples = samples();
        for number in 0..60 {
            try_one(&house, &samples, (7, number), None);
        }
    }
}

#[test]
#[ignore = "runs as long as it is told to: make fuzz"]
fn fuzz_for_a_while() {
    let told = |name: &str, usual: &str| {
        std::env::var(name).ok().filter(|value| !value.is_empty()).unwrap_or(usual.to_owned())
    };
    let (shape, seed) = (told("SHAPE", "all"), told("SEED", "1").parse().expect("SEED is a number"));
    let seconds = told("SECONDS", "60").parse().expect("SECONDS is a number");
    let chosen: Vec<Shape> =
        SHAPES.into_iter().filter(|(name, _)| shape == "all" || *name == shape).collect();
    assert!(
        !chosen.is_empty(),
        "SHAPE is {shape}: expected all or one of {:?}",
        SHAPES.map(|(name, _)| name)
    );
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../target/fuzz"));
    std::fs::create_dir_all(&folder).unwrap();
    let each = Duration::from_secs(seconds) / u32::try_from(chosen.len()).unwrap();
    for (name, samples) in chosen {
        let (samples, house, last) = (samples(), House::new(), folder.join(format!("{name}.last")));
        let (began, tried) = (Instant::now(), Arc::new(AtomicU64::new(0)));
        watch(name, Arc::clone(&tried), Duration::from_secs(seconds));
        let mut number = 0;
        while began.elapsed() < each {
            try_one(&house, &samples, (seed, number), Some(&last));
            number += 1;
            tried.store(number, Ordering::Relaxed);
            let peak = peak_kib();
            assert!(peak < MOST_KIB, "{name}, seed {seed}, file {number}: {peak} KiB");
        }
        // Ends the watchdog of this shape.
        tried.store(u64::MAX, Ordering::Relaxed);
        println!(
            "{name}: {number} files from seed {seed}, none of them a finding; at most {} MiB",
            peak_kib() >> 10
        );
    }
}

/// Ends the process when a file takes too long: a reading thread cannot be stopped otherwise.
fn watch(name: &'static str, tried: Arc<AtomicU64>, most: Duration) {
    std::thread::spawn(move || {
        let (mut before, mut since) = (0, Instant::now());
        let began = Instant::now();
        while began.elapsed() < most + PATIENCE * 2 {
            std::thread::sleep(Duration::from_millis(200));
            let now = tried.load(Ordering::Relaxed);
            if now == u64::MAX {
                return;
            }
            if now > before {
                (before, since) = (now, Instant::now());
            } else if since.elapsed() > PATIENCE {
                eprintln!("{name}: file {now} takes longer than {PATIENCE:?}; it is target/fuzz/{name}.last");
                std::process::exit(101);
            }
        }
    });
}

/// The peak memory of this process; 0 when the system does not report it.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse().ok()).unwrap_or_default()
}
