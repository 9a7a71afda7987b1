//! Second names of columns: `@same_as(column: "…")`.

use super::drafts::Field;
use super::problems::Problems;
use crate::{Alias, Column, Table};

/// Directives allowed on the original column only, not on its alias.
const OF_THE_COLUMN: [&str; 6] = ["key", "default", "references", "secret", "exact", "index"];

/// Adds a second name for a column of the table.
pub(super) fn add(table: &mut Table, mut column: Column, field: &Field<'_>, problems: &mut Problems) {
    let Some(directive) = field.find("same_as") else { return };
    let mut wrong = |message: String| problems.add(field.place, format!("`{}`: {message}", column.name));
    for name in OF_THE_COLUMN.iter().filter(|name| field.find(name).is_some()) {
        wrong(format!("@{name} belongs to the column that @same_as names"));
    }
    let Some(target) = directive.required("column", problems) else { return };
    let mut wrong = |message: String| problems.add(field.place, format!("`{}`: {message}", column.name));
    let Some(id) = table.find_column(target) else {
        return wrong(format!("`{}` has no column `{target}`", table.name));
    };
    let same = table.column(id);
    if same.name != target {
        return wrong(format!("`{target}` is itself another name of `{}`: name that one", same.name));
    }
    if table.find_column(&column.name).is_some() {
        return wrong(format!("`{}` has two columns of this name", table.name));
    }
    if table.primary_key.contains(&id) {
        return wrong(format!("`{target}` is part of the key, which has one name only"));
    }
    if same.scalar != column.scalar {
        let kinds = (column.scalar.graphql_name(), same.scalar.graphql_name());
        return wrong(format!("it is {}, and `{target}` is {}: they must have one type", kinds.0, kinds.1));
    }
    if same.nullable && !column.nullable {
        return wrong(format!("`{target}` may be null, so this name must allow it too"));
    }
    column.exact = same.exact;
    column.secret = same.secret;
    table.columns_by_name.insert(column.name.clone(), id);
    table.aliases.push(Alias { column, stands_for: id });
}
