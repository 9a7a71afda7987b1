//! Stores the sentences of digests as rows of `insight`.

use super::Changes;
use crate::kit::writer;
use analysis::digest::Sentence;
use catalogue::format_date;
use graphql::Refusal;
use model::tables::insight;
use model::{Id, InsightSeverity, Json, Patch, Read, Timestamp, row};
use serde_json::Value;
use std::collections::BTreeMap;
use store::Transaction;
use uuid::Uuid;

/// `insight.source` and `insight.type` of this product's rows.
pub const SOURCE: &str = "quarterdeck";
pub const KIND: &str = "weekly_digest";
const OPEN: &str = "Open";
/// The UUID namespace of this product's insights.
const NAMESPACE: Uuid = Uuid::from_u128(0x8b1e_02c4_5f3d_4a7b_8c90_3d6e_11f2_a405);

row! { struct InsightRow from insight { id, rule, severity, title } }

/// A sentence to be stored.
pub struct Draft {
    id: Uuid,
    /// The account; for all accounts together, the tenant.
    account: Uuid,
    unique_id: String,
    title: String,
    severity: Option<InsightSeverity>,
    rule: Value,
}

impl Draft {
    /// The sentences of the digest of the week that begins on Monday `first`.
    pub fn all(
        tenant: Uuid,
        account: Uuid,
        first: i32,
        sentences: Vec<Sentence>,
    ) -> Result<Vec<Self>, Refusal> {
        let draft = |one: Sentence| {
            let rule = serde_json::to_value(&one.facts)
                .map_err(|error| Refusal::new("unexpected", format!("a digest is no JSON: {error}")))?;
            let unique_id = format!("{} {}", format_date(first), one.key);
            let words = format!("{tenant}/{account}/{unique_id}");
            Ok(Self {
                id: Uuid::new_v5(&NAMESPACE, words.as_bytes()),
                account,
                unique_id,
                title: one.title,
                severity: InsightSeverity::find(one.weight.name()),
                rule,
            })
        };
        sentences.into_iter().map(draft).collect()
    }
}

/// Updates this product's rows to match the drafts.
pub fn write(rows: &Transaction<'_>, drafts: &[Draft]) -> Result<Changes, Refusal> {
    let ours = insight::source.eq(SOURCE).and(insight::r#type.eq(KIND));
    let kept = rows.query::<InsightRow>().filter(ours).rows()?;
    let mut kept: BTreeMap<Uuid, InsightRow> = kept.into_iter().map(|row| (row.id.uuid(), row)).collect();
    let writer = writer(rows)?;
    let now = Timestamp(rows.now());
    let mut changes = Changes::default();
    for draft in drafts {
        let mut set: Patch<insight::Row> = Patch::new();
        set.set(insight::title.to(draft.title.as_str()));
        set.set(insight::severity.to_option(draft.severity));
        set.set(insight::rule.to(Json::from(&draft.rule)));
        set.set(insight::updated_at.to(now));
        match kept.remove(&draft.id) {
            Some(row) if is_same(&row, draft) => {}
            Some(row) => {
                writer.update(insight::id.eq(row.id), set)?;
                changes.updated += 1;
            }
            None => {
                set.set(insight::id.to(Id::new(draft.id)));
                set.set(insight::account_id.to(draft.account));
                set.set(insight::source.to(SOURCE));
                set.set(insight::r#type.to(KIND));
                set.set(insight::status.to(OPEN));
                set.set(insight::unique_id.to(draft.unique_id.as_str()));
                writer.insert(set)?;
                changes.added += 1;
            }
        }
    }
    for row in kept.into_values() {
        writer.delete(insight::id.eq(row.id))?;
        changes.removed += 1;
    }
    Ok(changes)
}

fn is_same(row: &InsightRow, draft: &Draft) -> bool {
    row.title == draft.title
        && row.severity == draft.severity
        && row.rule.as_ref().is_some_and(|rule| rule.value() == draft.rule)
}
