//! Compiles aggregates over related rows, in `where` (`T_aggregate_bool_exp`) and `order_by` (`T_aggregate_order_by`).

use super::Compiler;
use super::aggregate::applies;
use super::input::Input;
use super::order::direction;
use super::scalar::boolean;
use crate::error::{GraphqlError, Path};
use catalogue::{Column, ColumnId, RelationshipId, RelationshipKind, Scalar, Table, TableId};
use store::query::{Direction, Filter, Function, Measure, RelatedFigure, Subject};

/// The functions of `T_aggregate_bool_exp` other than `count`.
pub(crate) const PREDICATES: [&str; 10] =
    ["avg", "bool_and", "bool_or", "corr", "covar_samp", "max", "min", "stddev_samp", "sum", "var_samp"];

/// Whether a column may be an argument of a predicate: Booleans for `bool_…`, `float8` for the others.
pub(crate) fn takes(predicate: &str, column: &Column) -> bool {
    let wanted = if predicate.starts_with("bool_") { Scalar::Boolean } else { Scalar::Float8 };
    !column.secret && column.scalar == wanted
}

impl Compiler<'_> {
    /// The to-many relationship of a field `<name>_aggregate`.
    pub(super) fn aggregated(&self, table: &Table, name: &str) -> Option<RelationshipId> {
        let id = table.find_relationship(name.strip_suffix("_aggregate")?)?;
        let relationship = table.relationship(id);
        let is_shown = self.roots.show(relationship.target);
        (relationship.kind == RelationshipKind::Many && is_shown).then_some(id)
    }

    /// Compiles `T_aggregate_bool_exp`.
    pub(super) fn aggregate_filter(
        &self,
        table: &Table,
        relationship: RelationshipId,
        value: &Input,
        path: &Path<'_>,
    ) -> Result<Filter, GraphqlError> {
        let target = table.relationship(relationship).target;
        let mut parts = Vec::new();
        for (name, value) in value.entries(path)? {
            let path = path.join(name);
            self.spent.table(&path)?;
            let predicate = || self.predicate(target, relationship, name, value, &path);
            parts.push(self.spent.related(&path, predicate)?);
        }
        Ok(Filter::And(parts))
    }

    fn predicate(
        &self,
        target: TableId,
        relationship: RelationshipId,
        name: &str,
        value: &Input,
        path: &Path<'_>,
    ) -> Result<Filter, GraphqlError> {
        let described = self.catalogue.table(target);
        let type_name = format!("{}_aggregate_bool_exp", described.name);
        let known = name == "count"
            || PREDICATES.contains(&name) && described.columns.iter().any(|column| takes(name, column));
        if !known {
            return Err(path.invalid(format!("field '{name}' not found in type: '{type_name}'")));
        }
        let entries = value.entries(path)?;
        let entry = |wanted: &str| {
            entries
                .iter()
                .find(|(name, value)| name == wanted && *value != Input::Null)
                .map(|(_, value)| value)
        };
        let required = |wanted: &str| {
            entry(wanted).ok_or_else(|| {
                path.invalid(format!("field '{wanted}' of type '{type_name}_{name}' is required"))
            })
        };
        for (entry, _) in entries {
            if !["arguments", "distinct", "filter", "predicate"].contains(&entry.as_str()) {
                return Err(path.invalid(format!("field '{entry}' not found in type: '{type_name}_{name}'")));
            }
        }
        let distinct = entry("distinct").map_or(Ok(false), |value| boolean(value, &path.join("distinct")))?;
        let filter =
            entry("filter").map(|value| self.filter(target, value, &path.join("filter"))).transpose()?;
        let arguments = path.join("arguments");
        let (measure, column) = if name == "count" {
            let columns = match entry("arguments") {
                None => Vec::new(),
                Some(value) => {
                    value.each(&arguments, |member, path| self.column_name(target, member, path))?
                }
            };
            (Measure::Count(columns), figure_column(Scalar::Int, false))
        } else {
            measure(described, name, required("arguments")?, &arguments)?
        };
        let figure = RelatedFigure { relationship, measure, distinct, filter };
        self.comparison(
            &column,
            &Subject::Figure(Box::new(figure)),
            required("predicate")?,
            &path.join("predicate"),
        )
    }

    /// Compiles `T_aggregate_order_by`.
    pub(super) fn aggregate_order(
        &self,
        table: &Table,
        relationship: RelationshipId,
        value: &Input,
        path: &Path<'_>,
    ) -> Result<Vec<(RelatedFigure, Direction)>, GraphqlError> {
        let target = self.catalogue.table(table.relationship(relationship).target);
        let figure = |measure| RelatedFigure { relationship, measure, distinct: false, filter: None };
        let mut order = Vec::new();
        for (name, value) in value.entries(path)? {
            let path = path.join(name);
            let unknown = |type_name: String, name: &str| {
                path.invalid(format!("field '{name}' not found in type: '{type_name}'"))
            };
            if *value == Input::Null {
                continue;
            }
            if name == "count" {
                self.spent.table(&path)?;
                order.push((figure(Measure::Count(Vec::new())), direction(value, &path)?));
                continue;
            }
            let function = Function::find(name)
                .ok_or_else(|| unknown(format!("{}_aggregate_order_by", target.name), name))?;
            for (column, value) in value.entries(&path)? {
                self.spent.condition(&path)?;
                self.spent.table(&path)?;
                let id = target
                    .find_column(column)
                    .filter(|id| applies(function, target.column(*id)))
                    .ok_or_else(|| unknown(format!("{}_{name}_order_by", target.name), column))?;
                order.push((figure(Measure::Of(function, id)), direction(value, &path.join(column))?));
            }
        }
        Ok(order)
    }
}

/// The aggregate of a predicate, and how the values compared with it are read.
fn measure(
    table: &Table,
    name: &str,
    value: &Input,
    path: &Path<'_>,
) -> Result<(Measure, Column), GraphqlError> {
    let column = |value: &Input, path: &Path<'_>| -> Result<ColumnId, GraphqlError> {
        let found = match value {
            Input::Text(text) => table.find_column(text).filter(|id| takes(name, table.column(*id))),
            _ => None,
        };
        found.ok_or_else(|| {
            let names: Vec<String> = table
                .interface_columns()
                .filter(|column| takes(name, column))
                .map(|column| format!("'{}'", column.name))
                .collect();
            path.invalid(format!(
                "expected one of the values [{}], but found {}",
                names.join(", "),
                value.describe()
            ))
        })
    };
    let float = |exact| figure_column(Scalar::Float8, exact);
    if matches!(name, "corr" | "covar_samp") {
        let entries = value.entries(path)?;
        let axis = |wanted: &str| {
            let found = entries.iter().find(|(name, _)| name == wanted);
            let (_, value) = found.ok_or_else(|| path.invalid(format!("field '{wanted}' is required")))?;
            column(value, &path.join(wanted))
        };
        let (x, y) = (axis("X")?, axis("Y")?);
        let measure = if name == "corr" { Measure::Correlation(x, y) } else { Measure::Covariance(x, y) };
        return Ok((measure, float(false)));
    }
    let id = column(value, path)?;
    Ok(match name {
        "bool_and" => (Measure::AllTrue(id), figure_column(Scalar::Boolean, false)),
        "bool_or" => (Measure::AnyTrue(id), figure_column(Scalar::Boolean, false)),
        name => {
            let function = Function::find(name).expect("the other predicates are functions");
            let keeps = matches!(function, Function::Sum | Function::Avg | Function::Min | Function::Max);
            (Measure::Of(function, id), float(keeps && table.column(id).exact))
        }
    })
}

/// A column that determines how values compared with an aggregate are read.
fn figure_column(scalar: Scalar, exact: bool) -> Column {
    Column {
        name: String::new(),
        description: String::new(),
        scalar,
        nullable: true,
        default: None,
        secret: false,
        exact,
        references: None,
        shared: None,
    }
}
