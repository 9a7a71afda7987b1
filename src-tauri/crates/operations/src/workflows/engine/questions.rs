//! Questions to people: asked by a run together with its further plan, shown under a link, decided once.

pub(super) mod plan_changes;

use super::votes::{Vote, Voter, vote};
use crate::kit::{Look, text, uuid};
use automation::approval::ApprovalPolicy;
use automation::journal::Journal;
use automation::plan::FIRST_DECISION;
use automation::upcoming::fingerprint;
use catalogue::{Caller, ValueRef};
use graphql::Refusal;
use plan_changes::AskedAgain;
use serde::Deserialize;
use serde_json::{Map, Value};
use store::{Store, StoreError, Transaction, eq, is_null};
use uuid::Uuid;

/// A row of `workflow_wait`.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct WaitRow {
    pub id: Uuid,
    pub tenant_id: Uuid,
    pub account_id: Uuid,
    pub execution_id: Uuid,
    pub path: String,
    pub task_id: String,
    pub message: String,
    pub options: Vec<String>,
    pub plan: Option<String>,
    pub plan_hash: Option<String>,
    pub policy: ApprovalPolicy,
    pub default_answer: Option<String>,
    pub due_at: Option<String>,
    pub asked_at: String,
    pub answered_at: Option<String>,
    pub answer: Option<String>,
    pub answered_by: Option<String>,
    pub comments: Option<String>,
    pub is_taken: bool,
}

pub(crate) const WAIT_COLUMNS: [&str; 19] = [
    "id",
    "tenant_id",
    "account_id",
    "execution_id",
    "path",
    "task_id",
    "message",
    "options",
    "plan",
    "plan_hash",
    "policy",
    "default_answer",
    "due_at",
    "asked_at",
    "answered_at",
    "answer",
    "answered_by",
    "comments",
    "is_taken",
];

impl WaitRow {
    pub(crate) fn read(row: Value) -> Result<Self, Refusal> {
        let unreadable = |error| Refusal::new("unexpected", format!("a stored question: {error}"));
        serde_json::from_value(row).map_err(unreadable)
    }

    /// The question with that id, if the caller of `rows` may read it.
    pub(crate) fn find(rows: &Transaction<'_>, id: Uuid) -> Result<Option<Self>, Refusal> {
        Look::at(rows, "workflow_wait")?.with("id", id)?.first(&WAIT_COLUMNS)?.map(Self::read).transpose()
    }

    pub(super) fn asked_at(&self) -> i64 {
        catalogue::parse_timestamp(&self.asked_at).unwrap_or_default()
    }

    /// The reason shown when a question is asked again although it was answered.
    pub(super) fn reason_asked_again(&self) -> String {
        let who = self.answered_by.as_deref().filter(|who| !who.is_empty()).unwrap_or("somebody");
        format!("Asked again: what follows is no longer what {who} agreed to.")
    }
}

/// A question in the form in which it is shown under its link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    pub workflow: String,
    pub message: String,
    pub options: Vec<String>,
    /// The tasks that run after the first answer.
    pub plan: Option<String>,
    /// Whether only signed-in people may answer.
    pub needs_person: bool,
    /// Number of people who must choose the first option.
    pub minimum: u32,
    /// The decision, if there is one.
    pub answer: Option<String>,
    /// Whether the question can no longer be answered.
    pub is_closed: bool,
}

/// A person's answer.
#[derive(Debug, Clone)]
pub struct Answer {
    /// One of the options.
    pub status: String,
    pub comments: String,
    /// The voter, if signed in.
    pub by: Option<Voter>,
}

/// Why a question cannot be shown or answered.
#[derive(Debug, thiserror::Error)]
pub enum QuestionError {
    #[error("there is no such question, or the link is not the one that was sent")]
    None,
    #[error("it was answered before: {0}")]
    Answered(String),
    #[error("\"{found}\" is no answer: expected one of {expected}")]
    Unknown { found: String, expected: String },
    #[error("sign in to answer: it must be known who agrees to this")]
    SignIn,
    #[error("{0}")]
    NotYours(String),
    #[error("the plan has changed since it was shown to you: look at it again")]
    PlanChanged,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Stores the question and returns the last part of its link: the question's id and the token that proves possession of the link.
pub(super) fn ask(
    rows: &Transaction<'_>,
    (execution, account): (Uuid, Uuid),
    asked: &automation::plan::Question,
    plan: Option<&str>,
) -> Result<String, Refusal> {
    // Close the question of an earlier attempt.
    close(rows, execution, &asked.path)?;
    let (id, token) = (Uuid::new_v4(), auth::draw_secret(&mut rand::rng()));
    let json = |result: Result<String, serde_json::Error>| {
        result.map_err(|error| Refusal::new("unexpected", error.to_string()))
    };
    let (options, policy) =
        (json(serde_json::to_string(&asked.options))?, json(serde_json::to_string(&asked.policy))?);
    rows.insert(
        "workflow_wait",
        &[
            ("id", id.into()),
            ("account_id", account.into()),
            ("execution_id", execution.into()),
            ("path", asked.path.as_str().into()),
            ("task_id", asked.task_id.as_str().into()),
            ("message", asked.message.as_str().into()),
            ("options", ValueRef::Json(&options)),
            ("plan", plan.into()),
            ("plan_hash", plan.map(fingerprint).as_deref().into()),
            ("policy", ValueRef::Json(&policy)),
            ("default_answer", asked.default.as_deref().into()),
            ("token_hash", auth::fingerprint(&token).as_str().into()),
            ("due_at", asked.due_at.map_or(ValueRef::Null, ValueRef::Timestamp)),
            ("asked_at", ValueRef::Timestamp(rows.now())),
        ],
    )?;
    Ok(format!("{id}/{token}"))
}

/// Closes the open question of a task.
pub(super) fn close(rows: &Transaction<'_>, execution: Uuid, path: &str) -> Result<(), Refusal> {
    let open = [eq("execution_id", execution), eq("path", path), eq("is_taken", false)];
    rows.update("workflow_wait", &open, &[("is_taken", true.into())])?;
    Ok(())
}

/// A decision with which a run continues.
pub(super) struct Decision {
    pub wait: Uuid,
    pub path: String,
    pub output: Value,
}

/// Returns the decisions that the run has not processed yet, and the questions that are asked again. If the plan has changed, votes do not count.
pub(super) fn decisions(
    rows: &Transaction<'_>,
    execution: Uuid,
    plan_of: &PlanAfter<'_>,
) -> Result<(Vec<Decision>, AskedAgain), Refusal> {
    let look = Look::at(rows, "workflow_wait")?.with("execution_id", execution)?.with("is_taken", false)?;
    let (mut found, mut again) = (Vec::new(), AskedAgain::new());
    for row in look.rows(&WAIT_COLUMNS)? {
        let wait = WaitRow::read(row)?;
        let shows_plan = wait.options.first().is_some_and(|option| option != FIRST_DECISION);
        if shows_plan && reopen_if_changed(rows, &wait, plan_of)? {
            if wait.answer.is_some() {
                again.insert(wait.path.clone(), wait.reason_asked_again());
            }
            continue;
        }
        let Some(answer) = wait.answer else { continue };
        let mut output = Map::new();
        let text = |text: Option<String>| text.map_or(Value::Null, Value::String);
        output.insert("status".to_owned(), Value::String(answer));
        output.insert("approver".to_owned(), text(wait.answered_by));
        output.insert("comments".to_owned(), text(wait.comments));
        found.push(Decision { wait: wait.id, path: wait.path, output: Value::Object(output) });
    }
    Ok((found, again))
}

/// Computes the plan after a question, from the time it was asked, its path and its first option.
pub(super) type PlanAfter<'a> = dyn Fn(i64, &str, &str) -> Option<String> + 'a;

/// Like [`PlanAfter`], for a journal that has changed since.
pub(super) type PlanForJournal<'a> = dyn Fn(i64, &Journal, &str, &str) -> Option<String> + 'a;

/// Shown with a question whose votes were given for another plan.
const VOTES_GONE: &str = "Asked again: what follows has changed since the first votes.";

/// The message with the reason for asking again in front, unless it already starts with that reason.
pub(super) fn with_reason(why: &str, message: &str) -> String {
    if message.starts_with(why) { message.to_owned() } else { format!("{why}\n\n{message}") }
}

fn reopen_if_changed(
    rows: &Transaction<'_>,
    wait: &WaitRow,
    plan_of: &PlanAfter<'_>,
) -> Result<bool, Refusal> {
    let first_option = wait.options.first().map_or("approve", String::as_str);
    let plan = plan_of(wait.asked_at(), &wait.path, first_option);
    let hash = plan.as_deref().map(fingerprint);
    if hash == wait.plan_hash {
        return Ok(false);
    }
    // The answer remains stored, but no longer counts.
    if wait.answer.is_some() {
        rows.update("workflow_wait", &[eq("id", wait.id)], &[("plan_hash", ValueRef::Null)])?;
        return Ok(true);
    }
    let gone = rows.delete("workflow_vote", &[eq("wait_id", wait.id)])?;
    let message = match gone {
        0 => wait.message.clone(),
        _ => with_reason(VOTES_GONE, &wait.message),
    };
    let set = [
        ("plan", plan.as_deref().into()),
        ("plan_hash", hash.as_deref().into()),
        ("message", message.as_str().into()),
    ];
    rows.update("workflow_wait", &[eq("id", wait.id)], &set)?;
    Ok(true)
}

fn find(rows: &Transaction<'_>, id: Uuid, token: &str) -> Result<Option<(WaitRow, String)>, Refusal> {
    let hash = auth::fingerprint(token);
    if rows.count("workflow_wait", &[eq("id", id), eq("token_hash", hash.as_str())])? == 0 {
        return Ok(None);
    }
    let Some(wait) = WaitRow::find(rows, id)? else { return Ok(None) };
    let run = Look::at(rows, "workflow_execution")?.with("id", wait.execution_id)?.first(&["workflow_id"])?;
    let Some(workflow) = run.and_then(|run| uuid(&run, "workflow_id")) else { return Ok(None) };
    let named = Look::at(rows, "workflow")?.with("id", workflow)?.first(&["name"])?;
    Ok(Some((wait, named.map(|row| text(&row, "name").to_owned()).unwrap_or_default())))
}

/// Finds a question by its link. Blocks.
pub fn question(store: &Store, id: Uuid, token: &str) -> Result<Question, QuestionError> {
    let found =
        store.snapshot(&Caller::system(), |rows| find(rows, id, token)).map_err(Refusal::into_error)?;
    let (wait, workflow) = found.ok_or(QuestionError::None)?;
    Ok(Question {
        workflow,
        message: wait.message,
        options: wait.options,
        plan: wait.plan,
        needs_person: wait.policy.needs_person(),
        minimum: wait.policy.minimum,
        is_closed: wait.is_taken,
        answer: wait.answer,
    })
}

/// Records an answer given under the link, once. When the question is decided, the waiting run becomes due. Blocks.
pub fn answer(store: &Store, id: Uuid, token: &str, given: &Answer) -> Result<Vote, QuestionError> {
    let answered = store.transaction(&Caller::system(), |rows| {
        let Some((wait, _)) = find(rows, id, token)? else { return Ok(Err(QuestionError::None)) };
        vote(rows, &wait, given, None)
    });
    answered.map_err(|refusal: Refusal| QuestionError::Store(refusal.into_error()))?
}

/// Makes a run due if no runner has claimed it. A runner that has claimed it reads the change anyway.
pub(super) fn wake(rows: &Transaction<'_>, execution: Uuid) -> Result<(), StoreError> {
    let idle = [eq("id", execution), eq("status", "RUNNING"), is_null("claim")];
    let set = [("due_at", ValueRef::Timestamp(rows.now()))];
    rows.without_actor().update("workflow_execution", &idle, &set).map(|_| ())
}
