//! Starts workflows by authenticated webhook requests.

use super::settings;
use super::start::{COLUMNS, NewRun, start};
use crate::kit::{Look, text, uuid};
use crate::workflows::definition::{Definition, each};
use crate::workflows::inputs::complete;
use automation::template::Renderer;
use catalogue::Caller;
use graphql::Refusal;
use serde_json::{Map, Value, json};
use store::{Store, StoreError, Transaction};
use uuid::Uuid;

/// A webhook request.
pub struct Delivery<'a> {
    pub workflow: Uuid,
    /// The secret in the request.
    pub secret: Option<&'a str>,
    /// The body as JSON, or as a text.
    pub body: Value,
    /// Idempotency key: the same key starts the workflow only once.
    pub key: Option<&'a str>,
}

/// Why a request starts nothing.
#[derive(Debug, thiserror::Error)]
pub enum WebhookError {
    #[error("there is no workflow with a webhook at this address")]
    None,
    #[error("the header X-Webhook-Secret is missing, or is not the secret of this webhook")]
    Secret,
    #[error("the workflow is {0}: it is started by its webhook only while it is ACTIVE")]
    Paused(String),
    #[error("{0}")]
    Off(String),
    #[error("{0}")]
    Inputs(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Starts the workflow and returns the run's id. `None` if the filter does not match, or the key has already started the workflow. Blocks.
pub fn deliver(store: &Store, delivery: &Delivery<'_>) -> Result<Option<Uuid>, WebhookError> {
    // Check the request in a read-only snapshot first: unauthorised requests must not occupy the writer.
    let known = |rows: &Transaction<'_>| -> Result<Result<(), WebhookError>, Refusal> {
        Ok(verified_workflow(rows, delivery)?.map(drop))
    };
    store
        .snapshot(&Caller::system(), known)
        .map_err(|refusal| WebhookError::Store(refusal.into_error()))??;
    let taken = |rows: &Transaction<'_>| -> Result<Result<Option<Uuid>, WebhookError>, Refusal> {
        let workflow = match verified_workflow(rows, delivery)? {
            Ok(workflow) => workflow,
            Err(error) => return Ok(Err(error)),
        };
        if let Err(refusal) = settings::require_automation(rows) {
            return Ok(Err(WebhookError::Off(refusal.message)));
        }
        if workflow["status"] != "ACTIVE" {
            return Ok(Err(WebhookError::Paused(text(&workflow, "status").to_owned())));
        }
        let unreadable = |error| Refusal::new("unexpected", format!("a stored definition: {error}"));
        let definition = Definition::read(&workflow["definition"]).map_err(unreadable)?;
        let given = body_inputs(&delivery.body);
        if !is_let_through(&definition, &given, rows.now()) {
            return Ok(Ok(None));
        }
        let inputs = match complete(&definition, Some(&Value::Object(given))) {
            Ok(inputs) => inputs,
            Err(reason) => return Ok(Err(WebhookError::Inputs(reason))),
        };
        let system = Caller::system_for(uuid(&workflow, "tenant_id").unwrap_or_default());
        let acting = rows.as_caller(&system);
        let key = delivery.key.map(|key| format!("webhook:{key}"));
        let run = NewRun {
            workflow: Some(&workflow),
            inputs,
            trigger: "webhook",
            key: key.as_deref(),
            ..NewRun::default()
        };
        Ok(Ok(start(&acting.without_actor(), &run)?))
    };
    store
        .transaction(&Caller::system(), taken)
        .map_err(|refusal| WebhookError::Store(refusal.into_error()))?
}

/// The workflow of a request with the correct secret.
fn verified_workflow(
    rows: &Transaction<'_>,
    delivery: &Delivery<'_>,
) -> Result<Result<Value, WebhookError>, Refusal> {
    let Some(workflow) = Look::at(rows, "workflow")?.with("id", delivery.workflow)?.first(COLUMNS)? else {
        return Ok(Err(WebhookError::None));
    };
    let hash = text(&workflow, "webhook_hash");
    if hash.is_empty() {
        return Ok(Err(WebhookError::None));
    }
    // Hashes are compared, therefore the duration reveals nothing about the secret.
    if delivery.secret.map(auth::fingerprint).as_deref() != Some(hash) {
        return Ok(Err(WebhookError::Secret));
    }
    Ok(Ok(workflow))
}

/// The inputs of the run: the members of the body, and the whole body as `payload` and, unless a
/// member has that name, as `webhook_payload` (the name in the reference).
fn body_inputs(body: &Value) -> Map<String, Value> {
    let mut given = body.as_object().cloned().unwrap_or_default();
    given.insert("payload".to_owned(), body.clone());
    given.entry("webhook_payload").or_insert_with(|| body.clone());
    given
}

fn is_let_through(definition: &Definition, given: &Map<String, Value>, now: i64) -> bool {
    let mut seen = given.clone();
    seen.insert("Inputs".to_owned(), json!(given));
    let renderer = Renderer::new(now);
    let triggers = each(definition.triggers.as_ref()).filter(|trigger| trigger.kind == "webhook");
    let mut filters = triggers.map(|trigger| trigger.params.as_ref().and_then(|params| params.get("filter")));
    filters.any(|filter| match filter {
        Some(filter) if filter.as_str().is_some_and(|text| !text.trim().is_empty()) => {
            renderer.holds(filter, &seen).unwrap_or(false)
        }
        _ => true,
    })
}

#[cfg(test)]
mod tests {
    use super::body_inputs;
    use serde_json::{Value, json};

    #[test]
    fn a_body_is_given_by_its_members_and_whole() {
        let text = json!("Hello");
        assert_eq!(
            Value::Object(body_inputs(&text)),
            json!({ "payload": "Hello", "webhook_payload": "Hello" })
        );
        let own = json!({ "webhook_payload": 1 });
        assert_eq!(Value::Object(body_inputs(&own)), json!({ "payload": own, "webhook_payload": 1 }));
    }
}
