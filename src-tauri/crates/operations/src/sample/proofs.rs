//! Outcomes of recommendations: two were closed two whole months ago, and the bill since proves their savings, one in full and one in part.
//! Others were assigned, started or dismissed.

use super::DAY;
use crate::savings;
use analysis::forecast::{month_before, start_of_month};
use catalogue::{Caller, format_date};
use graphql::Refusal;
use model::tables::{cloud_resourses, recommendation, recommendation_assignment};
use model::{
    CloudResourse, Date, Id, Read as _, Recommendation, RecommendationStatusType as Status, Timestamp, User,
    Writer, row,
};
use store::{Store, Transaction};
use uuid::Uuid;

row! { struct Resource from cloud_resourses { id, name } }
row! { struct RecommendationRow from recommendation { id, resource_id } }

/// The resource of each closed recommendation, and its note.
const CLOSED: [(&str, &str); 2] = [
    ("staging-nat-a", "Deleted with its routes; staging goes out through staging-nat-b."),
    ("staging-archive", "Changed to gp3, with more throughput than before."),
];
const ASSIGNED: (&str, &str) =
    ("old-gateway-address", "Ask the network team first whether the address is in a DNS record.");
const STARTED: (&str, &str) =
    ("staging-data", "Changed in the next maintenance window, with a snapshot before.");
const DECLINED: (&str, &str) = ("build-runner", "It is replaced by runners of the pipeline in the summer.");

/// Judges the bill as of two whole months ago, sets the statuses, and judges the current bill. Blocks.
pub(super) fn write(store: &Store, tenant: Uuid, person: Uuid) -> Result<(), Refusal> {
    let system = Caller::system_for(tenant);
    let now = store.snapshot::<_, Refusal>(&system, |rows| Ok(rows.now()))?;
    let today = i32::try_from(now.div_euclid(DAY)).unwrap_or(i32::MAX);
    // The last day before the last two whole months.
    let closing = start_of_month(month_before(month_before(start_of_month(today)))) - 1;
    savings::run(store, tenant, Some(&format_date(closing)))?;
    store.transaction::<_, Refusal>(&system, |rows| close(&rows.without_actor(), closing))?;
    savings::refresh(store, tenant)?;
    store.transaction::<_, Refusal>(&system, |rows| decide(&rows.without_actor(), Id::new(person)))
}

fn close(rows: &Transaction<'_>, day: i32) -> Result<(), Refusal> {
    let at = Timestamp(i64::from(day) * DAY + DAY / 2);
    for (name, note) in CLOSED {
        let advice = about(rows, name)?;
        Writer::derived(rows)?.update(
            recommendation::id.eq(advice),
            [
                recommendation::status.to(Status::Closed),
                recommendation::closed_at.to(at),
                recommendation::closed_bill_until.to(Date(day)),
                recommendation::note.to(note.to_owned()),
                recommendation::created_at.to(Timestamp(at.0 - 20 * DAY)),
                recommendation::updated_at.to(at),
            ],
        )?;
    }
    Ok(())
}

fn decide(rows: &Transaction<'_>, person: Id<User>) -> Result<(), Refusal> {
    let writer = Writer::derived(rows)?;
    let advice = about(rows, ASSIGNED.0)?;
    let assigned =
        [recommendation::status.to(Status::Assigned), recommendation::note.to(ASSIGNED.1.to_owned())];
    writer.update(recommendation::id.eq(advice), assigned)?;
    writer.insert([
        recommendation_assignment::recommendation_id.to(advice),
        recommendation_assignment::user_id.to(person),
        recommendation_assignment::assigned_by.to(person),
    ])?;
    let started =
        [recommendation::status.to(Status::InProgress), recommendation::note.to(STARTED.1.to_owned())];
    writer.update(recommendation::id.eq(about(rows, STARTED.0)?), started)?;
    let declined = [
        recommendation::status.to(Status::Dismissed),
        recommendation::is_dismissed.to(true),
        recommendation::dismissed_reason.to(DECLINED.1.to_owned()),
    ];
    writer.update(recommendation::id.eq(about(rows, DECLINED.0)?), declined)?;
    Ok(())
}

/// The recommendation about a resource of the bill.
fn about(rows: &Transaction<'_>, name: &str) -> Result<Id<Recommendation>, Refusal> {
    let missing = || Refusal::not_found(format!("no rule found {name} in the bill of the sample"));
    let resource: Option<Resource> =
        rows.query::<Resource>().filter(cloud_resourses::name.eq(name.to_owned())).first()?;
    let resource: Id<CloudResourse> = resource.ok_or_else(missing)?.id;
    let advice: Option<RecommendationRow> =
        rows.query::<RecommendationRow>().filter(recommendation::resource_id.eq(resource)).first()?;
    Ok(advice.ok_or_else(missing)?.id)
}
