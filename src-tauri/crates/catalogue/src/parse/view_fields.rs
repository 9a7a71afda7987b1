//! Parses root fields over views with arguments.

use super::directives::Directive;
use super::drafts::Drafts;
use super::problems::Problems;
use crate::{Catalogue, Column, TableKind, TypeShape, ViewField, scalar};
use async_graphql_parser::types::{BaseType, FieldDefinition, Type};

/// Adds the view fields of the drafts to the catalogue. Their argument types must have been parsed.
pub(super) fn build(drafts: &Drafts<'_>, catalogue: &mut Catalogue, problems: &mut Problems) {
    for (place, field, directive) in &drafts.view_fields {
        match view_field(field, directive, catalogue, problems) {
            Ok(field) => catalogue.view_fields.push(field),
            Err(message) => problems.add(*place, format!("`{}`: {message}", field.name.node)),
        }
    }
    check_views(drafts, catalogue, problems);
}

fn view_field(
    field: &FieldDefinition,
    directive: &Directive<'_>,
    catalogue: &Catalogue,
    problems: &mut Problems,
) -> Result<ViewField, String> {
    let of = directive.required("of", problems).ok_or("it reads nothing")?;
    let table = catalogue.find(of).ok_or_else(|| format!("there is no view `{of}`"))?;
    let TableKind::View { parameters: wanted, .. } = &catalogue.table(table).kind else {
        return Err(format!("`{of}` is no view"));
    };
    let argument = |name: &str| {
        let found = field.arguments.iter().find(|argument| argument.node.name.node == name);
        let kind = found.map(|argument| base(&argument.node.ty.node));
        kind.ok_or_else(|| format!("it needs the argument `{name}`"))
    };
    let input_type = argument("args")?;
    let shape = catalogue.find_type(&input_type).map(|plain| &plain.shape);
    let Some(TypeShape::Input(members)) = shape else {
        return Err(format!("there is no `input {input_type}` in operations/"));
    };
    let mut parameters = Vec::with_capacity(members.len());
    for member in members {
        let scalar = scalar(member.kind.name())
            .ok_or_else(|| format!("`{}` must be a scalar of a column", member.name))?;
        parameters.push(Column {
            name: member.name.clone(),
            description: member.description.clone(),
            scalar,
            nullable: false,
            default: None,
            secret: false,
            exact: false,
            references: None,
            shared: None,
        });
    }
    let is_wanted = |column: &Column| wanted.contains(&column.name);
    if parameters.len() != wanted.len() || !parameters.iter().all(is_wanted) {
        return Err(format!("`{input_type}` must have what the view takes: {}", wanted.join(", ")));
    }
    let written = |argument: &async_graphql_parser::types::InputValueDefinition| {
        (argument.name.node.to_string(), argument.ty.node.to_string())
    };
    Ok(ViewField {
        name: field.name.node.to_string(),
        description: field.description.as_ref().map(|text| text.node.clone()).unwrap_or_default(),
        table,
        arguments: field.arguments.iter().map(|argument| written(&argument.node)).collect(),
        input_type,
        parameters,
        where_type: argument("where")?,
        column_type: argument("distinct_on")?,
    })
}

/// A view with parameters must not have root fields of its own, because no request could supply the arguments.
fn check_views(drafts: &Drafts<'_>, catalogue: &Catalogue, problems: &mut Problems) {
    for draft in &drafts.tables {
        let Some(table) = catalogue.find(draft.name).map(|id| catalogue.table(id)) else { continue };
        let takes = matches!(&table.kind, TableKind::View { parameters, .. } if !parameters.is_empty());
        if takes && table.exposed {
            problems
                .add(draft.place, format!("`{}` takes parameters: it must say exposed: false", draft.name));
        }
    }
}

/// The innermost type name.
fn base(ty: &Type) -> String {
    match &ty.base {
        BaseType::Named(name) => name.to_string(),
        BaseType::List(item) => base(item),
    }
}
