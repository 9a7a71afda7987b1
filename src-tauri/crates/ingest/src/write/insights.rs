//! Writes analysis results as rows of `insight`.

use super::accounts::Accounts;
use super::{Job, Journal};
use crate::ids;
use ::formats::record::Insight;
use catalogue::{Value, ValueRef};
use model::tables::insight as insights;
use model::{Read as _, row};
use serde_json::Value as Json;
use std::rc::Rc;
use store::{StoreError, Transaction, eq};

const TABLE: &str = "insight";
const CHANGED: [&str; 5] = ["title", "severity", "status", "rule", "updated_at"];

row! { struct InsightId from insight { id } }

/// Inserts insights or updates existing ones.
pub struct Insights<'a> {
    transaction: &'a Transaction<'a>,
    job: Job,
    journal: Rc<Journal<'a>>,
}

impl<'a> Insights<'a> {
    pub fn new(transaction: &'a Transaction<'a>, job: Job, journal: Rc<Journal<'a>>) -> Self {
        Self { transaction, job, journal }
    }

    /// Writes one insight.
    pub fn write(&self, insight: &Insight, accounts: &mut Accounts<'_>) -> Result<(), StoreError> {
        let of = &insight.account;
        let account = accounts.find_or_add(&of.provider, &of.number, of.name.as_deref())?;
        let rule = Json::Object(insight.rule.clone()).to_string();
        let mut set = vec![
            ("title", insight.title.as_str().into()),
            ("severity", insight.severity.into()),
            ("status", if insight.is_open { "Open" } else { "Closed" }.into()),
            ("rule", ValueRef::Json(&rule)),
            ("updated_at", ValueRef::Timestamp(self.job.now)),
        ];
        let same = insights::account_id.eq(account).and(insights::unique_id.eq(&*insight.unique_id));
        if let Some(found) = self.transaction.query::<InsightId>().filter(same).first()? {
            let id = found.id.uuid();
            self.journal.updates(TABLE, id, &CHANGED)?;
            return self.transaction.update(TABLE, &[eq("id", id)], &set).map(drop);
        }
        let id = ids::derived(self.job.tenant, "insight", &[&account.to_string(), &insight.unique_id]);
        self.journal.inserted(TABLE, Value::Uuid(id))?;
        set.extend([
            ("id", id.into()),
            ("account_id", account.into()),
            ("unique_id", insight.unique_id.as_str().into()),
            ("source", insight.source.into()),
            ("type", insight.kind.into()),
        ]);
        self.transaction.insert(TABLE, &set)
    }
}
