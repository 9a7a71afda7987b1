//! Creates and changes playbooks.

use super::PLAYBOOKS;
use crate::kit::{Arguments, Look, account, person, text, uuid};
use catalogue::ValueRef;
use graphql::{Call, Refusal};
use serde_json::{Value, json};
use store::eq;
use uuid::Uuid;

/// Loads the playbook with that id, if the caller may read it.
pub(super) fn needed(call: &Call<'_>, id: Uuid) -> Result<Value, Refusal> {
    let columns =
        &["id", "account_id", "name", "status", "tasks", "trigger", "resource_filter", "attributes"];
    let found = Look::at(call.rows, "auto_playbook")?.with("id", id)?.first(columns)?;
    found.ok_or_else(|| Refusal::not_found(format!("there is no playbook {id} that you may see")))
}

/// The validated values of a request.
struct Draft {
    account: Uuid,
    name: String,
    is_dryrun: bool,
    trigger: Value,
    tasks: Value,
    resources: Value,
    notification: Value,
}

impl Draft {
    fn read(call: &Call<'_>, request: Arguments<'_>) -> Result<Self, Refusal> {
        let trigger = request.value("trigger").cloned().unwrap_or_default();
        if trigger.as_object().is_none_or(serde_json::Map::is_empty) {
            let message =
                format!("`trigger` is {trigger}: expected an object that says what starts the playbook");
            return Err(Refusal::invalid(message));
        }
        let tasks = request.value("tasks").cloned().unwrap_or_else(|| json!([]));
        check_tasks(call, tasks.as_array().map_or(&[][..], Vec::as_slice))?;
        Ok(Self {
            account: account(call, request.needed_id("account_id")?)?,
            name: request.needed("name")?.trim().to_owned(),
            is_dryrun: request.flag("dryrun").unwrap_or_default(),
            trigger,
            tasks,
            resources: request.value("resource_filter").cloned().unwrap_or_else(|| json!([])),
            notification: request.value("notification").cloned().unwrap_or_else(|| json!({})),
        })
    }

    /// Refuses the name if another playbook of the account has it.
    fn refuse_taken(&self, call: &Call<'_>, but: Option<Uuid>) -> Result<(), Refusal> {
        let same = Look::at(call.rows, "auto_playbook")?.with("account_id", self.account)?;
        let same = same.with("name", self.name.as_str())?.rows(&["id"])?;
        if same.iter().all(|row| uuid(row, "id") == but) {
            return Ok(());
        }
        let message = format!("the account has a playbook \"{}\" already: choose another name", self.name);
        Err(Refusal::new("constraint-violation", message))
    }
}

/// Checks that a playbook has steps and that each is a known action. If the list of actions is empty, any action is accepted.
fn check_tasks(call: &Call<'_>, tasks: &[Value]) -> Result<(), Refusal> {
    if tasks.is_empty() {
        return Err(Refusal::invalid("`tasks` is empty: expected at least one step"));
    }
    let known = Look::at(call.rows, "auto_playbook_actions")?.ordered("name", false)?.rows(&["name"])?;
    let known: Vec<&str> = known.iter().map(|row| text(row, "name")).collect();
    for (place, task) in tasks.iter().enumerate() {
        let kind = text(task, "type").trim();
        if kind.is_empty() || !known.is_empty() && !known.contains(&kind) {
            let expected = if known.is_empty() {
                "the name of an action".to_owned()
            } else {
                crate::states::either(&known)
            };
            return Err(Refusal::invalid(format!("tasks[{place}].type is \"{kind}\": expected {expected}")));
        }
        if !task["config"].is_object() {
            let found = &task["config"];
            return Err(Refusal::invalid(format!("tasks[{place}].config is {found}: expected an object")));
        }
    }
    Ok(())
}

/// Handles `auto_runbook_insert_one`.
pub(super) fn insert(call: &Call<'_>) -> Result<Value, Refusal> {
    let draft = Draft::read(call, Arguments(call.arguments).object("arg1"))?;
    draft.refuse_taken(call, None)?;
    let id = Uuid::new_v4();
    call.rows.insert(
        "auto_playbook",
        &[
            ("id", id.into()),
            ("account_id", draft.account.into()),
            ("name", draft.name.as_str().into()),
            ("attributes", ValueRef::Json(&json!({ "dryrun": draft.is_dryrun }).to_string())),
            ("execution_status", "Idle".into()),
            ("status", "ACTIVE".into()),
            ("trigger", ValueRef::Json(&draft.trigger.to_string())),
            ("tasks", ValueRef::Json(&draft.tasks.to_string())),
            ("resource_filter", ValueRef::Json(&draft.resources.to_string())),
            ("notification", ValueRef::Json(&draft.notification.to_string())),
            ("created_by", person(call)?.into()),
            ("updated_by", person(call)?.into()),
        ],
    )?;
    Ok(json!({ "id": id.to_string() }))
}

/// Handles `auto_runbook_edit_one`.
pub(super) fn edit(call: &Call<'_>) -> Result<Value, Refusal> {
    let request = Arguments(call.arguments).object("arg1");
    let draft = Draft::read(call, request)?;
    let row = needed(call, request.needed_id("id")?)?;
    let id = uuid(&row, "id");
    if uuid(&row, "account_id") != Some(draft.account) {
        let message =
            format!("the playbook \"{}\" belongs to another account, and stays there", text(&row, "name"));
        return Err(Refusal::invalid(message));
    }
    draft.refuse_taken(call, id)?;
    let mut attributes = row["attributes"].clone();
    attributes["dryrun"] = json!(draft.is_dryrun);
    write(
        call,
        &row,
        &[
            ("name", draft.name.as_str().into()),
            ("attributes", ValueRef::Json(&attributes.to_string())),
            ("trigger", ValueRef::Json(&draft.trigger.to_string())),
            ("tasks", ValueRef::Json(&draft.tasks.to_string())),
            ("resource_filter", ValueRef::Json(&draft.resources.to_string())),
            ("notification", ValueRef::Json(&draft.notification.to_string())),
        ],
    )?;
    Ok(json!({ "id": row["id"] }))
}

/// Handles `auto_runbook_update_status`.
pub(super) fn update_status(call: &Call<'_>) -> Result<Value, Refusal> {
    let request = Arguments(call.arguments).object("arg1");
    let row = needed(call, request.needed_id("id")?)?;
    let to = PLAYBOOKS.step(text(&row, "status"), request.needed("status")?)?;
    write(call, &row, &[("status", to.into())])?;
    Ok(json!({ "status": to }))
}

/// Updates a playbook, with the person and the time of the change.
fn write(call: &Call<'_>, row: &Value, set: &[(&str, ValueRef<'_>)]) -> Result<(), Refusal> {
    let mut set = set.to_vec();
    set.push(("updated_by", person(call)?.into()));
    set.push(("update_at", ValueRef::Timestamp(call.now)));
    match call.rows.update("auto_playbook", &[eq("id", uuid(row, "id").unwrap_or_default())], &set)? {
        0 => Err(Refusal::denied()),
        _ => Ok(()),
    }
}
