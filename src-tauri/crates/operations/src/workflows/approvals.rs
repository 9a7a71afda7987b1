//! Approval questions of runs for people: lists, counts and answers them.

use super::engine::{Answer, QuestionError, Voter, WAIT_COLUMNS, WaitRow, authors, vote, votes_of};
use super::stored::{next_page, page};
use crate::kit::{Arguments, Look, account, person, read, text};
use catalogue::{Caller, Value as Cell, parse_timestamp};
use graphql::{Call, Refusal};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use store::query::Test;
use uuid::Uuid;

/// Maximum number of open questions examined to count those that the caller may answer.
const MAX_COUNTED: u64 = 500;

#[derive(Serialize)]
pub(super) struct Page {
    approvals: Vec<Approval>,
    next_page_token: String,
    total_count: u64,
}

#[derive(Serialize)]
pub(super) struct Count {
    count: u64,
    mine: usize,
}

#[derive(Serialize)]
struct Approval {
    account_id: Uuid,
    answer: Option<String>,
    answered_at: Option<String>,
    answered_by: Option<String>,
    approvers: Vec<String>,
    asked_at: String,
    comments: Option<String>,
    default_on_timeout: Option<String>,
    due_at: Option<String>,
    excludes_author: bool,
    execution_id: Uuid,
    id: Uuid,
    may_answer: bool,
    message: String,
    minimum: u32,
    options: Vec<String>,
    path: String,
    plan: Option<String>,
    plan_id: Option<String>,
    purpose: Option<String>,
    reason: Option<String>,
    status: &'static str,
    task_id: String,
    votes: Vec<PersonVote>,
    workflow_id: Uuid,
    workflow_name: String,
}

/// The vote of one person.
#[derive(Serialize)]
struct PersonVote {
    comments: Option<String>,
    person: String,
    status: String,
    voted_at: String,
}

#[derive(Serialize)]
pub(super) struct Outcome {
    answer: Option<String>,
    id: Uuid,
    is_decided: bool,
    message: String,
    missing: u32,
}

/// The run that a question belongs to.
#[derive(Deserialize)]
struct Run {
    id: Uuid,
    workflow_id: Uuid,
    purpose: Option<String>,
}

#[derive(Deserialize)]
struct VoteRow {
    user_id: Uuid,
    status: String,
    comments: Option<String>,
    voted_at: String,
}

/// Handles `workflow_list_approvals`.
pub(super) fn list(call: &Call<'_>) -> Result<Page, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let (limit, offset) = page(request)?;
    let status = request.word("status", &["open", "answered", "all"])?.unwrap_or("open");
    let mut look = among(call, request)?;
    match status {
        "open" => look = open(look)?,
        "answered" => look = look.that("answer", Test::Not(Box::new(Test::IsNull)))?,
        _ => {}
    }
    if let Some(run) = request.id("execution_id")? {
        look = look.with("execution_id", run)?;
    }
    let total_count = look.count()?;
    let look = look.ordered("asked_at", true)?.ordered("id", false)?.limit(limit).offset(offset);
    let rows = look.rows(&WAIT_COLUMNS)?;
    let waits = rows.into_iter().map(WaitRow::read).collect::<Result<Vec<_>, _>>()?;
    let approvals = shown(call, waits)?;
    Ok(Page { approvals, next_page_token: next_page(offset, limit, total_count), total_count })
}

/// Handles `workflow_count_approvals`.
pub(super) fn count(call: &Call<'_>) -> Result<Count, Refusal> {
    let look = open(among(call, Arguments(call.arguments).object("request"))?)?;
    let count = look.count()?;
    let rows = look.ordered("asked_at", true)?.limit(MAX_COUNTED).rows(&WAIT_COLUMNS)?;
    let voter = voter(call)?;
    let mut mine = 0;
    for row in rows {
        mine += usize::from(refusal(call, &WaitRow::read(row)?, &voter)?.is_none());
    }
    Ok(Count { count, mine })
}

fn among<'a>(call: &'a Call<'_>, request: Arguments<'_>) -> Result<Look<'a>, Refusal> {
    let look = Look::at(call.rows, "workflow_wait")?;
    match request.id("account_id")? {
        Some(id) => look.with("account_id", account(call, id)?),
        None => Ok(look),
    }
}

fn open(look: Look<'_>) -> Result<Look<'_>, Refusal> {
    look.with("is_taken", false)?.that("answer", Test::IsNull)
}

/// The caller as a voter.
fn voter(call: &Call<'_>) -> Result<Voter, Refusal> {
    let user = person(call)?;
    let system = Caller::system();
    let row = Look::at(&call.rows.as_caller(&system), "users")?.with("id", user)?.first(&["username"])?;
    let email = row.map(|row| text(&row, "username").to_owned()).unwrap_or_default();
    Ok(Voter { user, email, caller: call.caller.clone() })
}

/// Returns the reason why the caller may not answer a question; `None` if they may.
fn refusal(call: &Call<'_>, wait: &WaitRow, voter: &Voter) -> Result<Option<String>, Refusal> {
    if let Some(answer) = &wait.answer {
        return Ok(Some(format!("it was answered: {answer}")));
    }
    if wait.is_taken {
        return Ok(Some("the time was over, or the run has ended".to_owned()));
    }
    let system = Caller::system_for(wait.tenant_id);
    let rows = call.rows.as_caller(&system);
    if let Some(reason) = voter.refusal(wait, &authors(&rows, wait.execution_id)?) {
        return Ok(Some(reason));
    }
    let said = votes_of(&rows, wait.id)?;
    let own = said.iter().find(|(user, _)| *user == voter.user);
    Ok(own.map(|(_, said)| format!("you said {said}")))
}

fn shown(call: &Call<'_>, waits: Vec<WaitRow>) -> Result<Vec<Approval>, Refusal> {
    let voter = voter(call)?;
    let ids = |found: &mut dyn Iterator<Item = Uuid>| found.map(Cell::Uuid).collect::<Vec<_>>();
    let runs = Look::at(call.rows, "workflow_execution")?
        .one_of("id", ids(&mut waits.iter().map(|wait| wait.execution_id)))?
        .rows(&["id", "workflow_id", "purpose"])?;
    let runs = runs.into_iter().map(read).collect::<Result<Vec<Run>, _>>()?;
    let names = names(call, "workflow", "name", ids(&mut runs.iter().map(|run| run.workflow_id)))?;
    let runs: HashMap<Uuid, Run> = runs.into_iter().map(|run| (run.id, run)).collect();
    let mut found = Vec::new();
    for wait in waits {
        let Some(run) = runs.get(&wait.execution_id) else { continue };
        let reason = refusal(call, &wait, &voter)?;
        let status = match (&wait.answer, wait.is_taken) {
            (Some(_), _) => "ANSWERED",
            (None, false) => "OPEN",
            (None, true) => {
                let due = wait.due_at.as_deref().and_then(parse_timestamp);
                if due.is_some_and(|due| due <= call.now) { "EXPIRED" } else { "CANCELED" }
            }
        };
        found.push(Approval {
            votes: votes(call, wait.id)?,
            approvers: [wait.policy.approvers, wait.policy.roles].concat(),
            account_id: wait.account_id,
            answer: wait.answer,
            answered_at: wait.answered_at,
            answered_by: wait.answered_by,
            asked_at: wait.asked_at,
            comments: wait.comments,
            default_on_timeout: wait.default_answer,
            due_at: wait.due_at,
            excludes_author: wait.policy.excludes_author,
            execution_id: wait.execution_id,
            id: wait.id,
            may_answer: reason.is_none(),
            message: wait.message,
            minimum: wait.policy.minimum,
            options: wait.options,
            path: wait.path,
            plan: wait.plan,
            plan_id: wait.plan_hash,
            purpose: run.purpose.clone(),
            reason,
            status,
            task_id: wait.task_id,
            workflow_id: run.workflow_id,
            workflow_name: names.get(&run.workflow_id).cloned().unwrap_or_default(),
        });
    }
    Ok(found)
}

fn votes(call: &Call<'_>, wait: Uuid) -> Result<Vec<PersonVote>, Refusal> {
    let rows = Look::at(call.rows, "workflow_vote")?.with("wait_id", wait)?.ordered("voted_at", false)?;
    let rows = rows.rows(&["user_id", "status", "comments", "voted_at"])?;
    let rows = rows.into_iter().map(read).collect::<Result<Vec<VoteRow>, _>>()?;
    // Whoever can read the question may see who voted, even without access to the list of users.
    let system = Caller::system();
    let house_rows = call.rows.as_caller(&system);
    let mut said = Vec::new();
    for row in rows {
        let user = Look::at(&house_rows, "users")?.with("id", row.user_id)?.first(&["username"])?;
        let person = user.map(|user| text(&user, "username").to_owned()).unwrap_or_default();
        said.push(PersonVote { person, status: row.status, comments: row.comments, voted_at: row.voted_at });
    }
    Ok(said)
}

/// Reads one text column of rows, by id.
fn names(
    call: &Call<'_>,
    table: &str,
    column: &str,
    ids: Vec<Cell>,
) -> Result<HashMap<Uuid, String>, Refusal> {
    let rows = Look::at(call.rows, table)?.one_of("id", ids)?.rows(&["id", column])?;
    Ok(rows
        .iter()
        .filter_map(|row| Some((crate::kit::uuid(row, "id")?, text(row, column).to_owned())))
        .collect())
}

/// Handles `workflow_answer_approval`.
pub(super) fn answer(call: &Call<'_>) -> Result<Outcome, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let id = request.needed_id("id")?;
    let missing = || Refusal::not_found(format!("there is no question {id} that you may see"));
    let wait = WaitRow::find(call.rows, id)?.ok_or_else(missing)?;
    let voter = voter(call)?;
    if wait.answer.is_none()
        && !wait.is_taken
        && let Some(reason) = refusal(call, &wait, &voter)?
    {
        return Err(Refusal::new("permission-error", reason));
    }
    let given = Answer {
        status: request.needed("status")?.to_owned(),
        comments: request.text("comments").unwrap_or_default().to_owned(),
        by: Some(voter),
    };
    let system = Caller::system();
    let rows = call.rows.as_caller(&system);
    let vote = vote(&rows, &wait, &given, request.text("plan_id"))?.map_err(refused)?;
    let message = match (&vote.answer, vote.missing) {
        (Some(answer), _) => format!("decided: {answer}"),
        (None, 1) => "noted: 1 more must agree".to_owned(),
        (None, missing) => format!("noted: {missing} more must agree"),
    };
    Ok(Outcome { id, is_decided: vote.answer.is_some(), answer: vote.answer, message, missing: vote.missing })
}

fn refused(error: QuestionError) -> Refusal {
    match error {
        QuestionError::Unknown { .. } => Refusal::invalid(error.to_string()),
        QuestionError::NotYours(_) | QuestionError::SignIn => {
            Refusal::new("permission-error", error.to_string())
        }
        QuestionError::None => Refusal::not_found(error.to_string()),
        QuestionError::Answered(_) | QuestionError::PlanChanged => Refusal::conflict(error.to_string()),
        QuestionError::Store(error) => error.into(),
    }
}
