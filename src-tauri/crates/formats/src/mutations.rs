//! Mutation tests: every sample is damaged in hundreds of seeded ways, and each read must end in records or a refusal, without a panic.

use crate::kubernetes::tests::RecordCollector;
use crate::{FORMATS, Head, ReadError, recognise};
use std::io::{self, Read};
use std::path::Path;

/// Small hand-written files, one for each shape that is read.
const SAMPLES: [&str; 23] = [
    r#"{"kind":"List","items":[{"kind":"Pod","metadata":{"name":"a","namespace":"b","uid":"u"},"spec":{"containers":[{"name":"c","resources":{"requests":{"cpu":"100m"}}}]},"status":{"phase":"Running"}}]}"#,
    "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  namespace: b\nspec:\n  containers:\n  - name: c\n    image: \"x:1\"\n",
    r#"{"code":200,"data":[{"web":{"properties":{"cluster":"p","namespace":"s"},"window":{"start":"2026-01-01T00:00:00Z","end":"2026-01-02T00:00:00Z"},"cpuCost":0.1,"totalCost":0.2}}]}"#,
    "Date,Namespace,ControllerKind,ControllerName,CPUCoreUsageAverage,TotalCost\n2026-01-01,a,deployment,b,0.5,1.25\n",
    "NAME CPU(cores) MEMORY(bytes)\nweb-1 10m 20Mi\n",
    "account,resource,metric,time,value\n1,i-1,cpu,2026-01-01T00:00:00Z,0.5\n",
    r#"{"status":"success","data":{"resultType":"vector","result":[{"metric":{"__name__":"up","pod":"a"},"value":[1777629600,"1"]}]}}"#,
    r#"{"resourceLogs":[{"resource":{"attributes":[]},"scopeLogs":[{"logRecords":[{"timeUnixNano":"1777629600000000000","body":{"stringValue":"x"}}]}]}]}"#,
    "I0501 10:00:00.000000       1 main.go:1] started\nE0501 10:00:01.000000       1 main.go:2] failed\n",
    r#"{"SchemaVersion":2,"ArtifactName":"a","ArtifactType":"container_image","Results":[{"Target":"t","Vulnerabilities":[{"VulnerabilityID":"CVE-1","PkgName":"z","Severity":"HIGH"}]}]}"#,
    r#"{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"s"}},"results":[{"ruleId":"R1","message":{"text":"x"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"f"}}}]}]}]}"#,
    r#"[{"finding_info":{"uid":"u","title":"t"},"severity_id":3,"class_uid":2003,"status_id":1,"resources":[{"uid":"r"}]}]"#,
    "CHECK_ID;STATUS;FINDING_UID;SEVERITY;ACCOUNT_UID;RESOURCE_UID\nc1;FAIL;f1;high;1;r1\n",
    r#"[{"SchemaVersion":"2018","ProductArn":"arn:aws:p","GeneratorId":"g","Id":"i","AwsAccountId":"1","Title":"t","Resources":[{"Id":"r"}]}]"#,
    r#"{"receiver":"q","groupLabels":{},"alerts":[{"status":"firing","labels":{"alertname":"A"},"annotations":{},"startsAt":"2026-05-01T10:00:00Z"}]}"#,
    r#"{"items":[{"recommendationId":"r","accountId":"1","resourceArn":"arn:aws:ec2:r:1:instance/i","actionType":"Stop","estimatedMonthlySavings":1.5,"currencyCode":"USD"}]}"#,
    r#"{"value":[{"id":"/subscriptions/s/x","properties":{"category":"Cost","impact":"High","recommendationTypeId":"t","shortDescription":{"problem":"p"},"resourceMetadata":{"resourceId":"/subscriptions/s/x"}}}]}"#,
    r#"[{"name":"projects/p/locations/l/recommenders/r/recommendations/i","recommenderSubtype":"S","primaryImpact":{"costProjection":{"cost":{"units":"-1","nanos":-5},"duration":"2592000s"}},"stateInfo":{"state":"ACTIVE"}}]"#,
    r#"{"projects":[{"name":"p","metadata":{},"breakdown":{"resources":[{"name":"aws_instance.a","monthlyCost":"1.5"}]}}],"totalMonthlyCost":"1.5","currency":"USD"}"#,
    r#"{"format_version":"1.0","terraform_version":"1","values":{"root_module":{"resources":[{"address":"aws_instance.a","mode":"managed","type":"aws_instance","values":{"arn":"arn:aws:ec2:r:123456789012:instance/i"}}]}}}"#,
    r#"{"version":4,"terraform_version":"1","serial":1,"lineage":"l","resources":[{"mode":"managed","type":"aws_x","name":"n","instances":[{"attributes":{"id":"i"}}]}]}"#,
    r#"{"scans":[{"object":{"cluster":"c","namespace":"n","name":"w","kind":"Deployment","container":"x","allocations":{}},"recommended":{"requests":{"cpu":{"value":"?"}}},"severity":"OK"}],"strategy":{}}"#,
    "name;group;date;value\norders;web;2026-01-01;5\nusers;;2026-01-02;1.5\n",
];
/// Mutations per sample.
const WAYS: u64 = 150;
/// Bytes read of each real file.
const MOST_BYTES: usize = 48 << 10;
const WAYS_OF_REAL_FILES: u64 = 6;
/// Maximum reads after the end of the file; a reader that exceeds it is in an endless loop.
const PATIENCE: usize = 10_000;

/// A pseudo-random generator with a fixed seed: every run has the same numbers.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or_default() % sides.max(1)
    }
}

/// Cuts, repeats, swaps or replaces a slice, or inserts text that is difficult for parsers.
fn damage(bytes: &[u8], dice: &mut Dice) -> Vec<u8> {
    const WORDS: [&str; 16] = [
        "{",
        "}",
        "[",
        "]",
        "\"",
        ",",
        ":",
        "null",
        "-",
        "1e999",
        "\u{0}",
        "\\",
        "\n",
        "\u{feff}",
        "99999999999999999999",
        "é",
    ];
    let mut bytes = bytes.to_vec();
    for _ in 0..=dice.roll(3) {
        let at = dice.roll(bytes.len() + 1);
        let to = (at + dice.roll(24)).min(bytes.len());
        match dice.roll(6) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..to)),
            2 => {
                let piece = bytes[at..to].to_vec();
                bytes.splice(at..at, piece.repeat(1 + dice.roll(4)));
            }
            3 if at < bytes.len() => bytes[at] = u8::try_from(dice.roll(256)).unwrap_or_default(),
            4 => bytes.splice(at..to, WORDS[dice.roll(WORDS.len())].bytes()).for_each(drop),
            _ => bytes.splice(at..at, WORDS[dice.roll(WORDS.len())].bytes()).for_each(drop),
        }
    }
    bytes
}

/// Panics when the reader is called too often after the end of the file.
struct BoundedReader<'a> {
    bytes: &'a [u8],
    after_end: usize,
}

impl Read for BoundedReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.bytes.is_empty() && !buffer.is_empty() {
            self.after_end += 1;
            assert!(self.after_end < PATIENCE, "an endless loop");
        }
        self.bytes.read(buffer)
    }
}

/// Reads a file with the format that recognises it and with the format `id`, whether or not that one recognises it.
fn try_all(bytes: &[u8], id: &str) {
    let head = Head::new(bytes, true);
    let recognised = recognise(&head).map(|format| format.id);
    for format in FORMATS.iter().filter(|format| Some(format.id) == recognised || format.id == id) {
        let mut read = BoundedReader { bytes, after_end: 0 };
        let outcome = (format.read)(&mut read, &mut RecordCollector::default());
        if let Err(ReadError::Refused { message, .. }) = outcome {
            assert!(!message.is_empty());
        }
    }
}

#[test]
fn damaged_samples_end_in_records_or_a_refusal() {
    for (number, sample) in SAMPLES.iter().enumerate() {
        let id = recognise(&Head::new(sample.as_bytes(), true)).unwrap_or_else(|| panic!("{sample}")).id;
        for way in 0..WAYS {
            let mut dice = Dice(0x9e37_79b9_7f4a_7c15 ^ (way + 1) ^ ((number as u64) << 32));
            try_all(&damage(sample.as_bytes(), &mut dice), id);
        }
        // Truncate at every byte.
        for end in 0..sample.len() {
            try_all(&sample.as_bytes()[..end], id);
        }
    }
}

#[test]
fn damaged_real_files_end_in_records_or_a_refusal() {
    let mut open = vec![Path::new("/work/shared/data").to_owned()];
    while let Some(folder) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.filter_map(Result::ok) {
            if entry.path().is_dir() {
                open.push(entry.path());
                continue;
            }
            let bytes = std::fs::read(entry.path()).unwrap();
            let bytes = &bytes[..bytes.len().min(MOST_BYTES)];
            let Some(format) = recognise(&Head::new(bytes, true)) else { continue };
            for way in 0..WAYS_OF_REAL_FILES {
                try_all(&damage(bytes, &mut Dice(0xdead_beef ^ (way + 1))), format.id);
            }
        }
    }
}

#[test]
fn deep_nesting_is_refused_or_left_out_by_every_format() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let deep = format!("{}1{}", open.repeat(100_000), close.repeat(100_000));
        for format in FORMATS {
            let mut read = BoundedReader { bytes: deep.as_bytes(), after_end: 0 };
            drop((format.read)(&mut read, &mut RecordCollector::default()));
        }
        // Nested inside a document of each format.
        for sample in SAMPLES.iter().filter(|sample| sample.starts_with('{')) {
            let deep = format!("{{\"deep\":{deep},{}", &sample[1..]);
            try_all(deep.as_bytes(), recognise(&Head::new(sample.as_bytes(), true)).unwrap().id);
        }
    }
}
