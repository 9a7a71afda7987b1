//! Reads `@segments` and `@cube`: the columns a table stores as column segments.

use crate::parse::directives::Directive;
use crate::parse::drafts::{DraftKind, Drafts, TableDraft};
use crate::parse::links::{columns, find_column};
use crate::parse::problems::Problems;
use crate::{Catalogue, Cube, Dimension, Every, Scalar, Segments, Table};

/// Maximum number of columns; more is assumed to be a mistake.
const MOST: usize = 48;

/// Adds the segments of the drafts to their tables.
pub(super) fn resolve(drafts: &Drafts<'_>, catalogue: &mut Catalogue, problems: &mut Problems) {
    for (index, draft) in drafts.tables.iter().enumerate() {
        let found = segments(draft, &catalogue.tables[index], problems);
        catalogue.tables[index].segments = found;
    }
}

fn segments(draft: &TableDraft<'_>, table: &Table, problems: &mut Problems) -> Option<Segments> {
    let mut said = draft.all("segments");
    let Some(directive) = said.next() else {
        for cube in draft.all("cube") {
            problems.add(cube.place, "@cube needs @segments, which it is made from");
        }
        return None;
    };
    if said.next().is_some() {
        problems.add(directive.place, format!("`{}` has @segments twice", table.name));
    }
    if !matches!(draft.kind, DraftKind::Table) {
        problems.add(directive.place, "@segments needs a table: views have no rows of their own");
        return None;
    }
    let time = find_column(table, directive.required("time", problems)?, directive, problems)?;
    if !matches!(table.column(time).scalar, Scalar::Timestamp | Scalar::Timestamptz) {
        problems.add(directive.place, format!("time: `{}` is no time", table.column(time).name));
    }
    let by = dimensions(directive, table, problems);
    if by.contains(&Dimension::Column(time)) {
        problems.add(directive.place, format!("`{}` is named twice", table.column(time).name));
    }
    let sums = columns(table, directive, "sums", problems);
    for sum in &sums {
        let column = table.column(*sum);
        if !(column.exact || matches!(column.scalar, Scalar::Numeric | Scalar::Int | Scalar::Bigint)) {
            problems.add(directive.place, format!("sums: `{}` is no exact number", column.name));
        }
    }
    if by.len() + sums.len() > MOST {
        problems.add(directive.place, format!("@segments takes at most {MOST} columns"));
    }
    let cubes = draft.all("cube").filter_map(|cube| self::cube(cube, table, &by, problems)).collect();
    Some(Segments { time, by, sums, cubes })
}

/// Whether the type has few distinct values, compared by equality.
fn is_groupable(scalar: &Scalar) -> bool {
    matches!(
        scalar,
        Scalar::Uuid
            | Scalar::String
            | Scalar::Enum { .. }
            | Scalar::Int
            | Scalar::Bigint
            | Scalar::Boolean
            | Scalar::Timestamp
            | Scalar::Timestamptz
            | Scalar::Date
            | Scalar::Json
            | Scalar::Jsonb
    )
}

/// The dimensions of `by`, without duplicates.
fn dimensions(directive: &Directive<'_>, table: &Table, problems: &mut Problems) -> Vec<Dimension> {
    let mut by: Vec<Dimension> = Vec::new();
    for text in directive.texts("by", problems) {
        let members: Vec<Dimension> = text
            .split(" ?? ")
            .filter_map(|text| dimension(text.trim(), table, directive, problems))
            .collect();
        let found = match <[Dimension; 1]>::try_from(members) {
            Ok([single]) => single,
            Err(members) => first(members, text, table, directive, problems),
        };
        if by.contains(&found) {
            problems.add(directive.place, format!("by: {text} is named twice"));
        }
        by.push(found);
    }
    by
}

/// The first of several dimensions that is not null. All must be text, so that the types agree.
fn first(
    members: Vec<Dimension>,
    text: &str,
    table: &Table,
    directive: &Directive<'_>,
    problems: &mut Problems,
) -> Dimension {
    let is_text = |member: &Dimension| match member {
        Dimension::Column(column) => {
            matches!(table.column(*column).scalar, Scalar::String | Scalar::Enum { .. })
        }
        Dimension::Path(..) => true,
        Dimension::Key(..) | Dimension::First(_) => false,
    };
    if !members.iter().all(is_text) {
        problems.add(
            directive.place,
            format!("by: {text} takes columns of texts and places in JSON (tags.$.a[0])"),
        );
    }
    Dimension::First(members)
}

/// Parses one dimension: `region`, `tags.team` (a key of a JSON column), `tags.$.a[0]` (a path in one).
fn dimension(
    text: &str,
    table: &Table,
    directive: &Directive<'_>,
    problems: &mut Problems,
) -> Option<Dimension> {
    let Some((name, inner)) = text.split_once('.') else {
        let id = find_column(table, text, directive, problems)?;
        let scalar = &table.column(id).scalar;
        if !is_groupable(scalar) {
            let scalar = scalar.graphql_name();
            problems.add(
                directive.place,
                format!("by: `{text}` ({scalar}) has too many values, or equal ones that differ"),
            );
        }
        return Some(Dimension::Column(id));
    };
    let column = find_column(table, name, directive, problems)?;
    if !matches!(table.column(column).scalar, Scalar::Json | Scalar::Jsonb) {
        problems.add(directive.place, format!("by: `{name}` is no JSON column"));
        return None;
    }
    let make = if inner.starts_with('$') { Dimension::Path } else { Dimension::Key };
    Some(make(column, inner.to_owned()))
}

fn cube(
    directive: &Directive<'_>,
    table: &Table,
    known: &[Dimension],
    problems: &mut Problems,
) -> Option<Cube> {
    let every = match directive.required("every", problems)? {
        "day" => Every::Day,
        "month" => Every::Month,
        other => {
            problems.add(directive.place, format!("every: {other} is neither day nor month"));
            return None;
        }
    };
    let by = dimensions(directive, table, problems);
    if by.iter().any(|dimension| !known.contains(dimension)) {
        problems.add(directive.place, "@cube: by names what @segments does not");
    }
    Some(Cube { every, by })
}
