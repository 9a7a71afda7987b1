//! Idle cost of a cluster that is stored apart, while a file takes the place of the other parts of that time and tells them otherwise: its parts may hold the idle
//! cost. A person says whether they do.

use crate::formats::{FormAnswers, IdleCost};
use crate::report::{Choice, Decision};
use crate::write::Journal;
use ::formats::record::Charge;
use catalogue::{Decimal, DecimalSum, Value, ValueRef};
use std::collections::{BTreeMap, BTreeSet};
use store::{StoreError, Transaction, eq};
use uuid::Uuid;

/// What idle cost is called, behind the name of its cluster or node where it is told by these.
const IDLE: &str = "__idle__";
/// Sums of floating numbers are as much when they differ by less than this share.
const SAME: f64 = 1e-6;
/// Where the journal of idle cost that is taken out begins, behind that of all other rows.
const JOURNAL_AT: i64 = 1 << 21;

/// Whether a cost of that service is idle.
pub fn is_idle(service: &str) -> bool {
    service.ends_with(IDLE)
}

/// Whether two sums are the same but for how floating numbers are added.
pub fn is_as_much(left: f64, right: f64) -> bool {
    (left - right).abs() <= SAME * left.abs().max(right.abs())
}

/// Account, start and end.
type Window = (Uuid, i64, i64);

/// What a file tells of idle cost, and of parts that are stored.
#[derive(Debug, Default)]
pub struct IdleTold {
    own: BTreeSet<Window>,
    /// Windows of which the file tells parts otherwise, with the imports of these.
    otherwise: BTreeMap<Window, BTreeSet<Uuid>>,
}

impl IdleTold {
    /// Takes note of a cost. `replaced` is the amount of the one it takes the place of, and its import.
    pub fn meet(&mut self, account: Uuid, charge: &Charge, replaced: Option<(Uuid, Decimal)>) {
        let window = (account, charge.start, charge.end);
        if charge.service.as_deref().is_some_and(is_idle) {
            self.own.insert(window);
        } else if let Some((import, amount)) = replaced
            && !is_as_much(amount.to_f64(), charge.billed.to_f64())
        {
            self.otherwise.entry(window).or_default().insert(import);
        }
    }
}

/// Takes out the idle cost that the parts of a file hold, as a person has said; or asks. What is to be said.
pub fn check(
    rows: &Transaction<'_>,
    import: Uuid,
    told: &IdleTold,
    forms: FormAnswers,
) -> Result<Result<Option<String>, Box<Decision>>, StoreError> {
    let mut stored: Vec<(Uuid, Uuid)> = Vec::new();
    let mut sum = DecimalSum::new();
    for (window, imports) in told.otherwise.iter().filter(|(window, _)| !told.own.contains(window)) {
        for (id, of, amount) in idle_of(rows, *window)? {
            if imports.contains(&of) {
                stored.push((id, of));
                sum.add(amount);
            }
        }
    }
    if stored.is_empty() || forms.idle == Some(IdleCost::Apart) {
        return Ok(Ok(None));
    }
    if forms.idle.is_none() {
        return Ok(Err(Box::new(question(stored.len(), &sum))));
    }
    let journal = Journal::new(rows, import, JOURNAL_AT);
    for (id, of) in &stored {
        journal.delete("spends", *of, &[eq("id", *id)])?;
    }
    journal.finish()?;
    Ok(Ok(Some(format!(
        "Idle cost of {sum} that another export tells apart was taken out, since the costs of this file hold it, as was said."
    ))))
}

/// Costs that are stored as idle for a window: their ids, imports and amounts.
fn idle_of(
    rows: &Transaction<'_>,
    (account, start, end): Window,
) -> Result<Vec<(Uuid, Uuid, Decimal)>, StoreError> {
    let conditions = [
        eq("cloud_account", account),
        eq("date", ValueRef::Timestamp(start)),
        eq("period_end", ValueRef::Timestamp(end)),
    ];
    let found = rows.select("spends", &["id", "import_id", "amount", "service_name"], &conditions)?;
    let idle = found.iter().filter_map(|row| match row.as_slice() {
        [Value::Uuid(id), Value::Uuid(import), Value::Decimal(amount), Value::Text(service)] => {
            is_idle(service).then_some((*id, *import, *amount))
        }
        _ => None,
    });
    Ok(idle.collect())
}

fn question(count: usize, sum: &DecimalSum) -> Decision {
    let choice = |choice: &str, label: &str| Choice {
        choice: choice.to_owned(),
        label: label.to_owned(),
        totals: Vec::new(),
    };
    Decision {
        reason: "idle_cost".to_owned(),
        question: format!(
            "The file tells other costs for parts of a cluster that are stored, and takes their place. The stored export tells the idle cost of the same time \
             apart ({count} of {sum}), and the file does not. Do the costs of the file hold it?"
        ),
        choices: vec![choice("idle_in_parts", "They hold it"), choice("idle_apart", "They do not")],
        decided: None,
    }
}
