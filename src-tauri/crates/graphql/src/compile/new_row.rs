//! Compiles `T_insert_input` and `T_on_conflict`: rows to insert, with nested rows.

use super::Compiler;
use super::input::Input;
use crate::error::{GraphqlError, Path};
use catalogue::{ColumnId, Relationship, RelationshipKind, Table, TableId};
use store::change::{Conflict, NewRow};

impl Compiler<'_> {
    /// Compiles a row with its nested rows. The parent row determines the columns `determined`.
    pub(super) fn new_row(
        &self,
        table: TableId,
        determined: &[ColumnId],
        value: &Input,
        path: &Path<'_>,
    ) -> Result<NewRow, GraphqlError> {
        let described = self.catalogue.table(table);
        let mut row = NewRow::default();
        for (name, value) in value.entries(path)? {
            let path = path.join(name);
            if let Some(id) = described.find_column(name) {
                let value = self.cell(described, id, value, &path)?;
                match row.cells.iter().find(|(given, _)| *given == id) {
                    None => row.cells.push((id, value)),
                    Some((_, other)) if *other == value => {}
                    Some(_) => return Err(path.invalid(two_values(described, id))),
                }
                continue;
            }
            let shown = |id: &catalogue::RelationshipId| self.roots.show(described.relationship(*id).target);
            let id = described.find_relationship(name).filter(shown).ok_or_else(|| {
                path.invalid(format!("field '{name}' not found in type: '{}_insert_input'", described.name))
            })?;
            if *value == Input::Null {
                continue;
            }
            let relationship = described.relationship(id);
            let is_child = self.is_child(table, relationship);
            let theirs: Vec<ColumnId> =
                relationship.join.iter().filter(|_| is_child).map(|(_, there)| *there).collect();
            let (mut rows, conflict) = self.nested(relationship, &theirs, value, &path)?;
            if is_child {
                row.children.push((id, rows, conflict));
            } else if let Some(parent) = rows.pop() {
                row.parents.push((id, parent, conflict));
            }
        }
        check_determined(described, determined, &row, path)?;
        Ok(row)
    }

    /// Whether rows of a relationship are inserted after the parent row and take their columns from it.
    fn is_child(&self, table: TableId, relationship: &Relationship) -> bool {
        let refers = |from: TableId, column: ColumnId, to: TableId| {
            let reference = self.catalogue.table(from).column(column).references.as_ref();
            reference.is_some_and(|reference| reference.table == to)
        };
        let target = relationship.target;
        relationship.kind == RelationshipKind::Many
            || relationship.join.iter().any(|(_, there)| refers(target, *there, table))
                && !relationship.join.iter().any(|(here, _)| refers(table, *here, target))
    }

    /// Compiles `data` and `on_conflict` of a relationship.
    fn nested(
        &self,
        relationship: &Relationship,
        determined: &[ColumnId],
        value: &Input,
        path: &Path<'_>,
    ) -> Result<(Vec<NewRow>, Option<Conflict>), GraphqlError> {
        let target = relationship.target;
        let (mut rows, mut conflict) = (None, None);
        for (name, value) in value.entries(path)? {
            let path = path.join(name);
            match (name.as_str(), value) {
                ("data", Input::List(_)) if relationship.kind == RelationshipKind::One => {
                    return Err(path.invalid("expected an object, but found a list"));
                }
                ("data", value) => {
                    let row =
                        |member: &Input, path: &Path<'_>| self.new_row(target, determined, member, path);
                    rows = Some(value.each(&path, row)?);
                }
                ("on_conflict", Input::Null) => {}
                ("on_conflict", value) => conflict = Some(self.conflict(target, value, &path)?),
                _ => return Err(path.invalid(format!("expected data or on_conflict, but found '{name}'"))),
            }
        }
        let rows = rows.ok_or_else(|| path.invalid("missing required field 'data'"))?;
        Ok((rows, conflict))
    }

    pub(super) fn conflict(
        &self,
        table: TableId,
        value: &Input,
        path: &Path<'_>,
    ) -> Result<Conflict, GraphqlError> {
        let described = self.catalogue.table(table);
        let (mut found, mut update, mut filter) = (None, Vec::new(), None);
        for (name, value) in value.entries(path)? {
            let path = path.join(name);
            match (name.as_str(), value) {
                ("constraint", Input::Text(name)) => found = Some(constraint(described, name, &path)?),
                ("update_columns" | "where", Input::Null) => {}
                ("update_columns", value) => {
                    let columns = value.each(&path, |member, path| update_column(described, member, path))?;
                    for column in columns {
                        if !update.contains(&column) {
                            update.push(column);
                        }
                    }
                }
                ("where", value) => filter = Some(self.filter(table, value, &path)?),
                (name, value) => {
                    return Err(path.invalid(format!(
                        "expected constraint, update_columns or where, but found {name}: {}",
                        value.describe()
                    )));
                }
            }
        }
        let (columns, unless) = found.ok_or_else(|| path.invalid("missing required field 'constraint'"))?;
        Ok(Conflict { columns, unless, update, filter })
    }
}

/// The error message for a column whose several names were given different values.
pub(super) fn two_values(table: &Table, id: ColumnId) -> String {
    let column = &table.column(id).name;
    let aliases = table.aliases.iter().filter(|alias| alias.stands_for == id);
    let names: Vec<String> = std::iter::once(column)
        .chain(aliases.map(|alias| &alias.column.name))
        .map(|name| format!("'{name}'"))
        .collect();
    format!(
        "{} are names of one value and were given different values: give one of them",
        names.join(" and ")
    )
}

/// Refuses values for columns that a nested row or the parent row determines.
fn check_determined(
    table: &Table,
    determined: &[ColumnId],
    row: &NewRow,
    path: &Path<'_>,
) -> Result<(), GraphqlError> {
    let names = |columns: &[ColumnId]| {
        let names: Vec<String> = columns.iter().map(|id| format!("\"{}\"", table.column(*id).name)).collect();
        names.join(", ")
    };
    let is_given = |id: &ColumnId| row.cells.iter().any(|(given, _)| given == id);
    let given: Vec<ColumnId> = determined.iter().copied().filter(is_given).collect();
    if !given.is_empty() {
        return Err(path.invalid(format!(
            "cannot insert {} columns as their values are already being determined by parent insert",
            names(&given)
        )));
    }
    for (id, ..) in &row.parents {
        let relationship = table.relationship(*id);
        let here = relationship.join.iter().map(|(here, _)| *here);
        let known: Vec<ColumnId> = here.filter(|id| is_given(id) || determined.contains(id)).collect();
        if !known.is_empty() {
            let name = &relationship.name;
            return Err(path.join(name).invalid(format!(
                "cannot insert object relationship \"{name}\" as {} column values are already determined",
                names(&known)
            )));
        }
    }
    Ok(())
}

/// The columns of a constraint, and the column that must be null for it to apply.
fn constraint(
    table: &Table,
    name: &str,
    path: &Path<'_>,
) -> Result<(Vec<ColumnId>, Option<ColumnId>), GraphqlError> {
    if name == table.primary_key_name {
        return Ok((table.primary_key.clone(), None));
    }
    let unique = table.unique.iter().find(|unique| unique.name == name);
    unique.map(|unique| (unique.columns.clone(), unique.only_where_null)).ok_or_else(|| {
        let names: Vec<String> = std::iter::once(&table.primary_key_name)
            .chain(table.unique.iter().map(|unique| &unique.name))
            .map(|name| format!("'{name}'"))
            .collect();
        path.invalid(format!(
            "expected one of the values [{}] for type '{}_constraint', but found \"{name}\"",
            names.join(", "),
            table.name
        ))
    })
}

/// A value of `T_update_column`: secret columns may be written, though never read.
fn update_column(table: &Table, value: &Input, path: &Path<'_>) -> Result<ColumnId, GraphqlError> {
    let found = match value {
        Input::Text(name) => table.find_column(name),
        _ => None,
    };
    found.ok_or_else(|| {
        let name = &table.name;
        path.invalid(format!(
            "expected a column for type '{name}_update_column', but found {}",
            value.describe()
        ))
    })
}
