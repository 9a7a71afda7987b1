//! Answers a planned grouping from cubes, segments, and rows without segments.

use super::MOST_LOOSE;
use super::answer::Answer;
use super::build::LITTLE;
use super::cache::Cache;
use super::checks::Check;
use super::codes::{More, Values};
use super::entries::entries;
use super::explain::{AnswerSource, Explanation};
use super::filter::Condition;
use super::groups::{Groups, TooLong};
use super::index::{self, Entry};
use super::layout::{Layout, ROWS, Slot, SlotKind, TIME};
use super::pack::Column;
use super::part::{self, Part};
use super::plan::{self, Plan};
use super::read::blocks;
use super::spans::{span, starts};
use super::values::Dictionary;
use super::work::{AggregationInput, Worker, costly};
use crate::StoreError;
use crate::bounds::Deadline;
use crate::driver::answer_memo::AnswerMemo;
use crate::driver::sqlite::carried;
use catalogue::{Caller, Catalogue};
use rusqlite::Connection;
use std::sync::Arc;
use std::sync::mpsc::{TrySendError, sync_channel};
use std::thread;
use tokio::sync::Notify;
use uuid::Uuid;

/// Minimum number of rows for which a second thread pays off.
const WORTH_HELP: usize = if cfg!(test) { 512 } else { 1 << 19 };

/// The context for answering a grouping.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    pub catalogue: &'a Catalogue,
    pub cache: &'a Cache,
    pub connection: &'a Connection,
    pub tenant: Option<Uuid>,
    pub caller: &'a Caller,
    /// Fires when the time limit is exceeded or the request is cancelled.
    pub deadline: &'a Deadline,
    /// Cached answers of other tables about values.
    pub answer_memo: &'a AnswerMemo,
    /// Notified when segments would have answered faster than rows did.
    pub missing_segments: &'a Notify,
}

/// Why the grouping needs SQL.
pub(super) enum DeclineReason {
    Because(String),
    Failed(rusqlite::Error),
}

impl From<rusqlite::Error> for DeclineReason {
    fn from(error: rusqlite::Error) -> Self {
        Self::Failed(error)
    }
}

impl From<String> for DeclineReason {
    fn from(why: String) -> Self {
        Self::Because(why)
    }
}

impl From<TooLong> for DeclineReason {
    fn from(_: TooLong) -> Self {
        Self::Because("a sum needs more digits than are counted with here".to_owned())
    }
}

impl Reader<'_> {
    /// Returns the rows of the answer, or the reason why SQL is needed.
    pub fn answer(&self, plan: &Plan) -> rusqlite::Result<(Result<Answer, String>, Explanation)> {
        let mut explained = Explanation::default();
        match self.groups(plan, &mut explained) {
            Ok(answer) => Ok((Ok(answer), explained)),
            Err(DeclineReason::Because(why)) => Ok((Err(why), explained)),
            Err(DeclineReason::Failed(error)) => Err(error),
        }
    }

    fn groups(&self, plan: &Plan, explained: &mut Explanation) -> Result<Answer, DeclineReason> {
        let layout =
            Layout::of(self.catalogue, plan.table).ok_or_else(|| "it keeps no segments".to_owned())?;
        // Data of a transaction that may be rolled back must not be cached.
        if !self.connection.is_readonly(rusqlite::MAIN_DB)? {
            return Err("the transaction writes".to_owned().into());
        }
        let epoch = index::epoch(self.connection, &layout)?.ok_or_else(|| {
            self.missing_segments.notify_one();
            "no segments have been made yet, or they were made for other columns".to_owned()
        })?;
        let index = index::read(self.connection, &layout)?;
        let loose = index.loose(self.connection, &layout)?;
        let loose_rows: u64 = loose.iter().map(|(_, _, rows)| rows).sum();
        if loose_rows > LITTLE {
            self.missing_segments.notify_one();
        }
        if loose_rows > MOST_LOOSE {
            return Err(format!("about {loose_rows} rows have no segment yet").into());
        }
        let tenant = plan.tenant_condition(self.tenant);
        let conditions: Vec<&Condition> = tenant.iter().chain(&plan.conditions).collect();
        let (from, until) = conditions
            .iter()
            .map(|condition| condition.times())
            .fold((i64::MIN, i64::MAX), |left, right| (left.0.max(right.0), left.1.min(right.1)));
        let entries = entries(plan, &layout, &index, explained);
        // An entry without times has no rows in a limited range of time.
        let is_met = |entry: &Entry| {
            (from, until) == (i64::MIN, i64::MAX)
                || entry.earliest.is_some_and(|earliest| earliest <= until)
                    && entry.latest.is_some_and(|latest| latest >= from)
        };
        let entries: Vec<&Entry> = entries.into_iter().filter(|entry| is_met(entry)).collect();

        let mut values = self.values(plan, &layout, epoch)?;
        let fresh = self.read_unsegmented(plan, &layout, &loose, &mut values)?;
        let span = span(&entries, &fresh);
        let wanted = self.wanted(plan, &layout, &values)?;
        let mut tell = |key: &plan::Key, check: &Check| self.truths(&layout, &values, key, check);
        let told: Vec<Option<Condition>> =
            conditions.iter().map(|condition| condition.evaluated(&mut tell)).collect::<Result<_, _>>()?;
        let conditions: Vec<&Condition> =
            conditions.iter().zip(&told).map(|(plain, told)| told.as_ref().unwrap_or(plain)).collect();
        let sizes: Vec<(Option<u32>, bool)> = wanted
            .keys
            .iter()
            .map(|key| match (&key.cut, key.storage) {
                (part::Cut::Derived(derived), _) => (u32::try_from(derived.values.len() + 1).ok(), false),
                (part::Cut::Start(unit), _) => (span.and_then(|span| starts(*unit, span)), true),
                (part::Cut::Whole, SlotKind::Number) => ((key.slot != TIME).then_some(64), true),
                (part::Cut::Whole, SlotKind::Value) => (values.size(key.slot), false),
            })
            .collect();
        let known = |condition: &&Condition| {
            let (slot, words) = costly(condition)?;
            Some(values.parts(slot)?.0.known(&words))
        };
        let desk = AggregationInput {
            layout,
            plan,
            conditions: &conditions,
            values: &values,
            wanted: &wanted,
            sizes: &sizes,
            span,
            known: conditions.iter().map(|condition| known(condition).unwrap_or_default()).collect(),
        };
        let mut groups = self.add_all(&desk, &entries, &fresh, explained)?;
        if plan.keys.is_empty() {
            groups.find(&[]);
        }
        explained.chosen = if explained.cube_parts > 0 { AnswerSource::Cube } else { AnswerSource::Segments };
        Answer::new(plan, groups, &wanted, values)
    }

    /// Aggregates all parts, with a second thread if there are many rows and a core is idle.
    fn add_all(
        &self,
        desk: &AggregationInput<'_>,
        entries: &[&Entry],
        fresh: &[Part],
        explained: &mut Explanation,
    ) -> Result<Groups, DeclineReason> {
        let rows: usize = entries.iter().map(|entry| entry.rows).sum();
        let _adding = self.cache.begin();
        let helping = if rows < WORTH_HELP { None } else { self.cache.begin_to_help() };
        thread::scope(|scope| {
            let mut helper = helping.is_some().then(|| {
                // This thread keeps the connection: it reads columns and sends parts to the other.
                let (send, receive) = sync_channel::<Part>(1);
                let work = move || -> Result<Worker<'_>, TooLong> {
                    let mut theirs = desk.begin();
                    receive.iter().try_for_each(|part| theirs.add(&part))?;
                    Ok(theirs)
                };
                (send, scope.spawn(work))
            });
            let mut ours = desk.begin();
            let (slots, amounts) = (desk.dimensions(), desk.plan.amounts(&desk.layout));
            for entry in entries {
                self.check_deadline()?;
                let part = self.part(&desk.layout, entry, &slots, &amounts)?;
                explained.rows += part.rows as u64;
                if entry.grain == ROWS {
                    explained.segments += 1;
                } else {
                    explained.cube_parts += 1;
                }
                let sent = match &helper {
                    Some((send, _)) => send.try_send(part),
                    None => Err(TrySendError::Full(part)),
                };
                if let Err(TrySendError::Full(part) | TrySendError::Disconnected(part)) = sent {
                    ours.add(&part)?;
                }
            }
            for part in fresh {
                self.check_deadline()?;
                explained.loose_rows += part.rows as u64;
                ours.add(part)?;
            }
            let known = std::mem::take(&mut ours.known);
            for (place, known) in known.into_iter().enumerate().filter(|(_, known)| !known.is_empty()) {
                if let Some((slot, words)) = costly(desk.conditions[place])
                    && let Some((dictionary, _)) = desk.values.parts(slot)
                {
                    dictionary.remember(words, known);
                }
            }
            let theirs = helper.take().map(|(send, thread)| {
                drop(send);
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            });
            Ok(ours.finish(theirs.transpose()?)?)
        })
    }

    /// Stops if the time limit is exceeded or the request is cancelled. SQLite checks this itself, but columns are aggregated outside SQLite.
    pub(super) fn check_deadline(&self) -> Result<(), DeclineReason> {
        if self.deadline.must_stop() {
            return Err(DeclineReason::Failed(carried(StoreError::Interrupted)));
        }
        Ok(())
    }

    fn values(&self, plan: &Plan, layout: &Layout<'_>, epoch: i64) -> Result<Values, DeclineReason> {
        let mut of: Vec<Option<(Arc<Dictionary>, More)>> = (0..layout.dimensions()).map(|_| None).collect();
        let sql =
            format!("SELECT coalesce(max(\"code\"), 0) FROM {} WHERE \"slot\" = ?1", layout.name("values"));
        let mut count = self.connection.prepare_cached(&sql)?;
        for slot in
            plan.dimensions(layout).into_iter().filter(|slot| layout.storage(*slot) == SlotKind::Value)
        {
            let count = count.query_row([slot], |row| row.get(0))?;
            let dictionary = self.cache.dictionary(self.connection, layout, epoch, slot, count)?;
            of[slot] = Some((dictionary, More::default()));
        }
        Ok(Values { epoch, of })
    }

    /// Reads the rows that no segment covers.
    fn read_unsegmented(
        &self,
        plan: &Plan,
        layout: &Layout<'_>,
        loose: &[(i64, i64, u64)],
        values: &mut Values,
    ) -> Result<Vec<Part>, DeclineReason> {
        let mut wanted = vec![false; layout.slots()];
        let (dimensions, amounts) = (plan.dimensions(layout), plan.amounts(layout));
        for slot in dimensions.iter().chain(&amounts) {
            wanted[*slot] = true;
        }
        let mut parts = Vec::new();
        for (first, last, _) in loose {
            blocks(self.connection, layout, &wanted, (*first, *last), values, &mut |block| {
                let columns = block.columns.into_iter().map(|column| column.map(Arc::new)).collect();
                parts.push((
                    Part { rows: block.rows, columns, weights: None },
                    (block.earliest, block.latest),
                ));
                Ok(())
            })?;
        }
        for (part, _) in &parts {
            complete(part, &dimensions, &amounts)?;
        }
        Ok(parts.into_iter().map(|(part, _)| part).collect())
    }

    fn part(
        &self,
        layout: &Layout<'_>,
        entry: &Entry,
        dimensions: &[Slot],
        sums: &[Slot],
    ) -> Result<Part, DeclineReason> {
        let mut columns: Vec<Option<Arc<Column>>> = (0..layout.slots()).map(|_| None).collect();
        for slot in dimensions.iter().chain(sums) {
            let column = self.column(layout, entry, *slot)?;
            if let Some(Column::Alias(other)) = column.as_deref()
                && columns[*other].is_none()
            {
                columns[*other] = self.column(layout, entry, *other)?;
            }
            columns[*slot] = column;
        }
        let weights = if entry.grain == ROWS { None } else { self.column(layout, entry, layout.weight())? };
        let part = Part { rows: entry.rows, columns, weights };
        complete(&part, dimensions, sums)?;
        Ok(part)
    }

    fn column(
        &self,
        layout: &Layout<'_>,
        entry: &Entry,
        slot: Slot,
    ) -> rusqlite::Result<Option<Arc<Column>>> {
        let id = entry.column(slot);
        if let Some(known) = self.cache.column(id) {
            return Ok(Some(known));
        }
        let column = index::read_column(self.connection, layout, id, entry.rows)?.map(Arc::new);
        if let Some(column) = &column {
            self.cache.keep(id, column);
        }
        Ok(column)
    }
}

/// Refuses a part that lacks a requested column.
fn complete(part: &Part, dimensions: &[Slot], sums: &[Slot]) -> Result<(), DeclineReason> {
    if dimensions.iter().any(|slot| part.codes(*slot).is_none()) {
        return Err("a column has too many different values to be kept".to_owned().into());
    }
    if sums.iter().any(|slot| part.numbers(*slot).is_none()) {
        return Err("amounts need more digits than are kept".to_owned().into());
    }
    Ok(())
}
