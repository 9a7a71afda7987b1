//! Creates and changes auto-pilots.

use super::consent::{self, Consent};
use super::pilot_needs::reason_not_usable;
use super::pilot_runs::{NO_TIME, with_reason};
use super::resources::{self, ResourceFilter};
use super::schedule;
use crate::kit::{Arguments, Look, account, person, text, uuid};
use crate::workflows::engine::{OFF, is_on};
use catalogue::ValueRef;
use graphql::{Call, Refusal};
use serde_json::{Value, json};
use store::{Transaction, eq};
use uuid::Uuid;

const COLUMNS: &[&str] = &[
    "id",
    "account_id",
    "name",
    "category",
    "status",
    "schedule_time",
    "next_schedule_time",
    "start_at",
    "end_at",
    "rule",
    "attributes",
    "created_by",
];

/// Loads the auto-pilot with that id, if the caller may read it.
pub(super) fn needed(call: &Call<'_>, id: Uuid, account: Option<Uuid>) -> Result<Value, Refusal> {
    let mut look = Look::at(call.rows, "auto_pilot")?.with("id", id)?;
    if let Some(account) = account {
        look = look.with("account_id", account)?;
    }
    look.first(COLUMNS)?
        .ok_or_else(|| Refusal::not_found(format!("there is no auto-pilot {id} that you may see")))
}

/// The validated values of a request.
struct Draft {
    account: Uuid,
    category: &'static str,
    resources: Vec<ResourceFilter>,
    line: String,
    start: i64,
    end: Option<i64>,
    is_dryrun: bool,
    attributes: Value,
    notification: Value,
}

impl Draft {
    fn read(call: &Call<'_>, request: Arguments<'_>) -> Result<Self, Refusal> {
        let account = account(call, request.needed_id("account_id")?)?;
        let category = schedule::category(request.needed("category")?).map_err(Refusal::invalid)?;
        let when = request.object("schedule");
        let line = schedule::line(category, when.text("frequency")).map_err(Refusal::invalid)?;
        let start = when.time("start_date")?.unwrap_or(call.now);
        let end = when.time("end_date")?;
        if let Some(end) = end.filter(|end| *end <= start.max(call.now)) {
            let message = format!(
                "`schedule.end_date` is {}: expected a time after its start and after now",
                catalogue::format_timestamp(end)
            );
            return Err(Refusal::invalid(message));
        }
        let mut ticket = request.value("ticket_config").cloned();
        if let Some(ticket) = ticket.as_mut().and_then(Value::as_object_mut)
            && ticket.get("ticket_type").is_none_or(Value::is_null)
        {
            ticket.insert("ticket_type".to_owned(), json!("Task"));
        }
        Ok(Self {
            account,
            category,
            resources: resources::list(request.value("resource_filter"))?,
            line,
            start,
            end,
            is_dryrun: request.flag("dryrun").unwrap_or_default(),
            attributes: json!({
                "auto_optimize_config": request.value("auto_optimize_config"),
                "git_ops_config": request.value("gitops"),
                "ticket_config": ticket,
            }),
            notification: request.value("notification").cloned().unwrap_or_else(|| json!({})),
        })
    }

    /// A generated name, since the interface has no field for it.
    fn name(&self) -> String {
        let more = match self.resources.len() {
            1 => String::new(),
            count => format!(" and {} more", count - 1),
        };
        format!("{} of {}{more}", schedule::words(self.category), self.resources[0].words())
    }

    /// The status of the auto-pilot after saving. If consent is needed, it becomes a draft instead of Active.
    fn status(&self, consent: Option<&Consent>) -> &'static str {
        match (self.is_dryrun, consent) {
            (true, _) => "Dryrun",
            (false, Some(_)) => "DRAFT",
            (false, None) => "Active",
        }
    }
}

/// Handles `auto_optimize_insert_one`.
pub(super) fn insert(call: &Call<'_>) -> Result<Value, Refusal> {
    let draft = Draft::read(call, Arguments(call.arguments).object("arg1"))?;
    if !draft.is_dryrun {
        refuse_covered(call, draft.account, draft.category, &draft.resources, None)?;
    }
    let person = person(call)?;
    let consent = consent::needed(call.rows, draft.account, person)?.filter(|_| !draft.is_dryrun);
    let status = draft.status(consent.as_ref());
    let id = Uuid::new_v4();
    let (next, attributes) = planned(call, &draft, status)?;
    call.rows.insert(
        "auto_pilot",
        &[
            ("id", id.into()),
            ("account_id", draft.account.into()),
            ("attributes", ValueRef::Json(&attributes.to_string())),
            ("category", draft.category.into()),
            ("name", draft.name().as_str().into()),
            ("notification", ValueRef::Json(&draft.notification.to_string())),
            ("rule", ValueRef::Json(&rule(&draft).to_string())),
            ("schedule_time", draft.line.as_str().into()),
            ("next_schedule_time", next.map_or(ValueRef::Null, ValueRef::Timestamp)),
            ("start_at", ValueRef::Timestamp(draft.start)),
            ("end_at", draft.end.map_or(ValueRef::Null, ValueRef::Timestamp)),
            ("execution_status", "Idle".into()),
            ("status", status.into()),
            ("trigger_type", "schedule".into()),
            ("source", "user".into()),
            ("created_by", person.into()),
            ("update_by", person.into()),
        ],
    )?;
    map(call, id, &draft)?;
    if let Some(consent) = consent {
        consent.ask(call, id, draft.category, &rule(&draft))?;
    }
    Ok(json!({ "id": id.to_string() }))
}

/// Handles `auto_optimize_update_one`.
pub(super) fn update(call: &Call<'_>) -> Result<Value, Refusal> {
    let request = Arguments(call.arguments).object("arg1");
    let draft = Draft::read(call, request)?;
    let id = request.needed_id("id")?;
    let row = needed(call, id, Some(draft.account))?;
    if row["category"] != draft.category {
        let message = format!(
            "`category` is \"{}\", and the auto-pilot is of {}: the category cannot be changed; make another auto-pilot",
            draft.category,
            text(&row, "category")
        );
        return Err(Refusal::invalid(message));
    }
    let consent = consent::needed(call.rows, draft.account, person(call)?)?.filter(|_| !draft.is_dryrun);
    // A disabled auto-pilot stays disabled until its status is changed.
    let status = match text(&row, "status") {
        "Disabled" => "Disabled",
        _ => draft.status(consent.as_ref()),
    };
    if status == "Active" || status == "DRAFT" {
        refuse_covered(call, draft.account, draft.category, &draft.resources, Some(id))?;
    }
    let (next, attributes) = planned(call, &draft, status)?;
    let (name, attributes) = (draft.name(), attributes.to_string());
    let (notification, rule_text) = (draft.notification.to_string(), rule(&draft).to_string());
    let set = [
        ("attributes", ValueRef::Json(&attributes)),
        ("name", name.as_str().into()),
        ("notification", ValueRef::Json(&notification)),
        ("rule", ValueRef::Json(&rule_text)),
        ("schedule_time", draft.line.as_str().into()),
        ("next_schedule_time", next.map_or(ValueRef::Null, ValueRef::Timestamp)),
        ("start_at", ValueRef::Timestamp(draft.start)),
        ("end_at", draft.end.map_or(ValueRef::Null, ValueRef::Timestamp)),
        ("status", status.into()),
    ];
    write(call, id, &set)?;
    call.rows.delete("auto_optimize_resource_map", &[eq("auto_optimize_id", id)])?;
    map(call, id, &draft)?;
    if let Some(consent) = consent.filter(|_| status == "DRAFT") {
        consent.ask(call, id, draft.category, &rule(&draft))?;
    }
    Ok(json!({ "id": id.to_string() }))
}

/// Updates an auto-pilot, with the person and the time of the change.
pub(super) fn write(call: &Call<'_>, id: Uuid, set: &[(&str, ValueRef<'_>)]) -> Result<(), Refusal> {
    let mut set = set.to_vec();
    set.push(("update_by", person(call)?.into()));
    set.push(("update_date", ValueRef::Timestamp(call.now)));
    match call.rows.update("auto_pilot", &[eq("id", id)], &set)? {
        0 => Err(Refusal::denied()),
        _ => Ok(()),
    }
}

/// Refuses resources that another Active auto-pilot covers, if both have the same category or one
/// is vertical and the other continuous: these change the same values (semantics §10).
pub(super) fn refuse_covered(
    call: &Call<'_>,
    account: Uuid,
    category: &str,
    resources: &[ResourceFilter],
    but: Option<Uuid>,
) -> Result<(), Refusal> {
    let pilots = Look::at(call.rows, "auto_pilot")?.with("account_id", account)?.with("status", "Active")?;
    for other in pilots.ordered("id", false)?.rows(&["id", "name", "category"])? {
        let id = uuid(&other, "id");
        if id == but && but.is_some() || !collide(category, text(&other, "category")) {
            continue;
        }
        let covered = covered_resources(call.rows, id)?;
        if let Some(both) = resources.iter().find(|mine| covered.iter().any(|theirs| mine.overlaps(theirs))) {
            let message = format!(
                "the Active auto-pilot \"{}\" ({}) looks after {both} already: disable it or leave the resource out",
                text(&other, "name"),
                text(&other, "category")
            );
            return Err(Refusal::conflict(message));
        }
    }
    Ok(())
}

fn collide(one: &str, other: &str) -> bool {
    let pair = [one, other];
    one == other || pair.contains(&"vertical_rightsize") && pair.contains(&"continuous_rightsize")
}

/// The resources that an auto-pilot covers.
pub(super) fn covered_resources(
    rows: &Transaction<'_>,
    id: Option<Uuid>,
) -> Result<Vec<ResourceFilter>, Refusal> {
    let rows = Look::at(rows, "auto_optimize_resource_map")?.with("auto_optimize_id", id)?;
    let rows = rows.ordered("id", false)?.rows(&["resource_identifier"])?;
    Ok(rows.iter().map(|row| ResourceFilter::read(&row["resource_identifier"])).collect())
}

fn rule(draft: &Draft) -> Value {
    json!({ "resource_filter": draft.resources.iter().map(ResourceFilter::write).collect::<Vec<_>>() })
}

/// Stores each resource in its own row, where other auto-pilots look for conflicts.
fn map(call: &Call<'_>, id: Uuid, draft: &Draft) -> Result<(), Refusal> {
    for resources in &draft.resources {
        call.rows.insert(
            "auto_optimize_resource_map",
            &[
                ("account_id", draft.account.into()),
                ("auto_optimize_id", id.into()),
                ("auto_optimize_type", draft.category.into()),
                ("resource_identifier", ValueRef::Json(&resources.write().to_string())),
            ],
        )?;
    }
    Ok(())
}

/// The next run time of an auto-pilot, and its settings with the reason if it does not run.
fn planned(call: &Call<'_>, draft: &Draft, status: &str) -> Result<(Option<i64>, Value), Refusal> {
    let next = next(draft, status, call.now)?;
    let runs = ["Active", "Dryrun"].contains(&status);
    if runs && !is_on(call.rows)? {
        return Ok((None, with_reason(&draft.attributes, Some(OFF))));
    }
    if next.is_none() {
        return Ok((None, with_reason(&draft.attributes, runs.then_some(NO_TIME))));
    }
    let lack = reason_not_usable(call.rows, status, draft.account, &draft.attributes)?;
    Ok((next.filter(|_| lack.is_none()), with_reason(&draft.attributes, lack.as_deref())))
}

/// The next run time for that status; `None` unless it is Active or Dryrun.
fn next(draft: &Draft, status: &str, now: i64) -> Result<Option<i64>, Refusal> {
    if !["Active", "Dryrun"].contains(&status) {
        return Ok(None);
    }
    let next = schedule::next(&draft.line, draft.start.max(now)).map_err(Refusal::invalid)?;
    Ok(Some(next).filter(|next| draft.end.is_none_or(|end| *next < end)))
}

#[cfg(test)]
mod tests {
    use super::collide;

    #[test]
    fn categories_collide_with_themselves_and_vertical_with_continuous() {
        assert!(collide("pvc_rightsize", "pvc_rightsize"));
        assert!(collide("vertical_rightsize", "continuous_rightsize"));
        assert!(collide("continuous_rightsize", "vertical_rightsize"));
        assert!(!collide("vertical_rightsize", "horizontal_rightsize"));
    }
}
