//! Votes: who may vote, and when votes decide a question.

use super::questions::{Answer, QuestionError, WaitRow, wake};
use crate::acting;
use crate::kit::{Look, text, uuid};
use catalogue::{Caller, Right, ValueRef};
use graphql::Refusal;
use store::{Transaction, eq};
use uuid::Uuid;

/// The operation name of an answer in the audit trail.
const AUDIT_OPERATION: &str = "workflow_approval";
/// Maximum length of a stored comment, in characters.
const MAX_COMMENT_LENGTH: usize = 4000;

/// A signed-in person who answers.
#[derive(Debug, Clone)]
pub struct Voter {
    pub user: Uuid,
    pub email: String,
    /// The person's tenant, roles and accounts.
    pub caller: Caller,
}

/// The result of a vote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vote {
    /// The decision, if there is one.
    pub answer: Option<String>,
    /// Number of people who must still agree.
    pub missing: u32,
}

impl Voter {
    /// Returns the reason why the voter may not answer; `None` if they may. `authors` started the run or wrote its workflow.
    pub(crate) fn refusal(&self, wait: &WaitRow, authors: &[Uuid]) -> Option<String> {
        if self.caller.tenant() != Some(wait.tenant_id) {
            return Some(
                "the question belongs to another tenant than the one you are signed in to".to_owned(),
            );
        }
        let places = self.caller.accounts(Right::Write);
        let may_write = self.caller.writes_tenant() || places.accounts.contains(&wait.account_id);
        let roles: Vec<&str> = self.caller.roles.iter().map(|role| role.name()).collect();
        if !wait.policy.admits(&self.email, &roles, may_write) {
            let who = [wait.policy.approvers.as_slice(), wait.policy.roles.as_slice()].concat();
            return Some(if who.is_empty() {
                "only people who may change workflows of the account answer this".to_owned()
            } else {
                format!("others were asked: {}", who.join(", "))
            });
        }
        if wait.policy.excludes_author && authors.contains(&self.user) {
            return Some("you began this run or wrote its workflow: somebody else must agree".to_owned());
        }
        None
    }
}

/// The people behind a run: the person who started it and the author of its workflow.
pub(crate) fn authors(rows: &Transaction<'_>, execution: Uuid) -> Result<Vec<Uuid>, Refusal> {
    let columns = ["workflow_id", "triggered_by"];
    let run = Look::at(rows, "workflow_execution")?.with("id", execution)?.first(&columns)?;
    let Some(run) = run else { return Ok(Vec::new()) };
    let workflow =
        Look::at(rows, "workflow")?.with("id", uuid(&run, "workflow_id"))?.first(&["updated_by"])?;
    let author = workflow.and_then(|workflow| uuid(&workflow, "updated_by"));
    Ok(uuid(&run, "triggered_by").into_iter().chain(author).collect())
}

/// The votes until now in chronological order: person and option.
pub(crate) fn votes_of(rows: &Transaction<'_>, wait: Uuid) -> Result<Vec<(Uuid, String)>, Refusal> {
    let look = Look::at(rows, "workflow_vote")?.with("wait_id", wait)?.ordered("voted_at", false)?;
    let votes = look.ordered("id", false)?.rows(&["user_id", "status"])?;
    Ok(votes.iter().filter_map(|row| Some((uuid(row, "user_id")?, text(row, "status").to_owned()))).collect())
}

/// Records a vote. `rows` must act for the service; `plan_id` identifies the plan that was shown.
pub(crate) fn vote(
    rows: &Transaction<'_>,
    wait: &WaitRow,
    given: &Answer,
    plan_id: Option<&str>,
) -> Result<Result<Vote, QuestionError>, Refusal> {
    if let Some(before) = &wait.answer {
        return Ok(Err(QuestionError::Answered(before.clone())));
    }
    if wait.is_taken {
        return Ok(Err(QuestionError::Answered("the time was over, or the run has ended".to_owned())));
    }
    if !wait.options.contains(&given.status) {
        let (found, expected) = (given.status.clone(), wait.options.join(", "));
        return Ok(Err(QuestionError::Unknown { found, expected }));
    }
    if plan_id.is_some_and(|shown| wait.plan_hash.as_deref() != Some(shown)) {
        return Ok(Err(QuestionError::PlanChanged));
    }
    if let Some(reason) = acting::block_reason(rows, Some(wait.tenant_id), acting::APPROVAL)? {
        return Ok(Err(QuestionError::NotYours(reason)));
    }
    let system = Caller::system_for(wait.tenant_id);
    let tenant_rows = rows.as_caller(&system);
    let needs_person = wait.policy.needs_person();
    // Anyone who has the link may answer. A person of another tenant is then treated as anonymous.
    let voter =
        given.by.as_ref().filter(|voter| needs_person || voter.caller.tenant() == Some(wait.tenant_id));
    match voter {
        None if needs_person => return Ok(Err(QuestionError::SignIn)),
        Some(voter) if needs_person => {
            if let Some(reason) = voter.refusal(wait, &authors(&tenant_rows, wait.execution_id)?) {
                return Ok(Err(QuestionError::NotYours(reason)));
            }
        }
        _ => {}
    }
    let before = votes_of(&tenant_rows, wait.id)?;
    let acting = tenant_rows.with_audit_operation(AUDIT_OPERATION, voter.map(|voter| voter.user));
    let comments: String = given.comments.chars().take(MAX_COMMENT_LENGTH).collect();
    if let Some(voter) = voter {
        if let Some((_, said)) = before.iter().find(|(user, _)| *user == voter.user) {
            return Ok(Err(QuestionError::Answered(format!("you said {said}"))));
        }
        acting.insert(
            "workflow_vote",
            &[
                ("account_id", wait.account_id.into()),
                ("wait_id", wait.id.into()),
                ("user_id", voter.user.into()),
                ("status", given.status.as_str().into()),
                ("comments", comments.as_str().into()),
                ("voted_at", ValueRef::Timestamp(rows.now())),
            ],
        )?;
    }
    let mut all: Vec<&str> = before.iter().map(|(_, status)| status.as_str()).collect();
    all.push(&given.status);
    let Some(answer) = wait.policy.decision(&wait.options, &all).map(str::to_owned) else {
        let given = u32::try_from(all.len()).unwrap_or(u32::MAX);
        return Ok(Ok(Vote { answer: None, missing: wait.policy.minimum.saturating_sub(given) }));
    };
    let by = voter.map_or("whoever has the link", |voter| voter.email.as_str());
    let set = [
        ("answered_at", ValueRef::Timestamp(rows.now())),
        ("answer", answer.as_str().into()),
        ("answered_by", by.into()),
        ("comments", comments.as_str().into()),
    ];
    acting.update("workflow_wait", &[eq("id", wait.id)], &set)?;
    wake(&tenant_rows, wait.execution_id)?;
    Ok(Ok(Vote { answer: Some(answer), missing: 0 }))
}
