//! Webhooks that start workflows, and pages on which people answer questions of runs.

use crate::app::App;
use crate::blocking::blocking;
use crate::error::Failure;
use crate::guard::caller::Proof;
use crate::plain_page::escaped;
use crate::rest::{Accepted, JsonBody};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use operations::runs::{self, Answer, Delivery, Question, QuestionError, Voter, WebhookError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;
use uuid::Uuid;

/// Maximum length of the key of a delivery, bytes.
const LONGEST_KEY: usize = 200;

/// Headers in which services identify a delivery, with the same value when they repeat it. `Idempotency-Key` (GitLab, and others) has precedence.
const DELIVERY_IDS: [&str; 10] = [
    "x-github-delivery",
    "x-gitea-delivery",
    "x-forgejo-delivery",
    "x-gogs-delivery",
    // Jira.
    "x-atlassian-webhook-identifier",
    // Bitbucket.
    "x-request-uuid",
    // Standard Webhooks, and the services it is derived from.
    "webhook-id",
    "svix-id",
    "x-shopify-webhook-id",
    "x-amz-sns-message-id",
];

/// The sender's id of a delivery, which makes it start the workflow only once; `None` if there is no such header.
fn delivery_key(headers: &HeaderMap) -> Option<String> {
    let text = |name: &str| {
        let value = headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
        value.filter(|value| !value.is_empty())
    };
    if let Some(key) = text("idempotency-key") {
        return Some(key.to_owned());
    }
    if let Some(found) = DELIVERY_IDS.iter().find_map(|name| Some(format!("{name}:{}", text(name)?))) {
        return Some(found);
    }
    // A CloudEvents id is unique within its source.
    Some(format!("ce-id:{}:{}", text("ce-source")?, text("ce-id")?))
}

/// A workflow run started by a webhook.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "WorkflowStarted")]
pub struct StartedRun {
    /// Id of the run. Null if the webhook's filter does not match, or the same delivery has already started the workflow.
    execution_id: Option<Uuid>,
}

/// `POST /api/webhooks/workflows/{id}`: starts the workflow with the posted data.
pub async fn deliver(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: JsonBody<Value>,
) -> Result<Accepted<Json<StartedRun>>, Failure> {
    let Ok(workflow) = Uuid::parse_str(&id) else { return Err(refused(WebhookError::None)) };
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let (secret, key) = (text("x-webhook-secret"), delivery_key(&headers));
    if key.as_ref().is_some_and(|key| key.len() > LONGEST_KEY) {
        return Err(Failure::bad_request(format!(
            "Idempotency-Key, or what calls the delivery, is longer than {LONGEST_KEY} letters"
        )));
    }
    let body = if body.bytes.is_empty() {
        Value::Null
    } else {
        serde_json::from_slice(&body.bytes)
            .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&body.bytes).into_owned()))
    };
    let store = app.store.clone();
    let delivered = blocking(move || {
        let delivery = Delivery { workflow, secret: secret.as_deref(), body, key: key.as_deref() };
        runs::deliver(&store, &delivery).map_err(refused)
    });
    Ok(Accepted(Json(StartedRun { execution_id: delivered.await? })))
}

fn refused(error: WebhookError) -> Failure {
    let (status, code) = match &error {
        WebhookError::None => (StatusCode::NOT_FOUND, "not_found"),
        WebhookError::Secret => (StatusCode::UNAUTHORIZED, "wrong_secret"),
        WebhookError::Paused(_) => (StatusCode::CONFLICT, "not_active"),
        WebhookError::Off(_) => (StatusCode::CONFLICT, "automation_off"),
        WebhookError::Inputs(_) => (StatusCode::BAD_REQUEST, "wrong_inputs"),
        WebhookError::Store(error) => return Failure::fault(error),
    };
    Failure::new(status, code, sentence(&error.to_string()))
}

/// A decision on an approval request, as form data or JSON.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "ApprovalDecision")]
pub struct Decision {
    status: String,
    #[serde(default)]
    comments: String,
}

/// `GET /api/workflows/approvals/{id}/{token}`: shows the question. Changes nothing.
pub async fn show(
    State(app): State<Arc<App>>,
    Path((id, token)): Path<(String, String)>,
) -> Result<Response, Failure> {
    let store = app.store.clone();
    let id = Uuid::parse_str(&id).map_err(|_| unanswered(QuestionError::None))?;
    let found = blocking(move || runs::question(&store, id, &token).map_err(unanswered)).await?;
    Ok(page(&found, None))
}

/// `POST` to the same path: answers the question, once.
pub async fn decide(
    State(app): State<Arc<App>>,
    Path((id, token)): Path<(String, String)>,
    proof: Result<Proof, Failure>,
    headers: HeaderMap,
    body: JsonBody<Decision>,
) -> Result<Response, Failure> {
    let id = Uuid::parse_str(&id).map_err(|_| unanswered(QuestionError::None))?;
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_form = kind.starts_with("application/x-www-form-urlencoded");
    let decision = if is_form { form(&body.bytes) } else { serde_json::from_slice(&body.bytes).ok() };
    let decision = decision.ok_or_else(|| {
        Failure::bad_request("Expected a form or a JSON object with the texts `status` and `comments`")
    })?;
    // The question determines whether the link is sufficient. If the client is signed in, the user is stored with the answer.
    let person = match proof {
        Ok(proof) => proof.check(&app.access).await.ok(),
        Err(_) => None,
    };
    let by = person.map(|person| Voter { user: person.user, caller: person.caller(), email: person.email });
    let answer = Answer { status: decision.status, comments: decision.comments, by };
    let store = app.store.clone();
    let (vote, found) = blocking(move || {
        let vote = runs::answer(&store, id, &token, &answer).map_err(unanswered)?;
        let question = runs::question(&store, id, &token).map_err(unanswered)?;
        Ok::<_, Failure>((vote, question))
    })
    .await?;
    if is_form {
        return Ok(page(&found, Some(vote.missing)));
    }
    Ok(Json(Verdict { status: vote.answer, missing: vote.missing }).into_response())
}

/// The result of a decision sent as JSON.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ApprovalVerdict")]
pub struct Verdict {
    /// The decision. Null while further approvals are required.
    status: Option<String>,
    /// Number of approvals still required.
    missing: u32,
}

fn form(body: &[u8]) -> Option<Decision> {
    let mut decision = Decision { status: String::new(), comments: String::new() };
    for (name, value) in url::form_urlencoded::parse(body) {
        match name.as_ref() {
            "status" => decision.status = value.into_owned(),
            "comments" => decision.comments = value.into_owned(),
            _ => {}
        }
    }
    (!decision.status.is_empty()).then_some(decision)
}

fn unanswered(error: QuestionError) -> Failure {
    let (status, code) = match &error {
        QuestionError::None => (StatusCode::NOT_FOUND, "not_found"),
        QuestionError::Answered(_) => (StatusCode::CONFLICT, "answered_before"),
        QuestionError::PlanChanged => (StatusCode::CONFLICT, "plan_changed"),
        QuestionError::SignIn => (StatusCode::UNAUTHORIZED, "not_authenticated"),
        QuestionError::NotYours(_) => (StatusCode::FORBIDDEN, "forbidden"),
        QuestionError::Unknown { .. } => (StatusCode::BAD_REQUEST, "wrong_value"),
        QuestionError::Store(error) => return Failure::fault(error),
    };
    Failure::new(status, code, sentence(&error.to_string()))
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A page without scripts or styles, which works in every browser and mail program. `missing`: number of people who must still agree after an
/// answer.
fn page(question: &Question, missing: Option<u32>) -> Response {
    let (workflow, message) = (escaped(&question.workflow), escaped(&question.message).replace('\n', "<br>"));
    let plan = question.plan.as_deref().map(escaped);
    let plan = plan.map(|plan| format!("<h2>What follows</h2><pre>{plan}</pre>")).unwrap_or_default();
    let rest = below(question, missing);
    let html = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>Quarterdeck: {workflow}</title><h1>{workflow}</h1><p>{message}</p>{plan}{rest}</html>"
    );
    ([(header::CACHE_CONTROL, "no-store")], Html(html)).into_response()
}

/// The part of the page below a question: its answer, or a form.
fn below(question: &Question, missing: Option<u32>) -> String {
    match (&question.answer, missing) {
        (Some(answer), _) => format!("<p>The answer is <b>{}</b>.</p>", escaped(answer)),
        (None, Some(1)) => "<p>Your answer is noted. One more person must agree.</p>".to_owned(),
        (None, Some(missing)) => format!("<p>Your answer is noted. {missing} more people must agree.</p>"),
        (None, None) if question.is_closed => {
            "<p>Nobody answers this any more: the time was over, or the run has ended.</p>".to_owned()
        }
        (None, None) => form_of(question),
    }
}

fn form_of(question: &Question) -> String {
    let button = |option: &String| {
        let option = escaped(option);
        format!("<button name=\"status\" value=\"{option}\">{option}</button> ")
    };
    let buttons: String = question.options.iter().map(button).collect();
    let who = if question.needs_person {
        "<p>It must be known who answers: sign in to Quarterdeck in this browser first, <a href=\"/\">here</a>.</p>"
    } else {
        ""
    };
    let many = match question.minimum {
        0 | 1 => String::new(),
        minimum => format!("<p>{minimum} people must agree.</p>"),
    };
    format!(
        "{who}{many}<form method=\"post\"><p><label>Comment<br><textarea name=\"comments\" rows=\"3\" cols=\"60\"></textarea>\
         </label></p><p>{buttons}</p></form>"
    )
}

#[cfg(test)]
mod tests {
    use super::{Question, below, delivery_key};
    use axum::http::{HeaderMap, HeaderName, HeaderValue};

    #[test]
    fn a_delivery_is_called_by_its_key_or_by_the_id_of_its_sender() {
        let key = |headers: &[(&'static str, &'static str)]| {
            let pair = |(name, value): &(&'static str, &'static str)| {
                (HeaderName::from_static(name), HeaderValue::from_static(value))
            };
            delivery_key(&headers.iter().map(pair).collect::<HeaderMap>())
        };
        let github = ("x-github-delivery", "72d3162e");
        assert_eq!(key(&[github]).as_deref(), Some("x-github-delivery:72d3162e"));
        assert_eq!(key(&[github, ("idempotency-key", "own")]).as_deref(), Some("own"));
        assert_eq!(key(&[("webhook-id", "msg_1")]).as_deref(), Some("webhook-id:msg_1"));
        assert_eq!(key(&[("ce-id", "1"), ("ce-source", "/a")]).as_deref(), Some("ce-id:/a:1"));
        assert_eq!(key(&[("ce-id", "1")]), None);
        assert_eq!(key(&[("x-github-delivery", " ")]), None);
        assert_eq!(key(&[]), None);
    }

    #[test]
    fn only_an_open_question_has_buttons() {
        let asked = |answer: Option<&str>, is_closed: bool| Question {
            workflow: "nightly".to_owned(),
            message: "Go?".to_owned(),
            options: vec!["approve".to_owned()],
            plan: None,
            needs_person: false,
            minimum: 1,
            answer: answer.map(str::to_owned),
            is_closed,
        };
        assert!(below(&asked(None, false), None).contains("<button"));
        assert!(below(&asked(Some("approve"), true), None).contains("The answer is <b>approve</b>"));
        let closed = below(&asked(None, true), None);
        assert!(closed.contains("the run has ended") && !closed.contains("<button"), "{closed}");
    }
}
