//! Decides whether a grouping can be answered from columns, and plans it.

use super::checks::{Check, Constant};
use super::filter::{Condition, condition};
use super::layout::{Layout, Slot, SlotKind};
use super::values::JsonText;
use crate::access::row_condition;
use crate::query::{self, Direction, Filter, Function, Grouping, Term, TimeUnit};
use crate::sql::Dialect;
use crate::statement::{ParameterValue, Print, Statement};
use catalogue::{
    AccountScope, Caller, CallerScope, Catalogue, ColumnId, Dimension, Reach, RelationshipId,
    RelationshipKind, Right, Scalar, Scope, TableId,
};
use uuid::Uuid;

/// A grouping in terms of a layout.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(super) table: TableId,
    pub(super) keys: Vec<Key>,
    pub(super) sums: Vec<Slot>,
    /// Sets of columns whose distinct combinations are counted.
    pub(super) distinct: Vec<Vec<Slot>>,
    /// Integer columns whose smallest value, or greatest if `true`, is requested.
    pub(super) extremes: Vec<(Slot, bool)>,
    /// Fields of a result row.
    pub(super) fields: Vec<(String, Output)>,
    pub(super) order: Vec<(Output, Direction)>,
    pub(super) conditions: Vec<Condition>,
    /// The slot compared with the caller's tenant when the plan runs.
    pub(super) tenant: Option<Slot>,
    pub(super) limit: usize,
    pub(super) offset: usize,
}

#[derive(Debug, Clone)]
pub(super) struct Key {
    pub slot: Slot,
    pub cut: Cut,
    /// The fallback if the value is null.
    pub fallback: Option<(Slot, Cut)>,
    pub print: Print,
}

#[derive(Debug, Clone)]
pub(super) enum Cut {
    Whole,
    Start(TimeUnit),
    /// A text derived from JSON.
    Of(JsonText),
    /// A text that other rows define for every distinct value: SQL, with `?1` for the tenant and `?2` for the value.
    Lookup(String),
    /// A text for the values that a statement finds, null for the others.
    Among(Statement),
}

#[derive(Debug, Clone)]
pub(super) enum Output {
    Key(usize),
    Count,
    /// A sum, as a decimal or a 64-bit integer.
    Sum(usize, Print),
    Distinct(usize),
    /// The smallest or greatest value of a column.
    Extreme(usize, Print),
    /// An output as JSON text.
    AsText(Box<Output>),
    /// Complete JSON.
    Json(String),
}

/// Prints the statement that selects a column's values in the rows of a table that the caller may access and that match a filter.
pub(crate) type ValuePrinter = fn(&Catalogue, &Caller, TableId, ColumnId, &Filter) -> Statement;

/// The caller, and the printer for statements on other tables.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Planner<'a> {
    pub catalogue: &'a Catalogue,
    pub caller: &'a Caller,
    pub values: ValuePrinter,
}

impl Planner<'_> {
    fn matching_values(&self, table: TableId, column: ColumnId, filter: &Filter) -> Statement {
        (self.values)(self.catalogue, self.caller, table, column, filter)
    }
}

/// Plans a grouping; otherwise the reason why it needs SQL.
pub(crate) fn plan(planner: Planner<'_>, grouping: &Grouping) -> Result<Plan, String> {
    let Planner { catalogue, caller, .. } = planner;
    let layout = Layout::of(catalogue, grouping.table)
        .ok_or_else(|| format!("`{}` keeps no segments", catalogue.table(grouping.table).name))?;
    let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let mut plan = Plan {
        table: grouping.table,
        keys: grouping
            .keys
            .iter()
            .map(|key| Keys { planner, layout: &layout }.key(key))
            .collect::<Result<_, _>>()?,
        sums: Vec::new(),
        distinct: Vec::new(),
        extremes: Vec::new(),
        fields: Vec::new(),
        order: Vec::new(),
        conditions: Vec::new(),
        tenant: None,
        limit: number(grouping.limit),
        offset: number(grouping.offset),
    };
    for (name, term) in &grouping.terms {
        let output = plan.output(&layout, grouping, term)?;
        plan.fields.push((name.clone(), output));
    }
    for (term, direction) in &grouping.order {
        let output = plan.output(&layout, grouping, term)?;
        if matches!(output, Output::AsText(_)) {
            return Err("it is ordered by the text of a number".to_owned());
        }
        plan.order.push((output, *direction));
    }
    let mut terms =
        grouping.terms.iter().map(|(_, term)| term).chain(grouping.order.iter().map(|(term, _)| term));
    if plan.keys.is_empty() && !terms.any(Term::is_figure) {
        return Err("it asks for rows and not for groups".to_owned());
    }
    plan.access(&layout, caller)?;
    if let Some(filter) = &grouping.filter {
        let keys = Keys { planner, layout: &layout };
        condition(&keys, filter)?.flat(&mut plan.conditions);
    }
    Ok(plan)
}

/// The dimension that stores a value; `None` if the value depends on other rows or on the time of the request.
fn dimension(key: &query::Key) -> Option<Dimension> {
    Some(match key {
        query::Key::Column(column) => Dimension::Column(*column),
        query::Key::JsonKey(column, key) => Dimension::Key(*column, key.clone()),
        query::Key::JsonPath(column, path) => Dimension::Path(*column, path.clone()),
        query::Key::First(members) => Dimension::First(members.iter().map(dimension).collect::<Option<_>>()?),
        query::Key::Time(..) | query::Key::Related(..) | query::Key::Recent(..) | query::Key::Joined(..) => {
            return None;
        }
    })
}

/// The slot of a value, and how it is written as JSON.
pub(super) fn slot_of(layout: &Layout<'_>, key: &query::Key) -> Result<(Slot, Print), String> {
    let dimension = dimension(key).ok_or("a value is told by other rows or by the time of asking")?;
    let slot =
        layout.slot(&dimension).ok_or_else(|| format!("{} is not kept", layout.describe(&dimension)))?;
    Ok(match dimension {
        Dimension::Column(column) => (slot, Print::of(layout.table.column(column))),
        _ => (slot, Print::Text),
    })
}

/// Converts group keys.
pub(super) struct Keys<'a> {
    planner: Planner<'a>,
    pub layout: &'a Layout<'a>,
}

impl Keys<'_> {
    pub fn key(&self, key: &query::Key) -> Result<Key, String> {
        let whole = |slot, cut, print| Key { slot, cut, fallback: None, print };
        match key {
            query::Key::Time(column, unit) => {
                let (slot, print) = slot_of(self.layout, &query::Key::Column(*column))?;
                if self.layout.storage(slot) != SlotKind::Number {
                    return Err("what is cut to a unit of time is no time".to_owned());
                }
                Ok(whole(slot, Cut::Start(*unit), shown(print)))
            }
            query::Key::JsonKey(column, name) => {
                if let Ok((slot, print)) = slot_of(self.layout, key) {
                    return Ok(whole(slot, Cut::Whole, print));
                }
                let (slot, _) = slot_of(self.layout, &query::Key::Column(*column))?;
                Ok(whole(slot, Cut::Of(JsonText::Key(name.clone())), Print::Text))
            }
            key => match (slot_of(self.layout, key), key) {
                (Ok((slot, Print::Json)), _) => Ok(whole(slot, Cut::Of(JsonText::Whole), Print::Text)),
                (Ok((slot, print)), _) => Ok(whole(slot, Cut::Whole, shown(print))),
                (Err(_), query::Key::First(members)) if members.len() == 2 => {
                    let ((slot, cut), or) = (self.text(&members[0])?, self.text(&members[1])?);
                    Ok(Key { slot, cut, fallback: Some(or), print: Print::Text })
                }
                (Err(_), key) => {
                    let (slot, cut) = self.text(key)?;
                    Ok(whole(slot, cut, Print::Text))
                }
            },
        }
    }

    /// A text that is derived from the value of one column.
    fn text(&self, key: &query::Key) -> Result<(Slot, Cut), String> {
        let why = match slot_of(self.layout, key) {
            Ok((slot, Print::Text)) => return Ok((slot, Cut::Whole)),
            Ok((_, print)) => return Err(format!("a {print:?} stands in for a text")),
            Err(why) => why,
        };
        match key {
            query::Key::JsonPath(column, path) => {
                let (slot, _) = slot_of(self.layout, &query::Key::Column(*column))?;
                let path = format!("'{}'", path.replace('\'', "''"));
                Ok((slot, Cut::Of(JsonText::Sql(format!("SELECT {}", Dialect::Sqlite.text_at("?2", &path))))))
            }
            query::Key::Related(way, column) => {
                let [step] = way[..] else { return Err(why) };
                let relationship = self.layout.table.relationship(step);
                let [(here, there)] = relationship.join[..] else { return Err(why) };
                let target = self.planner.catalogue.table(relationship.target);
                let column = target.column(*column);
                // Each value must lead to at most one row, and texts must be compared by bytes.
                if target.primary_key != [there]
                    || Print::of(column) != Print::Text
                    || column.scalar == Scalar::Citext
                {
                    return Err(why);
                }
                let (slot, _) = slot_of(self.layout, &query::Key::Column(here))?;
                let access = row_condition(
                    Dialect::Sqlite,
                    self.planner.catalogue,
                    self.planner.caller,
                    Right::Read,
                    relationship.target,
                    "j",
                );
                let access = access.map(|access| format!(" AND {access}")).unwrap_or_default();
                Ok((
                    slot,
                    Cut::Lookup(format!(
                        "SELECT j.\"{}\" FROM \"{}\" j WHERE j.\"{}\" = ?2{access}",
                        column.name,
                        target.name,
                        target.column(there).name
                    )),
                ))
            }
            _ => Err(why),
        }
    }
}

impl Keys<'_> {
    /// A key that is a text for ids whose related row matches the filter, and null for others. One statement finds these rows for all ids.
    pub fn matching_ids(&self, relationship: RelationshipId, filter: &Filter) -> Result<Key, String> {
        let related = self.layout.table.relationship(relationship);
        let target = self.planner.catalogue.table(related.target);
        let [(here, there)] = related.join[..] else {
            return Err("related rows are found by more than one column".to_owned());
        };
        if related.kind != RelationshipKind::One || target.primary_key != [there] {
            return Err("a condition is about more than one related row".to_owned());
        }
        let (slot, print) = slot_of(self.layout, &query::Key::Column(here))?;
        if print != Print::Uuid {
            return Err("related rows are found by what is no id".to_owned());
        }
        let statement = self.planner.matching_values(related.target, there, filter);
        if !statement.values.iter().all(|value| matches!(value, ParameterValue::Value(_))) {
            return Err("a value is told when the plan runs".to_owned());
        }
        Ok(Key { slot, cut: Cut::Among(statement), fallback: None, print: Print::Text })
    }
}

/// The format of times in listings: with their zone.
fn shown(print: Print) -> Print {
    match print {
        Print::Timestamp | Print::Timestamptz => Print::Instant,
        print => print,
    }
}

impl Plan {
    fn output(&mut self, layout: &Layout<'_>, grouping: &Grouping, term: &Term) -> Result<Output, String> {
        Ok(match term {
            Term::Key(key) => {
                let place = grouping.keys.iter().position(|known| known == key);
                Output::Key(place.ok_or("a column is neither a key nor a figure")?)
            }
            Term::Count => Output::Count,
            Term::Sum(column) => {
                let described = layout.table.column(*column);
                let slot =
                    layout.sum_of(*column).ok_or_else(|| format!("`{}` is no kept sum", described.name))?;
                let print = if described.scalar == Scalar::Int { Print::Integer } else { Print::Decimal };
                Output::Sum(place(&mut self.sums, slot), print)
            }
            Term::CountDistinct(keys) if !keys.is_empty() => {
                let slot = |key: &query::Key| match slot_of(layout, key)? {
                    // Equal JSON may differ as text.
                    (_, Print::Json) => Err("JSON is counted".to_owned()),
                    (slot, _) => Ok(slot),
                };
                let slots: Vec<Slot> = keys.iter().map(slot).collect::<Result<_, _>>()?;
                Output::Distinct(place(&mut self.distinct, slots))
            }
            Term::AsText(term) => match self.output(layout, grouping, term)? {
                Output::Key(place) if self.keys[place].print == Print::Date => {
                    return Err("a date is written as a text".to_owned());
                }
                Output::Extreme(_, Print::Date) => return Err("a date is written as a text".to_owned()),
                output => Output::AsText(Box::new(output)),
            },
            Term::Null => Output::Json("null".to_owned()),
            Term::Text(text) => Output::Json(serde_json::Value::from(text.as_str()).to_string()),
            Term::Of(function @ (Function::Min | Function::Max), column) => {
                let (slot, print) = slot_of(layout, &query::Key::Column(*column))?;
                if layout.storage(slot) != SlotKind::Number {
                    return Err("the first of texts is asked for".to_owned());
                }
                let extreme = (slot, *function == Function::Max);
                Output::Extreme(place(&mut self.extremes, extreme), shown(print))
            }
            Term::CountDistinct(_)
            | Term::Max(_)
            | Term::Of(..)
            | Term::Latest { .. }
            | Term::Values(_)
            | Term::Only(..) => return Err("a figure is none that is told from columns".to_owned()),
        })
    }

    /// Adds the condition that [`crate::access`] puts on rows of the table.
    fn access(&mut self, layout: &Layout<'_>, caller: &Caller) -> Result<(), String> {
        if caller.scope == CallerScope::AllTenants {
            return Ok(());
        }
        let elsewhere = || "whose rows they are is told by another table or column".to_owned();
        let id_slot = |column: ColumnId| {
            let slot = layout.dimension_of(column);
            slot.filter(|_| layout.table.column(column).scalar == Scalar::Uuid).ok_or_else(elsewhere)
        };
        match layout.table.scope {
            Scope::Everyone => {}
            Scope::Tenant(column) => self.tenant = Some(id_slot(column)?),
            Scope::Through(_) | Scope::Service => return Err(elsewhere()),
        }
        if caller.reach(Right::Read) >= Reach::Tenant {
            return Ok(());
        }
        let places = caller.accounts(Right::Read);
        match layout.table.account {
            _ if layout.table.own_user_column.is_some() => Err(elsewhere()),
            Some(AccountScope::All) => Ok(()),
            Some(AccountScope::Column { account, namespace }) => {
                if namespace.is_some() && !places.namespaces.is_empty() {
                    return Err(elsewhere());
                }
                let accounts = places.accounts.iter().map(|id| Constant::Bytes(id.as_bytes().to_vec()));
                let check = Check::OneOf(accounts.collect());
                self.conditions.push(Condition::On(id_slot(account)?, check));
                Ok(())
            }
            Some(AccountScope::Through(_) | AccountScope::None) | None => Err(elsewhere()),
        }
    }

    /// The condition on the tenant.
    pub(super) fn tenant_condition(&self, tenant: Option<Uuid>) -> Option<Condition> {
        let id = tenant.map_or(Constant::Null, |tenant| Constant::Bytes(tenant.as_bytes().to_vec()));
        self.tenant.map(|slot| Condition::On(slot, Check::OneOf(vec![id])))
    }

    /// Sum columns that are aggregated or used in conditions.
    pub(super) fn amounts(&self, layout: &Layout<'_>) -> Vec<Slot> {
        let mut slots = Vec::new();
        for condition in &self.conditions {
            condition.slots(&mut slots);
        }
        slots.retain(|slot| *slot >= layout.dimensions());
        slots.extend(&self.sums);
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    /// Whether there are conditions on single amounts, which cubes do not contain.
    pub(super) fn looks_at_amounts(&self, layout: &Layout<'_>) -> bool {
        let mut slots = Vec::new();
        for condition in &self.conditions {
            condition.slots(&mut slots);
        }
        slots.iter().any(|slot| *slot >= layout.dimensions())
    }

    /// Slots by which rows are grouped, filtered or counted.
    pub(super) fn dimensions(&self, layout: &Layout<'_>) -> Vec<Slot> {
        let mut slots: Vec<Slot> = self.keys.iter().map(|key| key.slot).collect();
        slots.extend(self.keys.iter().filter_map(|key| key.fallback.as_ref()).map(|(slot, _)| slot));
        slots.extend(self.distinct.iter().flatten());
        slots.extend(self.extremes.iter().map(|(slot, _)| slot));
        slots.extend(self.tenant);
        for condition in &self.conditions {
            condition.slots(&mut slots);
        }
        slots.retain(|slot| *slot < layout.dimensions());
        slots.sort_unstable();
        slots.dedup();
        slots
    }
}

fn place<T: PartialEq>(places: &mut Vec<T>, wanted: T) -> usize {
    places.iter().position(|known| *known == wanted).unwrap_or_else(|| {
        places.push(wanted);
        places.len() - 1
    })
}
