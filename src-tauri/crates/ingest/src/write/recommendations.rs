//! Writes recommendations as rows of `recommendation`.

use super::accounts::Accounts;
use super::resources::{Resource, Resources};
use super::{Job, Journal};
use crate::formats::compute_optimizer::Recommendation;
use crate::ids;
use catalogue::{Value, ValueRef};
use std::rc::Rc;
use store::{StoreError, Transaction, eq};

const TABLE: &str = "recommendation";
/// Columns that an import changes in an existing recommendation.
const CHANGED: [&str; 5] =
    ["recommendation", "estimated_savings", "severity", "recommendation_action", "updated_at"];
const CATEGORY: &str = "RightSizing";
const PROVIDER: &str = "AWS";

/// Inserts recommendations or updates the figures of existing ones. Status, assignee and notes belong to users and are not changed.
pub struct Recommendations<'a> {
    transaction: &'a Transaction<'a>,
    job: Job,
    journal: Rc<Journal<'a>>,
    updated: u64,
    taken_up: u64,
}

impl<'a> Recommendations<'a> {
    pub fn new(transaction: &'a Transaction<'a>, job: Job, journal: Rc<Journal<'a>>) -> Self {
        Self { transaction, job, journal, updated: 0, taken_up: 0 }
    }

    pub fn write(
        &mut self,
        recommendation: &Recommendation,
        accounts: &mut Accounts<'_>,
        resources: &mut Resources<'_>,
    ) -> Result<(), StoreError> {
        let account = accounts.find_or_add(PROVIDER, &recommendation.account_number, None)?;
        let resource = resources.find_or_add(Resource {
            account,
            provider: PROVIDER,
            external_id: &recommendation.arn,
            name: Some(&recommendation.resource_name),
            kind: Some(recommendation.kind.resource_type()),
            region: Some(recommendation.region.as_str()).filter(|region| !region.is_empty()),
            service_name: Some(recommendation.kind.service_name()),
            tags: None,
            meta: None,
            seen: None,
        })?;
        let rule = recommendation.rule_name();
        let same = [
            eq("cloud_account_id", account),
            eq("resource_id", resource),
            eq("category", CATEGORY),
            eq("rule_name", &rule),
        ];
        let numbers = [
            ("recommendation", ValueRef::Json(&recommendation.evidence)),
            ("estimated_savings", recommendation.savings.into()),
            ("severity", recommendation.severity().into()),
            ("recommendation_action", "Modify".into()),
        ];
        let found = self.transaction.select(TABLE, &["id", "status"], &same)?;
        if let Some([Value::Uuid(id), status]) = found.first().map(Vec::as_slice) {
            self.updated += 1;
            self.taken_up += u64::from(status.as_text() != Some("Open"));
            self.journal.updates(TABLE, *id, &CHANGED)?;
            let mut set = numbers.to_vec();
            set.push(("updated_at", ValueRef::Timestamp(self.job.now)));
            return self.transaction.update(TABLE, &[eq("id", *id)], &set).map(drop);
        }
        let resource_id = resource.to_string();
        let id = ids::derived(self.job.tenant, "recommendation", &[&resource_id, CATEGORY, &rule]);
        self.journal.inserted(TABLE, Value::Uuid(id))?;
        let mut row = numbers.to_vec();
        row.extend([
            ("id", id.into()),
            ("cloud_account_id", account.into()),
            ("resource_id", resource.into()),
            ("account_object_id", (&recommendation.arn).into()),
            ("category", CATEGORY.into()),
            ("rule_name", (&rule).into()),
            ("status", "Open".into()),
        ]);
        self.transaction.insert(TABLE, &row)
    }

    /// Import notes about existing recommendations.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.updated > 0 {
            notes.push(format!(
                "{} existing recommendations were updated with the new numbers.",
                self.updated
            ));
        }
        if self.taken_up > 0 {
            notes.push(format!("{} of them keep the status a person gave them.", self.taken_up));
        }
        notes
    }
}
