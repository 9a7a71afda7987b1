//! Writes the listings of the reference page, each with an example.

use super::{Example, cell, line};
use crate::{
    Catalogue, Listing, ListingColumn, ListingCondition, ListingFigure, ListingKind, ListingMeasure,
    ListingSource, ListingTest, ListingValue, Table, Value, ViewField,
};

/// Writes one listing: its columns and, if there is one, its example.
pub(super) fn write(
    page: &mut String,
    catalogue: &Catalogue,
    listing: &Listing,
    example: Option<&Example<'_>>,
) {
    let table = catalogue.table(listing.table);
    line(page, &format!("\n### {}\n\n{} {}", listing.name, listing.description, rows(listing, table)));
    line(page, "\n| Column | Type | From | In `where` |\n|---|---|---|---|");
    for column in &listing.columns {
        let meaning =
            if column.description.is_empty() { String::new() } else { format!(". {}", column.description) };
        let condition = match (column.request, &column.row_type) {
            (Some(request), Some(_)) => format!("`{}`", request.name()),
            (Some(request), None) => format!("`{}`, only there", request.name()),
            (None, _) => String::new(),
        };
        let from = format!("{}{meaning}", from(column, table, catalogue));
        let kind = column.row_type.as_deref().unwrap_or_default();
        line(page, &format!("| `{}` | {kind} | {} | {condition} |", column.name, cell(&from)));
    }
    write_example(page, example);
}

/// Writes a root field over a view with arguments; its rows are those of the view.
pub(super) fn write_view(
    page: &mut String,
    catalogue: &Catalogue,
    field: &ViewField,
    example: Option<&Example<'_>>,
) {
    let table = &catalogue.table(field.table).name;
    line(
        page,
        &format!(
            "\n### {}\n\n{} Rows of [{table}](#{table}), asked for like those of a table.",
            field.name, field.description
        ),
    );
    let arguments: Vec<String> =
        field.arguments.iter().map(|(name, kind)| format!("{name}: {kind}")).collect();
    line(page, &format!("\n```graphql\n{}({})\n```", field.name, arguments.join(", ")));
    write_example(page, example);
}

/// Writes an example request and its response, if there is one.
pub(super) fn write_example(page: &mut String, example: Option<&Example<'_>>) {
    if let Some(example) = example {
        let (query, answer) = (example.query.trim_end(), example.answer.trim_end());
        line(page, &format!("\n```graphql\n{query}\n```\n\n```json\n{answer}\n```"));
    }
}

fn rows(listing: &Listing, table: &Table) -> String {
    let mut text = match listing.kind {
        ListingKind::Normal => format!("Rows of [{0}](#{0}).", table.name),
        ListingKind::Aggregate => {
            format!(
                "One row for each combination of the plain columns asked for, over [{0}](#{0}).",
                table.name
            )
        }
    };
    if !listing.conditions.is_empty() {
        text.push_str(&format!(" Only where {}.", conditions(&listing.conditions, table)));
    }
    if listing.hides_empty_groups {
        text.push_str(" Rows that no figure asked for counts are left out.");
    }
    text
}

fn from(column: &ListingColumn, table: &Table, catalogue: &Catalogue) -> String {
    match &column.source {
        ListingSource::Value(value) => self::value(value, table, catalogue),
        ListingSource::Figure(ListingFigure { measure, conditions: only }) => {
            let measure = self::measure(measure, table);
            if only.is_empty() { measure } else { format!("{measure} where {}", conditions(only, table)) }
        }
    }
}

fn value(value: &ListingValue, table: &Table, catalogue: &Catalogue) -> String {
    let name = |id| format!("`{}`", table.column(id).name);
    match value {
        ListingValue::Column(id) => name(*id),
        ListingValue::JsonKey(id) => format!("one key of {}", name(*id)),
        ListingValue::JsonPath(id, path) => format!("`{path}` of {}", name(*id)),
        ListingValue::Joined(ids, with) => {
            ids.iter().map(|id| name(*id)).collect::<Vec<_>>().join(&format!(" `{with}` "))
        }
        ListingValue::Recent(id, days) => format!("whether {} is less than {days} days ago", name(*id)),
        ListingValue::First(values) => {
            let values: Vec<_> = values.iter().map(|one| self::value(one, table, catalogue)).collect();
            values.join(", else ")
        }
        ListingValue::Related(way, id) => {
            let mut at = table;
            let mut text = String::from("`");
            for step in way {
                let relationship = at.relationship(*step);
                text.push_str(&format!("{}.", relationship.name));
                at = catalogue.table(relationship.target);
            }
            format!("{text}{}`", at.column(*id).name)
        }
    }
}

fn measure(measure: &ListingMeasure, table: &Table) -> String {
    let name = |id: &_| format!("`{}`", table.column(*id).name);
    match measure {
        ListingMeasure::Count => "number of rows".to_owned(),
        ListingMeasure::CountDistinct(id) => format!("number of different {}", name(id)),
        ListingMeasure::Sum(id) => format!("sum of {}", name(id)),
        ListingMeasure::Avg(id) => format!("average of {}", name(id)),
        ListingMeasure::Min(id) => format!("smallest {}", name(id)),
        ListingMeasure::Max(id) => format!("largest {}", name(id)),
        ListingMeasure::Latest { value, order_by } => {
            format!("{} of the row with the largest {}", name(value), name(order_by))
        }
        ListingMeasure::Values(id) => format!("JSON list of every different {}", name(id)),
    }
}

fn conditions(conditions: &[ListingCondition], table: &Table) -> String {
    let one = |condition: &ListingCondition| {
        let name = format!("`{}`", table.column(condition.column).name);
        match &condition.test {
            ListingTest::OneOf(values) => format!("{name} is {}", texts(values)),
            ListingTest::NoneOf(values) => format!("{name} is not {}", texts(values)),
            ListingTest::Newer(days) => format!("{name} is less than {days} days ago"),
            ListingTest::Older(days) => format!("{name} is {days} days ago or more"),
        }
    };
    conditions.iter().map(one).collect::<Vec<_>>().join(" and ")
}

fn texts(values: &[Value]) -> String {
    let text = |value: &Value| match value {
        Value::Text(text) => text.clone(),
        Value::Bool(flag) => flag.to_string(),
        Value::Int(number) => number.to_string(),
        other => format!("{other:?}"),
    };
    values.iter().map(text).collect::<Vec<_>>().join(" or ")
}
