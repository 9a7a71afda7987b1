//! Aggregates of `T_aggregate` from columns: over all rows that match a filter, or over the rows of each of many parents, computed in one pass.

use super::answer::Answer;
use super::explain::Explanation;
use super::layout::Layout;
use super::plan::{Output, Plan, Planner, ValuePrinter, plan, slot_of};
use super::run::Reader;
use crate::json::{cell, separate};
use crate::query::{Figure, FigureKind, Filter, Function, Grouping, GroupingShape, Key, Range, Term, Test};
use crate::statement::Keys;
use catalogue::{ColumnId, Table, TableId, Value};
use rusqlite::types::ValueRef;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// A column with more distinct values than this selects few rows per value, which an index finds faster than a full aggregation.
const MOST_VALUES: usize = 500;

/// Aggregates that columns may be able to answer.
#[derive(Debug)]
pub(crate) struct Totals {
    grouping: Grouping,
    /// Columns that select the rows: the parent's, and those compared for equality that an index begins with.
    leading: Vec<ColumnId>,
    members: Vec<(String, Member)>,
    values: ValuePrinter,
}

/// The value of a key of the result.
#[derive(Debug)]
enum Member {
    Json(String),
    /// A field of the grouping.
    Figure(usize),
    Object(Vec<(String, Member)>),
}

impl Totals {
    /// Plans aggregates; `None` if they need rows. `bound` are columns that equal the parent's cells.
    pub(crate) fn of(
        planner: Planner<'_>,
        table: TableId,
        figures: &[Figure],
        range: &Range,
        bound: &[ColumnId],
    ) -> Option<Self> {
        let layout = Layout::of(planner.catalogue, table)?;
        if range.is_bounded() || bound.len() > 1 || !range.arguments.is_empty() {
            return None;
        }
        let mut terms = Vec::new();
        let members = figures.iter().map(|figure| Some((figure.name.clone(), member(figure, &mut terms)?)));
        let members = members.collect::<Option<Vec<_>>>()?;
        if terms.is_empty() {
            return None;
        }
        let mut leading = bound.to_vec();
        if let Some(filter) = &range.filter {
            equal_columns(filter, &mut leading);
        }
        leading.retain(|column| bound.contains(column) || is_indexed(layout.table, *column));
        let grouping = Grouping {
            table,
            terms,
            keys: bound.iter().map(|column| Key::Column(*column)).collect(),
            filter: range.filter.clone(),
            order: Vec::new(),
            limit: u64::MAX,
            offset: 0,
            shape: GroupingShape::List,
        };
        // If the filter has parameters, this is only known when the plan runs.
        let may_be =
            grouping.filter.as_ref().is_some_and(Filter::has_parameters) || plan(planner, &grouping).is_ok();
        may_be.then_some(Self { grouping, leading, members, values: planner.values })
    }

    /// Approximate memory use in bytes.
    pub(crate) fn weight(&self) -> usize {
        size_of::<Self>() + (self.members.len() + self.grouping.terms.len()) * size_of::<(String, Term)>()
    }
}

fn member(figure: &Figure, terms: &mut Vec<(String, Term)>) -> Option<Member> {
    let mut term = |term: Term| {
        terms.push((String::new(), term));
        Member::Figure(terms.len() - 1)
    };
    Some(match &figure.kind {
        FigureKind::Text(text) => Member::Json(serde_json::Value::from(text.as_str()).to_string()),
        FigureKind::Count { columns, distinct: false } if columns.is_empty() => term(Term::Count),
        FigureKind::Of { function: Function::Sum, columns } => {
            let columns = columns.iter().map(|figure| {
                let member = match figure.column {
                    None => Member::Json(serde_json::Value::from(figure.text.as_str()).to_string()),
                    Some(column) => term(Term::Sum(column)),
                };
                (figure.name.clone(), member)
            });
            Member::Object(columns.collect())
        }
        FigureKind::Count { .. } | FigureKind::Of { .. } => return None,
    })
}

/// Collects columns in which every matching row has one of a few values.
fn equal_columns(filter: &Filter, into: &mut Vec<ColumnId>) {
    use crate::query::{Operator, Subject};
    match filter {
        Filter::And(filters) => filters.iter().for_each(|filter| equal_columns(filter, into)),
        Filter::Test { subject: Subject::Column(column), test } => {
            let tests = match test {
                Test::All(tests) => tests.as_slice(),
                test => std::slice::from_ref(test),
            };
            let is_equal = |test: &Test| {
                matches!(
                    test,
                    Test::Compare(Operator::Equal, _)
                        | Test::CompareParameter(Operator::Equal, _)
                        | Test::OneOf(_)
                        | Test::OneOfParameters(_)
                )
            };
            into.extend(tests.iter().any(is_equal).then_some(*column));
        }
        _ => {}
    }
}

fn is_indexed(table: &Table, column: ColumnId) -> bool {
    let begins = |columns: &[ColumnId]| columns.first() == Some(&column);
    table.indices.iter().any(|index| begins(&index.columns))
        || table.unique.iter().any(|unique| begins(&unique.columns))
        || begins(&table.primary_key)
}

/// Results within one request: each set of aggregates is computed once for all parents.
#[derive(Default)]
pub(crate) struct Memo(RefCell<HashMap<*const Totals, Option<Rc<NestedTotals>>>>);

struct NestedTotals {
    plan: Plan,
    answer: Answer,
    /// The group by the JSON of the parent's cell.
    groups: HashMap<Vec<u8>, usize>,
}

impl Reader<'_> {
    /// Writes the aggregates of a parent's rows (`keys` is empty for all rows). Returns `None` and writes nothing if rows are needed.
    pub(crate) fn totals(
        &self,
        totals: &Totals,
        slots: &[Value],
        keys: &Keys,
        memo: &Memo,
        out: &mut Vec<u8>,
    ) -> rusqlite::Result<Option<Explanation>> {
        let place = std::ptr::from_ref(totals);
        let known = memo.0.borrow().get(&place).cloned();
        let (told, explained) = if let Some(told) = known {
            (told, Explanation::default())
        } else {
            let (told, explained) = self.tell(totals, slots)?;
            let told = told.map(Rc::new);
            memo.0.borrow_mut().insert(place, told.clone());
            (told, explained)
        };
        let Some(told) = told else { return Ok(None) };
        let group = told.group(keys)?;
        told.write(&totals.members, group, out);
        Ok(Some(explained))
    }

    fn tell(
        &self,
        totals: &Totals,
        slots: &[Value],
    ) -> rusqlite::Result<(Option<NestedTotals>, Explanation)> {
        let nothing = || (None, Explanation::default());
        if !self.leads_to_many(totals)? {
            return Ok(nothing());
        }
        let mut grouping = totals.grouping.clone();
        grouping.filter = grouping.filter.map(|filter| filter.with_parameters(slots));
        let planner = Planner { catalogue: self.catalogue, caller: self.caller, values: totals.values };
        let Ok(plan) = plan(planner, &grouping) else { return Ok(nothing()) };
        let (answer, explained) = self.answer(&plan)?;
        let Ok(answer) = answer else { return Ok((None, explained)) };
        let mut groups = HashMap::new();
        for row in 0..answer.rows() {
            let group = answer.group(row);
            let json = if plan.keys.is_empty() {
                Vec::new()
            } else {
                answer.key_json(0)[answer.key_id(group, 0)].clone()
            };
            groups.insert(json, group);
        }
        Ok((Some(NestedTotals { plan, answer, groups }), explained))
    }

    /// Whether no index selects a small number of the rows.
    fn leads_to_many(&self, totals: &Totals) -> rusqlite::Result<bool> {
        let Some(layout) = Layout::of(self.catalogue, totals.grouping.table) else { return Ok(false) };
        let sql =
            format!("SELECT coalesce(max(\"code\"), 0) FROM {} WHERE \"slot\" = ?1", layout.name("values"));
        for column in &totals.leading {
            // A value outside the dictionary is a number or time, of which there may be many.
            let Ok((slot, _)) = slot_of(&layout, &Key::Column(*column)) else { return Ok(false) };
            if layout.storage(slot) != super::layout::SlotKind::Value {
                return Ok(false);
            }
            let values: usize = self.connection.prepare_cached(&sql)?.query_row([slot], |row| row.get(0))?;
            if values > MOST_VALUES {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl NestedTotals {
    /// The group of a parent; `None` if it has no rows.
    fn group(&self, keys: &Keys) -> rusqlite::Result<Option<usize>> {
        let mut json = Vec::new();
        match (self.plan.keys.first(), keys.first()) {
            (Some(key), Some(value)) => {
                let value = ValueRef::from(value);
                // Null equals nothing.
                if value == ValueRef::Null {
                    return Ok(None);
                }
                cell(&mut json, value, key.print)?;
            }
            (Some(_), None) => return Ok(None),
            (None, _) => {}
        }
        Ok(self.groups.get(&json).copied())
    }

    fn write(&self, members: &[(String, Member)], group: Option<usize>, out: &mut Vec<u8>) {
        out.push(b'{');
        let mut text = String::new();
        for (place, (name, member)) in members.iter().enumerate() {
            separate(out, place);
            crate::json::key(out, name);
            match member {
                Member::Json(json) => out.extend_from_slice(json.as_bytes()),
                Member::Object(members) => self.write(members, group, out),
                Member::Figure(figure) => {
                    let output = &self.plan.fields[*figure].1;
                    match (group, output) {
                        (Some(group), output) => self.answer.value(group, output, &mut text, out),
                        (None, Output::Count) => out.push(b'0'),
                        (None, _) => out.extend_from_slice(b"null"),
                    }
                }
            }
        }
        out.push(b'}');
    }
}
