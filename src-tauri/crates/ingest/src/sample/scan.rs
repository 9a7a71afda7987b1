//! A Trivy scan of an image of the sample.

use super::before;
use serde_json::{Value, json};

/// Package, installed version, fixed version, severity, the finding's id, title.
type Vulnerability = (&'static str, &'static str, &'static str, &'static str, &'static str, &'static str);

/// The ids are fictitious; no such vulnerability was ever published.
const VULNERABILITIES: [Vulnerability; 7] = [
    (
        "libssl3",
        "3.0.9-1",
        "3.0.14-1",
        "CRITICAL",
        "SAMPLE-2026-0001",
        "A crafted certificate writes beyond a buffer",
    ),
    ("libssl3", "3.0.9-1", "3.0.14-1", "HIGH", "SAMPLE-2026-0002", "A handshake is not ended"),
    ("openssl", "3.0.9-1", "3.0.14-1", "HIGH", "SAMPLE-2026-0003", "A key is read from memory"),
    ("zlib1g", "1.2.13", "1.3.1", "MEDIUM", "SAMPLE-2026-0004", "A length is counted too short"),
    ("curl", "7.88.1-10", "7.88.1-12", "HIGH", "SAMPLE-2026-0005", "A redirect keeps credentials"),
    (
        "perl-base",
        "5.36.0-7",
        "",
        "LOW",
        "SAMPLE-2026-0006",
        "A temporary file has a name that can be guessed",
    ),
    ("bash", "5.2.15-2", "", "LOW", "SAMPLE-2026-0007", "A history file is readable by the group"),
];

/// The report as JSON.
pub fn scan(now: i64) -> String {
    let found = VULNERABILITIES.iter().map(|(package, installed, fixed, severity, id, title)| {
        json!({
            "VulnerabilityID": id, "PkgID": format!("{package}@{installed}"), "PkgName": package,
            "InstalledVersion": installed, "FixedVersion": fixed, "Severity": severity, "Title": title,
            "Status": if fixed.is_empty() { "affected" } else { "fixed" },
        })
    });
    json!({
        "SchemaVersion": 2,
        "CreatedAt": before(now, 300),
        "ArtifactName": "registry.example/shop/checkout:2.14.0",
        "ArtifactType": "container_image",
        "Metadata": { "OS": { "Family": "debian", "Name": "12.5" } },
        "Results": [{
            "Target": "registry.example/shop/checkout:2.14.0 (debian 12.5)",
            "Class": "os-pkgs", "Type": "debian",
            "Vulnerabilities": found.collect::<Vec<Value>>(),
        }],
    })
    .to_string()
}
