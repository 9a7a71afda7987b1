//! Checks of the whole catalogue that cannot be made on a single line.

use std::collections::{HashMap, HashSet};

use super::columns::id;
use super::drafts::{Drafts, TableDraft};
use super::lookups;
use super::problems::Problems;
use crate::{AccountScope, Catalogue, Column, ColumnId, RelationshipKind, Scalar, Scope, Table, TableId};

/// Adds the errors of the complete catalogue to `problems`.
pub(super) fn check(drafts: &Drafts<'_>, catalogue: &Catalogue, problems: &mut Problems) {
    let mut names = HashMap::new();
    for (index, draft) in drafts.tables.iter().enumerate() {
        let table = catalogue.table(id(index));
        check_names(draft, table, &mut names, problems);
        check_references(draft, table, catalogue, problems);
        check_joins(draft, table, catalogue, problems);
        check_exposure(draft, table, catalogue, problems);
        check_scope(draft, id(index), catalogue, problems);
        check_account(draft, table, problems);
        check_private(draft, id(index), catalogue, problems);
        if let Some(AccountScope::Through(_)) = table.account
            && meets_itself(id(index), id(index), catalogue, &mut HashSet::new())
        {
            problems.add(draft.place, format!("`{}`: the way to its account goes in a circle", draft.name));
        }
        if table.scope == Scope::Service && table.exposed {
            problems.add(
                draft.place,
                format!("`{}` holds rows of the house: it must say exposed: false", table.name),
            );
        }
    }
    for draft in &drafts.enums {
        lookups::check_plain(draft, problems);
    }
}

/// Constraints and indices share one namespace in a database. A table must not have a field `R_aggregate` of its own if it has a to-many
/// relationship `R`.
fn check_names<'a>(
    draft: &TableDraft<'_>,
    table: &'a Table,
    names: &mut HashMap<&'a str, &'a str>,
    problems: &mut Problems,
) {
    let constraints = table.unique.iter().map(|unique| unique.name.as_str());
    let indices = table.indices.iter().map(|index| index.name.as_str());
    let key = (!table.primary_key.is_empty()).then_some(table.primary_key_name.as_str());
    for name in constraints.chain(indices).chain(key) {
        if let Some(other) = names.insert(name, &table.name) {
            problems.add(
                draft.place,
                format!("`{other}` and `{}` both have a constraint or index `{name}`", table.name),
            );
        }
    }
    for relationship in table.relationships.iter().filter(|one| one.kind == RelationshipKind::Many) {
        let aggregate = format!("{}_aggregate", relationship.name);
        if table.find_column(&aggregate).is_some() || table.find_relationship(&aggregate).is_some() {
            problems.add(
                draft.place,
                format!("`{}.{aggregate}` is the aggregate of `{}`", table.name, relationship.name),
            );
        }
    }
}

fn check_references(draft: &TableDraft<'_>, table: &Table, catalogue: &Catalogue, problems: &mut Problems) {
    for column in &table.columns {
        let Some(reference) = &column.references else {
            continue;
        };
        let target = catalogue.table(reference.table);
        let far = target.column(reference.column);
        let place = field_place(draft, &column.name);
        if !is_like(column, far) {
            problems.add(
                place,
                format!(
                    "`{}` ({}) cannot refer to `{}.{}` ({})",
                    column.name,
                    column.scalar.graphql_name(),
                    target.name,
                    far.name,
                    far.scalar.graphql_name()
                ),
            );
        }
        let is_key = target.primary_key == [reference.column];
        let is_unique = target
            .unique
            .iter()
            .any(|unique| unique.columns == [reference.column] && unique.only_where_null.is_none());
        if !is_key && !is_unique {
            problems.add(
                place,
                format!("`{}` refers to `{}.{}`, which is not unique", column.name, target.name, far.name),
            );
        }
        if reference.on_delete == crate::OnDelete::SetNull && !column.nullable {
            problems.add(
                place,
                format!("`{}`: on_delete: set_null needs a column that can be null", column.name),
            );
        }
    }
}

fn check_joins(draft: &TableDraft<'_>, table: &Table, catalogue: &Catalogue, problems: &mut Problems) {
    for relationship in &table.relationships {
        let target = catalogue.table(relationship.target);
        for (here, there) in &relationship.join {
            let (here, there) = (table.column(*here), target.column(*there));
            if !is_like(here, there) {
                problems.add(
                    field_place(draft, &relationship.name),
                    format!(
                        "`{}` joins {} ({}) with {}.{} ({})",
                        relationship.name,
                        here.name,
                        here.scalar.graphql_name(),
                        target.name,
                        there.name,
                        there.scalar.graphql_name()
                    ),
                );
            }
        }
    }
}

/// Tables that are not exposed must not be reachable through a relationship of an exposed table.
fn check_exposure(draft: &TableDraft<'_>, table: &Table, catalogue: &Catalogue, problems: &mut Problems) {
    for relationship in table.relationships.iter().filter(|_| table.exposed) {
        let target = catalogue.table(relationship.target);
        if !target.exposed {
            let name = &relationship.name;
            problems.add(
                field_place(draft, name),
                format!("`{name}` leads to `{}`, which is kept from the interface", target.name),
            );
        }
    }
}

fn field_place<'a>(draft: &TableDraft<'a>, name: &str) -> super::problems::SourceLine<'a> {
    draft.fields.iter().find(|field| field.name() == name).map_or(draft.place, |field| field.place)
}

/// Whether stored values of the two columns can be equal.
fn is_like(left: &Column, right: &Column) -> bool {
    held_as(&left.scalar) == held_as(&right.scalar)
}

fn held_as(scalar: &Scalar) -> u8 {
    match scalar {
        Scalar::Uuid => 0,
        Scalar::String | Scalar::Citext | Scalar::Enum { .. } => 1,
        Scalar::Int | Scalar::Bigint => 2,
        Scalar::Float8 => 3,
        Scalar::Numeric => 4,
        Scalar::Boolean => 5,
        Scalar::Timestamp | Scalar::Timestamptz => 6,
        Scalar::Date => 7,
        Scalar::Json | Scalar::Jsonb | Scalar::StringList => 8,
        Scalar::Bytea => 9,
    }
}

/// Following scopes from table to table must end at a tenant column.
fn check_scope(draft: &TableDraft<'_>, start: TableId, catalogue: &Catalogue, problems: &mut Problems) {
    let mut seen = HashSet::from([start]);
    let mut at = start;
    loop {
        let table = catalogue.table(at);
        match &table.scope {
            Scope::Tenant(column) => {
                check_tenant_column(draft, table, *column, problems);
                return;
            }
            Scope::Through(relationship) => at = table.relationship(*relationship).target,
            Scope::Everyone | Scope::Service if at == start => return,
            Scope::Everyone | Scope::Service => {
                problems.add(
                    draft.place,
                    format!(
                        "`{}`: the way to its tenant ends at `{}`, which belongs to none",
                        draft.name, table.name
                    ),
                );
                return;
            }
        }
        if !seen.insert(at) {
            problems.add(draft.place, format!("`{}`: the way to its tenant goes in a circle", draft.name));
            return;
        }
    }
}

/// Whether the scopes that decide about rows of `at` lead back to `start`.
fn meets_itself(start: TableId, at: TableId, catalogue: &Catalogue, seen: &mut HashSet<TableId>) -> bool {
    let table = catalogue.table(at);
    let tenant = match &table.scope {
        Scope::Through(way) => Some(*way),
        _ => None,
    };
    let account = match table.account {
        Some(AccountScope::Through(way)) => Some(way),
        _ => None,
    };
    tenant
        .into_iter()
        .chain(account)
        .map(|way| table.relationship(way).target)
        .any(|next| next == start || seen.insert(next) && meets_itself(start, next, catalogue, seen))
}

/// Account columns must be uuids or text, namespace columns text, user columns uuids.
fn check_account(draft: &TableDraft<'_>, table: &Table, problems: &mut Problems) {
    let mut check = |argument: &str, column: ColumnId, held: &[u8]| {
        let column = table.column(column);
        if !held.contains(&held_as(&column.scalar)) {
            let scalar = column.scalar.graphql_name();
            problems.add(draft.place, format!("{argument}: `{}` cannot be a {scalar}", column.name));
        }
    };
    if let Some(AccountScope::Column { account, namespace }) = table.account {
        check("account", account, &[0, 1]);
        if let Some(namespace) = namespace.filter(|namespace| *namespace != account) {
            check("namespace", namespace, &[1]);
        }
    }
    if let Some(person) = table.own_user_column {
        check("own", person, &[0]);
    }
}

/// Private rows can only be queried at the root: data stored for many rows and plans shared by callers do not depend on the user.
fn check_private(draft: &TableDraft<'_>, at: TableId, catalogue: &Catalogue, problems: &mut Problems) {
    let table = catalogue.table(at);
    let Some(person) = table.private_user_column.map(|person| table.column(person)) else { return };
    let mut wrong = |what: String| problems.add(draft.place, what);
    if person.scalar != Scalar::Uuid {
        wrong(format!("private: `{}` cannot be a {}", person.name, person.scalar.graphql_name()));
    }
    if person.nullable {
        wrong(format!("private: `{}` must never be null", person.name));
    }
    if table.account != Some(AccountScope::All) {
        wrong(format!("`{}`: private rows are of every role, so it must say account: all", table.name));
    }
    if table.segments.is_some() || table.searched.is_some() || !table.marked.is_empty() {
        wrong(format!("`{}`: private rows are kept in no segments, searches or marks", table.name));
    }
    let leads_here = |other: &Table| other.relationships.iter().any(|way| way.target == at);
    if let Some((_, other)) = catalogue.iter().find(|(_, other)| leads_here(other)) {
        wrong(format!(
            "`{}`: no relationship leads to private rows, as one of `{}` does",
            table.name, other.name
        ));
    }
}

fn check_tenant_column(draft: &TableDraft<'_>, table: &Table, column: ColumnId, problems: &mut Problems) {
    let column = table.column(column);
    if draft.name == table.name && !matches!(column.scalar, Scalar::Uuid | Scalar::String) {
        let scalar = column.scalar.graphql_name();
        problems
            .add(draft.place, format!("tenant: `{}` must be a uuid or its text, not {scalar}", column.name));
    }
}
