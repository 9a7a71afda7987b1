//! Resolves references between columns and tables: references, constraints, indices, relationships, scopes.

use super::columns::{id, on_delete};
use super::directives::Directive;
use super::drafts::{Drafts, Field, TableDraft};
use super::lists;
use super::problems::Problems;
use crate::{
    AccountScope, Catalogue, ColumnId, Index, Reference, Relationship, RelationshipId, RelationshipKind,
    Scope, Table, TableId, TableKind, Unique,
};
use async_graphql_parser::types::BaseType;

/// Completes the tables of the drafts.
pub(super) fn resolve(drafts: &Drafts<'_>, catalogue: &mut Catalogue, problems: &mut Problems) {
    for (index, draft) in drafts.tables.iter().enumerate() {
        for field in &draft.fields {
            if field.is_relationship() {
                let found = relationship(index, field, catalogue, problems);
                let table = &mut catalogue.tables[index];
                if let Some(relationship) = found {
                    add_relationship(table, relationship, field, problems);
                }
            } else {
                column_links(index, field, catalogue, problems);
            }
        }
        let table = &mut catalogue.tables[index];
        for directive in draft.all("unique") {
            table.unique.extend(unique(table, directive, problems));
        }
        for directive in draft.all("index") {
            let columns = columns(table, directive, "columns", problems);
            let name = directive.text("name", problems);
            add_index(table, name, columns);
        }
        table.scope = scope(draft, table, problems);
        table.account = account(draft, table, problems);
        let own = draft.head.text("own", problems);
        table.own_user_column = own.and_then(|name| find_column(table, name, &draft.head, problems));
        let private = draft.head.text("private", problems);
        table.private_user_column = private.and_then(|name| find_column(table, name, &draft.head, problems));
        lists::resolve(draft, table, problems);
    }
}

fn column_links(index: usize, field: &Field<'_>, catalogue: &mut Catalogue, problems: &mut Problems) {
    if field.is_alias() {
        return; // `aliases` reports links on an alias
    }
    let Some(column) = catalogue.tables[index].find_column(field.name()) else {
        return; // its type was already reported as an error
    };
    if let Some(directive) = field.find("references") {
        let reference = reference(directive, catalogue, problems);
        catalogue.tables[index].columns[usize::from(column.0)].references = reference;
    }
    if let Some(directive) = field.find("index") {
        let name = directive.text("name", problems);
        add_index(&mut catalogue.tables[index], name, vec![column]);
    }
}

fn reference(directive: &Directive<'_>, catalogue: &Catalogue, problems: &mut Problems) -> Option<Reference> {
    let name = directive.required("table", problems)?;
    let table = find_table(name, directive, catalogue, problems)?;
    let on_delete = on_delete(directive, problems);
    let column = match directive.text("column", problems) {
        Some(column) => find_column(catalogue.table(table), column, directive, problems)?,
        None => single_key(catalogue.table(table), directive, problems)?,
    };
    Some(Reference { table, column, on_delete })
}

fn relationship(
    index: usize,
    field: &Field<'_>,
    catalogue: &Catalogue,
    problems: &mut Problems,
) -> Option<Relationship> {
    let here = catalogue.table(id(index));
    let ty = &field.definition.ty.node;
    let (kind, directive, target, nullable) = match (field.find("one"), field.find("many"), &ty.base) {
        (Some(directive), None, BaseType::Named(name)) => {
            (RelationshipKind::One, directive, name.as_str(), ty.nullable)
        }
        (None, Some(directive), BaseType::List(item)) if !ty.nullable && !item.nullable => match &item.base {
            BaseType::Named(name) => (RelationshipKind::Many, directive, name.as_str(), false),
            BaseType::List(_) => return None,
        },
        _ => {
            problems.add(
                field.place,
                format!("`{}`: write `table` or `table!` with @one, `[table!]!` with @many", field.name()),
            );
            return None;
        }
    };
    let target = find_table(target, directive, catalogue, problems)?;
    let there = catalogue.table(target);
    let far = if kind == RelationshipKind::One { "to" } else { "from" };
    let by = side(here, directive, "by", problems)?;
    let to = side(there, directive, far, problems)?;
    if by.len() != to.len() {
        problems.add(
            directive.place,
            format!("`{}`: {} columns here, {} there", field.name(), by.len(), to.len()),
        );
        return None;
    }
    Some(Relationship {
        name: field.name().to_owned(),
        description: field.definition.description.as_ref().map(|text| text.node.clone()).unwrap_or_default(),
        kind,
        target,
        join: by.into_iter().zip(to).collect(),
        nullable,
    })
}

/// The columns the argument names; the table's primary key if the argument is absent.
fn side(
    table: &Table,
    directive: &Directive<'_>,
    argument: &str,
    problems: &mut Problems,
) -> Option<Vec<ColumnId>> {
    if directive.value(argument).is_none() {
        return single_key(table, directive, problems).map(|key| vec![key]);
    }
    let columns = columns(table, directive, argument, problems);
    (!columns.is_empty()).then_some(columns)
}

fn add_relationship(
    table: &mut Table,
    relationship: Relationship,
    field: &Field<'_>,
    problems: &mut Problems,
) {
    let name = relationship.name.clone();
    let taken = table.find_column(&name).is_some() || table.find_relationship(&name).is_some();
    if taken {
        problems.add(field.place, format!("`{}.{name}` is defined twice", table.name));
        return;
    }
    let id = RelationshipId(
        u16::try_from(table.relationships.len()).expect("a table has fewer than 65,536 relationships"),
    );
    table.relationships_by_name.insert(name, id);
    table.relationships.push(relationship);
}

fn unique(table: &Table, directive: &Directive<'_>, problems: &mut Problems) -> Option<Unique> {
    let name = directive.required("name", problems)?.to_owned();
    directive.value("columns").or_else(|| {
        problems.add(directive.place, "@unique needs `columns`");
        None
    })?;
    let columns = columns(table, directive, "columns", problems);
    let unless = match directive.text("unless", problems) {
        Some(column) => Some(find_column(table, column, directive, problems)?),
        None => None,
    };
    Some(Unique { name, columns, only_where_null: unless })
}

fn add_index(table: &mut Table, name: Option<&str>, columns: Vec<ColumnId>) {
    if columns.is_empty() {
        return; // already reported
    }
    let name = name.map_or_else(
        || {
            let names = columns.iter().map(|id| table.column(*id).name.as_str()).collect::<Vec<_>>();
            format!("{}_{}_index", table.name, names.join("_"))
        },
        str::to_owned,
    );
    table.indices.push(Index { name, columns });
}

fn scope(draft: &TableDraft<'_>, table: &Table, problems: &mut Problems) -> Scope {
    if matches!(table.kind, TableKind::Lookup { .. }) {
        return Scope::Everyone;
    }
    let Some((argument, value)) = draft.scope(problems) else {
        return Scope::Service;
    };
    let name = draft.name;
    let found = match (argument, value) {
        ("tenant", column) => table.find_column(column).map(Scope::Tenant),
        ("through", relationship) => table.find_relationship(relationship).map(Scope::Through),
        (_, "everyone") => Some(Scope::Everyone),
        (_, "house") => Some(Scope::Service),
        _ => None,
    };
    found.unwrap_or_else(|| {
        let expected = match argument {
            "tenant" => format!("a column of `{name}`"),
            "through" => format!("a relationship of `{name}`"),
            _ => "everyone or house".to_owned(),
        };
        problems.add(draft.place, format!("{argument}: {value} is not {expected}"));
        Scope::Service
    })
}

/// The scope of `account:` and `namespace:`. The relationship that leads to the tenant also leads to the account unless declared otherwise.
fn account(draft: &TableDraft<'_>, table: &Table, problems: &mut Problems) -> Option<AccountScope> {
    if matches!(table.kind, TableKind::Lookup { .. }) {
        return Some(AccountScope::All);
    }
    let head = &draft.head;
    let namespace = match head.text("namespace", problems) {
        Some(name) => Some(find_column(table, name, head, problems)?),
        None => None,
    };
    let found = match (head.text("account", problems), &table.scope) {
        (Some("none"), _) => Some(AccountScope::None),
        (Some("all"), _) => Some(AccountScope::All),
        (Some(name), _) => table
            .find_column(name)
            .map(|account| AccountScope::Column { account, namespace })
            .or_else(|| table.find_relationship(name).map(AccountScope::Through))
            .or_else(|| {
                let text = format!("account: {name} is neither a column nor a relationship, nor none or all");
                problems.add(head.place, text);
                None
            }),
        (None, Scope::Through(way)) => Some(AccountScope::Through(*way)),
        (None, _) => None,
    };
    if namespace.is_some() && !matches!(found, Some(AccountScope::Column { .. })) {
        problems
            .add(head.place, "namespace: needs the column of its account (account: \"column\")".to_owned());
    }
    found
}

/// The columns the argument names; a name that does not exist is an error.
pub(super) fn columns(
    table: &Table,
    directive: &Directive<'_>,
    argument: &str,
    problems: &mut Problems,
) -> Vec<ColumnId> {
    let names = directive.texts(argument, problems);
    names.into_iter().filter_map(|name| find_column(table, name, directive, problems)).collect()
}

pub(super) fn find_column(
    table: &Table,
    name: &str,
    directive: &Directive<'_>,
    problems: &mut Problems,
) -> Option<ColumnId> {
    let found = table.find_column(name);
    if found.is_none() {
        problems.add(directive.place, format!("`{}` has no column `{name}`", table.name));
    }
    found
}

fn find_table(
    name: &str,
    directive: &Directive<'_>,
    catalogue: &Catalogue,
    problems: &mut Problems,
) -> Option<TableId> {
    let found = catalogue.find(name);
    if found.is_none() {
        problems.add(directive.place, format!("there is no table `{name}`"));
    }
    found
}

fn single_key(table: &Table, directive: &Directive<'_>, problems: &mut Problems) -> Option<ColumnId> {
    if let [key] = table.primary_key[..] {
        return Some(key);
    }
    problems
        .add(directive.place, format!("the key of `{}` is not a single column: name the column", table.name));
    None
}
