//! The assistant for pages: streams an answer, previews the text that would be sent for it, and adds documents to its knowledge.

use crate::app::App;
use crate::blocking::blocking;
use crate::error::Failure;
use crate::guard::caller::{Proof, SignedIn};
use crate::guard::concurrency::{LimitReached, PATIENCE};
use crate::guard::query_threads::Hold;
use crate::rest::{Alphabetical, JsonBody, NoStore};
use crate::routes::sample::check_not_sample;
use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use graphql::{Refusal, Request};
use operations::{ChatProgress, ModelContext, Question, Reference, SendPreview};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

/// Maximum size of a document, bytes (semantics §12).
pub const LARGEST_DOCUMENT: usize = 10 * 1024 * 1024;

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "AssistantQuestion")]
#[serde(deny_unknown_fields)]
pub struct AssistantRequest {
    account_id: String,
    #[serde(default)]
    conversation_id: Option<String>,
    message: String,
    #[serde(default)]
    llm_provider: Option<String>,
    #[serde(default)]
    llm_model: Option<String>,
    /// Rows that the question refers to.
    #[serde(default)]
    references: Vec<Reference>,
}

const EXPECTED: &str = "an object with `account_id`, `message`, to go on with one `conversation_id`, to choose who answers \
                        `llm_provider` and `llm_model`, and `references` to rows it is about, each with `type` and `id`";

fn question(body: &JsonBody<AssistantRequest>) -> Result<Question, Failure> {
    let asked = body.read(EXPECTED)?;
    let model =
        operations::model_choice(asked.llm_provider, asked.llm_model).map_err(|refusal| failure(&refusal))?;
    Ok(Question {
        account: asked.account_id,
        conversation: asked.conversation_id,
        message: asked.message,
        model,
        references: asked.references,
    })
}

/// The next message to the page.
enum PageMessage {
    Heard(ChatProgress),
    Answered(Value),
    Refused(Refusal),
}

/// POST: asks a question. The answer is streamed as server-sent events: `begun`, `looking`, `looked`, `sent`, `text`, `again`, and finally `answer`
/// or `error`. A question that is refused before the model is called is answered with an error status: 429 if the budget is used up. Closing the
/// connection stops the model.
pub async fn ask(
    State(app): State<Arc<App>>,
    proof: Proof,
    body: JsonBody<AssistantRequest>,
) -> Result<Response, Failure> {
    let question = question(&body)?;
    let person = proof.check(&app.access).await?;
    let turn = app.access.requests.take(person.user, PATIENCE).await.map_err(|LimitReached| {
        Failure::new(
            StatusCode::TOO_MANY_REQUESTS,
            "busy",
            "Too many requests of yours are being worked on; wait for their answers",
        )
    })?;
    let hold = Hold::default();
    let cancel = hold.0.clone();
    // Unbounded: an answer is short, and its parts are sent from the thread that drives the model's connection, which must not block.
    let (tell, mut told) = mpsc::unbounded_channel::<PageMessage>();
    let state = Arc::clone(&app);
    let work = tokio::task::spawn_blocking(move || {
        let caller = person.caller();
        let models = state.models.chat.as_ref();
        let context = ModelContext { engine: &state.engine, caller: &caller, models, cancel: &cancel };
        // If the client has disconnected, cancel the work.
        let mut hear = |heard| {
            if tell.send(PageMessage::Heard(heard)).is_err() {
                cancel.cancel();
            }
        };
        let told = match operations::converse(&context, &question, &mut hear) {
            Ok(answer) => PageMessage::Answered(answer),
            Err(refusal) => PageMessage::Refused(refusal),
        };
        let _ = tell.send(told);
        drop(turn);
    });
    let first = match told.recv().await {
        Some(PageMessage::Refused(refusal)) => return Err(failure(&refusal)),
        Some(told) => told,
        None => {
            let ended = work.await.err();
            return Err(ended.map_or_else(
                || Failure::bad_request("Nothing was answered"),
                |error| Failure::fault(&error),
            ));
        }
    };
    let events = stream::unfold((Some(first), told, hold), |(first, mut told, hold)| async move {
        let next = match first {
            Some(first) => first,
            None => told.recv().await?,
        };
        Some((Ok::<_, Infallible>(event(&next)), (None, told, hold)))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15))).into_response())
}

fn event(told: &PageMessage) -> Event {
    let (name, value) = match told {
        PageMessage::Heard(ChatProgress::Started { conversation, title }) => {
            ("begun", json!({ "conversation_id": conversation, "title": title }))
        }
        PageMessage::Heard(ChatProgress::ToolStarted { title }) => ("looking", json!({ "title": title })),
        PageMessage::Heard(ChatProgress::ToolFinished(evidence)) => ("looked", evidence.clone()),
        PageMessage::Heard(ChatProgress::Sent(line)) => ("sent", line.clone()),
        PageMessage::Heard(ChatProgress::Text(text)) => ("text", json!({ "text": text })),
        PageMessage::Heard(ChatProgress::TextDiscarded) => ("again", json!({})),
        PageMessage::Answered(answer) => ("answer", answer.clone()),
        PageMessage::Refused(refusal) => {
            ("error", json!({ "error": refusal.code, "message": words(refusal) }))
        }
    };
    Event::default().event(name).data(value.to_string())
}

/// The message for the user; the message of an internal error goes to the log only.
fn words(refusal: &Refusal) -> String {
    if refusal.is_unexpected() {
        tracing::error!("the assistant failed: {}", refusal.message);
        return "Something went wrong here; the log has the details".to_owned();
    }
    refusal.message.clone()
}

fn failure(refusal: &Refusal) -> Failure {
    let status = match refusal.code {
        "budget-exceeded" | "model-limited" => StatusCode::TOO_MANY_REQUESTS,
        "validation-failed" => StatusCode::BAD_REQUEST,
        "not-found" => StatusCode::NOT_FOUND,
        "permission-error" => StatusCode::FORBIDDEN,
        "not-configured" | "must-stay" | "conflict" => StatusCode::CONFLICT,
        "model-failed" => StatusCode::BAD_GATEWAY,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    Failure::new(status, refusal.code, words(refusal))
}

/// POST: returns the exact text that would be sent for a question, its recipient, and the names that would be replaced. Nothing is sent.
pub async fn preview(
    State(app): State<Arc<App>>,
    SignedIn(person): SignedIn,
    body: JsonBody<AssistantRequest>,
) -> Result<NoStore<Alphabetical<SendPreview>>, Failure> {
    let question = question(&body)?;
    let shown = blocking(move || {
        let (caller, hold) = (person.caller(), Hold::default());
        let models = app.models.chat.as_ref();
        let context = ModelContext { engine: &app.engine, caller: &caller, models, cancel: &hold.0 };
        operations::preview(&context, &question).map_err(|refusal| failure(&refusal))
    })
    .await?;
    Ok(NoStore(Alphabetical(shown)))
}

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "DocumentName")]
#[serde(deny_unknown_fields)]
pub struct Document {
    account_id: String,
    /// Name of the knowledge base.
    name: String,
    /// File name. Its extension determines the format.
    file: String,
    #[serde(default)]
    description: Option<String>,
}

/// A file stored as a knowledge base.
#[derive(Serialize, Deserialize, JsonSchema)]
pub struct AddedDocument {
    id: String,
    name: String,
    /// Number of passages that the file was split into.
    passages: i64,
    status: String,
    /// Why there are no passages, and how to fix it.
    status_reason: Option<String>,
}

/// POST: stores a file as a knowledge base. The body is the file, 10 MB at most.
pub async fn add_document(
    State(app): State<Arc<App>>,
    SignedIn(person): SignedIn,
    document: Result<Query<Document>, QueryRejection>,
    body: Bytes,
) -> Result<Json<AddedDocument>, Failure> {
    check_not_sample(&app, person.tenant).await?;
    let Query(document) = document.map_err(|_| {
        Failure::bad_request(
            "Expected account_id, name and file in the address: ?account_id=…&name=Runbook&file=runbook.md",
        )
    })?;
    let answer = blocking(move || {
        let (format, data) = operations::document(&document.file, &body)
            .map_err(|refusal| failure(&refusal))?;
        let request = json!({
            "account_id": document.account_id,
            "knowledgebase": {
                "name": document.name,
                "description": document.description,
                "file_name": document.file,
                "format": format,
                "data": data,
            },
        });
        let request = Request {
            query: "mutation Add($request: CreateKBRequest!) { ai_create_kb(request: $request) { data { id name status status_reason passages } } }".to_owned(),
            variables: Some(Map::from_iter([("request".to_owned(), request)])),
            ..Request::default()
        };
        let fault = |fault: store::StoreError| tracing::error!("a document was not kept: {}", crate::error::chain(&fault));
        let answer = app.engine.execute(&person.caller(), &request, fault);
        let answer: Value = serde_json::from_slice(&answer).unwrap_or_default();
        match answer["errors"][0]["message"].as_str() {
            Some(message) => Err(Failure::new(StatusCode::BAD_REQUEST, "refused", message)),
            None => AddedDocument::deserialize(&answer["data"]["ai_create_kb"]["data"])
                .map_err(|error| Failure::fault(&error)),
        }
    })
    .await?;
    Ok(Json(answer))
}
