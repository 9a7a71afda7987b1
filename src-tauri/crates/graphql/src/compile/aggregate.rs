//! Compiles `T_aggregate`: aggregates over rows, and the rows.

use super::Compiler;
use super::input::Input;
use super::scalar::boolean;
use super::selection::ChosenField;
use crate::error::{GraphqlError, Path};
use async_graphql_parser::types::SelectionSet;
use catalogue::{Column, TableId};
use store::query::{AggregatePart, AggregateSelect, Figure, FigureColumn, FigureKind, Function};

/// Whether a function applies to a column.
pub(crate) fn applies(function: Function, column: &Column) -> bool {
    !column.secret
        && if function.takes_any_order() { column.scalar.is_ordered() } else { column.scalar.is_number() }
}

impl Compiler<'_> {
    pub(super) fn aggregate_root(
        &self,
        table: TableId,
        chosen: &ChosenField<'_>,
        path: &Path<'_>,
    ) -> Result<AggregateSelect, GraphqlError> {
        let range = self.range(table, chosen, path)?;
        Ok(AggregateSelect { table, parts: self.aggregate_parts(table, &chosen.sets, path)?, range })
    }

    pub(super) fn aggregate_parts(
        &self,
        table: TableId,
        sets: &[&SelectionSet],
        path: &Path<'_>,
    ) -> Result<Vec<AggregatePart>, GraphqlError> {
        let type_name = format!("{}_aggregate", self.catalogue.table(table).name);
        let path = path.join("selectionSet");
        let part = |chosen: &ChosenField<'_>| {
            let field = chosen.field.node.name.node.as_str();
            let path = path.join(field);
            let name = chosen.key.to_owned();
            Ok(match field {
                "__typename" => AggregatePart::Text { name, text: type_name.clone() },
                "nodes" => {
                    self.spent.table(&path)?;
                    AggregatePart::Nodes { name, fields: self.fields(table, &chosen.sets, &path)? }
                }
                "aggregate" => {
                    self.spent.table(&path)?;
                    AggregatePart::Figures { name, figures: self.figures(table, &chosen.sets, &path)? }
                }
                _ => return Err(path.invalid(format!("field '{field}' not found in type: '{type_name}'"))),
            })
        };
        self.some(sets, &type_name, &path)?.iter().map(part).collect()
    }

    fn figures(
        &self,
        table: TableId,
        sets: &[&SelectionSet],
        path: &Path<'_>,
    ) -> Result<Vec<Figure>, GraphqlError> {
        let type_name = format!("{}_aggregate_fields", self.catalogue.table(table).name);
        let path = path.join("selectionSet");
        let figure = |chosen: &ChosenField<'_>| {
            let field = chosen.field.node.name.node.as_str();
            let path = path.join(field);
            let kind = match field {
                "__typename" => FigureKind::Text(type_name.clone()),
                "count" => self.count(table, chosen, &path)?,
                _ => match Function::find(field) {
                    Some(function) if self.has(table, function) => {
                        let columns = self.figure_columns(table, function, chosen, &path)?;
                        FigureKind::Of { function, columns }
                    }
                    _ => {
                        return Err(path.invalid(format!("field '{field}' not found in type: '{type_name}'")));
                    }
                },
            };
            Ok(Figure { name: chosen.key.to_owned(), kind })
        };
        self.some(sets, &type_name, &path)?.iter().map(figure).collect()
    }

    /// Whether the function applies to any column of the table.
    fn has(&self, table: TableId, function: Function) -> bool {
        self.catalogue.table(table).columns.iter().any(|column| applies(function, column))
    }

    fn count(
        &self,
        table: TableId,
        chosen: &ChosenField<'_>,
        path: &Path<'_>,
    ) -> Result<FigureKind, GraphqlError> {
        let arguments = path.join("args");
        let (mut columns, mut distinct) = (Vec::new(), false);
        for (name, value) in self.arguments(chosen, &arguments)? {
            let place = arguments.join(&name);
            match (name.as_str(), &value) {
                ("columns" | "distinct", Input::Null) => {}
                ("columns", _) => {
                    columns = value.each(&place, |member, path| self.column_name(table, member, path))?;
                }
                ("distinct", value) => distinct = boolean(value, &place)?,
                _ => return Err(super::arguments::unexpected(chosen, &name, &arguments)),
            }
        }
        Ok(FigureKind::Count { columns, distinct })
    }

    fn figure_columns(
        &self,
        table: TableId,
        function: Function,
        chosen: &ChosenField<'_>,
        path: &Path<'_>,
    ) -> Result<Vec<FigureColumn>, GraphqlError> {
        let described = self.catalogue.table(table);
        let type_name = format!("{}_{}_fields", described.name, function.name());
        let path = path.join("selectionSet");
        let column = |chosen: &ChosenField<'_>| {
            let field = chosen.field.node.name.node.as_str();
            let name = chosen.key.to_owned();
            if field == "__typename" {
                return Ok(FigureColumn { name, column: None, text: type_name.clone() });
            }
            let known = described.find_column(field).filter(|id| applies(function, described.column(*id)));
            let unknown =
                || path.join(field).invalid(format!("field '{field}' not found in type: '{type_name}'"));
            Ok(FigureColumn { name, column: Some(known.ok_or_else(unknown)?), text: String::new() })
        };
        self.some(&chosen.sets, &type_name, &path)?.iter().map(column).collect()
    }
}
