//! The status of a recommendation and its allowed transitions.

use crate::kit::Arguments;
use crate::savings::{closing_card, open_card};
use crate::spending::{Charges, Scope};
use catalogue::{ValueRef, format_date, parse_date};
use graphql::{Call, Refusal};
use model::operations::RecommendationStatusResponse;
use store::{Transaction, eq};
use uuid::Uuid;

/// Transitions: from, to. `Archive` is final, because the subject no longer exists.
const TRANSITIONS: &[(&str, &[&str])] = &[
    ("Open", &["Assigned", "InProgress", "Closed", "Dismissed"]),
    ("Assigned", &["Assigned", "Open", "InProgress", "Closed", "Dismissed"]),
    ("InProgress", &["Open", "Assigned", "Closed", "Dismissed"]),
    ("Closed", &["Open"]),
    ("Dismissed", &["Open"]),
    ("Archive", &[]),
];

/// Statuses in which an attempt may be in progress.
pub(super) const OPEN_AGAIN: [&str; 2] = ["Assigned", "InProgress"];

/// The fields of a recommendation that a transition needs.
pub(super) struct RecommendationRow {
    pub id: Uuid,
    pub account: Uuid,
    pub resource: Option<Uuid>,
    pub status: String,
}

/// The recommendation, if the caller can see it.
pub(super) fn find(rows: &Transaction<'_>, id: Uuid) -> Result<RecommendationRow, Refusal> {
    let columns = ["cloud_account_id", "resource_id", "status"];
    let found = rows.select("recommendation", &columns, &[eq("id", id)])?;
    let Some([account, resource, status]) = found.first().map(Vec::as_slice) else {
        return Err(Refusal::not_found(format!("there is no recommendation {id}")));
    };
    Ok(RecommendationRow {
        id,
        account: account.as_uuid().unwrap_or_default(),
        resource: resource.as_uuid(),
        status: status.as_text().unwrap_or("Open").to_owned(),
    })
}

/// Refuses a transition that is not allowed; the message lists the allowed ones.
fn check(from: &str, to: &str) -> Result<(), Refusal> {
    let ways = TRANSITIONS.iter().find(|(status, _)| *status == from).map_or(&[][..], |(_, ways)| *ways);
    if ways.contains(&to) {
        return Ok(());
    }
    let allowed = if ways.is_empty() { "nothing".to_owned() } else { ways.join(", ") };
    Err(Refusal::conflict(format!(
        "a recommendation that is {from} cannot become {to}; it can become {allowed}"
    )))
}

/// Sets the status of a recommendation and further columns.
pub(super) fn set(
    rows: &Transaction<'_>,
    advice: &RecommendationRow,
    status: &str,
    more: &[(&str, ValueRef<'_>)],
) -> Result<(), Refusal> {
    let mut sets = vec![
        ("status", status.into()),
        ("updated_at", ValueRef::Timestamp(rows.now())),
        ("updated_by", rows.caller().user.into()),
    ];
    sets.extend_from_slice(more);
    match rows.update("recommendation", &[eq("id", advice.id)], &sets)? {
        0 => Err(Refusal::denied()),
        _ => Ok(()),
    }
}

fn moved(
    call: &Call<'_>,
    status: &str,
    more: &[(&str, ValueRef<'_>)],
) -> Result<(RecommendationRow, RecommendationStatusResponse), Refusal> {
    let advice = find(call.rows, Arguments(call.arguments).needed_id("recommendation_id")?)?;
    check(&advice.status, status)?;
    set(call.rows, &advice, status, more)?;
    let answer = RecommendationStatusResponse {
        success: true,
        prev_status: advice.status.clone(),
        new_status: status.to_owned(),
    };
    Ok((advice, answer))
}

/// The column that stores the note of the request.
fn note<'a>(call: &Call<'a>) -> Vec<(&'static str, ValueRef<'a>)> {
    Arguments(call.arguments).text("note").map(|note| ("note", note.into())).into_iter().collect()
}

/// `recommendation_assign`
pub(super) fn assign(call: &Call<'_>) -> Result<RecommendationStatusResponse, Refusal> {
    let person = match Arguments(call.arguments).id("user_id")? {
        Some(person) => person,
        None => {
            call.caller.user.ok_or_else(|| Refusal::invalid("`user_id` is missing: who is to take it up?"))?
        }
    };
    // A caller who may assign need not be allowed to list users.
    let service = call.caller.tenant().map(catalogue::Caller::system_for).ok_or_else(Refusal::denied)?;
    let members = call.rows.as_caller(&service).count("tenant_users", &[eq("user_id", person)])?;
    if members == 0 {
        return Err(Refusal::not_found(format!("there is no person {person} in this tenant")));
    }
    let (advice, answer) = moved(call, "Assigned", &note(call))?;
    let rows = call.rows.as_caller(&service);
    rows.upsert(
        "recommendation_assignment",
        &["recommendation_id"],
        &[
            ("recommendation_id", advice.id.into()),
            ("user_id", person.into()),
            ("assigned_by", call.caller.user.into()),
            ("assigned_at", ValueRef::Timestamp(call.now)),
        ],
        &[],
    )?;
    Ok(answer)
}

/// `recommendation_start`
pub(super) fn start(call: &Call<'_>) -> Result<RecommendationStatusResponse, Refusal> {
    moved(call, "InProgress", &note(call)).map(|(_, answer)| answer)
}

/// `recommendation_close`
pub(super) fn close(call: &Call<'_>) -> Result<RecommendationStatusResponse, Refusal> {
    // The cost on later days of the bill proves the saving.
    let until = Charges::at(call.rows)?.last_day(&Scope::default(), None)?;
    let advice = Arguments(call.arguments).needed_id("recommendation_id")?;
    let card = closing_card(call.rows, advice, until)?;
    let until = until.map_or(ValueRef::Null, ValueRef::Date);
    let mut more = vec![("closed_at", ValueRef::Timestamp(call.now)), ("closed_bill_until", until)];
    more.extend(card.as_ref().map(|card| ("recommendation", ValueRef::Json(card.text()))));
    more.extend(note(call));
    moved(call, "Closed", &more).map(|(_, answer)| answer)
}

/// `recommendation_dismiss`
pub(super) fn dismiss(call: &Call<'_>) -> Result<RecommendationStatusResponse, Refusal> {
    let arguments = Arguments(call.arguments);
    let reason = arguments.needed("reason")?;
    let until = arguments
        .text("until")
        .filter(|until| !until.is_empty())
        .map(|until| day(until, call.now))
        .transpose()?;
    let until = until.map_or(ValueRef::Null, ValueRef::Date);
    let more =
        [("is_dismissed", true.into()), ("dismissed_reason", reason.into()), ("dismissed_until", until)];
    moved(call, "Dismissed", &more).map(|(_, answer)| answer)
}

/// `recommendation_reopen`
pub(super) fn reopen(call: &Call<'_>) -> Result<RecommendationStatusResponse, Refusal> {
    let card = open_card(call.rows, Arguments(call.arguments).needed_id("recommendation_id")?)?;
    let mut more = vec![
        ("is_dismissed", false.into()),
        ("dismissed_reason", ValueRef::Null),
        ("dismissed_until", ValueRef::Null),
        ("closed_at", ValueRef::Null),
        ("closed_bill_until", ValueRef::Null),
        ("closing_data_until", ValueRef::Null),
        ("status_before_closing", ValueRef::Null),
        ("note_before_closing", ValueRef::Null),
    ];
    more.extend(card.as_ref().map(|card| ("recommendation", ValueRef::Json(card.text()))));
    more.extend(note(call));
    let (advice, answer) = moved(call, "Open", &more)?;
    call.rows.delete("recommendation_assignment", &[eq("recommendation_id", advice.id)])?;
    Ok(answer)
}

/// Parses the day until which a recommendation is dismissed: today or later.
fn day(until: &str, now: i64) -> Result<i32, Refusal> {
    let today = i32::try_from(now.div_euclid(86_400_000_000)).unwrap_or(i32::MAX);
    let wrong = || Refusal::invalid(format!("`until` is \"{until}\": expected a day such as 2026-12-31"));
    let day = until.get(..10).and_then(parse_date).ok_or_else(wrong)?;
    if day < today {
        let message = format!("`until` is {until}, which is over: expected {} or later", format_date(today));
        return Err(Refusal::invalid(message));
    }
    Ok(day)
}
