//! Writes the reference page: the catalogue in readable form.

mod listings;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::{
    AccountScope, Catalogue, Column, ColumnId, Default, LookupValue, Member, OnDelete, Operation, PlainType,
    RelationshipKind, Root, Scalar, Scope, Table, TableKind, TypeShape, Value, Writers,
};

/// An example request for a root field, with its response.
#[derive(Debug, Clone, Copy)]
pub struct Example<'a> {
    pub query: &'a str,
    pub answer: &'a str,
}

/// The page as Markdown, with examples by root field. Areas are sorted by name; each lists its tables, enums and listings.
pub fn reference(catalogue: &Catalogue, examples: &BTreeMap<&str, Example<'_>>) -> String {
    let mut page = String::from(
        "# Reference\n\nEvery table of the catalogue, written from `schema/` by `UPDATE=1 cargo test -p catalogue`. \
         Types are those of the GraphQL interface; `!` means never null. The REST routes are described in [openapi.json](openapi.json).\n",
    );
    let mut areas = catalogue.tables.iter().map(|table| table.area.as_str()).collect::<Vec<_>>();
    areas.dedup();
    page.push('\n');
    for area in &areas {
        let tables = catalogue.tables.iter().filter(|table| table.area == *area);
        let names = tables.map(|table| format!("[{0}](#{0})", table.name)).collect::<Vec<_>>();
        line(&mut page, &format!("- **{area}**: {}", names.join(", ")));
    }
    for area in areas {
        line(&mut page, &format!("\n## Area {area}"));
        for table in catalogue.tables.iter().filter(|table| table.area == area) {
            write_table(&mut page, catalogue, table);
        }
        for plain in catalogue.enums.iter().filter(|plain| plain.area == area) {
            line(
                &mut page,
                &format!("\n### {}\n\n{} An enum without a table.", plain.name, plain.description),
            );
            write_values(&mut page, &plain.values);
        }
    }
    line(&mut page, "\n## Listings");
    for listing in &catalogue.listings {
        listings::write(&mut page, catalogue, listing, examples.get(listing.name.as_str()));
    }
    for field in &catalogue.view_fields {
        listings::write_view(&mut page, catalogue, field, examples.get(field.name.as_str()));
    }
    write_operations(&mut page, catalogue, examples);
    page
}

fn line(page: &mut String, text: &str) {
    page.push_str(text);
    page.push('\n');
}

fn write_table(page: &mut String, catalogue: &Catalogue, table: &Table) {
    line(page, &format!("\n### {}\n\n{}\n\n{}", table.name, table.description, whose(catalogue, table)));
    if let TableKind::Lookup { values, enum_name } = &table.kind {
        if let Some(name) = enum_name {
            line(page, &format!("\nIts values are the enum `{name}`."));
        }
        write_values(page, values);
    }
    line(page, "\n| Column | Type | Meaning |\n|---|---|---|");
    for (id, column) in table.iter_columns() {
        let row = format!(
            "| `{}` | {} | {} |",
            column.name,
            ty(column),
            cell(&meaning(catalogue, table, id, column))
        );
        line(page, &row);
    }
    for alias in &table.aliases {
        let same = format!(
            "Another name of `{}`. {}",
            table.column(alias.stands_for).name,
            alias.column.description
        );
        line(
            page,
            &format!("| `{}` | {} | {} |", alias.column.name, ty(&alias.column), cell(same.trim_end())),
        );
    }
    if !table.relationships.is_empty() {
        line(page, "\n| Relationship | Type | Joined by |\n|---|---|---|");
    }
    for relationship in &table.relationships {
        let target = catalogue.table(relationship.target);
        let ty = match relationship.kind {
            RelationshipKind::Many => format!("[[{0}](#{0})!]!", target.name),
            RelationshipKind::One => {
                format!("[{0}](#{0}){1}", target.name, if relationship.nullable { "" } else { "!" })
            }
        };
        let join = relationship.join.iter();
        let join = join.map(|(here, there)| {
            format!("`{}` = `{}.{}`", table.column(*here).name, target.name, target.column(*there).name)
        });
        let join = join.collect::<Vec<_>>().join(" and ");
        let meaning = if relationship.description.is_empty() {
            String::new()
        } else {
            format!(". {}", relationship.description)
        };
        line(page, &format!("| `{}` | {ty} | {join}{} |", relationship.name, cell(&meaning)));
    }
    let constraints = constraints(table);
    if !constraints.is_empty() {
        line(page, &format!("\n{}", constraints.join("\n")));
    }
}

fn whose(catalogue: &Catalogue, table: &Table) -> String {
    let mut text = match &table.scope {
        Scope::Everyone => "The same for all tenants.".to_owned(),
        Scope::Service => "The service's own; no caller meets it.".to_owned(),
        Scope::Tenant(column) => {
            format!("A caller meets the rows whose `{}` is their tenant.", table.column(*column).name)
        }
        Scope::Through(relationship) => {
            let relationship = table.relationship(*relationship);
            let target = &catalogue.table(relationship.target).name;
            format!("A caller meets the rows whose `{}` they meet ({target}).", relationship.name)
        }
    };
    narrower(table, &mut text);
    if matches!(table.kind, TableKind::View { .. }) {
        let _ = write!(text, " A view: `schema/views/{}.sql`.", table.name);
    }
    if table.exposed && !table.root {
        text.push_str(" Reached through relationships only.");
    }
    text
}

/// Describes the rows visible to callers whose roles cover single accounts or namespaces, and who may write.
fn narrower(table: &Table, text: &mut String) {
    if matches!(table.scope, Scope::Service) || matches!(table.kind, TableKind::Lookup { .. }) {
        return;
    }
    match table.account {
        Some(AccountScope::None) | None => text.push_str(" Only for roles over the whole tenant."),
        Some(AccountScope::All) if table.own_user_column.is_none() && table.private_user_column.is_none() => {
            text.push_str(" Whatever their role.");
        }
        Some(AccountScope::All) => {}
        Some(AccountScope::Column { account, namespace }) => {
            let _ = write!(text, " Roles over accounts: `{}` is theirs.", table.column(account).name);
            if namespace == Some(account) {
                text.push_str(" Roles over namespaces read those they have a namespace of.");
            } else if let Some(namespace) = namespace {
                let _ = write!(text, " Roles over namespaces: `{}` is, too.", table.column(namespace).name);
            }
        }
        Some(AccountScope::Through(way)) => {
            let _ = write!(text, " The same for roles over accounts: `{}`.", table.relationship(way).name);
        }
    }
    if let Some(own) = table.own_user_column {
        let _ =
            write!(text, " Whose roles do not cover the tenant: `{}` is the person.", table.column(own).name);
    }
    if let Some(private) = table.private_user_column {
        let person = &table.column(private).name;
        let _ = write!(text, " Only the person in `{person}` meets and writes a row, whatever the role.");
    }
    if !table.exposed {
        return;
    }
    text.push_str(match table.writers() {
        Writers::Nobody => " Nobody writes it through the interface.",
        Writers::Tenant => " Written by roles over the whole tenant.",
        Writers::Accounts => "",
    });
}

fn ty(column: &Column) -> String {
    let name = match &column.scalar {
        Scalar::Enum { lookup: None, name } => format!("[{name}](#{name})"),
        scalar => scalar.graphql_name().replace('[', "\\["),
    };
    format!("{name}{}", if column.nullable { "" } else { "!" })
}

fn meaning(catalogue: &Catalogue, table: &Table, id: ColumnId, column: &Column) -> String {
    let mut notes = Vec::new();
    if table.primary_key.contains(&id) {
        notes.push("Key.".to_owned());
    }
    if !column.description.is_empty() {
        notes.push(column.description.clone());
    }
    if let Some(reference) = &column.references {
        let target = catalogue.table(reference.table);
        let then = match reference.on_delete {
            OnDelete::Restrict => "",
            OnDelete::Cascade => "; goes with it",
            OnDelete::SetNull => "; becomes null when that goes",
        };
        notes.push(format!("Refers to `{}.{}`{then}.", target.name, target.column(reference.column).name));
    }
    if let Some(default) = &column.default {
        notes.push(format!("Default: {}.", default_text(default)));
    }
    if column.exact {
        notes.push("Exact.".to_owned());
    }
    if column.secret {
        notes.push("Secret: written, never read.".to_owned());
    }
    notes.join(" ")
}

fn default_text(default: &Default) -> String {
    match default {
        Default::Now => "the time of the write".to_owned(),
        Default::GeneratedUuid => "a fresh one".to_owned(),
        Default::Literal(value) => match value {
            Value::Null => "null".to_owned(),
            Value::Bool(flag) => format!("`{flag}`"),
            Value::Int(number) => format!("`{number}`"),
            Value::Float(number) => format!("`{number}`"),
            Value::Decimal(number) => format!("`{number}`"),
            Value::Text(text) if text.is_empty() => "empty".to_owned(),
            Value::Text(text) | Value::Json(text) => format!("`{text}`"),
            Value::Uuid(uuid) => format!("`{uuid}`"),
            Value::Timestamp(micros) => format!("`{}`", crate::format_timestamp(*micros)),
            Value::Date(days) => format!("`{}`", crate::format_date(*days)),
        },
    }
}

fn constraints(table: &Table) -> Vec<String> {
    let names = |columns: &[ColumnId]| {
        columns
            .iter()
            .map(|column| format!("`{}`", table.column(*column).name))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let mut lines = Vec::new();
    if !table.primary_key.is_empty() {
        lines.push(format!("- Key `{}`: {}", table.primary_key_name, names(&table.primary_key)));
    }
    for unique in &table.unique {
        let unless =
            unique.only_where_null.map(|column| format!(", where `{}` is null", table.column(column).name));
        lines.push(format!(
            "- Unique `{}`: {}{}",
            unique.name,
            names(&unique.columns),
            unless.unwrap_or_default()
        ));
    }
    lines.extend(table.indices.iter().map(|index| format!("- Index: {}", names(&index.columns))));
    lines
}

fn write_values(page: &mut String, values: &[LookupValue]) {
    line(page, "\n| Value | When |\n|---|---|");
    for value in values {
        line(page, &format!("| `{}` | {} |", value.value, cell(&value.description)));
    }
}

/// Root fields implemented in code, by area, with the types that only they use.
fn write_operations(page: &mut String, catalogue: &Catalogue, examples: &BTreeMap<&str, Example<'_>>) {
    let mut areas = catalogue.operations.iter().map(|operation| operation.area.as_str()).collect::<Vec<_>>();
    areas.dedup();
    for area in areas {
        line(page, &format!("\n## Operations of {area}"));
        for operation in catalogue.operations.iter().filter(|operation| operation.area == area) {
            let roles = operation.roles.iter().map(|role| role.name()).collect::<Vec<_>>().join(", ");
            let verb = if operation.root == Root::Query { "Reads" } else { "Writes" };
            line(page, &format!("\n### {}\n\n{}", operation.name, operation.description));
            line(page, &format!("\n{verb}; roles: {roles}.\n\n```graphql\n{}\n```", signature(operation)));
            for argument in operation.arguments.iter().filter(|argument| !argument.description.is_empty()) {
                line(page, &format!("\n- `{}`: {}", argument.name, argument.description));
            }
            listings::write_example(page, examples.get(operation.name.as_str()));
        }
        for plain in catalogue.types.iter().filter(|plain| plain.area == area) {
            write_type(page, plain);
        }
    }
}

fn signature(operation: &Operation) -> String {
    let arguments: Vec<String> = operation.arguments.iter().map(member).collect();
    let arguments = if arguments.is_empty() { String::new() } else { format!("({})", arguments.join(", ")) };
    format!("{}{arguments}: {}", operation.name, operation.answer)
}

fn member(member: &Member) -> String {
    let default = member.default.as_ref().map(|value| format!(" = {value}")).unwrap_or_default();
    format!("{}: {}{default}", member.name, member.kind)
}

fn write_type(page: &mut String, plain: &PlainType) {
    let (kind, members) = match &plain.shape {
        TypeShape::Object(members) => ("type", members.as_slice()),
        TypeShape::Input(members) => ("input", members.as_slice()),
        TypeShape::Scalar => ("scalar", [].as_slice()),
    };
    line(page, &format!("\n#### {kind} {}", plain.name));
    if !plain.description.is_empty() {
        line(page, &format!("\n{}", plain.description));
    }
    if members.is_empty() {
        return;
    }
    line(page, "\n| Field | Type | Meaning |\n|---|---|---|");
    for member in members {
        let default =
            member.default.as_ref().map(|value| format!(" Default: `{value}`.")).unwrap_or_default();
        let meaning = cell(&format!("{}{default}", member.description));
        line(
            page,
            &format!("| `{}` | {} | {meaning} |", member.name, member.kind.to_string().replace('[', "\\[")),
        );
    }
}

/// Escapes text for a cell of a Markdown table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
