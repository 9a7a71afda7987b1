//! Parses the sources of listing columns.

use super::conditions::conditions;
use crate::parse::directives::Directive;
use crate::parse::problems::{Problems, SourceLine};
use crate::{
    Catalogue, ColumnId, ListingFigure, ListingMeasure, ListingSource, ListingValue, LogicalType,
    RelationshipKind, Scalar, Table, TableId,
};
use async_graphql_value::ConstValue;

/// The source of one column: one figure, or several values of which the first that is not null is used.
pub(super) fn source(
    place: SourceLine<'_>,
    name: &str,
    said: &[Directive<'_>],
    table: TableId,
    catalogue: &Catalogue,
    problems: &mut Problems,
) -> Option<ListingSource> {
    let is_value = |directive: &Directive<'_>| matches!(directive.name, "from" | "joined" | "recent");
    match said {
        [figure] if !is_value(figure) => {
            let measure = measure(figure, catalogue.table(table), problems)?;
            let only = conditions(figure, "where", table, catalogue, problems);
            Some(ListingSource::Figure(ListingFigure { measure, conditions: only }))
        }
        [one] => value(one, table, catalogue, problems).map(ListingSource::Value),
        several if !several.is_empty() && several.iter().all(is_value) => {
            let values: Vec<_> =
                several.iter().filter_map(|one| value(one, table, catalogue, problems)).collect();
            let needs_key = values.iter().any(|value| matches!(value, ListingValue::JsonKey(_)));
            if needs_key {
                problems.add(place, format!("`{name}`: @from(key: true) stands alone"));
            }
            (values.len() == several.len()).then_some(ListingSource::Value(ListingValue::First(values)))
        }
        _ => {
            problems.add(
                place,
                format!("`{name}` must say where it comes from: one or more @from, or one figure such as @sum or @count"),
            );
            None
        }
    }
}

fn value(
    directive: &Directive<'_>,
    table: TableId,
    catalogue: &Catalogue,
    problems: &mut Problems,
) -> Option<ListingValue> {
    if directive.name == "joined" {
        return joined(directive, catalogue.table(table), problems);
    }
    let name = directive.required("column", problems)?;
    if directive.name == "recent" {
        let column = find(directive, name, catalogue.table(table), problems)?;
        let days = match directive.value("days") {
            Some(ConstValue::Number(number)) => number.as_u64().and_then(|days| u32::try_from(days).ok()),
            _ => None,
        };
        let is_time = is_time(&catalogue.table(table).column(column).scalar);
        if days.is_none() || !is_time {
            problems.add(directive.place, "@recent needs a column that is a time, and days: a number");
        }
        return days.filter(|_| is_time).map(|days| ListingValue::Recent(column, days));
    }
    if name.contains('.') {
        if directive.value("path").is_some() || directive.value("key").is_some() {
            let problem = "@from(path: …) and @from(key: true) need a column of the row itself";
            problems.add(directive.place, problem);
            return None;
        }
        return related(directive, name, table, catalogue, problems);
    }
    let column = find(directive, name, catalogue.table(table), problems)?;
    let is_json = matches!(catalogue.table(table).column(column).scalar, Scalar::Json | Scalar::Jsonb);
    let path = directive.text("path", problems);
    let is_key = directive.flag("key", false, problems);
    if !is_json && (is_key || path.is_some()) {
        problems.add(directive.place, "@from(key: true) and @from(path: …) need a JSON column");
        return None;
    }
    Some(match path {
        _ if is_key => ListingValue::JsonKey(column),
        Some(path) => ListingValue::JsonPath(column, path.to_owned()),
        None => ListingValue::Column(column),
    })
}

/// `@joined`: texts of the row joined with a separator.
fn joined(directive: &Directive<'_>, table: &Table, problems: &mut Problems) -> Option<ListingValue> {
    let with = directive.required("with", problems)?;
    let names = directive.texts("columns", problems);
    let columns: Vec<ColumnId> =
        names.iter().filter_map(|name| find(directive, name, table, problems)).collect();
    let are_texts = columns.iter().all(|id| table.column(*id).scalar == Scalar::String);
    if names.len() < 2 || !are_texts {
        problems.add(directive.place, "@joined needs two or more columns that are String");
    }
    (are_texts && columns.len() == names.len() && names.len() > 1)
        .then(|| ListingValue::Joined(columns, with.to_owned()))
}

/// Resolves `account.owner.name`: one-relationships to follow, and the column at the end.
fn related(
    directive: &Directive<'_>,
    name: &str,
    table: TableId,
    catalogue: &Catalogue,
    problems: &mut Problems,
) -> Option<ListingValue> {
    let mut at = catalogue.table(table);
    let (way, column) = name.rsplit_once('.')?;
    let mut steps = Vec::new();
    for step in way.split('.') {
        let found = at.find_relationship(step);
        let one = found.filter(|id| at.relationship(*id).kind == RelationshipKind::One);
        let Some(id) = one else {
            problems.add(directive.place, format!("`{}` has no relationship to one `{step}`", at.name));
            return None;
        };
        steps.push(id);
        at = catalogue.table(at.relationship(id).target);
    }
    find(directive, column, at, problems).map(|column| ListingValue::Related(steps, column))
}

fn measure(directive: &Directive<'_>, table: &Table, problems: &mut Problems) -> Option<ListingMeasure> {
    if directive.name == "count" {
        return match directive.value("distinct") {
            None => Some(ListingMeasure::Count),
            Some(_) => column(directive, "distinct", table, problems).map(ListingMeasure::CountDistinct),
        };
    }
    let of = column(directive, "of", table, problems)?;
    let described = table.column(of);
    let mut fits = |fits: bool, what: &str| {
        if !fits {
            problems.add(
                directive.place,
                format!("`{}` is {what} and has no {}", described.name, directive.name),
            );
        }
        fits
    };
    match directive.name {
        "sum" => fits(described.scalar.is_number(), "no number").then_some(ListingMeasure::Sum(of)),
        "avg" => fits(described.scalar.is_number(), "no number").then_some(ListingMeasure::Avg(of)),
        "min" => fits(described.scalar.is_ordered(), "without order").then_some(ListingMeasure::Min(of)),
        "max" => fits(described.scalar.is_ordered(), "without order").then_some(ListingMeasure::Max(of)),
        "values" => Some(ListingMeasure::Values(of)),
        _ => column(directive, "by", table, problems)
            .map(|by| ListingMeasure::Latest { value: of, order_by: by }),
    }
}

fn column(
    directive: &Directive<'_>,
    argument: &str,
    table: &Table,
    problems: &mut Problems,
) -> Option<ColumnId> {
    let name = directive.required(argument, problems)?;
    find(directive, name, table, problems)
}

fn find(directive: &Directive<'_>, name: &str, table: &Table, problems: &mut Problems) -> Option<ColumnId> {
    let found = table.find_column(name).filter(|id| !table.column(*id).secret);
    if found.is_none() {
        problems.add(directive.place, format!("`{}` has no column `{name}` that can be read", table.name));
    }
    found
}

fn is_time(scalar: &Scalar) -> bool {
    matches!(scalar, Scalar::Timestamp | Scalar::Timestamptz)
}

/// The logical type of a column, derived from the columns it is computed from.
pub(super) fn logical(source: &ListingSource, table: &Table, catalogue: &Catalogue) -> LogicalType {
    let of = |column: &ColumnId| of_scalar(&table.column(*column).scalar);
    match source {
        ListingSource::Value(value) => of_value(value, table, catalogue),
        ListingSource::Figure(figure) => match &figure.measure {
            ListingMeasure::Count | ListingMeasure::CountDistinct(_) => LogicalType::Integer,
            ListingMeasure::Avg(_) => LogicalType::Float,
            ListingMeasure::Values(_) => LogicalType::Json,
            ListingMeasure::Sum(column)
            | ListingMeasure::Min(column)
            | ListingMeasure::Max(column)
            | ListingMeasure::Latest { value: column, .. } => of(column),
        },
    }
}

fn of_value(value: &ListingValue, table: &Table, catalogue: &Catalogue) -> LogicalType {
    match value {
        ListingValue::Column(column) => of_scalar(&table.column(*column).scalar),
        ListingValue::JsonPath(..) | ListingValue::JsonKey(_) | ListingValue::Joined(..) => {
            LogicalType::String
        }
        ListingValue::Recent(..) => LogicalType::Boolean,
        ListingValue::First(values) => {
            values.first().map_or(LogicalType::String, |value| of_value(value, table, catalogue))
        }
        ListingValue::Related(way, column) => {
            let target = way.iter().fold(table, |at, step| catalogue.table(at.relationship(*step).target));
            of_scalar(&target.column(*column).scalar)
        }
    }
}

fn of_scalar(scalar: &Scalar) -> LogicalType {
    match scalar {
        Scalar::Uuid | Scalar::String | Scalar::Citext | Scalar::Bytea | Scalar::Enum { .. } => {
            LogicalType::String
        }
        Scalar::Int | Scalar::Bigint => LogicalType::Integer,
        Scalar::Float8 | Scalar::Numeric => LogicalType::Float,
        Scalar::Boolean => LogicalType::Boolean,
        Scalar::Timestamp | Scalar::Timestamptz | Scalar::Date => LogicalType::Datetime,
        Scalar::Json | Scalar::Jsonb | Scalar::StringList => LogicalType::Json,
    }
}
