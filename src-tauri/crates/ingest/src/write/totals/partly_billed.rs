//! Handles costs over several days of which a bill covers only some. The covered share cannot be determined, and the user is asked whether the costs
//! count. The answer is stored with their import.

use super::{FORMATS, Key, Sums, add};
use crate::formats::{BesideBill, FormAnswers};
use crate::report::{Choice, Decision};
use crate::write::imports;
use catalogue::{DecimalSum, Value, format_date};
use std::collections::{BTreeSet, HashMap};
use store::{StoreError, Transaction, one_of};
use uuid::Uuid;

const DAY: i64 = 86_400_000_000;

/// An import in progress, with its user's answers.
#[derive(Debug, Clone, Copy)]
pub struct ImportAnswers {
    pub import: Uuid,
    pub forms: FormAnswers,
}

/// Answers given, and open questions.
pub(super) struct Answers<'a> {
    asked: &'a [ImportAnswers],
    /// Stored answers, by import.
    stored: HashMap<Uuid, Option<BesideBill>>,
    /// Stored imports that are answered now.
    answered: BTreeSet<Uuid>,
    open: Sums,
    time: Option<(i64, i64)>,
}

impl<'a> Answers<'a> {
    pub fn new(asked: &'a [ImportAnswers]) -> Self {
        Self { asked, stored: HashMap::new(), answered: BTreeSet::new(), open: Sums::new(), time: None }
    }

    /// The user's answer for some costs. If there is none, a question is raised when they or the bill are being imported.
    pub fn find(
        &mut self,
        rows: &Transaction<'_>,
        key: &Key,
        is_bill_under_way: bool,
        (count, sum): &(u64, DecimalSum),
    ) -> Result<Option<BesideBill>, StoreError> {
        let own = self.asked.iter().find(|asked| asked.import == key.import);
        let known = match own {
            Some(own) => own.forms.beside_bill,
            None => self.stored(rows, key.import)?,
        };
        if known.is_some() || (own.is_none() && !is_bill_under_way) {
            return Ok(known);
        }
        if let Some(answer) = self.answer() {
            self.answered.insert(key.import);
            return Ok(Some(answer));
        }
        add(&mut self.open, &key.currency, *count, sum);
        let (from, to) = self.time.get_or_insert((key.start, key.end));
        (*from, *to) = ((*from).min(key.start), (*to).max(key.end));
        Ok(None)
    }

    fn answer(&self) -> Option<BesideBill> {
        self.asked.iter().find_map(|asked| asked.forms.beside_bill)
    }

    fn stored(&mut self, rows: &Transaction<'_>, import: Uuid) -> Result<Option<BesideBill>, StoreError> {
        if let Some(known) = self.stored.get(&import) {
            return Ok(*known);
        }
        let known = imports::report(rows, import)?.and_then(|report| report.forms.beside_bill);
        self.stored.insert(import, known);
        Ok(known)
    }

    /// The question, if costs are open.
    pub fn question(&self) -> Option<Box<Decision>> {
        let (from, to) = self.time?;
        let day = |time: i64| i32::try_from(time.div_euclid(DAY)).map(format_date).unwrap_or_default();
        let costs: Vec<String> =
            self.open.iter().map(|(currency, (count, sum))| format!("{count} of {sum} {currency}")).collect();
        let choice = |choice: &str, label: &str| Choice {
            choice: choice.to_owned(),
            label: label.to_owned(),
            totals: Vec::new(),
        };
        Some(Box::new(Decision {
            reason: "partly_billed".to_owned(),
            question: format!(
                "OpenCost tells costs as sums of several days between {} and {} ({}), and the bill of what they ran on covers only some of these days. \
                 Which part of the costs the bill tells cannot be known. Do they count beside the bill? An export by day needs no answer.",
                day(from),
                day(to - 1),
                costs.join(", ")
            ),
            choices: vec![
                choice("leave_to_bill", "Leave them out"),
                choice("count_beside_bill", "Count them"),
            ],
            decided: None,
        }))
    }

    /// Stores the answer with the imports of the costs.
    pub fn store(&self, rows: &Transaction<'_>) -> Result<(), StoreError> {
        let own = self.asked.iter().find_map(|asked| Some((asked.import, asked.forms.beside_bill?)));
        let Some((by, answer)) = own else { return Ok(()) };
        self.answered.iter().try_for_each(|import| imports::store_bill_answer(rows, *import, answer, by))
    }
}

/// Removes answers that were given with imports being undone: undoing a bill removes its answer.
pub fn remove_answers_of(rows: &Transaction<'_>, undone: &[Uuid]) -> Result<(), StoreError> {
    let formats = one_of("format", FORMATS.iter().map(|format| (*format).into()).collect());
    for row in rows.select("imports", &["id"], &[formats])? {
        let Some(import) = row.first().and_then(Value::as_uuid) else { continue };
        let by = imports::report(rows, import)?.and_then(|report| report.forms.beside_bill_by);
        if by.is_some_and(|by| undone.contains(&by)) {
            imports::remove_bill_answer(rows, import)?;
        }
    }
    Ok(())
}
