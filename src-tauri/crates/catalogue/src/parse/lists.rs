//! Indices for `@list`: a list of a table, filtered and in one order, that is read without looking at skipped rows.

use super::directives::Directive;
use super::drafts::{DraftKind, TableDraft};
use super::links::{columns, find_column};
use super::problems::Problems;
use crate::{ColumnId, Index, Scope, Table};

/// Adds an index for each `@list` of the draft. The table's scope must be known: if it is a tenant column, the index
/// begins with it.
pub(super) fn resolve(draft: &TableDraft<'_>, table: &mut Table, problems: &mut Problems) {
    let listed: Vec<_> = draft
        .all("list")
        .filter_map(|directive| Some((list(draft, table, directive, problems)?, directive)))
        .collect();
    for (index, directive) in listed {
        let is_same = |known: &Index| known.columns.starts_with(&index.columns) || known.name == index.name;
        if table.indices.iter().any(is_same) {
            problems.add(
                directive.place,
                format!("`{}`: another index begins with the same columns", index.name),
            );
        }
        let begins = |known: &&Index| index.columns.starts_with(&known.columns);
        if let Some(known) = table.indices.iter().find(begins) {
            problems.add(
                directive.place,
                format!("`{}` is the beginning of `{}`: leave it out", known.name, index.name),
            );
        }
        table.indices.push(index);
    }
}

/// The index columns: the tenant column if there is one, columns compared for equality, the order, then columns that are tested or
/// counted from the index alone.
fn list(
    draft: &TableDraft<'_>,
    table: &Table,
    directive: &Directive<'_>,
    problems: &mut Problems,
) -> Option<Index> {
    if !matches!(draft.kind, DraftKind::Table) {
        problems.add(directive.place, "@list needs a table: views have no rows of their own");
        return None;
    }
    let order = find_column(table, directive.required("order", problems)?, directive, problems)?;
    if !table.column(order).scalar.is_ordered() {
        problems.add(directive.place, format!("order: `{}` has no order", table.column(order).name));
    }
    let filters = columns(table, directive, "filters", problems);
    let also = columns(table, directive, "also", problems);
    let mut all: Vec<ColumnId> = match table.scope {
        Scope::Tenant(tenant) => vec![tenant],
        Scope::Through(_) | Scope::Everyone | Scope::Service => Vec::new(),
    };
    let leading = filters.iter().chain([&order]);
    let names: Vec<&str> = leading.clone().map(|id| table.column(*id).name.as_str()).collect();
    let name = format!("{}_list_{}", table.name, names.join("_"));
    for id in leading.chain(&also) {
        if all.contains(id) {
            problems.add(directive.place, format!("`{}` is named twice", table.column(*id).name));
            continue;
        }
        all.push(*id);
    }
    Some(Index { name, columns: all })
}
