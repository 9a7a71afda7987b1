//! Parses `@trail`: the table in which the store records who changed which row.

use super::columns::id;
use super::drafts::Drafts;
use super::problems::Problems;
use crate::{Catalogue, ColumnId, Scalar, Scope, Trail, Writers};

/// Finds the table marked `@trail` and its required columns.
pub(super) fn build(drafts: &Drafts<'_>, catalogue: &mut Catalogue, problems: &mut Problems) {
    let marked = drafts.tables.iter().enumerate();
    for (index, draft) in marked.filter(|(_, draft)| draft.all("trail").next().is_some()) {
        if catalogue.trail.is_some() {
            problems.add(draft.place, "there is more than one @trail");
            continue;
        }
        let table = catalogue.table(id(index));
        let Scope::Tenant(tenant) = table.scope else {
            problems.add(draft.place, "@trail: the table must say tenant: \"column\"");
            continue;
        };
        if table.writers() != Writers::Nobody {
            problems.add(draft.place, "@trail: the table must say write: false");
        }
        let mut column = |name: &str, scalar: &Scalar, nullable: bool| {
            let found = table.find_column(name).filter(|found| {
                let column = table.column(*found);
                column.scalar == *scalar && (column.nullable || !nullable)
            });
            if found.is_none() {
                let mark = if nullable { "" } else { "!" };
                let kind = scalar.graphql_name();
                problems.add(draft.place, format!("@trail needs the column `{name}: {kind}{mark}`"));
            }
            found.unwrap_or(ColumnId(0))
        };
        catalogue.trail = Some(Trail {
            table: id(index),
            tenant,
            user: column("user_id", &Scalar::Uuid, true),
            time: column("created_at", &Scalar::Timestamptz, false),
            row_table: column("table_name", &Scalar::String, false),
            row_key: column("row_key", &Scalar::Jsonb, false),
            change: column("change", &Scalar::String, false),
            operation: column("operation", &Scalar::String, false),
            before: column("before", &Scalar::Jsonb, true),
            after: column("after", &Scalar::Jsonb, true),
        });
    }
}
