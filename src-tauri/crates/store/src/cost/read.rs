//! Estimates the rows that queries and changes read.
//!
//! Follows the SQL of the dialect: to-one relationships share a statement; to-many ones are read once for every parent row, through an
//! index if there is one.

use super::number::Number;
use super::{BY_KEY, CostEstimate, READ, TableRead, weight};
use crate::query::change::{Answer, Change, ChangeKind, ResponsePart};
use crate::query::{
    AggregatePart, Field, FieldKind, Filter, Operator, Order, OrderBy, Query, QueryKind, Range,
    RelatedFigure, Rows, Subject, Test,
};
use catalogue::{Catalogue, ColumnId, Relationship, RelationshipKind, Scope, Table, TableId};

/// A condition without further information is assumed to match one in this many rows.
const CHOSEN: u64 = 10;

/// The rows that the queries of one request read. Lists are cut off at `most_rows`.
pub(crate) fn estimate_queries(catalogue: &Catalogue, queries: &[Query], most_rows: u64) -> CostEstimate {
    let mut reader = Reader::new(catalogue, most_rows);
    for query in queries {
        reader.query(query);
    }
    reader.cost
}

/// The rows that the changes of one request read, to find rows and to return them.
pub(crate) fn estimate_changes(catalogue: &Catalogue, changes: &[Change], most_rows: u64) -> CostEstimate {
    let mut reader = Reader::new(catalogue, most_rows);
    for change in changes {
        reader.change(change);
    }
    reader.cost
}

struct Reader<'a> {
    catalogue: &'a Catalogue,
    most_rows: u64,
    cost: CostEstimate,
}

/// The rows of one table that a statement reads.
struct TableVisit {
    rows: Number,
    /// Whether the number of matching rows is known, because rows are found by key or all rows match.
    is_exact: bool,
}

impl<'a> Reader<'a> {
    fn new(catalogue: &'a Catalogue, most_rows: u64) -> Self {
        Self { catalogue, most_rows, cost: CostEstimate { are_passes: true, ..CostEstimate::default() } }
    }

    fn query(&mut self, query: &Query) {
        match &query.kind {
            QueryKind::List(select) | QueryKind::First(select) => {
                self.list(select.table, &select.fields, &select.range, 0);
            }
            QueryKind::Aggregate(select) => {
                for part in &select.parts {
                    let weight = weight::of_part(part);
                    match part {
                        AggregatePart::Nodes { fields, .. } => {
                            self.list(select.table, fields, &select.range, weight);
                        }
                        AggregatePart::Figures { .. } => self.list(select.table, &[], &select.range, weight),
                        AggregatePart::Text { .. } => {}
                    }
                }
            }
            QueryKind::Grouped(grouping) => {
                self.add_read(grouping.table, Number::All(grouping.table), weight::of_grouping(grouping));
                let rows = Number::All(grouping.table);
                self.conditions(grouping.table, grouping.filter.as_ref(), &[], &Number::Known(1), &rows);
            }
            QueryKind::Text(_) | QueryKind::Json(_) | QueryKind::Code(_) => {}
        }
    }

    fn change(&mut self, change: &Change) {
        match &change.kind {
            ChangeKind::Insert { table, rows, conflict, answer } => {
                let rows = Number::Known(rows.len() as u64);
                let filter = conflict.as_ref().and_then(|conflict| conflict.filter.as_ref());
                self.conditions(*table, filter, &[], &rows, &rows);
                self.answer(*table, answer, &rows);
            }
            ChangeKind::Update { table, updates, answer } => {
                for update in updates {
                    self.found(*table, &update.filter, answer);
                }
            }
            ChangeKind::Delete { table, filter, answer } => self.found(*table, filter, answer),
            ChangeKind::Text(_) | ChangeKind::Code(_) => {}
        }
    }

    fn found(&mut self, table: TableId, filter: &Filter, answer: &Answer) {
        let met = self.met(table, Some(filter));
        self.add_read(table, met.rows.clone(), weight::of_filter(filter));
        self.conditions(table, Some(filter), &[], &Number::Known(1), &met.rows);
        let chosen = met.chosen();
        self.answer(table, answer, &chosen);
    }

    fn answer(&mut self, table: TableId, answer: &Answer, rows: &Number) {
        match answer {
            Answer::Row(fields) => self.fields(table, fields, &Number::Known(1)),
            Answer::Response(parts) | Answer::Responses(parts) => {
                for part in parts {
                    if let ResponsePart::Returning { fields, .. } = part {
                        self.fields(table, fields, rows);
                    }
                }
            }
        }
    }

    /// A list of rows at the root.
    fn list(&mut self, table: TableId, fields: &[Field], range: &Range, weight: u64) {
        let met = self.met(table, range.filter.as_ref());
        self.add_read(table, met.rows.clone(), weight + weight::of_range(range));
        self.conditions(table, range.filter.as_ref(), &range.order, &Number::Known(1), &met.rows);
        let chosen = self.chosen(met, range);
        self.fields(table, fields, &chosen);
    }

    /// The number of rows of the range in the response.
    fn chosen(&self, met: TableVisit, range: &Range) -> Number {
        let rows = met.chosen().least(Number::Known(self.most_rows));
        match range.limit {
            None => rows,
            Some(Rows::Known(limit)) => rows.least(Number::Known(limit)),
            Some(Rows::Parameter(slot)) => rows.least(Number::Parameter(slot)),
        }
    }

    /// The fields of this many rows.
    fn fields(&mut self, table: TableId, fields: &[Field], rows: &Number) {
        let catalogue = self.catalogue;
        let described = catalogue.table(table);
        for field in fields {
            match &field.kind {
                FieldKind::Column { .. } | FieldKind::Text(_) => {}
                FieldKind::One { relationship, fields } => {
                    let target = described.relationship(*relationship).target;
                    self.add_read(target, rows.clone(), 0);
                    self.fields(target, fields, rows);
                }
                FieldKind::Many { relationship, fields, range } => {
                    self.nested(described.relationship(*relationship), table, fields, range, (rows, 0));
                }
                FieldKind::Aggregate { relationship, parts, range } => {
                    let related = described.relationship(*relationship);
                    for part in parts {
                        let each = (rows, weight::of_part(part));
                        match part {
                            AggregatePart::Nodes { fields, .. } => {
                                self.nested(related, table, fields, range, each);
                            }
                            AggregatePart::Figures { .. } => self.nested(related, table, &[], range, each),
                            AggregatePart::Text { .. } => {}
                        }
                    }
                }
            }
        }
    }

    /// A statement that runs for each of `parents` rows; `weight` is the cost of the values it returns per row.
    fn nested(
        &mut self,
        related: &Relationship,
        table: TableId,
        fields: &[Field],
        range: &Range,
        (parents, weight): (&Number, u64),
    ) {
        if !matches!(parents, Number::Known(0 | 1)) {
            self.cost.are_passes = false;
        }
        let rows = self.fan(related, table, parents);
        self.add_read(related.target, rows.clone(), weight + weight::of_range(range));
        self.conditions(related.target, range.filter.as_ref(), &range.order, parents, &rows);
        let is_exact = range.filter.is_none();
        let chosen = TableVisit { rows, is_exact }.chosen();
        let chosen = match range.limit {
            None => chosen,
            Some(Rows::Known(limit)) => chosen.least(parents.clone().times(Number::Known(limit))),
            Some(Rows::Parameter(slot)) => chosen.least(parents.clone().times(Number::Parameter(slot))),
        };
        self.fields(related.target, fields, &chosen);
    }

    /// Adds rows that are read, with the cost per row.
    fn add_read(&mut self, table: TableId, rows: Number, weight: u64) {
        // Most requests do so little per row that the number of rows need not be determined.
        self.cost.are_passes &= weight <= 2 * READ;
        self.cost.fields.push(TableRead { table, rows, eighths: READ + weight });
    }
}

impl Reader<'_> {
    /// The rows that conditions and orders on `rows` of a table read; their statement runs `runs` times.
    fn conditions(
        &mut self,
        table: TableId,
        filter: Option<&Filter>,
        order: &[Order],
        runs: &Number,
        rows: &Number,
    ) {
        let before = self.cost.conditions.len();
        if let Some(filter) = filter {
            self.filter(table, filter, runs, rows);
        }
        for order in order {
            let mut at = table;
            for step in &order.path {
                at = self.catalogue.table(at).relationship(*step).target;
                self.related(at, rows.clone(), BY_KEY);
            }
            if let OrderBy::Figure(figure) = &order.by {
                self.figure(at, figure, runs, rows);
            }
        }
        if self.cost.conditions.len() > before {
            self.related(table, rows.clone(), READ);
        }
    }

    fn filter(&mut self, table: TableId, filter: &Filter, runs: &Number, rows: &Number) {
        match filter {
            Filter::And(filters) | Filter::Or(filters) => {
                for filter in filters {
                    self.filter(table, filter, runs, rows);
                }
            }
            Filter::Not(filter) => self.filter(table, filter, runs, rows),
            Filter::Test { subject: Subject::Figure(figure), .. } => self.figure(table, figure, runs, rows),
            Filter::Test { .. } | Filter::Columns { .. } => {}
            Filter::Related { relationship, filter } => {
                let described = self.catalogue.table(table);
                let related = described.relationship(*relationship);
                let target = related.target;
                if related.kind == RelationshipKind::Many {
                    let rows = self.fan(related, table, rows);
                    self.related(target, rows.clone(), READ + weight::of_filter(filter));
                    self.filter(target, filter, runs, &rows);
                } else if filter.reads_many_rows(self.catalogue, target) {
                    // The matching target rows are determined once per statement.
                    let rows = runs.clone().times(Number::All(target));
                    self.related(target, rows.clone(), READ + weight::of_filter(filter));
                    self.filter(target, filter, runs, &rows);
                } else {
                    self.related(target, rows.clone(), BY_KEY + weight::of_filter(filter));
                    self.filter(target, filter, runs, rows);
                }
            }
        }
    }

    fn figure(&mut self, table: TableId, figure: &RelatedFigure, runs: &Number, rows: &Number) {
        let related = self.catalogue.table(table).relationship(figure.relationship);
        let rows = self.fan(related, table, rows);
        let weight = figure.filter.as_ref().map_or(0, weight::of_filter) + weight::of_figure(figure.distinct);
        self.related(related.target, rows.clone(), READ + weight);
        if let Some(filter) = &figure.filter {
            self.filter(related.target, filter, runs, &rows);
        }
    }

    fn related(&mut self, table: TableId, rows: Number, eighths: u64) {
        self.cost.conditions.push(TableRead { table, rows, eighths });
    }

    /// The number of related rows of this many rows.
    fn fan(&self, related: &Relationship, table: TableId, rows: &Number) -> Number {
        let there: Vec<ColumnId> = related.join.iter().map(|(_, there)| *there).collect();
        let target = self.catalogue.table(related.target);
        if keys(target)
            .any(|key| key.iter().all(|column| there.contains(column) || is_tenant(target, *column)))
        {
            return rows.clone();
        }
        if there.iter().any(|column| is_led_to(target, *column)) {
            return Number::Fan { rows: Box::new(rows.clone()), of: related.target, among: table };
        }
        rows.clone().times(Number::All(related.target))
    }

    /// The rows a statement must read to find those that match the filter.
    fn met(&self, table: TableId, filter: Option<&Filter>) -> TableVisit {
        let described = self.catalogue.table(table);
        let mut named = Vec::new();
        if let Some(filter) = filter {
            name(filter, &mut named);
        }
        let find =
            |column: &ColumnId| named.iter().find(|(known, _)| known == column).map(|(_, count)| *count);
        for key in keys(described) {
            let counts: Option<Vec<u64>> = key
                .iter()
                .filter(|column| !is_tenant(described, **column) || key.len() == 1)
                .map(find)
                .collect();
            if let Some(counts) = counts {
                let rows = counts.iter().fold(1u64, |rows, count| rows.saturating_mul(*count));
                return TableVisit { rows: Number::Known(rows), is_exact: true };
            }
        }
        for (column, count) in &named {
            if is_led_to(described, *column)
                && let Some(reference) = &described.column(*column).references
            {
                let rows = Box::new(Number::Known(*count));
                let rows = Number::Fan { rows, of: table, among: reference.table };
                return TableVisit { rows, is_exact: true };
            }
        }
        TableVisit { rows: Number::All(table), is_exact: filter.is_none() }
    }
}

impl TableVisit {
    fn chosen(self) -> Number {
        if self.is_exact { self.rows } else { Number::Part(Box::new(self.rows), CHOSEN) }
    }
}

/// The sets of columns that identify a row.
fn keys(table: &Table) -> impl Iterator<Item = &[ColumnId]> {
    let unique = table.unique.iter().filter(|unique| unique.only_where_null.is_none());
    let key = (!table.primary_key.is_empty()).then_some(table.primary_key.as_slice());
    key.into_iter().chain(unique.map(|unique| unique.columns.as_slice()))
}

fn is_tenant(table: &Table, column: ColumnId) -> bool {
    table.scope == Scope::Tenant(column)
}

/// Whether an index finds rows by the column's value.
fn is_led_to(table: &Table, column: ColumnId) -> bool {
    let indices = table.indices.iter().map(|index| index.columns.as_slice());
    indices.chain(keys(table)).any(|columns| match columns {
        [first, second, ..] if is_tenant(table, *first) => *first == column || *second == column,
        [first, ..] => *first == column,
        [] => false,
    })
}

/// Collects columns that must equal one of a number of values.
fn name(filter: &Filter, named: &mut Vec<(ColumnId, u64)>) {
    match filter {
        Filter::And(filters) => filters.iter().for_each(|filter| name(filter, named)),
        Filter::Test { subject: Subject::Column(column), test } => name_by(*column, test, named),
        _ => {}
    }
}

fn name_by(column: ColumnId, test: &Test, named: &mut Vec<(ColumnId, u64)>) {
    match test {
        Test::All(tests) => tests.iter().for_each(|test| name_by(column, test, named)),
        Test::Compare(Operator::Equal, _) | Test::CompareParameter(Operator::Equal, _) => {
            named.push((column, 1));
        }
        Test::OneOf(values) => named.push((column, values.len() as u64)),
        Test::OneOfParameters(slots) => named.push((column, slots.len() as u64)),
        _ => {}
    }
}
