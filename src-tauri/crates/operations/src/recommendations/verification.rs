//! Verifies attempts by imports of clusters: if a container has the recommended requests and limits, the change is proven and its recommendation
//! is closed, no matter who made the change. If such an import is undone, the attempt waits again and the recommendation gets its earlier status
//! back.

use super::plan::{WantedAmount, wanted_of};
use super::watch::{AUDIT_OPERATION, Watch, all};
use crate::inventory::containers::{ContainerMeta, MIB};
use automation::changes::{Amount, write_quantity};
use catalogue::{Caller, ValueRef, format_timestamp, parse_timestamp};
use graphql::Refusal;
use model::tables::recommendation;
use model::{Id, Read, RecommendationStatusType as Status, Timestamp, row};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::{StoreError, Transaction, eq};

/// The start of the note of a recommendation that was closed because its cluster shows the change.
const SHOWN: &str = "Closed by an import: the cluster shows the change";
/// The member of a recommendation's JSON that contains the proof.
const PROOF: &str = "verified_change";
/// Rows per query.
const BATCH: usize = 500;

row! { struct RecommendationRow from recommendation { id, resource_id, status, note, recommendation } }
row! { struct Resource from cloud_resourses { id, is_active, last_seen, meta } }

/// The containers of a workload, as stored by an import.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Meta {
    containers: Vec<ContainerMeta>,
}

/// The proof of a change by an import of its cluster.
#[derive(Serialize, Deserialize)]
struct Proof {
    /// The time of the imported cluster state.
    seen_at: String,
    changes: Vec<Change>,
    /// The status before closing. Earlier versions did not store it.
    #[serde(default)]
    stood: Option<PriorStatus>,
}

/// The fields of a recommendation that are restored when its proof is withdrawn.
#[derive(Serialize, Deserialize)]
struct PriorStatus {
    status: Status,
    note: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Change {
    /// `requests` or `limits`.
    part: String,
    /// `cpu` or `memory`.
    resource: String,
    before: Option<String>,
    after: String,
}

/// Checks the attempts after imports ended or were undone.
pub(crate) fn imports_ended(rows: &Transaction<'_>) -> Result<(), StoreError> {
    look(rows).map_err(Refusal::into_error)
}

fn look(rows: &Transaction<'_>) -> Result<(), Refusal> {
    for watches in all(rows)?.chunks(BATCH) {
        let ids = watches.iter().map(|watch| Id::new(watch.recommendation_id));
        let found = rows.query::<RecommendationRow>().filter(recommendation::id.one_of(ids)).rows()?;
        for advice in found {
            let Some(resource) = advice.resource_id else { continue };
            let watch = watches.iter().find(|watch| watch.recommendation_id == advice.id.uuid());
            if let (Some(watch), Some(seen)) = (watch, rows.find::<Resource>(resource)?) {
                meet(rows, watch, &advice, &seen)?;
            }
        }
    }
    Ok(())
}

fn meet(
    rows: &Transaction<'_>,
    watch: &Watch,
    advice: &RecommendationRow,
    seen: &Resource,
) -> Result<(), Refusal> {
    let mut card = advice.recommendation.value();
    // Some rules store a list with one element.
    let details = if card.is_array() { &mut card[0] } else { &mut card };
    match advice.status {
        Some(status @ (Status::InProgress | Status::Assigned)) if watch.verified_at.is_none() => {
            let Some(mut proof) = proof(details, seen) else { return Ok(()) };
            let note = proof.note_text();
            proof.stood = Some(PriorStatus { status, note: advice.note.clone() });
            details[PROOF] = crate::kit::reply(&proof)?;
            write(rows, watch, ("Closed", Some(&note)), &card)
        }
        Some(Status::Closed) if advice.note.as_deref().is_some_and(|note| note.starts_with(SHOWN)) => {
            let kept = Proof::deserialize(&details[PROOF]).ok();
            let proved = kept.as_ref().and_then(|proof| parse_timestamp(&proof.seen_at));
            // A later import without the change means that the change was reverted; the recommendation stays closed.
            let is_older = seen.last_seen.map(Timestamp::micros) < proved;
            if !is_older || proof(details, seen).is_some() {
                return Ok(());
            }
            if let Some(details) = details.as_object_mut() {
                details.remove(PROOF);
            }
            let stood = kept.and_then(|proof| proof.stood);
            let stood = stood.unwrap_or(PriorStatus { status: Status::InProgress, note: None });
            write(rows, watch, (stood.status.as_str(), stood.note.as_deref()), &card)
        }
        _ => Ok(()),
    }
}

fn write(
    rows: &Transaction<'_>,
    watch: &Watch,
    (status, note): (&str, Option<&str>),
    card: &Value,
) -> Result<(), Refusal> {
    let system = Caller::system_for(watch.tenant_id);
    let tenant_rows = rows.as_caller(&system);
    let card = card.to_string();
    let set = [
        ("status", status.into()),
        ("note", note.into()),
        ("recommendation", ValueRef::Json(&card)),
        ("updated_at", ValueRef::Timestamp(rows.now())),
    ];
    tenant_rows.with_audit_operation(AUDIT_OPERATION, None).update(
        "recommendation",
        &[eq("id", watch.recommendation_id)],
        &set,
    )?;
    Ok(())
}

/// The proof that a container has the recommended values, or values further in that direction; `None` if it does not.
fn proof(details: &Value, seen: &Resource) -> Option<Proof> {
    let (container, wanted) = wanted_of(details)?;
    let meta: Meta = seen.meta.as_ref().filter(|_| seen.is_active != Some(false))?.parse().ok()?;
    let container = meta.containers.iter().find(|one| one.name == container && !one.init)?;
    let changes = wanted.iter().map(|wanted| {
        let actual =
            actual_of(container, wanted.part, wanted.amount).filter(|actual| is_met(wanted, *actual))?;
        let quantity = |number| write_quantity(wanted.amount, number);
        Some(Change {
            part: wanted.part.to_owned(),
            resource: wanted.amount.name().to_owned(),
            before: wanted.before.map(quantity),
            after: quantity(actual),
        })
    });
    let changes = changes.collect::<Option<Vec<_>>>()?;
    let seen_at = format!("{}Z", format_timestamp(seen.last_seen?.micros()));
    Some(Proof { seen_at, changes, stood: None })
}

/// The container's value in thousandths of a core, or bytes.
fn actual_of(container: &ContainerMeta, part: &str, amount: Amount) -> Option<f64> {
    let amounts = if part == "requests" { &container.requests } else { &container.limits };
    match amount {
        Amount::Cpu => amounts.cpu.map(|cores| cores * 1000.0),
        Amount::Memory => amounts.memory.map(|mebibytes| mebibytes * MIB),
    }
}

/// Whether a value reaches the recommended one, with a tolerance of 1%.
fn is_met(wanted: &WantedAmount, actual: f64) -> bool {
    let (least, most) = (wanted.after * 0.99, wanted.after * 1.01);
    match wanted.before {
        Some(before) if before > wanted.after => actual <= most,
        Some(before) if before < wanted.after => actual >= least,
        _ => (least..=most).contains(&actual),
    }
}

impl Proof {
    /// The note of the recommendation.
    fn note_text(&self) -> String {
        let one = |change: &Change| {
            let before =
                change.before.as_ref().map(|before| format!(" instead of {before}")).unwrap_or_default();
            format!("{} of {} {}{before}", change.part, change.resource, change.after)
        };
        let changes: Vec<String> = self.changes.iter().map(one).collect();
        format!("{SHOWN}, as it was on {}: {}.", self.seen_at, changes.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::is_met;
    use crate::recommendations::plan::WantedAmount;
    use automation::changes::Amount;

    #[test]
    fn a_container_must_be_as_far_as_was_recommended() {
        let wanted = |before, after| WantedAmount { part: "requests", amount: Amount::Cpu, before, after };
        assert!(is_met(&wanted(Some(500.0), 100.0), 100.0) && is_met(&wanted(Some(500.0), 100.0), 80.0));
        assert!(!is_met(&wanted(Some(500.0), 100.0), 200.0));
        assert!(is_met(&wanted(Some(100.0), 500.0), 600.0) && !is_met(&wanted(Some(100.0), 500.0), 300.0));
        assert!(is_met(&wanted(None, 100.0), 100.5) && !is_met(&wanted(None, 100.0), 80.0));
    }
}
