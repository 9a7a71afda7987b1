//! Writes alerting rules as rows of `event_rules`.
//!
//! A file contains its rule groups completely: stored rules of a group that it no longer contains are disabled.

use super::accounts::Accounts;
use super::{Job, Journal};
use crate::ids;
use ::formats::record::{Account, AlertRule};
use catalogue::{Value, ValueRef};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use store::{StoreError, Transaction, eq};
use uuid::Uuid;

const TABLE: &str = "event_rules";
/// Columns that an import changes in an existing rule.
const CHANGED: [&str; 8] =
    ["expr", "duration", "labels", "annotations", "severity", "enabled", "updated_at", "updated_by"];
/// Values of the label `severity` that require immediate action.
const CRITICAL: [&str; 7] = ["critical", "page", "error", "fatal", "emergency", "high", "disaster"];
const SOURCE: &str = "prometheus";

/// Inserts rules or updates existing ones.
pub struct AlertRules<'a> {
    transaction: &'a Transaction<'a>,
    job: Job,
    journal: Rc<Journal<'a>>,
    /// Names of the rules in the file, by account and group.
    met: BTreeMap<(Uuid, String), BTreeSet<String>>,
    /// The number of rules for an alert of an account in the file; rule names have to be unique there.
    names: BTreeMap<(Uuid, String), u32>,
    without_severity: u64,
}

impl<'a> AlertRules<'a> {
    pub fn new(transaction: &'a Transaction<'a>, job: Job, journal: Rc<Journal<'a>>) -> Self {
        let (met, names) = (BTreeMap::new(), BTreeMap::new());
        Self { transaction, job, journal, met, names, without_severity: 0 }
    }

    /// Writes one rule.
    pub fn write(&mut self, rule: &AlertRule, accounts: &mut Accounts<'_>) -> Result<(), StoreError> {
        let of = rule.account.clone().unwrap_or_else(own_account);
        let account = accounts.find_or_add(&of.provider, &of.number, of.name.as_deref())?;
        let count = self.names.entry((account, rule.alert.clone())).or_default();
        *count += 1;
        // An alert often has one rule per severity.
        let alert = if *count == 1 { rule.alert.clone() } else { format!("{} ({count})", rule.alert) };
        self.met.entry((account, rule.group.clone())).or_default().insert(alert.clone());
        let stated = rule.labels.get("severity").and_then(Json::as_str).unwrap_or_default();
        self.without_severity += u64::from(stated.is_empty());
        let is_critical = CRITICAL.contains(&stated.to_ascii_lowercase().as_str());
        let labels = Json::Object(rule.labels.clone()).to_string();
        let annotations = Json::Object(rule.annotations.clone()).to_string();
        let category = rule.labels.get("category").and_then(Json::as_str).unwrap_or("Alert");
        let mut set: Vec<(&str, ValueRef<'_>)> = vec![
            ("expr", rule.expr.as_str().into()),
            ("duration", rule.duration.as_deref().map_or(ValueRef::Null, Into::into)),
            ("labels", ValueRef::Json(&labels)),
            ("annotations", ValueRef::Json(&annotations)),
            ("severity", if is_critical { "critical" } else { "warning" }.into()),
            ("enabled", ValueRef::Bool(true)),
            ("updated_at", ValueRef::Timestamp(self.job.now)),
            ("updated_by", self.job.user.map_or(ValueRef::Null, Into::into)),
        ];
        let same = [eq("account_id", account), eq("alert", &alert)];
        let found = self.transaction.select(TABLE, &["id"], &same)?;
        if let Some([Value::Uuid(id)]) = found.first().map(Vec::as_slice) {
            self.journal.updates(TABLE, *id, &CHANGED)?;
            return self.transaction.update(TABLE, &[eq("id", *id)], &set).map(drop);
        }
        let id = ids::derived(self.job.tenant, "alert rule", &[&account.to_string(), &alert]);
        self.journal.inserted(TABLE, Value::Uuid(id))?;
        set.extend([
            ("id", id.into()),
            ("tenant_id", self.job.tenant.into()),
            ("account_id", account.into()),
            ("alert", alert.as_str().into()),
            ("name", rule.alert.as_str().into()),
            ("group", rule.group.as_str().into()),
            ("namespace", rule.namespace.as_deref().map_or(ValueRef::Null, Into::into)),
            ("category", category.into()),
            ("source", SOURCE.into()),
            ("is_editable", ValueRef::Bool(false)),
            ("created_by", self.job.user.map_or(ValueRef::Null, Into::into)),
        ]);
        self.transaction.insert(TABLE, &set)
    }

    /// Disables rules that the groups of the file no longer contain. Returns notes.
    pub fn finish(&self) -> Result<Vec<String>, StoreError> {
        let mut gone: u64 = 0;
        for ((account, group), names) in &self.met {
            let of_group =
                [eq("account_id", *account), eq("group", group), eq("source", SOURCE), eq("enabled", true)];
            for row in self.transaction.select(TABLE, &["id", "alert"], &of_group)? {
                let [Value::Uuid(id), alert] = row.as_slice() else { continue };
                if alert.as_text().is_some_and(|alert| names.contains(alert)) {
                    continue;
                }
                self.journal.updates(TABLE, *id, &["enabled", "updated_at"])?;
                let set =
                    [("enabled", ValueRef::Bool(false)), ("updated_at", ValueRef::Timestamp(self.job.now))];
                self.transaction.update(TABLE, &[eq("id", *id)], &set)?;
                gone += 1;
            }
        }
        let mut notes = Vec::new();
        if gone > 0 {
            notes.push(format!("{gone} rules that their groups no longer have are switched off."));
        }
        if self.without_severity > 0 {
            notes.push(format!(
                "{} rules state no severity; they are kept as warnings.",
                self.without_severity
            ));
        }
        Ok(notes)
    }
}

/// The account for rules whose file names no cluster.
fn own_account() -> Account {
    Account {
        provider: "Other".to_owned(),
        number: SOURCE.to_owned(),
        name: Some("Alerts (prometheus)".to_owned()),
    }
}
