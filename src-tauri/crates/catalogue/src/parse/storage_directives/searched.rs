//! Reads `@searched`: the text of a table that full-text search covers.

use crate::parse::drafts::{DraftKind, Drafts};
use crate::parse::links::find_column;
use crate::parse::problems::Problems;
use crate::{Catalogue, Scalar, SearchColumns};

/// Adds the `@searched` columns of the drafts to their tables.
pub(super) fn resolve(drafts: &Drafts<'_>, catalogue: &mut Catalogue, problems: &mut Problems) {
    for (index, draft) in drafts.tables.iter().enumerate() {
        let table = &catalogue.tables[index];
        let mut said = draft.all("searched");
        let Some(directive) = said.next() else { continue };
        if said.next().is_some() {
            problems.add(directive.place, format!("`{}` has @searched twice", table.name));
        }
        if !matches!(draft.kind, DraftKind::Table) {
            problems.add(directive.place, "@searched needs a table: views have no rows of their own");
            continue;
        }
        let mut column = |name: &str, expected: &Scalar, what: &str| {
            let named = directive.required(name, problems)?;
            let column = find_column(table, named, directive, problems)?;
            if table.column(column).scalar != *expected || table.column(column).nullable {
                let message =
                    format!("{name}: `{}` is no {what} that is never null", table.column(column).name);
                problems.add(directive.place, message);
            }
            Some(column)
        };
        let (text, of) = (column("text", &Scalar::String, "text"), column("of", &Scalar::Uuid, "uuid"));
        let is_keyed = matches!(table.primary_key[..], [key] if table.column(key).scalar == Scalar::Uuid);
        if !is_keyed {
            problems.add(directive.place, format!("@searched: the key of `{}` is not one uuid", table.name));
        }
        if let (Some(text), Some(of), true) = (text, of, is_keyed) {
            catalogue.tables[index].searched = Some(SearchColumns { text, object: of });
        }
    }
}
