//! Evaluates selection sets: expands fragments, applies `@include` and `@skip`, and merges fields with the same key.

use super::Compiler;
use super::arguments::no_arguments;
use super::input::Input;
use crate::error::{GraphqlError, Path};
use crate::limits::FRAGMENTS;
use async_graphql_parser::Positioned;
use async_graphql_parser::types::{Directive, Field, Selection, SelectionSet};
use catalogue::{RelationshipKind, Table, TableId};
use store::query::{self, FieldKind};

/// One field of a response, with all its merged selections.
pub(super) struct ChosenField<'a> {
    /// Alias or name.
    pub key: &'a str,
    pub field: &'a Positioned<Field>,
    pub sets: Vec<&'a SelectionSet>,
}

impl<'a> Compiler<'a> {
    /// The fields selected from a type, in response order.
    pub(super) fn choose<'s>(
        &'s self,
        sets: &[&'s SelectionSet],
        type_name: &str,
        path: &Path<'_>,
    ) -> Result<Vec<ChosenField<'s>>, GraphqlError>
    where
        'a: 's,
    {
        self.spent.depth(path)?;
        let mut chosen = Vec::new();
        for set in sets {
            self.gather(set, type_name, path, &mut chosen, 0)?;
        }
        Ok(chosen)
    }

    /// The fields selected from an object. Directives may exclude all of them, but an object without any selection is refused.
    pub(super) fn some<'s>(
        &'s self,
        sets: &[&'s SelectionSet],
        type_name: &str,
        path: &Path<'_>,
    ) -> Result<Vec<ChosenField<'s>>, GraphqlError>
    where
        'a: 's,
    {
        if sets.iter().all(|set| set.items.is_empty()) {
            return Err(path.invalid(format!("missing selection set for '{type_name}'")));
        }
        self.choose(sets, type_name, path)
    }

    fn gather<'s>(
        &'s self,
        set: &'s SelectionSet,
        type_name: &str,
        path: &Path<'_>,
        chosen: &mut Vec<ChosenField<'s>>,
        depth: usize,
    ) -> Result<(), GraphqlError>
    where
        'a: 's,
    {
        if depth > FRAGMENTS {
            return Err(path.invalid("fragments nest too deeply"));
        }
        for item in &set.items {
            self.spent.field(path)?;
            match &item.node {
                Selection::Field(field) => {
                    if !self.is_wanted(&field.node.directives, path)? {
                        continue;
                    }
                    let key = field.node.response_key().node.as_str();
                    let inner = &field.node.selection_set.node;
                    match chosen.iter_mut().find(|other| other.key == key) {
                        Some(same) if same.field.node.name.node == field.node.name.node => {
                            if same.field.node.arguments != field.node.arguments {
                                return Err(path.invalid(format!(
                                    "inconsistent arguments between multiple selections of field '{key}'"
                                )));
                            }
                            same.sets.push(inner);
                        }
                        Some(other) => {
                            return Err(path.invalid(format!(
                                "selection of both '{}' and '{}' specify the same response name, '{key}'",
                                other.field.node.name.node, field.node.name.node
                            )));
                        }
                        None => chosen.push(ChosenField { key, field, sets: vec![inner] }),
                    }
                }
                Selection::FragmentSpread(spread) => {
                    if !self.is_wanted(&spread.node.directives, path)? {
                        continue;
                    }
                    let name = &spread.node.fragment_name.node;
                    let fragment =
                        self.document.fragments.get(name).ok_or_else(|| {
                            path.invalid(format!("reference to undefined fragment \"{name}\""))
                        })?;
                    if fragment.node.type_condition.node.on.node == type_name {
                        let inner = &fragment.node.selection_set.node;
                        self.gather(inner, type_name, path, chosen, depth + 1)?;
                    }
                }
                Selection::InlineFragment(fragment) => {
                    if !self.is_wanted(&fragment.node.directives, path)? {
                        continue;
                    }
                    let condition = fragment.node.type_condition.as_ref();
                    if condition.is_none_or(|condition| condition.node.on.node == type_name) {
                        let inner = &fragment.node.selection_set.node;
                        self.gather(inner, type_name, path, chosen, depth + 1)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn is_wanted(&self, directives: &[Positioned<Directive>], path: &Path<'_>) -> Result<bool, GraphqlError> {
        for directive in directives {
            let name = directive.node.name.node.as_str();
            let wanted = match name {
                "include" => true,
                "skip" => false,
                "cached" => continue,
                _ => return Err(path.invalid(format!("directive \"{name}\" is not defined in the schema"))),
            };
            let condition = directive
                .node
                .get_argument("if")
                .ok_or_else(|| path.invalid(format!("the directive \"{name}\" needs the argument \"if\"")))?;
            match self.input(&condition.node, path)? {
                Some(Input::Bool(value)) if value == wanted => {}
                Some(Input::Bool(_)) => return Ok(false),
                other => {
                    let found = other.map_or("nothing".to_owned(), |other| other.describe());
                    return Err(path.invalid(format!("expected a boolean for \"if\", but found {found}")));
                }
            }
        }
        Ok(true)
    }

    /// Compiles the fields of a table's object.
    pub(super) fn fields(
        &self,
        table: TableId,
        sets: &[&SelectionSet],
        path: &Path<'_>,
    ) -> Result<Vec<query::Field>, GraphqlError> {
        let described = self.catalogue.table(table);
        let path = path.join("selectionSet");
        self.some(sets, &described.name, &path)?
            .iter()
            .map(|chosen| {
                let name = chosen.field.node.name.node.as_str();
                let kind = self.field(described, chosen, &path.join(name))?;
                Ok(query::Field { name: chosen.key.to_owned(), kind })
            })
            .collect()
    }

    fn field(
        &self,
        table: &Table,
        chosen: &ChosenField<'_>,
        path: &Path<'_>,
    ) -> Result<FieldKind, GraphqlError> {
        let name = chosen.field.node.name.node.as_str();
        if name == "__typename" {
            return Ok(FieldKind::Text(table.name.clone()));
        }
        if let Some(id) = table.find_column(name).filter(|id| !table.column(*id).secret) {
            if chosen.sets.iter().any(|set| !set.items.is_empty()) {
                let kind = table.column(id).scalar.graphql_name();
                return Err(path
                    .invalid(format!("unexpected subselection set for non-object field of type '{kind}'")));
            }
            let path_argument = self.json_path(table.column(id), chosen, path)?;
            return Ok(FieldKind::Column { column: id, path: path_argument });
        }
        let unknown = || path.invalid(format!("field '{name}' not found in type: '{}'", table.name));
        let visible = |name: &str| {
            table.find_relationship(name).filter(|id| self.roots.show(table.relationship(*id).target))
        };
        if let Some(id) = visible(name) {
            self.spent.table(path)?;
            let relationship = table.relationship(id);
            let fields = self.fields(relationship.target, &chosen.sets, path)?;
            return Ok(match relationship.kind {
                RelationshipKind::One => {
                    no_arguments(chosen, path)?;
                    FieldKind::One { relationship: id, fields }
                }
                RelationshipKind::Many => {
                    let range = self.range(relationship.target, chosen, path)?;
                    FieldKind::Many { relationship: id, fields, range }
                }
            });
        }
        let many = name.strip_suffix("_aggregate").and_then(visible);
        let id =
            many.filter(|id| table.relationship(*id).kind == RelationshipKind::Many).ok_or_else(unknown)?;
        let target = table.relationship(id).target;
        let parts = self.aggregate_parts(target, &chosen.sets, path)?;
        Ok(FieldKind::Aggregate { relationship: id, parts, range: self.range(target, chosen, path)? })
    }
}
