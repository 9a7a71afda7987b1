//! Reads `@shared`: columns whose values are stored once for all rows with equal values.

use crate::parse::drafts::{DraftKind, Drafts, TableDraft};
use crate::parse::links::columns;
use crate::parse::problems::Problems;
use crate::{Catalogue, ColumnId, Scalar, Scope, SharedPosition, Table};

/// Adds the shared groups of the drafts to the columns of their tables. Runs last, because columns that other directives need in the row
/// must be known.
pub(super) fn resolve(drafts: &Drafts<'_>, catalogue: &mut Catalogue, problems: &mut Problems) {
    for (index, draft) in drafts.tables.iter().enumerate() {
        for (column, place) in groups(draft, &catalogue.tables[index], problems) {
            catalogue.tables[index].columns[usize::from(column.0)].shared = Some(place);
        }
    }
}

fn groups(draft: &TableDraft<'_>, table: &Table, problems: &mut Problems) -> Vec<(ColumnId, SharedPosition)> {
    let mut found: Vec<(ColumnId, SharedPosition)> = Vec::new();
    for directive in draft.all("shared") {
        if !matches!(draft.kind, DraftKind::Table) {
            problems.add(directive.place, "@shared needs a table: views have no rows of their own");
            continue;
        }
        let Some(group) = directive.required("group", problems) else { continue };
        if found.iter().any(|(_, place)| place.group == group) {
            problems.add(directive.place, format!("`{}` has the group `{group}` twice", table.name));
        }
        for (place, id) in columns(table, directive, "columns", problems).into_iter().enumerate() {
            let name = &table.column(id).name;
            if found.iter().any(|(known, _)| *known == id) {
                problems.add(directive.place, format!("`{name}` is shared twice"));
            } else if let Some(reason) = own(table, id) {
                problems.add(directive.place, format!("`{name}` cannot be shared: {reason}"));
            } else {
                found.push((id, SharedPosition { group: group.to_owned(), index: place }));
            }
        }
    }
    found
}

/// The reason why a column must be stored in its own row; `None` if it may be shared.
fn own(table: &Table, id: ColumnId) -> Option<&'static str> {
    let column = table.column(id);
    let is_indexed = table.indices.iter().any(|index| index.columns.contains(&id))
        || table
            .unique
            .iter()
            .any(|unique| unique.columns.contains(&id) || unique.only_where_null == Some(id))
        || table.primary_key.contains(&id);
    let scopes = [table.own_user_column, table.private_user_column].contains(&Some(id))
        || table.scope == Scope::Tenant(id);
    let is_marked = table.marked.contains(&id)
        || table.searched.as_ref().is_some_and(|searched| searched.text == id || searched.object == id);
    let is_plain = matches!(
        column.scalar,
        Scalar::String
            | Scalar::Int
            | Scalar::Bigint
            | Scalar::Timestamp
            | Scalar::Timestamptz
            | Scalar::Date
    ) || matches!(column.scalar, Scalar::Json | Scalar::Jsonb);
    match () {
        () if !column.nullable => Some("it must not be null"),
        () if !is_plain => Some("only texts, whole numbers, times and JSON can be"),
        () if column.references.is_some() => Some("it refers to another table"),
        () if is_indexed || scopes || is_marked => Some("rows are found by it"),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::{Catalogue, SharedPosition, Source};

    fn parse(directives: &str) -> Result<Catalogue, String> {
        let text = format!(
            "\"A charge.\"\ntype charge @table(scope: everyone) @index(columns: [\"region\"]) {directives} {{\n\
             id: uuid! @key\n name: String!\n region: String\n words: String\n until: timestamp\n cost: numeric\n\
             of: uuid @references(table: \"charge\")\n}}"
        );
        Catalogue::parse(&[Source { name: "tables/cost.graphql", text: &text }])
            .map_err(|error| error.to_string())
    }

    #[test]
    fn columns_know_their_group_and_place() {
        let catalogue = parse("@shared(group: \"offer\", columns: [\"until\", \"words\"])").unwrap();
        let table = catalogue.table(catalogue.find("charge").unwrap());
        let place = |name: &str| table.column(table.find_column(name).unwrap()).shared.clone();
        let offer = |index| Some(SharedPosition { group: "offer".to_owned(), index });
        assert_eq!((place("until"), place("words"), place("name")), (offer(0), offer(1), None));
    }

    #[test]
    fn what_must_stand_in_its_row_cannot_be_shared() {
        for (column, reason) in [
            ("id", "`id` cannot be shared: it must not be null"),
            ("name", "`name` cannot be shared: it must not be null"),
            ("region", "`region` cannot be shared: rows are found by it"),
            ("cost", "`cost` cannot be shared: only texts, whole numbers, times and JSON can be"),
            ("of", "`of` cannot be shared: only texts, whole numbers, times and JSON can be"),
            ("nowhere", "`charge` has no column `nowhere`"),
        ] {
            let refused = parse(&format!("@shared(group: \"offer\", columns: [\"{column}\"])")).unwrap_err();
            assert!(refused.contains(reason), "{refused}");
        }
        let twice = "@shared(group: \"a\", columns: [\"words\"]) @shared(group: \"b\", columns: [\"words\"])";
        assert!(parse(twice).unwrap_err().contains("`words` is shared twice"));
        let same = "@shared(group: \"a\", columns: [\"words\"]) @shared(group: \"a\", columns: [\"until\"])";
        assert!(parse(same).unwrap_err().contains("`charge` has the group `a` twice"));
    }
}
