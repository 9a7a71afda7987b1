//! Compiles root fields that write (`insert_T`, `update_T`, `delete_T` and related ones) to a [`Change`].

use super::Compiler;
use super::arguments::unexpected;
use super::input::Input;
use super::new_row::two_values;
use super::scalar::read;
use super::selection::ChosenField;
use crate::error::{GraphqlError, Path};
use crate::roots::Write;
use catalogue::{ColumnId, Scalar, Table, TableId, Value};
use store::Change;
use store::change::{Answer, ChangeKind, ColumnChange, ResponsePart, Update};
use store::query::{Filter, Operator, Subject};

/// Update operators, in the order they are applied.
const SETS: [&str; 7] =
    ["_set", "_inc", "_append", "_prepend", "_delete_key", "_delete_elem", "_delete_at_path"];

impl Compiler<'_> {
    pub(super) fn change(
        &self,
        write: Write,
        table: TableId,
        chosen: &ChosenField<'_>,
        path: &Path<'_>,
    ) -> Result<Change, GraphqlError> {
        let arguments = path.join("args");
        let given = self.arguments(chosen, &arguments)?;
        let allowed: &[&str] = match write {
            Write::Insert => &["objects", "on_conflict"],
            Write::InsertOne => &["object", "on_conflict"],
            Write::Update | Write::Delete => &["where"],
            Write::UpdateByKey => &["pk_columns"],
            Write::UpdateMany => &["updates"],
            Write::DeleteByKey => &[],
        };
        let described = self.catalogue.table(table);
        let takes_sets = matches!(write, Write::Update | Write::UpdateByKey);
        let is_key = |name: &str| described.primary_key.iter().any(|id| described.column(*id).name == name);
        for (name, _) in &given {
            let known = allowed.contains(&name.as_str())
                || takes_sets && SETS.contains(&name.as_str())
                || write == Write::DeleteByKey && is_key(name);
            if !known {
                return Err(unexpected(chosen, name, &arguments));
            }
        }
        let entry = |wanted: &str| given.iter().find(|(name, _)| name == wanted).map(|(_, value)| value);
        let required = |wanted: &str| {
            let missing = || arguments.invalid(format!("missing required argument '{wanted}'"));
            entry(wanted).filter(|value| **value != Input::Null).ok_or_else(missing)
        };
        let response = || self.response(table, chosen, path);
        let row = || self.fields(table, &chosen.sets, path).map(Answer::Row);
        let kind = match write {
            Write::Insert | Write::InsertOne => {
                let name = if write == Write::Insert { "objects" } else { "object" };
                let place = arguments.join(name);
                let objects = required(name)?;
                if write == Write::InsertOne && matches!(objects, Input::List(_)) {
                    return Err(place.invalid("expected an object, but found a list"));
                }
                let rows = objects.each(&place, |member, path| self.new_row(table, &[], member, path))?;
                let conflict = match entry("on_conflict") {
                    None | Some(Input::Null) => None,
                    Some(value) => Some(self.conflict(table, value, &arguments.join("on_conflict"))?),
                };
                let answer = if write == Write::Insert { Answer::Response(response()?) } else { row()? };
                ChangeKind::Insert { table, rows, conflict, answer }
            }
            Write::Update => {
                self.spent.table(path)?;
                let filter = self.filter(table, required("where")?, &arguments.join("where"))?;
                let sets = self.sets(table, &given, &arguments)?;
                let updates = vec![Update { filter, sets }];
                ChangeKind::Update { table, updates, answer: Answer::Response(response()?) }
            }
            Write::UpdateByKey => {
                let place = arguments.join("pk_columns");
                let filter = self.key_filter(described, required("pk_columns")?.entries(&place)?, &place)?;
                let sets = self.sets(table, &given, &arguments)?;
                ChangeKind::Update { table, updates: vec![Update { filter, sets }], answer: row()? }
            }
            Write::UpdateMany => {
                let place = arguments.join("updates");
                let updates =
                    required("updates")?.each(&place, |member, path| self.update(table, member, path))?;
                ChangeKind::Update { table, updates, answer: Answer::Responses(response()?) }
            }
            Write::Delete => {
                self.spent.table(path)?;
                let filter = self.filter(table, required("where")?, &arguments.join("where"))?;
                ChangeKind::Delete { table, filter, answer: Answer::Response(response()?) }
            }
            Write::DeleteByKey => {
                let filter = self.key_filter(described, &given, &arguments)?;
                ChangeKind::Delete { table, filter, answer: row()? }
            }
        };
        Ok(Change { name: chosen.key.to_owned(), field: chosen.field.node.name.node.to_string(), kind })
    }

    /// The filter for the row with this key; all key columns are required.
    pub(super) fn key_filter(
        &self,
        table: &Table,
        given: &[(String, Input)],
        path: &Path<'_>,
    ) -> Result<Filter, GraphqlError> {
        let mut conditions = Vec::new();
        for column in &table.primary_key {
            let name = &table.column(*column).name;
            let place = path.join(name);
            let (_, value) = given.iter().find(|(given, _)| given == name).ok_or_else(|| {
                place.invalid(format!("expected a value for the argument '{name}', but found nothing"))
            })?;
            let test = self.compared(table.column(*column), Operator::Equal, value, &place)?;
            conditions.push(Filter::Test { subject: Subject::Column(*column), test });
        }
        Ok(Filter::And(conditions))
    }

    /// Compiles one element of `updates`.
    fn update(&self, table: TableId, value: &Input, path: &Path<'_>) -> Result<Update, GraphqlError> {
        self.spent.begin_statement();
        let entries = value.entries(path)?;
        let unknown = entries.iter().find(|(name, _)| name != "where" && !SETS.contains(&name.as_str()));
        if let Some((name, _)) = unknown {
            let type_name = &self.catalogue.table(table).name;
            return Err(path
                .join(name)
                .invalid(format!("field '{name}' not found in type: '{type_name}_updates'")));
        }
        let (_, filter) = entries
            .iter()
            .find(|(name, _)| name == "where")
            .ok_or_else(|| path.invalid("missing required field 'where'"))?;
        let filter = self.filter(table, filter, &path.join("where"))?;
        Ok(Update { filter, sets: self.sets(table, entries, path)? })
    }

    fn sets(
        &self,
        table: TableId,
        given: &[(String, Input)],
        path: &Path<'_>,
    ) -> Result<Vec<ColumnChange>, GraphqlError> {
        let described = self.catalogue.table(table);
        let mut sets: Vec<ColumnChange> = Vec::new();
        for operator in SETS {
            let Some((_, value)) =
                given.iter().find(|(name, value)| name == operator && *value != Input::Null)
            else {
                continue;
            };
            let path = path.join(operator);
            for (name, value) in value.entries(&path)? {
                let place = path.join(name);
                let id =
                    described.find_column(name).filter(|id| fits(operator, &described.column(*id).scalar));
                let id = id.ok_or_else(|| {
                    let suffix = if operator == "_set" {
                        "_set_input".to_owned()
                    } else {
                        format!("{operator}_input")
                    };
                    place.invalid(format!("field '{name}' not found in type: '{}{suffix}'", described.name))
                })?;
                let set = self.set(operator, described, id, value, &place)?;
                if let Some(other) = sets.iter().find(|set| set.column() == id) {
                    match (other, &set) {
                        (ColumnChange::To(_, other), ColumnChange::To(_, value)) if other == value => {
                            continue;
                        }
                        (ColumnChange::To(..), ColumnChange::To(..)) => {
                            return Err(place.invalid(two_values(described, id)));
                        }
                        _ => {}
                    }
                    return Err(
                        place.invalid(format!("column '{name}' is changed by more than one operator"))
                    );
                }
                sets.push(set);
            }
        }
        // An operator without columns changes nothing; a request without any operator is an error.
        if !given.iter().any(|(name, value)| SETS.contains(&name.as_str()) && *value != Input::Null) {
            return Err(path.invalid(
                "at least any one of _set, _inc, _append, _prepend, _delete_key, _delete_elem and _delete_at_path operator is expected",
            ));
        }
        Ok(sets)
    }

    fn set(
        &self,
        operator: &str,
        table: &Table,
        id: ColumnId,
        value: &Input,
        path: &Path<'_>,
    ) -> Result<ColumnChange, GraphqlError> {
        let column = table.column(id);
        let value_of = || read(self.catalogue, column, value, path);
        Ok(match operator {
            "_set" => ColumnChange::To(id, self.cell(table, id, value, path)?),
            "_inc" => ColumnChange::Increment(id, value_of()?),
            "_append" => ColumnChange::Append(id, value_of()?),
            "_prepend" => ColumnChange::Prepend(id, value_of()?),
            "_delete_key" => match value {
                Input::Text(key) => ColumnChange::DeleteKey(id, key.to_string()),
                other => {
                    return Err(path.invalid(format!("expected a string, but found {}", other.describe())));
                }
            },
            "_delete_elem" => match value {
                Input::Number(number) if number.as_i64().is_some() => {
                    ColumnChange::DeleteElement(id, number.as_i64().unwrap_or_default())
                }
                other => {
                    return Err(
                        path.invalid(format!("expected a whole number, but found {}", other.describe()))
                    );
                }
            },
            _ => ColumnChange::DeleteAtPath(id, super::filter::texts(value, path)?),
        })
    }

    /// The value of a column to write; null if the column is nullable.
    pub(super) fn cell(
        &self,
        table: &Table,
        id: ColumnId,
        value: &Input,
        path: &Path<'_>,
    ) -> Result<Value, GraphqlError> {
        let column = table.column(id);
        match value {
            Input::Null if column.nullable => Ok(Value::Null),
            value => read(self.catalogue, column, value, path),
        }
    }

    /// Compiles `T_mutation_response`.
    fn response(
        &self,
        table: TableId,
        chosen: &ChosenField<'_>,
        path: &Path<'_>,
    ) -> Result<Vec<ResponsePart>, GraphqlError> {
        let type_name = format!("{}_mutation_response", self.catalogue.table(table).name);
        let path = path.join("selectionSet");
        let part = |chosen: &ChosenField<'_>| {
            let field = chosen.field.node.name.node.as_str();
            let path = path.join(field);
            let name = chosen.key.to_owned();
            Ok(match field {
                "__typename" => ResponsePart::Text { name, text: type_name.clone() },
                "affected_rows" => ResponsePart::AffectedRows { name },
                "returning" => {
                    ResponsePart::Returning { name, fields: self.fields(table, &chosen.sets, &path)? }
                }
                _ => return Err(path.invalid(format!("field '{field}' not found in type: '{type_name}'"))),
            })
        };
        self.some(&chosen.sets, &type_name, &path)?.iter().map(part).collect()
    }
}

/// Whether an operator applies to columns of this type.
pub(crate) fn fits(operator: &str, scalar: &Scalar) -> bool {
    match operator {
        "_set" => true,
        "_inc" => scalar.is_number(),
        _ => *scalar == Scalar::Jsonb,
    }
}
