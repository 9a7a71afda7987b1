//! Reads `@marked`: columns with a change mark that is renewed on every change.

use crate::parse::drafts::{DraftKind, Drafts};
use crate::parse::links::find_column;
use crate::parse::problems::Problems;
use crate::{Catalogue, Scope};

/// Adds the marked columns of the drafts to their tables, together with the columns that decide the tenant.
pub(super) fn resolve(drafts: &Drafts<'_>, catalogue: &mut Catalogue, problems: &mut Problems) {
    for (index, draft) in drafts.tables.iter().enumerate() {
        let table = &catalogue.tables[index];
        let mut said = draft.all("marked");
        let Some(directive) = said.next() else { continue };
        if said.next().is_some() {
            problems.add(directive.place, format!("`{}` has @marked twice", table.name));
        }
        if !matches!(draft.kind, DraftKind::Table) {
            problems.add(directive.place, "@marked needs a table: views have no rows of their own");
            continue;
        }
        let names = directive.texts("columns", problems);
        let mut columns: Vec<_> =
            names.iter().filter_map(|name| find_column(table, name, directive, problems)).collect();
        match table.scope {
            Scope::Tenant(column) => columns.push(column),
            Scope::Through(way) => columns.extend(table.relationship(way).join.iter().map(|(here, _)| *here)),
            Scope::Everyone | Scope::Service => {}
        }
        columns.sort_unstable();
        columns.dedup();
        catalogue.tables[index].marked = columns;
    }
    for (index, draft) in drafts.tables.iter().enumerate() {
        let table = &catalogue.tables[index];
        let (Some(directive), Scope::Through(way)) = (draft.all("marked").next(), &table.scope) else {
            continue;
        };
        // A row that moves to or from a tenant changes what the tenant can see.
        let way = table.relationship(*way);
        let target = catalogue.table(way.target);
        for (_, there) in way.join.iter().filter(|(_, there)| !target.marked.contains(there)) {
            let column = &target.column(*there).name;
            let message = format!(
                "@marked: rows of `{}` belong to a tenant through `{column}` of `{}`, which is not marked",
                table.name, target.name
            );
            problems.add(directive.place, message);
        }
    }
}
