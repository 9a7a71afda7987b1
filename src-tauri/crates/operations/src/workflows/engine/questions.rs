//! Questions to people: asked by a run, shown under a link, answered once.

use crate::kit::{Look, text, uuid};
use catalogue::{Caller, ValueRef};
use graphql::Refusal;
use serde_json::{Value, json};
use store::{Store, StoreError, Transaction, eq, is_null};
use uuid::Uuid;

/// What the audit trail calls an answer.
const HAND: &str = "workflow_approval";
/// Letters of a comment that are kept.
const LONGEST_COMMENT: usize = 4000;

/// A question as the person sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    pub workflow: String,
    pub message: String,
    pub options: Vec<String>,
    /// What was answered, once it was.
    pub answer: Option<String>,
}

/// A person's answer.
#[derive(Debug, Clone)]
pub struct Answer {
    /// One of the options.
    pub status: String,
    pub comments: String,
    /// Who answers, where they are signed in.
    pub by: Option<(Uuid, String)>,
}

/// Why a question is not shown or answered.
#[derive(Debug, thiserror::Error)]
pub enum QuestionError {
    #[error("there is no such question, or the link is not the one that was sent")]
    None,
    #[error("it was answered before: {0}")]
    Answered(String),
    #[error("\"{found}\" is no answer: expected one of {expected}")]
    Unknown { found: String, expected: String },
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Asks, and gives the link's last part: the question's id and what proves that one has the link.
pub(super) fn ask(
    rows: &Transaction<'_>,
    (execution, account): (Uuid, Uuid),
    asked: &automation::plan::Question,
) -> Result<String, Refusal> {
    let (id, token) = (Uuid::new_v4(), auth::draw_secret(&mut rand::rng()));
    rows.insert(
        "workflow_wait",
        &[
            ("id", id.into()),
            ("account_id", account.into()),
            ("execution_id", execution.into()),
            ("path", asked.path.as_str().into()),
            ("message", asked.message.as_str().into()),
            ("options", ValueRef::Json(&json!(asked.options).to_string())),
            ("token_hash", auth::fingerprint(&token).as_str().into()),
            ("due_at", asked.due_at.map_or(ValueRef::Null, ValueRef::Timestamp)),
            ("asked_at", ValueRef::Timestamp(rows.now())),
        ],
    )?;
    Ok(format!("{id}/{token}"))
}

/// Answers that the run has not gone on with: the path, and what was said.
pub(super) fn answers(
    rows: &Transaction<'_>,
    execution: Uuid,
) -> Result<Vec<(Uuid, String, Value)>, Refusal> {
    let look = Look::at(rows, "workflow_wait")?.with("execution_id", execution)?.with("is_taken", false)?;
    let found = look.rows(&["id", "path", "answer", "answered_by", "comments"])?;
    let answered = found.into_iter().filter(|row| !row["answer"].is_null());
    let said = |row: Value| {
        let answer =
            json!({ "status": row["answer"], "approver": row["answered_by"], "comments": row["comments"] });
        (uuid(&row, "id").unwrap_or_default(), text(&row, "path").to_owned(), answer)
    };
    Ok(answered.map(said).collect())
}

struct Found {
    tenant: Uuid,
    execution: Uuid,
    workflow: String,
    row: Value,
}

fn find(rows: &Transaction<'_>, id: Uuid, token: &str) -> Result<Option<Found>, Refusal> {
    let hash = auth::fingerprint(token);
    let known = [eq("id", id), eq("token_hash", hash.as_str())];
    let Some(row) = rows.select("workflow_wait", &["tenant_id", "execution_id"], &known)?.pop() else {
        return Ok(None);
    };
    let (Some(tenant), Some(execution)) = (row[0].as_uuid(), row[1].as_uuid()) else { return Ok(None) };
    let columns = ["message", "options", "answer", "is_taken"];
    let Some(row) = Look::at(rows, "workflow_wait")?.with("id", id)?.first(&columns)? else {
        return Ok(None);
    };
    let run = rows.select("workflow_execution", &["workflow_id", "status"], &[eq("id", execution)])?.pop();
    let Some(workflow) = run.and_then(|run| run[0].as_uuid()) else { return Ok(None) };
    let named = rows.select("workflow", &["name"], &[eq("id", workflow)])?.pop();
    let workflow = named.and_then(|row| row[0].as_text().map(str::to_owned)).unwrap_or_default();
    Ok(Some(Found { tenant, execution, workflow, row }))
}

/// Looks a question up by its link. Blocks.
pub fn question(store: &Store, id: Uuid, token: &str) -> Result<Question, QuestionError> {
    let found =
        store.snapshot(&Caller::house(), |rows| find(rows, id, token)).map_err(Refusal::into_error)?;
    let found = found.ok_or(QuestionError::None)?;
    Ok(Question {
        workflow: found.workflow,
        message: text(&found.row, "message").to_owned(),
        options: options(&found.row),
        answer: found.row["answer"].as_str().map(str::to_owned),
    })
}

fn options(row: &Value) -> Vec<String> {
    row["options"].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Answers a question, once; the run that waits is due. Blocks.
pub fn answer(store: &Store, id: Uuid, token: &str, given: &Answer) -> Result<(), QuestionError> {
    let answered = store.transaction(&Caller::house(), |house_rows| {
        let Some(found) = find(house_rows, id, token)? else { return Ok(Err(QuestionError::None)) };
        if let Some(before) = found.row["answer"].as_str() {
            return Ok(Err(QuestionError::Answered(before.to_owned())));
        }
        let options = options(&found.row);
        if !options.contains(&given.status) {
            let (found, expected) = (given.status.clone(), options.join(", "));
            return Ok(Err(QuestionError::Unknown { found, expected }));
        }
        if found.row["is_taken"] == true {
            return Ok(Err(QuestionError::Answered("the time was over".to_owned())));
        }
        let house = Caller::house_for(found.tenant);
        let tenant_rows = house_rows.acting_as(&house);
        let rows = tenant_rows.in_hand(HAND, given.by.as_ref().map(|(id, _)| *id));
        let by = given.by.as_ref().map_or("whoever has the link", |(_, name)| name.as_str());
        let comments: String = given.comments.chars().take(LONGEST_COMMENT).collect();
        let set = [
            ("answered_at", ValueRef::Timestamp(rows.now())),
            ("answer", given.status.as_str().into()),
            ("answered_by", by.into()),
            ("comments", comments.as_str().into()),
        ];
        rows.update("workflow_wait", &[eq("id", id)], &set)?;
        wake(&tenant_rows, found.execution)?;
        Ok(Ok(()))
    });
    answered.map_err(|refusal: Refusal| QuestionError::Store(refusal.into_error()))?
}

/// A run that nobody carries out just now is due; whoever does carry it out sees the news anyway.
pub(super) fn wake(rows: &Transaction<'_>, execution: Uuid) -> Result<(), StoreError> {
    let idle = [eq("id", execution), eq("status", "RUNNING"), is_null("claim")];
    let set = [("due_at", ValueRef::Timestamp(rows.now()))];
    rows.derived().update("workflow_execution", &idle, &set).map(|_| ())
}
