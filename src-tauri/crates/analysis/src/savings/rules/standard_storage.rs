//! Rule: buckets with everything in the most expensive storage class that are hardly read.
//!
//! Limits of reading: OptScale, `bumiworker/modules/recommendations/s3_abandoned_buckets.py` (1,024 MB, 2,000 requests of tier 2). Price:
//! <https://aws.amazon.com/s3/pricing/>: objects that were not read for 30 days cost 40% less in Intelligent-Tiering.

use super::Judge;
use super::simple::{figures, number, threshold};
use crate::savings::bill::{Bill, Line};
use crate::savings::finding::{Figure, Finding, Saving};
use crate::savings::rule::{Action, Category, Confidence, Rule, Threshold};
use crate::savings::subject::{Subject, subjects};

const SHARE: &str = "0.4";

const RULE: Rule = Rule {
    name: "standard_storage",
    version: 1,
    about: "A bucket holds all objects in the standard class, and they are hardly read.",
    source: "https://aws.amazon.com/s3/pricing/",
    aliases: &["bucket_no_lifecycle", "s3_abandoned_buckets", "ws_aws_s3_no_lifecycle"],
    category: Category::Configuration,
    action: Action::Modify,
    confidence: Confidence::Low,
    thresholds: &[
        Threshold { name: "Objects of at least", value: "1", unit: "GB" },
        Threshold { name: "Requests that read below", value: "2000", unit: "in the period" },
        Threshold { name: "Share that is saved", value: SHARE, unit: "of the cost of storage" },
    ],
    limits: "By the bill only; it does not say which objects are read.",
    effort: "Set a lifecycle rule to Intelligent-Tiering",
};

pub const JUDGE: Judge = Judge {
    rule: &RULE,
    reads: |usage| is_standard(usage) || is_tiered(usage) || is_reading(usage),
    find: judge,
};

fn judge(bill: &Bill) -> Vec<Finding> {
    let is_bucket =
        |line: &Line| is_storage_service(line) && (is_standard(&line.usage) || is_tiered(&line.usage));
    let reads = subjects(bill, |line| is_storage_service(line) && is_reading(&line.usage));
    subjects(bill, is_bucket)
        .iter()
        .filter(|subject| {
            subject.key.resource.is_some()
                && subject.is_billed_still(1)
                && !subject.has(|line| is_tiered(&line.usage))
                && subject.quantity(|_| true) >= threshold(&RULE, 0)
        })
        .filter_map(|subject| {
            let read = reads.iter().find(|one| one.key == subject.key);
            let requests = read.map(|one: &Subject<'_>| one.quantity(|_| true)).unwrap_or_default();
            if requests >= threshold(&RULE, 1) {
                return None;
            }
            let mut figures = figures(subject);
            figures.push(Figure::new("Requests that read", requests, "requests"));
            let title = format!("Move cold objects of {} to a cheaper class", subject.name());
            let why =
                format!("All objects are in the standard class, and {requests} requests read in the period.");
            subject.finding(&RULE, Saving::Share(number(SHARE)), (title, why), figures)
        })
        .collect()
}

fn is_storage_service(line: &Line) -> bool {
    let service = line.service.to_ascii_lowercase();
    service.contains("s3") || service.contains("simple storage")
}

fn is_standard(usage: &str) -> bool {
    usage.ends_with("TimedStorage-ByteHrs")
}

fn is_tiered(usage: &str) -> bool {
    usage.split_once("TimedStorage-").is_some_and(|(_, class)| class != "ByteHrs")
}

fn is_reading(usage: &str) -> bool {
    usage.ends_with("Requests-Tier2")
}
