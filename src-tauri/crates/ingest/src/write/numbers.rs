//! Writes business numbers as rows of `business_number`.

use super::{Job, Journal};
use crate::ids;
use ::formats::record::BusinessNumber;
use catalogue::{Value, ValueRef, format_date};
use std::collections::HashSet;
use std::rc::Rc;
use store::{StoreError, Transaction, eq};

const TABLE: &str = "business_number";

/// Inserts business numbers or updates existing ones.
pub struct Numbers<'a> {
    transaction: &'a Transaction<'a>,
    job: Job,
    journal: Rc<Journal<'a>>,
    /// Name, group and day of the numbers that the file has contained so far.
    met: HashSet<(String, String, i32)>,
    replaced: u64,
}

impl<'a> Numbers<'a> {
    pub fn new(transaction: &'a Transaction<'a>, job: Job, journal: Rc<Journal<'a>>) -> Self {
        Self { transaction, job, journal, met: HashSet::new(), replaced: 0 }
    }

    /// Writes one number; `Err` is the reason it is left out.
    pub fn write(&mut self, number: &BusinessNumber) -> Result<Result<(), &'static str>, StoreError> {
        if !self.met.insert((number.name.clone(), number.group.clone(), number.day)) {
            return Ok(Err("duplicate name, group and date in the file, skipped"));
        }
        let value = ("value", ValueRef::Decimal(number.value));
        let same =
            [eq("name", &number.name), eq("group", &number.group), eq("date", ValueRef::Date(number.day))];
        let found = self.transaction.select(TABLE, &["id", "value"], &same)?;
        if let Some([Value::Uuid(id), before]) = found.first().map(Vec::as_slice) {
            if *before != Value::Decimal(number.value) {
                self.journal.updates(TABLE, *id, &["value"])?;
                self.transaction.update(TABLE, &[eq("id", *id)], &[value])?;
                self.replaced += 1;
            }
            return Ok(Ok(()));
        }
        let (import, day) = (self.job.import.to_string(), format_date(number.day));
        let id = ids::derived(self.job.tenant, TABLE, &[&import, &number.name, &number.group, &day]);
        self.journal.inserted(TABLE, Value::Uuid(id))?;
        let set = [
            ("id", id.into()),
            ("name", number.name.as_str().into()),
            ("group", number.group.as_str().into()),
            ("date", ValueRef::Date(number.day)),
            value,
        ];
        self.transaction.insert(TABLE, &set)?;
        Ok(Ok(()))
    }

    pub fn note(&self) -> Option<String> {
        (self.replaced > 0).then(|| {
            format!(
                "{} numbers were there with another value and have the one of this file now.",
                self.replaced
            )
        })
    }
}
