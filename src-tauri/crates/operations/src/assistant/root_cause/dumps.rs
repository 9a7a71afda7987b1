//! Differences between two dumps of a cluster: changes whose time is only known as an interval.

use super::context_rows::CHANGES_BEFORE;
use super::material::MAX_ROWS;
use analysis::{Change, Event, Subject};
use graphql::Refusal;
use model::tables::k8s_changes;
use model::{Id, K8sChangeType, Read as _, Timestamp, row};
use serde::Deserialize;
use store::Transaction;
use uuid::Uuid;

/// Maximum number of changed fields named in the claim.
const NAMED: usize = 3;

row! {
    struct Difference from k8s_changes { id, cloud_resource_id, change, kind, namespace, name, observed_at, previous_at, fields, field_count }
}

#[derive(Deserialize)]
struct Field {
    path: String,
}

/// Objects that changed between a dump before the start of the event and a dump shortly before it, or after it.
pub(super) fn between_dumps(
    rows: &Transaction<'_>,
    accounts: &[Uuid],
    asked: &Event,
) -> Result<Vec<Change>, Refusal> {
    let found = rows
        .query::<Difference>()
        .filter(k8s_changes::cloud_account_id.one_of(accounts.iter().copied().map(Id::new)))
        .filter(k8s_changes::previous_at.le(Timestamp(asked.starts_at)))
        .filter(k8s_changes::observed_at.ge(Timestamp(asked.starts_at - CHANGES_BEFORE)))
        .order(k8s_changes::observed_at.asc())
        .order(k8s_changes::id.asc())
        .limit(MAX_ROWS)
        .rows()?;
    Ok(found.into_iter().map(change).collect())
}

/// The path of a field without the prefix that all fields of a workload's containers share.
fn short(path: &str) -> &str {
    let inside = path.strip_prefix("spec.template.spec.").or_else(|| path.strip_prefix("spec."));
    inside.unwrap_or(path)
}

fn change(row: Difference) -> Change {
    let kind = &row.kind;
    let what = match row.change {
        K8sChangeType::Added => format!("{kind} {} was added", row.name),
        K8sChangeType::Removed => format!("{kind} {} was removed", row.name),
        K8sChangeType::Changed => {
            let fields: Vec<Field> = row.fields.parse().unwrap_or_default();
            let named: Vec<_> = fields.iter().take(NAMED).map(|field| short(&field.path)).collect();
            let more = usize::try_from(row.field_count).unwrap_or_default().saturating_sub(named.len());
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("{kind} {} changed: {}{more}", row.name, named.join(", "))
        }
    };
    Change {
        id: row.id.to_string(),
        table: "k8s_changes".to_owned(),
        at: row.observed_at.micros(),
        not_before: Some(row.previous_at.micros()),
        what,
        by: String::new(),
        subject: Subject {
            resource: Some(row.cloud_resource_id),
            namespace: row.namespace.unwrap_or_default(),
            name: row.name,
            ..Subject::default()
        },
        is_deployment: true,
    }
}
