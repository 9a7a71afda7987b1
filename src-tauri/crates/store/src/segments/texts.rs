//! Keys and conditions on texts derived from values: computed once per distinct value, not once per row.

use super::checks::{Check, CheckedValue, Truth};
use super::codes::Values;
use super::filter::ColumnTruths;
use super::groups::widen;
use super::layout::{Layout, Slot};
use super::part::{self, AggregateRequest};
use super::plan::{self, Cut, Plan};
use super::run::{DeclineReason, Reader};
use super::values::{DerivedTexts, Dictionary, JsonText, Texts};
use crate::driver::answer_memo::Question;
use crate::driver::db::Db;
use crate::statement::{Keys, PlanArguments, bind};
use rusqlite::Statement;
use rusqlite::types::{ToSqlOutput, ValueRef};
use std::sync::Arc;

impl Reader<'_> {
    pub(super) fn wanted(
        &self,
        plan: &Plan,
        layout: &Layout<'_>,
        values: &Values,
    ) -> Result<AggregateRequest, DeclineReason> {
        let mut keys = Vec::with_capacity(plan.keys.len());
        for key in &plan.keys {
            let (slot, held) = (key.slot, layout.storage(key.slot));
            keys.push(match (&key.cut, &key.fallback) {
                (Cut::Whole, None) => {
                    part::Key { slot, storage: held, cut: part::Cut::Whole, fallback: None }
                }
                (Cut::Start(unit), _) => {
                    part::Key { slot, storage: held, cut: part::Cut::Start(*unit), fallback: None }
                }
                (cut, None) => {
                    let cut = part::Cut::Derived(self.texts(layout, values, slot, cut)?);
                    part::Key { slot, storage: held, cut, fallback: None }
                }
                (cut, Some((other, other_cut))) => {
                    let first = self.texts(layout, values, slot, cut)?;
                    let second = self.texts(layout, values, *other, other_cut)?;
                    if first.codes.iter().all(|code| *code == 0) {
                        // No value has a text of its own; the fallback provides all texts.
                        let (slot, held) = (*other, layout.storage(*other));
                        keys.push(part::Key {
                            slot,
                            storage: held,
                            cut: part::Cut::Derived(second),
                            fallback: None,
                        });
                        continue;
                    }
                    // Both are numbered as one dictionary.
                    let mut texts = Texts::default();
                    let mut codes = |told: &DerivedTexts| -> Vec<u32> {
                        let mut code =
                            |code: &u32| if *code == 0 { 0 } else { texts.code(told.values.get(*code)) };
                        told.codes.iter().map(&mut code).collect()
                    };
                    let (first, second) = (codes(&first), codes(&second));
                    let cut =
                        part::Cut::Derived(Arc::new(DerivedTexts { codes: first, values: texts.values }));
                    part::Key { slot, storage: held, cut, fallback: Some((*other, second.into())) }
                }
            });
        }
        let extremes = plan.extremes.iter().map(|(slot, _)| *slot).collect();
        Ok(AggregateRequest { keys, sums: plan.sums.clone(), distinct: plan.distinct.clone(), extremes })
    }

    /// By code, whether a check holds for the text derived from the value.
    pub(super) fn truths(
        &self,
        layout: &Layout<'_>,
        values: &Values,
        key: &plan::Key,
        check: &Check,
    ) -> Result<ColumnTruths, DeclineReason> {
        let truths = |told: &DerivedTexts| -> Vec<Truth> {
            let of_text: Vec<Truth> = std::iter::once(check.of(CheckedValue::Null))
                .chain((1..=told.values.len()).map(|code| {
                    check.of(CheckedValue::Bytes(told.values.get(u32::try_from(code).unwrap_or_default())))
                }))
                .collect();
            // Null has code 0, even if there are no values.
            let codes = if told.codes.is_empty() { &[0][..] } else { &told.codes };
            codes.iter().map(|code| of_text[widen(*code)]).collect()
        };
        let first = self.texts(layout, values, key.slot, &key.cut)?;
        let Some((other, cut)) = &key.fallback else {
            return Ok(ColumnTruths { slot: key.slot, truths: truths(&first), fallback: None });
        };
        let second = self.texts(layout, values, *other, cut)?;
        let leaves: Vec<bool> = first.codes.iter().map(|code| *code == 0).collect();
        if leaves.iter().all(|leaves| *leaves) {
            // No value has a text of its own; the fallback provides all texts.
            return Ok(ColumnTruths { slot: *other, truths: truths(&second), fallback: None });
        }
        let or = Some((leaves, *other, truths(&second)));
        Ok(ColumnTruths { slot: key.slot, truths: truths(&first), fallback: or })
    }

    /// The texts of a slot's values, by code.
    fn texts(
        &self,
        layout: &Layout<'_>,
        values: &Values,
        slot: Slot,
        cut: &Cut,
    ) -> Result<Arc<DerivedTexts>, DeclineReason> {
        let Some((dictionary, more)) = values.parts(slot) else { return Ok(Arc::default()) };
        let extended = || dictionary.extended(more.iter().map(AsRef::as_ref));
        let is_id = layout.is_id(slot);
        match cut {
            Cut::Of(text) => {
                let mut statement = match text {
                    JsonText::Sql(sql) => Some(self.connection.prepare_cached(sql)?),
                    JsonText::Key(_) | JsonText::Whole => None,
                };
                let say = |value: &[u8]| {
                    statement.as_mut().map_or(Ok(None), |statement| self.ask(statement, value, is_id))
                };
                if more.is_empty() { dictionary.derived(text, say) } else { extended().derived(text, say) }
            }
            Cut::Lookup(sql) => {
                let mut statement = self.connection.prepare_cached(sql)?;
                let tell = |value: &[u8]| self.ask(&mut statement, value, is_id);
                if !more.is_empty() {
                    return Ok(Arc::new(extended().derive_texts(tell)?));
                }
                let question = Question {
                    sql: sql.clone(),
                    tenant: self.tenant,
                    table: layout.id,
                    slot,
                    epoch: values.epoch,
                    values: dictionary.len(),
                };
                self.answer_memo.answer(self.connection, question, || dictionary.derive_texts(tell))
            }
            Cut::Among(statement) => {
                if !more.is_empty() {
                    return Ok(Arc::new(self.among(&extended(), statement)?));
                }
                let question = Question {
                    sql: format!("{} {:?}", statement.sql, statement.values),
                    tenant: self.tenant,
                    table: layout.id,
                    slot,
                    epoch: values.epoch,
                    values: dictionary.len(),
                };
                self.answer_memo.answer(self.connection, question, || self.among(dictionary, statement))
            }
            Cut::Whole | Cut::Start(_) => {
                let mut whole =
                    |value: &[u8]| Ok::<_, DeclineReason>(Some(String::from_utf8_lossy(value).into_owned()));
                Ok(Arc::new(extended().derive_texts(&mut whole)?))
            }
        }
    }

    /// A text for each value that a statement finds.
    fn among(
        &self,
        dictionary: &Dictionary,
        statement: &crate::statement::Statement,
    ) -> Result<DerivedTexts, DeclineReason> {
        let mut texts = Texts::default();
        let found = texts.code(b"found");
        let mut codes = vec![0; dictionary.len() + 1];
        let mut prepared = Db::from(self.connection).prepare_cached(&statement.sql)?;
        bind(&mut prepared, self.tenant, &Keys::new(), &statement.values, PlanArguments::default())?;
        let mut rows = prepared.query();
        while let Some(row) = rows.next()? {
            let value = row.get_ref(0)?.as_bytes_or_null().map_err(rusqlite::Error::from)?;
            if let Some(code) = value.and_then(|value| dictionary.find(value)) {
                codes[widen(code)] = found;
            }
        }
        Ok(DerivedTexts { codes, values: texts.values })
    }

    /// The text that a statement returns for a value.
    fn ask(
        &self,
        statement: &mut Statement<'_>,
        value: &[u8],
        is_id: bool,
    ) -> Result<Option<String>, DeclineReason> {
        self.check_deadline()?;
        let tenant = self.tenant.map(|tenant| tenant.as_bytes().to_vec());
        let value = if is_id { ValueRef::Blob(value) } else { ValueRef::Text(value) };
        let mut rows = statement.query((tenant, ToSqlOutput::Borrowed(value)))?;
        Ok(rows.next()?.map(|row| row.get(0)).transpose()?.flatten())
    }
}
