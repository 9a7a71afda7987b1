//! Aggregates: functions of columns, and of the related rows of a row.

use super::{Build, Printer};
use crate::query::{Function, Measure, RelatedFigure};
use crate::sql::Dialect;
use crate::statement::Print;
use catalogue::{Column, ColumnId, Right, Scalar, TableId};

impl Printer<'_> {
    /// The expression for an aggregate over the related rows of the row with this alias.
    pub(super) fn related_figure(
        &self,
        build: &mut Build,
        table: TableId,
        alias: &str,
        figure: &RelatedFigure,
    ) -> (String, Print) {
        let target_id = self.table(table).relationship(figure.relationship).target;
        let target = self.table(target_id);
        let other = build.alias();
        let (expression, print) = match &figure.measure {
            Measure::Count(columns) => {
                let columns: Vec<&Column> = columns.iter().map(|id| target.column(*id)).collect();
                (count(self.dialect, &columns, figure.distinct, &other), Print::Integer)
            }
            Measure::Of(function, column) => {
                applied(self.dialect, *function, target.column(*column), figure.distinct, &other)
            }
            Measure::Correlation(x, y) => {
                (pair(self.dialect, "corr", target.column(*x), target.column(*y), &other), Print::Float)
            }
            Measure::Covariance(x, y) => {
                (pair(self.dialect, "covar_samp", target.column(*x), target.column(*y), &other), Print::Float)
            }
            Measure::AllTrue(column) => {
                (format!("min({})", self.dialect.cell(&other, target.column(*column))), Print::Boolean)
            }
            Measure::AnyTrue(column) => {
                (format!("max({})", self.dialect.cell(&other, target.column(*column))), Print::Boolean)
            }
        };
        let mut conditions = self.join_conditions(table, alias, figure.relationship, &other);
        let join = &self.table(table).relationship(figure.relationship).join;
        let bound: Vec<ColumnId> = join.iter().map(|(_, there)| *there).collect();
        conditions.extend(self.met_beside(Right::Read, target_id, &other, &bound));
        if let Some(filter) = &figure.filter {
            conditions.push(self.filter(build, target_id, &other, filter));
        }
        let sql = format!(
            "(SELECT {expression} FROM \"{}\" {other} WHERE {})",
            target.name,
            conditions.join(" AND ")
        );
        (sql, print)
    }
}

fn pair(dialect: Dialect, function: &str, x: &Column, y: &Column, alias: &str) -> String {
    let cell = |column: &Column| dialect.float(dialect.cell(alias, column));
    format!("{function}({}, {})", cell(x), cell(y))
}

/// Counts rows, rows in which columns are not null, or distinct combinations of columns.
pub(super) fn count(dialect: Dialect, columns: &[&Column], distinct: bool, alias: &str) -> String {
    match (columns, distinct) {
        ([column], false) => format!("count({})", dialect.cell(alias, column)),
        ([], _) | (_, false) => "count(*)".to_owned(),
        (columns, true) => {
            let cell = |column: &&Column| {
                (dialect.cell(alias, column), Print::of(column), column.scalar == Scalar::Citext)
            };
            combination(dialect, &columns.iter().map(cell).collect::<Vec<_>>())
        }
    }
}

/// Counts distinct combinations of values. Each value has an expression, a JSON form, and whether case is ignored. A single value counts
/// only where it is not null. As in PostgreSQL, a combination is never null, even if all its parts are.
pub(super) fn combination(dialect: Dialect, values: &[(String, Print, bool)]) -> String {
    match values {
        [(value, Print::Json, _)] => format!("count(DISTINCT json_print({value}))"),
        [(value, _, any_case)] => format!("count(DISTINCT {})", dialect.told_apart(value, *any_case)),
        values => dialect.combinations(values),
    }
}

/// The expression for a function of a column, and how its result is written as JSON.
pub(super) fn applied(
    dialect: Dialect,
    function: Function,
    column: &Column,
    distinct: bool,
    alias: &str,
) -> (String, Print) {
    let print = Print::of(column);
    let distinct = if distinct { "DISTINCT " } else { "" };
    let cell = format!("{distinct}{}", dialect.cell(alias, column));
    let (decimal, is_citext) = (print == Print::Decimal, column.scalar == Scalar::Citext);
    match function {
        // The sum of 64-bit integers may exceed 64 bits.
        Function::Sum if decimal || column.scalar == Scalar::Bigint => {
            let sum = if dialect == Dialect::Postgres { "sum" } else { "decimal_sum" };
            (format!("{sum}({cell})"), Print::Decimal)
        }
        Function::Sum => (format!("sum({cell})"), print),
        Function::Avg if decimal => (format!("decimal_avg({cell})"), Print::Decimal),
        Function::Avg
            if dialect == Dialect::Postgres && matches!(column.scalar, Scalar::Int | Scalar::Bigint) =>
        {
            (format!("whole_avg({cell})"), Print::Float)
        }
        Function::Avg => (format!("avg({})", dialect.float(cell)), Print::Float),
        Function::Min if is_citext => (format!("text_least({cell})"), print),
        Function::Max if is_citext => (format!("text_greatest({cell})"), print),
        Function::Min => (format!("min({cell})"), print),
        Function::Max => (format!("max({cell})"), print),
        Function::Stddev | Function::StddevSamp => {
            (format!("stddev_samp({})", dialect.float(cell)), Print::Float)
        }
        Function::StddevPop => (format!("stddev_pop({})", dialect.float(cell)), Print::Float),
        Function::Variance | Function::VarSamp => {
            (format!("var_samp({})", dialect.float(cell)), Print::Float)
        }
        Function::VarPop => (format!("var_pop({})", dialect.float(cell)), Print::Float),
    }
}
