//! Handles stored idle cost of a cluster when a file replaces other parts of the same time with different amounts: the new parts may include the
//! idle cost. The user states whether they do.

use crate::formats::{FormAnswers, IdleCost};
use crate::report::{Choice, Decision};
use crate::write::Journal;
use ::formats::record::Charge;
use catalogue::{Decimal, DecimalSum, Value, ValueRef};
use std::collections::{BTreeMap, BTreeSet};
use store::{StoreError, Transaction, eq};
use uuid::Uuid;

/// The end of the name of idle cost; the cluster or node precedes it if the export is grouped by these.
const IDLE: &str = "__idle__";
/// Relative difference up to which floating-point sums are equal.
const SAME: f64 = 1e-6;
/// The journal position at which removed idle costs begin, after all other rows.
const JOURNAL_AT: i64 = 1 << 21;

/// Whether a cost with this service is idle cost.
pub fn is_idle(service: &str) -> bool {
    service.ends_with(IDLE)
}

/// Whether two sums are equal except for floating-point rounding.
pub fn is_nearly_equal(left: f64, right: f64) -> bool {
    (left - right).abs() <= SAME * left.abs().max(right.abs())
}

/// Account, start and end.
type Window = (Uuid, i64, i64);

/// The file's idle costs, and its changes to stored parts.
#[derive(Debug, Default)]
pub struct IdleCosts {
    own: BTreeSet<Window>,
    /// Windows in which the file changes stored parts, with the imports of these parts.
    otherwise: BTreeMap<Window, BTreeSet<Uuid>>,
}

impl IdleCosts {
    /// Records a cost. `replaced` is the import and amount of the cost it replaces.
    pub fn add(&mut self, account: Uuid, charge: &Charge, replaced: Option<(Uuid, Decimal)>) {
        let window = (account, charge.start, charge.end);
        if charge.service.as_deref().is_some_and(is_idle) {
            self.own.insert(window);
        } else if let Some((import, amount)) = replaced
            && !is_nearly_equal(amount.to_f64(), charge.billed.to_f64())
        {
            self.otherwise.entry(window).or_default().insert(import);
        }
    }
}

/// Removes the stored idle cost if the user stated that the parts of the file include it. Returns a note, or the question if it is unanswered.
pub fn check(
    rows: &Transaction<'_>,
    import: Uuid,
    costs: &IdleCosts,
    forms: FormAnswers,
) -> Result<Result<Option<String>, Box<Decision>>, StoreError> {
    let mut stored: Vec<(Uuid, Uuid)> = Vec::new();
    let mut sum = DecimalSum::new();
    for (window, imports) in costs.otherwise.iter().filter(|(window, _)| !costs.own.contains(window)) {
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

/// Stored idle costs of a window: their ids, imports and amounts.
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
