//! Writes findings of scanners as rows of `recommendation`.
//!
//! A finding is matched by account, category, check and subject. Status, assignee and notes belong to users and are not changed, with these
//! exceptions: a passed check closes the finding, as does a later scan of the same target without it; a finding closed by a scan is
//! reopened when a later scan reports it again.

use super::accounts::Accounts;
use super::resources::{Resource, Resources};
use super::{Job, Journal};
use crate::ids;
use crate::limit::FINDINGS_REMEMBERED;
use crate::providers;
use ::formats::reason;
use ::formats::record::{Account, Finding, FindingState, Listing, Scan};
use catalogue::{Value, ValueRef, format_date, format_timestamp, parse_timestamp};
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeSet, HashSet};
use std::rc::Rc;
use store::{StoreError, Transaction, eq, one_of};
use uuid::Uuid;

const TABLE: &str = "recommendation";
/// Columns that an import changes in an existing recommendation.
const CHANGED: [&str; 9] = [
    "recommendation",
    "estimated_savings",
    "severity",
    "recommendation_action",
    "status",
    "note",
    "is_dismissed",
    "dismissed_reason",
    "updated_at",
];
/// States with work left to do.
const OPEN: [&str; 3] = ["Open", "Assigned", "InProgress"];
/// The start of the note of a recommendation closed by an import.
const CLOSED: &str = "Closed by an import:";
/// The start of the note of a recommendation closed when its pull request was merged, before an import confirmed the change. The merge time
/// follows.
const CLOSED_BY_MERGE: &str = "Closed: its pull request was merged";
/// The start of the note of a recommendation archived as a duplicate of another one.
pub const DUPLICATE_NOTE: &str = "The same advice as ";
/// The status of these duplicates.
const ARCHIVE: &str = "Archive";
const SUPPRESSED: &str = "Suppressed in the tool that found it.";
const DAY: i64 = 86_400_000_000;
const REPEATED: &str = "a duplicate of an earlier finding of the file";
const OLDER: &str = "a newer scan of the same thing is imported already";

/// Writes the findings of one file.
pub struct Findings<'a> {
    transaction: &'a Transaction<'a>,
    job: Job,
    journal: Rc<Journal<'a>>,
    scans: BTreeSet<(Uuid, &'static str, String, Option<i64>)>,
    met: HashSet<Uuid>,
    closed: u64,
    reopened: u64,
    kept: u64,
}

/// A stored recommendation.
struct StoredRecommendation {
    id: Uuid,
    status: String,
    note: Option<String>,
    severity: Option<String>,
    /// The JSON of the column `recommendation`.
    details: String,
}

impl StoredRecommendation {
    const COLUMNS: [&'static str; 5] = ["id", "status", "note", "severity", "recommendation"];

    fn of(row: &[Value]) -> Option<Self> {
        let text = |place: usize| row.get(place).and_then(Value::as_text).map(str::to_owned);
        Some(Self {
            id: row.first()?.as_uuid()?,
            status: text(1).unwrap_or_default(),
            note: text(2),
            severity: text(3),
            details: text(4).unwrap_or_default(),
        })
    }

    fn is_open(&self) -> bool {
        OPEN.contains(&self.status.as_str())
    }

    /// Whether it is archived as a duplicate of another recommendation.
    fn is_duplicate(&self) -> bool {
        self.status == ARCHIVE && self.note.as_deref().is_some_and(|note| note.starts_with(DUPLICATE_NOTE))
    }

    /// Whether it is closed when no scan reports it any more.
    fn may_end(&self) -> bool {
        self.is_open() || self.is_duplicate()
    }

    /// The finding's own JSON: the object, or the first element of a list.
    fn object(&self) -> Json {
        match serde_json::from_str(&self.details).unwrap_or_default() {
            Json::Array(mut list) if !list.is_empty() => list.remove(0),
            other => other,
        }
    }

    fn scanned_at(&self) -> Option<i64> {
        parse_timestamp(self.object().get("scanned_at")?.as_str()?)
    }
}

impl<'a> Findings<'a> {
    pub fn new(transaction: &'a Transaction<'a>, job: Job, journal: Rc<Journal<'a>>) -> Self {
        Self {
            transaction,
            job,
            journal,
            scans: BTreeSet::new(),
            met: HashSet::new(),
            closed: 0,
            reopened: 0,
            kept: 0,
        }
    }

    /// Records a scanned target.
    pub fn scan(&mut self, scan: &Scan, accounts: &mut Accounts<'_>) -> Result<(), StoreError> {
        let account = find_account(&scan.account, accounts)?;
        self.scans.insert((account, scan.tool, scan.target.clone(), scan.taken_at));
        Ok(())
    }

    /// Writes a finding; `Err` is the reason it is left out.
    pub fn write(
        &mut self,
        finding: &Finding,
        accounts: &mut Accounts<'_>,
        resources: &mut Resources<'_>,
    ) -> Result<Result<(), &'static str>, StoreError> {
        if finding.state == FindingState::Manual {
            return Ok(Err(reason::MANUAL));
        }
        let account = find_account(&finding.account, accounts)?;
        let taken_at = self.taken_at(account, finding);
        let id = self.id(account, finding);
        let found = self.transaction.select(TABLE, &StoredRecommendation::COLUMNS, &[eq("id", id)])?;
        let held = found.first().and_then(|row| StoredRecommendation::of(row));
        if !self.met.insert(id) {
            return Ok(Err(REPEATED));
        }
        if self.met.len() > FINDINGS_REMEMBERED {
            self.met.clear();
            self.scans.clear();
        }
        if let (Some(taken), Some(scanned)) =
            (taken_at, held.as_ref().and_then(StoredRecommendation::scanned_at))
            && scanned > taken
        {
            return Ok(Err(OLDER));
        }
        match (finding.state, held) {
            (FindingState::Passed, None) => {}
            (FindingState::Passed, Some(held)) => {
                if held.may_end() {
                    self.close(&held, "the check passes now", taken_at)?;
                }
            }
            (_, Some(held)) => self.update(&held, finding, taken_at)?,
            (_, None) => self.insert(id, account, finding, taken_at, resources)?,
        }
        Ok(Ok(()))
    }

    /// Closes findings of earlier scans of the same targets that this file does not contain. Returns notes about existing recommendations.
    pub fn finish(&mut self) -> Result<Vec<String>, StoreError> {
        let accounts: BTreeSet<Uuid> = self.scans.iter().map(|scan| scan.0).collect();
        for account in accounts {
            let open = one_of("status", OPEN.iter().chain(&[ARCHIVE]).map(|word| (*word).into()).collect());
            let mut gone = Vec::new();
            for row in self.transaction.select(
                TABLE,
                &StoredRecommendation::COLUMNS,
                &[eq("cloud_account_id", account), open],
            )? {
                let is_gone = |held: &StoredRecommendation| held.may_end() && !self.met.contains(&held.id);
                let Some(held) = StoredRecommendation::of(&row).filter(is_gone) else { continue };
                let object = held.object();
                let word = |key: &str| object.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
                let (tool, target) = (word("tool"), word("scanned"));
                let scan = self.scans.iter().find(|(of, its_tool, its_target, _)| {
                    *of == account && *its_tool == tool && *its_target == target
                });
                let Some((.., taken_at)) = scan else { continue };
                if held.scanned_at().zip(*taken_at).is_none_or(|(before, now)| before <= now) {
                    gone.push((held, *taken_at));
                }
            }
            for (held, taken_at) in gone {
                self.close(&held, "a later scan of the same thing does not find it any more", taken_at)?;
            }
        }
        let mut notes = Vec::new();
        let mut note = |count: u64, one: &str, many: &str| match count {
            0 => {}
            1 => notes.push(format!("1 {one}")),
            count => notes.push(format!("{count} {many}")),
        };
        note(
            self.closed,
            "recommendation was closed: it is not found any more, or its check passes.",
            "recommendations were closed: they are not found any more, or their checks pass.",
        );
        note(
            self.reopened,
            "recommendation that an earlier import closed is open again.",
            "recommendations that earlier imports closed are open again.",
        );
        note(
            self.kept,
            "recommendation keeps the status a person gave it.",
            "recommendations keep the status a person gave them.",
        );
        Ok(notes)
    }

    fn taken_at(&self, account: Uuid, finding: &Finding) -> Option<i64> {
        let (tool, target) = finding.scan.as_ref()?;
        self.scans
            .iter()
            .find(|scan| scan.0 == account && scan.1 == *tool && scan.2 == *target)
            .and_then(|scan| scan.3)
    }

    fn id(&self, account: Uuid, finding: &Finding) -> Uuid {
        let account = account.to_string();
        let parts = [&account, finding.category, &finding.rule, &finding.subject];
        ids::derived(self.job.tenant, "finding", &parts)
    }

    fn insert(
        &mut self,
        id: Uuid,
        account: Uuid,
        finding: &Finding,
        taken_at: Option<i64>,
        resources: &mut Resources<'_>,
    ) -> Result<(), StoreError> {
        let meta = finding.namespace.as_ref().map(|namespace| json!({ "namespace": namespace }).to_string());
        let resource = resources.find_or_add(Resource {
            account,
            provider: providers::lookup_value(&finding.account.provider),
            external_id: &finding.subject,
            name: finding.subject_name.as_deref(),
            kind: finding.subject_kind.as_deref(),
            region: finding.region.as_deref(),
            service_name: finding.service_name.as_deref(),
            tags: None,
            meta: meta.as_deref(),
            seen: taken_at,
        })?;
        let rule_name = finding.listing.rule_name().unwrap_or(&finding.rule);
        // Some listings use one rule name for many checks; the subject then includes the check.
        let object = match finding.listing {
            Listing::Recommendations => finding.subject.clone(),
            _ => format!("{} {}", finding.subject, finding.rule),
        };
        let json = details(finding, taken_at);
        let is_suppressed = finding.state == FindingState::Suppressed;
        self.journal.inserted(TABLE, Value::Uuid(id))?;
        self.transaction.insert(
            TABLE,
            &[
                ("id", id.into()),
                ("cloud_account_id", account.into()),
                ("resource_id", resource.into()),
                ("account_object_id", (&object).into()),
                ("category", finding.category.into()),
                ("rule_name", rule_name.into()),
                ("recommendation", ValueRef::Json(&json)),
                ("estimated_savings", finding.monthly_savings.into()),
                ("severity", finding.severity.name().into()),
                ("recommendation_action", finding.action.into()),
                ("status", if is_suppressed { "Dismissed" } else { "Open" }.into()),
                ("is_dismissed", is_suppressed.into()),
                ("dismissed_reason", is_suppressed.then_some(SUPPRESSED).into()),
            ],
        )
    }

    fn update(
        &mut self,
        held: &StoredRecommendation,
        finding: &Finding,
        taken_at: Option<i64>,
    ) -> Result<(), StoreError> {
        let json = details(finding, taken_at);
        let was_closed_here = held.note.as_deref().is_some_and(|note| note.starts_with(CLOSED));
        // Merged before the scan, but the scan still reports it.
        let was_merged = held.note.as_deref().and_then(merged_at).zip(taken_at);
        let is_known = was_closed_here || was_merged.is_some_and(|(merged, taken)| taken > merged);
        let is_back = held.status == "Closed" && is_known && finding.state == FindingState::Open;
        let is_suppressed = held.is_open() && finding.state == FindingState::Suppressed;
        self.kept += u64::from(!held.is_open() && !is_back);
        self.reopened += u64::from(is_back);
        let severity = finding.severity.name();
        let is_same = held.details == json && held.severity.as_deref() == Some(severity);
        if is_same && !is_back && !is_suppressed {
            return Ok(());
        }
        self.journal.updates(TABLE, held.id, &CHANGED)?;
        let mut set = vec![
            ("recommendation", ValueRef::Json(&json)),
            ("estimated_savings", finding.monthly_savings.into()),
            ("severity", severity.into()),
            ("recommendation_action", finding.action.into()),
            ("updated_at", ValueRef::Timestamp(self.job.now)),
        ];
        if is_back {
            set.extend([("status", "Open".into()), ("note", ValueRef::Null)]);
        }
        if is_suppressed {
            set.extend([
                ("status", "Dismissed".into()),
                ("is_dismissed", true.into()),
                ("dismissed_reason", SUPPRESSED.into()),
            ]);
        }
        self.transaction.update(TABLE, &[eq("id", held.id)], &set).map(drop)
    }

    fn close(
        &mut self,
        held: &StoredRecommendation,
        why: &str,
        taken_at: Option<i64>,
    ) -> Result<(), StoreError> {
        self.closed += 1;
        let day = i32::try_from(taken_at.unwrap_or(self.job.now).div_euclid(DAY)).unwrap_or_default();
        let mut note = format!("{CLOSED} {why} ({}).", format_date(day));
        // A duplicate has no saving of its own.
        if let Some(before) = held.note.as_ref().filter(|_| held.is_duplicate()) {
            note.push(' ');
            note.push_str(before);
        }
        self.journal.updates(TABLE, held.id, &CHANGED)?;
        let set = [
            ("status", "Closed".into()),
            ("note", note.as_str().into()),
            ("updated_at", ValueRef::Timestamp(self.job.now)),
        ];
        self.transaction.update(TABLE, &[eq("id", held.id)], &set).map(drop)
    }
}

/// The time at which the pull request that closed the recommendation was merged, from its note.
fn merged_at(note: &str) -> Option<i64> {
    parse_timestamp(note.strip_prefix(CLOSED_BY_MERGE)?.trim())
}

fn find_account(account: &Account, accounts: &mut Accounts<'_>) -> Result<Uuid, StoreError> {
    accounts.find_or_add(&account.provider, &account.number, account.name.as_deref())
}

/// The JSON for `recommendation.recommendation`: the details from the file, the scan target and the tool.
fn details(finding: &Finding, taken_at: Option<i64>) -> String {
    let mut details: Map<String, Json> = finding.details.clone();
    details.entry("title").or_insert_with(|| finding.title.as_str().into());
    // A recommendation about one resource is its own change; findings of checks are grouped by change.
    if finding.scan.is_some() || matches!(finding.category, "Configuration" | "Security") {
        details.insert("change".to_owned(), change(finding).into());
    }
    if let Some((tool, target)) = &finding.scan {
        details.insert("tool".to_owned(), (*tool).into());
        details.insert("scanned".to_owned(), target.as_str().into());
    }
    if let Some(taken_at) = taken_at {
        details.insert("scanned_at".to_owned(), format!("{}Z", format_timestamp(taken_at)).into());
    }
    match finding.listing {
        Listing::Misconfigurations => Json::Array(vec![details.into()]).to_string(),
        _ => Json::Object(details).to_string(),
    }
}

/// The change that resolves a finding: one upgrade resolves all vulnerabilities of a package in an image; a check has one change for all
/// subjects.
fn change(finding: &Finding) -> String {
    let text = |key: &str| finding.details.get(key).and_then(Json::as_str).filter(|text| !text.is_empty());
    match (finding.listing, text("PkgName"), text("image_name")) {
        (Listing::Vulnerabilities, Some(package), Some(image)) if text("FixedVersion").is_some() => {
            format!("Upgrade {package} in {image}")
        }
        (Listing::Vulnerabilities, Some(package), Some(image)) => {
            format!("Wait for a fix of {package} in {image}")
        }
        _ => finding.title.clone(),
    }
}
