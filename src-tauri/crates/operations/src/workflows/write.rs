//! Creates, changes, pauses and deletes workflows. A definition is validated before it is stored.

use super::definition::{Definition, Mistakes, check, normalized, type_mismatches, unreadable};
use super::engine::wake_callers;
use super::needs::DefinitionNeeds;
use super::secrets::leaks;
use super::stored::{named, needed};
use super::{STATES, stored};
use crate::kit::{Arguments, Look, account, person, text, uuid};
use automation::checks::{Findings, findings};
use automation::mask::MASK;
use catalogue::ValueRef;
use graphql::{Call, Refusal};
use llm::Providers;
use serde::Serialize;
use serde_json::{Value, json};
use store::eq;
use uuid::Uuid;

/// The validated values of a request.
struct Draft {
    name: String,
    definition: Value,
    triggers: Vec<String>,
    /// The webhook secret, if the definition contains one.
    secret: Option<String>,
}

impl Draft {
    fn read(workflow: Arguments<'_>) -> Result<Self, Refusal> {
        let name = workflow.needed("name")?.trim().to_owned();
        let given = workflow.value("definition").cloned().unwrap_or_default();
        let definition = parse_and_check(&given)?;
        let triggers = definition.trigger_types().into_iter().map(str::to_owned).collect();
        let mut definition = normalized(given);
        let secret = take_secret(&mut definition);
        Ok(Self { name, definition, triggers, secret })
    }

    fn has_webhook(&self) -> bool {
        self.triggers.iter().any(|trigger| trigger == "webhook")
    }
}

/// Removes the webhook secret from a definition: only its hash is stored.
fn take_secret(definition: &mut Value) -> Option<String> {
    let triggers = definition.get_mut("triggers").and_then(Value::as_array_mut).into_iter().flatten();
    let mut found = None;
    for trigger in triggers.filter(|trigger| trigger["type"] == "webhook") {
        if let Some(secret) = trigger.get_mut("params").and_then(|params| params.get_mut("secret"))
            && let Some(text) = secret.as_str().filter(|text| !text.is_empty() && *text != MASK)
        {
            found = Some(text.to_owned());
            *secret = json!(MASK);
        }
    }
    found
}

/// Parses a definition and refuses one that could not run.
pub(super) fn parse_and_check(given: &Value) -> Result<Definition, Refusal> {
    let illegible = |error| Refusal::invalid(format!("the workflow definition cannot be read: {error}"));
    let definition = Definition::read(given).map_err(illegible)?;
    check(&definition).map_err(|mistakes| Refusal::invalid(mistakes.message()))?;
    refuse_any(&unreadable(given))?;
    refuse_any(&name_and_type_findings(given).mistakes)?;
    Ok(definition)
}

/// Mistakes and warnings about the names, order and types in a definition.
fn name_and_type_findings(given: &Value) -> Findings {
    let (mut found, types) = (findings(given), type_mismatches(given));
    found.mistakes.extend(types.mistakes);
    found.warnings.extend(types.warnings);
    found
}

#[derive(Serialize)]
pub(super) struct Validation {
    message: String,
    warnings: Vec<String>,
}

/// Handles `workflow_validate`.
pub(super) fn validate(call: &Call<'_>, providers: &Providers) -> Result<Validation, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let account = account(call, request.needed_id("account_id")?)?;
    let draft = Draft::read(request.object("workflow"))?;
    refuse_leaks(call, &draft.definition)?;
    let taken = if is_taken(call, account, &draft.name, None)? {
        format!(", but the account has a workflow \"{}\" already", draft.name)
    } else {
        String::new()
    };
    let mut warnings = name_and_type_findings(&draft.definition).warnings;
    warnings.extend(DefinitionNeeds::of(call, account, providers).missing(&draft.definition)?);
    let told = match warnings.as_slice() {
        [] => String::new(),
        [one] => format!(", with a warning: {one}"),
        all => format!(", with {} warnings: {}", all.len(), all.join("; ")),
    };
    Ok(Validation { message: format!("the definition is sound{taken}{told}"), warnings })
}

/// The mistakes and warnings of a definition. It can run if there are no mistakes.
pub(super) fn check_all(
    call: &Call<'_>,
    needs: &DefinitionNeeds<'_>,
    given: &Value,
) -> Result<Findings, Refusal> {
    let mut found = match Definition::read(given) {
        Err(error) => {
            let mistakes = vec![format!("the workflow definition cannot be read: {error}")];
            return Ok(Findings { mistakes, warnings: Vec::new() });
        }
        Ok(definition) => check(&definition).err().map(Mistakes::into_lines).unwrap_or_default(),
    };
    found.extend(unreadable(given));
    let Findings { mistakes, mut warnings } = name_and_type_findings(given);
    found.extend(mistakes);
    found.extend(leaks(call.rows, given)?);
    warnings.extend(needs.missing(given)?);
    Ok(Findings { mistakes: found, warnings })
}

/// Refuses a definition that would send a secret to a host it is not bound to.
pub(super) fn refuse_leaks(call: &Call<'_>, definition: &Value) -> Result<(), Refusal> {
    refuse_any(&leaks(call.rows, definition)?)
}

fn refuse_any(mistakes: &[String]) -> Result<(), Refusal> {
    match mistakes {
        [] => Ok(()),
        [one] => Err(Refusal::invalid(format!("the workflow definition has a mistake: {one}"))),
        all => Err(Refusal::invalid(format!(
            "the workflow definition has {} mistakes: {}",
            all.len(),
            all.join("; ")
        ))),
    }
}

/// Handles `workflow_create`.
pub(super) fn create(call: &Call<'_>) -> Result<WriteAnswer, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let account = account(call, request.needed_id("account_id")?)?;
    let (id, token) = insert(call, account, request.object("workflow"))?;
    Ok(WriteAnswer { id, token })
}

#[derive(Serialize)]
pub(super) struct WriteAnswer {
    id: Uuid,
    token: Option<String>,
}

/// Inserts a new workflow. Returns its id and, if one was generated, the webhook secret.
pub(super) fn insert(
    call: &Call<'_>,
    account: Uuid,
    workflow: Arguments<'_>,
) -> Result<(Uuid, Option<String>), Refusal> {
    let draft = Draft::read(workflow)?;
    refuse_leaks(call, &draft.definition)?;
    refuse_taken(call, account, &draft.name, None)?;
    // The default for a missing or unknown status is the safe one (semantics §11).
    let status = workflow.text("status").and_then(|status| STATES.named(status).ok()).unwrap_or("PAUSED");
    let generates_secret = draft.has_webhook() && draft.secret.is_none();
    let token = generates_secret.then(|| auth::draw_secret(&mut rand::rng()));
    let proof = draft.secret.as_deref().or(token.as_deref());
    let id = Uuid::new_v4();
    call.rows.insert(
        "workflow",
        &[
            ("id", id.into()),
            ("account_id", account.into()),
            ("name", draft.name.as_str().into()),
            ("status", status.into()),
            ("definition", ValueRef::Json(&draft.definition.to_string())),
            ("trigger_types", ValueRef::Json(&json!(draft.triggers).to_string())),
            ("tags", ValueRef::Json(&tags(workflow)?.unwrap_or_else(|| json!({})).to_string())),
            ("webhook_hash", proof.map(auth::fingerprint).as_deref().into()),
            ("created_by", person(call)?.into()),
            ("updated_by", person(call)?.into()),
            ("created_at", ValueRef::Timestamp(call.now)),
            ("updated_at", ValueRef::Timestamp(call.now)),
        ],
    )?;
    Ok((id, token))
}

/// Handles `workflow_update`.
pub(super) fn update(call: &Call<'_>) -> Result<Value, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let row = needed(call, request, "id")?;
    let token = write_over(call, &row, request.needed_id("account_id")?, request.object("workflow"))?;
    let row = needed(call, request, "id")?;
    let mut answer = stored::answer(call, &row)?;
    answer["definition"] = row["definition"].clone();
    answer["trigger_details"] = json!({ "types": row["trigger_types"], "webhook_token": token });
    Ok(answer)
}

/// Replaces the definition, name, tags or status of a workflow. Returns the webhook secret if a new one was generated.
pub(super) fn write_over(
    call: &Call<'_>,
    row: &Value,
    account: Uuid,
    workflow: Arguments<'_>,
) -> Result<Option<String>, Refusal> {
    let id = uuid(row, "id").unwrap_or_default();
    refuse_own(row)?;
    let draft = Draft::read(workflow)?;
    refuse_leaks(call, &draft.definition)?;
    refuse_taken(call, account, &draft.name, Some(id))?;
    let status = match workflow.text("status") {
        Some(status) if STATES.named(status).is_ok_and(|status| row["status"] == status) => {
            text(row, "status")
        }
        Some(status) => STATES.step(text(row, "status"), status)?,
        None => text(row, "status"),
    };
    let was_started_by_webhook =
        row["trigger_types"].as_array().is_some_and(|types| types.contains(&json!("webhook")));
    let generates_secret = draft.has_webhook() && !was_started_by_webhook && draft.secret.is_none();
    let token = generates_secret.then(|| auth::draw_secret(&mut rand::rng()));
    let revision = row["revision"].as_i64().unwrap_or(1);
    let revision = if row["definition"] == draft.definition { revision } else { revision + 1 };
    let (definition, triggers) = (draft.definition.to_string(), json!(draft.triggers).to_string());
    let tags = tags(workflow)?.unwrap_or_else(|| row["tags"].clone()).to_string();
    let hash = draft.secret.as_deref().or(token.as_deref()).map(auth::fingerprint);
    let mut set = vec![
        ("name", draft.name.as_str().into()),
        ("status", status.into()),
        ("definition", ValueRef::Json(&definition)),
        ("trigger_types", ValueRef::Json(&triggers)),
        ("revision", revision.into()),
        ("tags", ValueRef::Json(&tags)),
        // The engine computes this again.
        ("next_due_at", ValueRef::Null),
        ("updated_by", person(call)?.into()),
        ("updated_at", ValueRef::Timestamp(call.now)),
    ];
    if hash.is_some() || !draft.has_webhook() {
        set.push(("webhook_hash", hash.as_deref().into()));
    }
    write(call, id, &set)?;
    Ok(token)
}

/// Refuses changes to a workflow that the service created for another object: it is changed together with that object.
fn refuse_own(row: &Value) -> Result<(), Refusal> {
    match row["purpose"].as_str() {
        None => Ok(()),
        Some(purpose) => {
            let message = format!("{} belongs to a {purpose} and is changed with it", named(row));
            Err(Refusal::conflict(message))
        }
    }
}

/// Handles `workflow_pause`.
pub(super) fn pause(call: &Call<'_>) -> Result<Value, Refusal> {
    change_status(call, "ACTIVE", "PAUSED", "paused")
}

/// Handles `workflow_resume`.
pub(super) fn resume(call: &Call<'_>) -> Result<Value, Refusal> {
    change_status(call, "PAUSED", "ACTIVE", "resumed")
}

fn change_status(call: &Call<'_>, from: &str, to: &str, done: &str) -> Result<Value, Refusal> {
    let row = needed(call, Arguments(call.arguments).object("request"), "id")?;
    refuse_own(&row)?;
    let is = text(&row, "status");
    if is != from {
        let message = format!(
            "{} is {is} and cannot be {done}: only a workflow that is {from} can; \
             workflow_update writes any status",
            named(&row)
        );
        return Err(Refusal::conflict(message));
    }
    let set = [
        ("status", to.into()),
        ("next_due_at", ValueRef::Null),
        ("updated_by", person(call)?.into()),
        ("updated_at", ValueRef::Timestamp(call.now)),
    ];
    write(call, uuid(&row, "id").unwrap_or_default(), &set)?;
    Ok(json!({ "data": { "id": row["id"], "name": row["name"], "status": to } }))
}

/// Handles `workflow_delete`.
pub(super) fn delete(call: &Call<'_>) -> Result<Value, Refusal> {
    let row = needed(call, Arguments(call.arguments).object("request"), "id")?;
    refuse_own(&row)?;
    let id = uuid(&row, "id").unwrap_or_default();
    let runs = call.rows.count("workflow_execution", &[eq("workflow_id", id)])?;
    wake_callers(call.rows, id)?;
    if call.rows.delete("workflow", &[eq("id", id)])? == 0 {
        return Err(Refusal::denied());
    }
    let runs = if runs == 1 { "1 run".to_owned() } else { format!("{runs} runs") };
    Ok(json!({ "message": format!("{} is gone, and {runs} with it", named(&row)) }))
}

fn write(call: &Call<'_>, id: Uuid, set: &[(&str, ValueRef<'_>)]) -> Result<(), Refusal> {
    match call.rows.update("workflow", &[eq("id", id)], set)? {
        0 => Err(Refusal::denied()),
        _ => Ok(()),
    }
}

fn is_taken(call: &Call<'_>, account: Uuid, name: &str, but: Option<Uuid>) -> Result<bool, Refusal> {
    let found = Look::at(call.rows, "workflow")?.with("account_id", account)?.with("name", name)?;
    Ok(found.rows(&["id"])?.iter().any(|row| uuid(row, "id") != but))
}

fn refuse_taken(call: &Call<'_>, account: Uuid, name: &str, but: Option<Uuid>) -> Result<(), Refusal> {
    if !is_taken(call, account, name, but)? {
        return Ok(());
    }
    let message = format!("the account has a workflow \"{name}\" already: choose another name");
    Err(Refusal::new("constraint-violation", message))
}

/// Reads tags: an object by name, or a list of names.
fn tags(workflow: Arguments<'_>) -> Result<Option<Value>, Refusal> {
    match workflow.value("tags") {
        None => Ok(None),
        Some(tags @ (Value::Object(_) | Value::Array(_))) => Ok(Some(tags.clone())),
        Some(other) => Err(Refusal::invalid(format!("`tags` is {other}: expected an object or a list"))),
    }
}
