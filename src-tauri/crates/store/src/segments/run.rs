//! Answers a planned grouping from cubes, segments, and the rows that have none.

use super::MOST_LOOSE;
use super::add::{self, Part, Wanted};
use super::answer::Answer;
use super::build::LITTLE;
use super::cache::Cache;
use super::cubes;
use super::explain::{Chosen, Explained};
use super::filter::{self, Check, Condition, Seen, Truth, choose};
use super::groups::{Distinct, Extremes, Groups, TooLong, widen};
use super::index::{self, Entry, Index};
use super::layout::{Held, Layout, ROWS, Slot, TIME};
use super::pack::{Column, NULL};
use super::plan::{self, Cut, Plan};
use super::read::{Coder, blocks};
use super::room::Room;
use super::tally::Tally;
use super::told::{Question, Told};
use super::values::{Derived, Dictionary, JsonText, Texts};
use crate::StoreError;
use crate::bounds::Alarm;
use crate::calendar::{next, start_of};
use crate::driver::sqlite::carried;
use crate::query::TimeUnit;
use catalogue::{Catalogue, Cube};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, Statement};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{TrySendError, sync_channel};
use std::thread;
use tokio::sync::Notify;
use uuid::Uuid;

/// Rows for which a second thread is worth its start.
const WORTH_HELP: usize = if cfg!(test) { 512 } else { 1 << 19 };

/// What answering needs.
pub(crate) struct Reader<'a> {
    pub catalogue: &'a Catalogue,
    pub cache: &'a Cache,
    pub connection: &'a Connection,
    pub tenant: Option<Uuid>,
    /// Says when the answer has taken too long, or is not waited for any more.
    pub alarm: &'a Alarm,
    /// What the connection remembers that other rows tell.
    pub told: &'a Told,
    /// Told when segments would have answered sooner than rows did.
    pub lacking: &'a Notify,
}

/// Why it takes SQL.
pub(super) enum Declined {
    Because(String),
    Failed(rusqlite::Error),
}

impl From<rusqlite::Error> for Declined {
    fn from(error: rusqlite::Error) -> Self {
        Self::Failed(error)
    }
}

impl From<String> for Declined {
    fn from(why: String) -> Self {
        Self::Because(why)
    }
}

impl From<TooLong> for Declined {
    fn from(_: TooLong) -> Self {
        Self::Because("a sum needs more digits than are counted with here".to_owned())
    }
}

/// Values that rows read a moment ago have and the dictionary lacks.
#[derive(Default)]
pub(super) struct More {
    codes: HashMap<Box<[u8]>, u32>,
    values: Vec<Box<[u8]>>,
}

/// The dictionaries of one query, by slot.
pub(super) struct Values {
    epoch: i64,
    of: Vec<Option<(Arc<Dictionary>, More)>>,
}

impl Values {
    /// The value of a code that is not null.
    pub fn get(&self, slot: Slot, code: u32) -> &[u8] {
        let Some((dictionary, more)) = self.of.get(slot).and_then(Option::as_ref) else { return &[] };
        let place = usize::try_from(code).unwrap_or(usize::MAX);
        match place.checked_sub(dictionary.len() + 1) {
            None if place == 0 => &[],
            None => dictionary.get(code),
            Some(place) => more.values.get(place).map_or(&[], |value| value),
        }
    }

    /// The dictionary, and the values behind it.
    #[allow(clippy::type_complexity)]
    pub fn parts(&self, slot: Slot) -> Option<(&Arc<Dictionary>, &[Box<[u8]>])> {
        self.of.get(slot)?.as_ref().map(|(dictionary, more)| (dictionary, more.values.as_slice()))
    }

    /// How many codes there are, null among them.
    fn size(&self, slot: Slot) -> Option<u32> {
        let (dictionary, more) = self.parts(slot)?;
        u32::try_from(dictionary.len() + more.len() + 1).ok()
    }

    fn seen(&self, layout: &Layout<'_>, slot: Slot, value: i64) -> Seen<'_> {
        match layout.held(slot) {
            Held::Number => filter::number(value),
            Held::Value if value == NULL => Seen::Null,
            Held::Value => Seen::Bytes(self.get(slot, u32::try_from(value).unwrap_or_default())),
        }
    }
}

impl Coder for Values {
    fn code(&mut self, slot: Slot, value: &[u8]) -> rusqlite::Result<Option<i64>> {
        let Some((dictionary, more)) = self.of.get_mut(slot).and_then(Option::as_mut) else {
            return Ok(None);
        };
        if let Some(code) = dictionary.find(value) {
            return Ok(Some(code.into()));
        }
        let next = u32::try_from(dictionary.len() + more.values.len() + 1).unwrap_or(u32::MAX);
        let code = *more.codes.entry(value.into()).or_insert_with(|| {
            more.values.push(value.into());
            next
        });
        Ok(Some(code.into()))
    }
}

/// What every part is added up by.
struct Desk<'a> {
    layout: Layout<'a>,
    plan: &'a Plan,
    conditions: &'a [&'a Condition],
    values: &'a Values,
    wanted: &'a Wanted,
    sizes: &'a [(Option<u32>, bool)],
    /// The first and the last time of all parts.
    span: Option<(i64, i64)>,
    /// By condition, what is known of values already.
    known: Vec<filter::Known>,
}

/// The work of one thread.
struct Worker<'a> {
    desk: &'a Desk<'a>,
    groups: Groups,
    tally: Tally,
    room: Room,
    known: Vec<filter::Known>,
}

impl Desk<'_> {
    /// Slots rows are told apart by.
    fn dimensions(&self) -> Vec<Slot> {
        let mut slots = self.wanted.dimensions();
        for condition in self.conditions {
            condition.slots(&mut slots);
        }
        slots.retain(|slot| *slot < self.layout.dimensions());
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    fn begin(&self) -> Worker<'_> {
        let distinct = self.plan.distinct.iter().map(|slots| Distinct::new(slots.len() == 1)).collect();
        let extremes = self.plan.extremes.iter().map(|(_, is_greatest)| Extremes::of(*is_greatest)).collect();
        let mut groups = Groups::new(self.sizes, self.wanted.sums.len(), distinct, extremes);
        if groups.sizes().is_some() {
            // Threads that number times alike can put their sums together as they are.
            for (place, key) in self.wanted.keys.iter().enumerate() {
                if let (add::Cut::Start(unit), Some(span)) = (&key.cut, self.span) {
                    groups.expect(place, units(*unit, span));
                }
            }
        }
        Worker {
            desk: self,
            groups,
            tally: Tally::default(),
            room: Room::default(),
            known: self.known.clone(),
        }
    }
}

/// The slot and the words of a condition that is worth being remembered.
fn costly(condition: &Condition) -> Option<(Slot, String)> {
    let mut slots = Vec::new();
    condition.slots(&mut slots);
    let [slot] = slots[..] else { return None };
    condition.is_costly().then(|| (slot, format!("{condition:?}")))
}

impl Worker<'_> {
    fn add(&mut self, part: &Part) -> Result<(), TooLong> {
        let desk = self.desk;
        let seen = |slot, value| desk.values.seen(&desk.layout, slot, value);
        let chosen = choose(part, desk.conditions, &seen, &mut self.known);
        if self.tally.add(part, &chosen, desk.wanted, &mut self.groups, &mut self.room)? {
            return Ok(());
        }
        add::add(part, &chosen, desk.wanted, &mut self.groups, &mut self.room)
    }

    /// Everything it has added, together with what another one has.
    fn finish(mut self, other: Option<Self>) -> Result<Groups, TooLong> {
        if let Some(mut other) = other {
            if !(self.groups.agree(&other.groups) && self.tally.merge(&mut other.tally)) {
                other.tally.hand_over(&mut other.groups)?;
            }
            self.groups.merge(&other.groups)?;
        }
        self.tally.hand_over(&mut self.groups)?;
        Ok(self.groups)
    }
}

impl Reader<'_> {
    /// The rows of the answer, or why it takes SQL.
    pub fn answer(&self, plan: &Plan) -> rusqlite::Result<(Result<Answer, String>, Explained)> {
        let mut explained = Explained::default();
        match self.groups(plan, &mut explained) {
            Ok(answer) => Ok((Ok(answer), explained)),
            Err(Declined::Because(why)) => Ok((Err(why), explained)),
            Err(Declined::Failed(error)) => Err(error),
        }
    }

    fn groups(&self, plan: &Plan, explained: &mut Explained) -> Result<Answer, Declined> {
        let layout =
            Layout::of(self.catalogue, plan.table).ok_or_else(|| "it keeps no segments".to_owned())?;
        // What this transaction has written may be undone, and must not be remembered.
        if !self.connection.is_readonly(rusqlite::MAIN_DB)? {
            return Err("the transaction writes".to_owned().into());
        }
        let epoch = index::epoch(self.connection, &layout)?.ok_or_else(|| {
            self.lacking.notify_one();
            "no segments have been made yet, or they were made for other columns".to_owned()
        })?;
        let index = index::read(self.connection, &layout)?;
        let loose = index.loose(self.connection, &layout)?;
        let loose_rows: u64 = loose.iter().map(|(_, _, rows)| rows).sum();
        if loose_rows > LITTLE {
            self.lacking.notify_one();
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
        // Rows without a time have none of a span of it.
        let is_met = |entry: &Entry| {
            (from, until) == (i64::MIN, i64::MAX)
                || entry.earliest.is_some_and(|earliest| earliest <= until)
                    && entry.latest.is_some_and(|latest| latest >= from)
        };
        let entries: Vec<&Entry> = entries.into_iter().filter(|entry| is_met(entry)).collect();

        let mut values = self.values(plan, &layout, epoch)?;
        let fresh = self.fresh(plan, &layout, &loose, &mut values)?;
        let span = span(&entries, &fresh);
        let wanted = self.wanted(plan, &layout, &values)?;
        let mut tell = |key: &plan::Key, check: &Check| self.truths(&layout, &values, key, check);
        let told: Vec<Option<Condition>> =
            conditions.iter().map(|condition| condition.told(&mut tell)).collect::<Result<_, _>>()?;
        let conditions: Vec<&Condition> =
            conditions.iter().zip(&told).map(|(plain, told)| told.as_ref().unwrap_or(plain)).collect();
        let sizes: Vec<(Option<u32>, bool)> = wanted
            .keys
            .iter()
            .map(|key| match (&key.cut, key.held) {
                (add::Cut::Under(derived), _) => (u32::try_from(derived.values.len() + 1).ok(), false),
                (add::Cut::Start(unit), _) => (span.and_then(|span| starts(*unit, span)), true),
                (add::Cut::Whole, Held::Number) => ((key.slot != TIME).then_some(64), true),
                (add::Cut::Whole, Held::Value) => (values.size(key.slot), false),
            })
            .collect();
        let known = |condition: &&Condition| {
            let (slot, words) = costly(condition)?;
            Some(values.parts(slot)?.0.known(&words))
        };
        let desk = Desk {
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
        explained.chosen = if explained.cube_parts > 0 { Chosen::Cube } else { Chosen::Segments };
        Answer::new(plan, groups, &wanted, values)
    }

    /// Adds all parts up: alone, or, where there are many rows and a core is free, together with a second thread.
    fn add_all(
        &self,
        desk: &Desk<'_>,
        entries: &[&Entry],
        fresh: &[Part],
        explained: &mut Explained,
    ) -> Result<Groups, Declined> {
        let rows: usize = entries.iter().map(|entry| entry.rows).sum();
        let _adding = self.cache.begin();
        let helping = if rows < WORTH_HELP { None } else { self.cache.begin_to_help() };
        thread::scope(|scope| {
            let mut helper = helping.is_some().then(|| {
                // The connection stays with this thread, which reads columns and hands them over.
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
                self.look_up()?;
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
                self.look_up()?;
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

    fn wanted(&self, plan: &Plan, layout: &Layout<'_>, values: &Values) -> Result<Wanted, Declined> {
        let mut keys = Vec::with_capacity(plan.keys.len());
        for key in &plan.keys {
            let (slot, held) = (key.slot, layout.held(key.slot));
            keys.push(match (&key.cut, &key.or) {
                (Cut::Whole, None) => add::Key { slot, held, cut: add::Cut::Whole, or: None },
                (Cut::Start(unit), _) => add::Key { slot, held, cut: add::Cut::Start(*unit), or: None },
                (cut, None) => {
                    let cut = add::Cut::Under(self.texts(layout, values, slot, cut)?);
                    add::Key { slot, held, cut, or: None }
                }
                (cut, Some((other, other_cut))) => {
                    let first = self.texts(layout, values, slot, cut)?;
                    let second = self.texts(layout, values, *other, other_cut)?;
                    if first.codes.iter().all(|code| *code == 0) {
                        // No value has a text of its own: they all leave it to the other.
                        let (slot, held) = (*other, layout.held(*other));
                        keys.push(add::Key { slot, held, cut: add::Cut::Under(second), or: None });
                        continue;
                    }
                    // Both numbered as one dictionary.
                    let mut texts = Texts::default();
                    let mut codes = |told: &Derived| -> Vec<u32> {
                        let mut code =
                            |code: &u32| if *code == 0 { 0 } else { texts.code(told.values.get(*code)) };
                        told.codes.iter().map(&mut code).collect()
                    };
                    let (first, second) = (codes(&first), codes(&second));
                    let cut = add::Cut::Under(Arc::new(Derived { codes: first, values: texts.values }));
                    add::Key { slot, held, cut, or: Some((*other, second.into())) }
                }
            });
        }
        let extremes = plan.extremes.iter().map(|(slot, _)| *slot).collect();
        Ok(Wanted { keys, sums: plan.sums.clone(), distinct: plan.distinct.clone(), extremes })
    }

    /// By code, whether a check holds of the text that is told of a value.
    fn truths(
        &self,
        layout: &Layout<'_>,
        values: &Values,
        key: &plan::Key,
        check: &Check,
    ) -> Result<filter::Told, Declined> {
        let truths = |told: &Derived| -> Vec<Truth> {
            let of_text: Vec<Truth> = std::iter::once(check.of(Seen::Null))
                .chain((1..=told.values.len()).map(|code| {
                    check.of(Seen::Bytes(told.values.get(u32::try_from(code).unwrap_or_default())))
                }))
                .collect();
            // Null has code 0, also where there are no values at all.
            let codes = if told.codes.is_empty() { &[0][..] } else { &told.codes };
            codes.iter().map(|code| of_text[widen(*code)]).collect()
        };
        let first = self.texts(layout, values, key.slot, &key.cut)?;
        let Some((other, cut)) = &key.or else {
            return Ok(filter::Told { slot: key.slot, truths: truths(&first), or: None });
        };
        let second = self.texts(layout, values, *other, cut)?;
        let leaves: Vec<bool> = first.codes.iter().map(|code| *code == 0).collect();
        if leaves.iter().all(|leaves| *leaves) {
            // No value has a text of its own: they all leave it to the other.
            return Ok(filter::Told { slot: *other, truths: truths(&second), or: None });
        }
        let or = Some((leaves, *other, truths(&second)));
        Ok(filter::Told { slot: key.slot, truths: truths(&first), or })
    }

    /// What texts the values of a slot stand for, by code.
    fn texts(
        &self,
        layout: &Layout<'_>,
        values: &Values,
        slot: Slot,
        cut: &Cut,
    ) -> Result<Arc<Derived>, Declined> {
        let Some((dictionary, more)) = values.parts(slot) else { return Ok(Arc::default()) };
        let extended = || dictionary.extended(more.iter().map(AsRef::as_ref));
        let is_id = layout.is_id(slot);
        match cut {
            Cut::Of(text) => {
                let mut statement = match text {
                    JsonText::Said(sql) => Some(self.connection.prepare_cached(sql)?),
                    JsonText::Under(_) | JsonText::Whole => None,
                };
                let say = |value: &[u8]| {
                    statement.as_mut().map_or(Ok(None), |statement| self.ask(statement, value, is_id))
                };
                if more.is_empty() { dictionary.derived(text, say) } else { extended().derived(text, say) }
            }
            Cut::Told(sql) => {
                let mut statement = self.connection.prepare_cached(sql)?;
                let tell = |value: &[u8]| self.ask(&mut statement, value, is_id);
                if !more.is_empty() {
                    return Ok(Arc::new(extended().told(tell)?));
                }
                let question = Question {
                    sql: sql.clone(),
                    tenant: self.tenant,
                    table: layout.id,
                    slot,
                    epoch: values.epoch,
                    values: dictionary.len(),
                };
                self.told.answer(self.connection, question, || dictionary.told(tell))
            }
            Cut::Whole | Cut::Start(_) => {
                let mut whole =
                    |value: &[u8]| Ok::<_, Declined>(Some(String::from_utf8_lossy(value).into_owned()));
                Ok(Arc::new(extended().told(&mut whole)?))
            }
        }
    }

    /// The text a statement has for a value.
    fn ask(
        &self,
        statement: &mut Statement<'_>,
        value: &[u8],
        is_id: bool,
    ) -> Result<Option<String>, Declined> {
        self.look_up()?;
        let tenant = self.tenant.map(|tenant| tenant.as_bytes().to_vec());
        let value = if is_id { ValueRef::Blob(value) } else { ValueRef::Text(value) };
        let mut rows = statement.query((tenant, ToSqlOutput::Borrowed(value)))?;
        Ok(rows.next()?.map(|row| row.get(0)).transpose()?.flatten())
    }

    /// Stops when the time is up or nobody waits any more. SQLite asks for itself; columns are added up without it.
    fn look_up(&self) -> Result<(), Declined> {
        if self.alarm.rings() {
            return Err(Declined::Failed(carried(StoreError::Interrupted)));
        }
        Ok(())
    }

    fn values(&self, plan: &Plan, layout: &Layout<'_>, epoch: i64) -> Result<Values, Declined> {
        let mut of: Vec<Option<(Arc<Dictionary>, More)>> = (0..layout.dimensions()).map(|_| None).collect();
        let sql =
            format!("SELECT coalesce(max(\"code\"), 0) FROM {} WHERE \"slot\" = ?1", layout.name("values"));
        let mut count = self.connection.prepare_cached(&sql)?;
        for slot in plan.dimensions(layout).into_iter().filter(|slot| layout.held(*slot) == Held::Value) {
            let count = count.query_row([slot], |row| row.get(0))?;
            let dictionary = self.cache.dictionary(self.connection, layout, epoch, slot, count)?;
            of[slot] = Some((dictionary, More::default()));
        }
        Ok(Values { epoch, of })
    }

    /// The rows no segment tells.
    fn fresh(
        &self,
        plan: &Plan,
        layout: &Layout<'_>,
        loose: &[(i64, i64, u64)],
        values: &mut Values,
    ) -> Result<Vec<Part>, Declined> {
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
    ) -> Result<Part, Declined> {
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

/// Refuses a part that lacks what is wanted.
fn complete(part: &Part, dimensions: &[Slot], sums: &[Slot]) -> Result<(), Declined> {
    if dimensions.iter().any(|slot| part.codes(*slot).is_none()) {
        return Err("a column has too many different values to be kept".to_owned().into());
    }
    if sums.iter().any(|slot| part.numbers(*slot).is_none()) {
        return Err("amounts need more digits than are kept".to_owned().into());
    }
    Ok(())
}

/// Whether a cube tells what is asked for; whether only with parts whose times are those of the rows.
fn fit(plan: &Plan, layout: &Layout<'_>, cube: &Cube) -> Result<bool, String> {
    let slots = layout.cube_slots(cube);
    if plan.looks_at_amounts(layout) {
        return Err("it does not tell single amounts".to_owned());
    }
    if let Some(missing) = plan.dimensions(layout).into_iter().find(|slot| !slots.contains(slot)) {
        return Err(format!("it does not tell `{}` apart", layout.called(missing)));
    }
    let unit = cubes::unit(cube);
    let is_coarser = |other: TimeUnit| match unit {
        TimeUnit::Month => matches!(other, TimeUnit::Month | TimeUnit::Quarter | TimeUnit::Year),
        _ => !matches!(other, TimeUnit::Minute | TimeUnit::Hour),
    };
    let keys_fit = plan.keys.iter().filter(|key| key.slot == TIME).all(|key| match key.cut {
        Cut::Start(of) => is_coarser(of),
        _ => false,
    });
    let mut single = plan.distinct.iter().flatten().chain(plan.extremes.iter().map(|(slot, _)| slot));
    let times_counted = single.any(|slot| *slot == TIME);
    let filter_fits = plan.conditions.iter().all(|condition| condition.is_even(&|time| start_of(time, unit)));
    Ok(!(keys_fit && filter_fits) || times_counted)
}

const MINUTE: i64 = 60_000_000;
const HOUR: i64 = 60 * MINUTE;

/// The starts of the units that a span touches.
fn units(unit: TimeUnit, (first, last): (i64, i64)) -> impl Iterator<Item = i64> {
    std::iter::successors(Some(start_of(first, unit)), move |start| next(*start, unit))
        .take_while(move |start| *start <= last)
}

/// At most how many units begin within a span, and null.
fn starts(unit: TimeUnit, (first, last): (i64, i64)) -> Option<u32> {
    let shortest = match unit {
        TimeUnit::Minute => MINUTE,
        TimeUnit::Hour => HOUR,
        TimeUnit::Day => 24 * HOUR,
        TimeUnit::Week => 7 * 24 * HOUR,
        TimeUnit::Month => 28 * 24 * HOUR,
        TimeUnit::Quarter => 90 * 24 * HOUR,
        TimeUnit::Year => 365 * 24 * HOUR,
    };
    u32::try_from(last.checked_sub(first)? / shortest + 3).ok()
}

/// The parts to read: those of the best cube where it has them, segments of rows elsewhere.
fn entries<'i>(
    plan: &Plan,
    layout: &Layout<'_>,
    index: &'i Index,
    explained: &mut Explained,
) -> Vec<&'i Entry> {
    let clean = || index.segments.iter().filter(|segment| !segment.stale);
    let usable = |grain: i64, cube: &Cube| -> Result<Vec<&'i Entry>, String> {
        let exact_only = fit(plan, layout, cube)?;
        let parts: Vec<&Entry> = index
            .cubes
            .iter()
            .filter(|part| {
                part.grain == grain
                    && part.id != 0
                    && (part.exact || !exact_only)
                    && !index
                        .segments
                        .iter()
                        .any(|segment| segment.stale && segment.is_within(part.first, part.last))
            })
            .collect();
        if parts.is_empty() {
            Err("it has no part in force for the times asked for".to_owned())
        } else {
            Ok(parts)
        }
    };
    let mut best: Option<(usize, Vec<&Entry>)> = None;
    for (grain, cube) in (1..).zip(&layout.segments.cubes) {
        let name = || {
            let by: Vec<String> =
                layout.cube_slots(cube).into_iter().skip(1).map(|slot| layout.called(slot)).collect();
            format!("cube by {} and {}", cubes::unit(cube).name(), by.join(", "))
        };
        match usable(grain, cube) {
            Err(why) => explained.why_not.push(format!("{}: {why}", name())),
            Ok(parts) => {
                let told =
                    |segment: &Entry| parts.iter().any(|part| segment.is_within(part.first, part.last));
                let rest: Vec<&Entry> = clean().filter(|segment| !told(segment)).collect();
                let rows = parts.iter().chain(&rest).map(|entry| entry.rows).sum();
                if best.as_ref().is_none_or(|(fewest, _)| rows < *fewest) {
                    best = Some((rows, parts.into_iter().chain(rest).collect()));
                }
            }
        }
    }
    best.map_or_else(
        || clean().collect(),
        |(_, entries)| {
            explained.why_not.clear();
            entries
        },
    )
}

/// The first and last time of what is read.
fn span(entries: &[&Entry], fresh: &[Part]) -> Option<(i64, i64)> {
    let of_fresh = fresh.iter().filter_map(|part| {
        let palette = &part.codes(TIME)?.palette;
        let first = palette.iter().find(|time| **time != NULL)?;
        Some((*first, *palette.last()?))
    });
    let of_entries = entries.iter().filter_map(|entry| Some((entry.earliest?, entry.latest?)));
    of_entries.chain(of_fresh).reduce(|left, right| (left.0.min(right.0), left.1.max(right.1)))
}
