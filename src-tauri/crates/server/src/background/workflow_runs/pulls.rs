//! Runs tasks about pull requests.

use automation::changes::shown;
use automation::plan::TaskFailure;
use automation::services::pulls::{PullAction, PullTask};
use outgoing::OutgoingSettings;
use serde::Serialize;
use serde_json::Value;
use std::time::Duration;
use trackers::Failure;
use trackers::pulls::{self, Draft, Host, Place, Pull, PullState};

/// The result of such a task.
#[derive(Debug, Serialize)]
struct PullAnswer {
    number: u64,
    url: String,
    state: &'static str,
    title: String,
    branch: String,
    base: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    was_there: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    patch: Option<String>,
    /// For the tasks about clusters, which all have a status.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
}

impl From<Pull> for PullAnswer {
    fn from(pull: Pull) -> Self {
        Self {
            number: pull.number,
            url: pull.url,
            state: pull.state.name(),
            title: pull.title,
            branch: pull.branch,
            base: pull.base,
            was_there: None,
            patch: None,
            status: None,
        }
    }
}

/// The location of a comment.
#[derive(Debug, Serialize)]
struct CommentAnswer {
    url: String,
}

fn failed(failure: &Failure) -> TaskFailure {
    TaskFailure::new(if failure.is_final { "Repository" } else { "Network" }, failure.message.clone())
}

fn given(answer: &impl Serialize) -> Result<Value, TaskFailure> {
    serde_json::to_value(answer).map_err(|error| TaskFailure::new("Repository", error.to_string()))
}

/// Performs the action of a task on a repository within its timeout. `now` is in µs since 1970 UTC.
pub(super) async fn carry_out(
    way: &OutgoingSettings,
    task: PullTask,
    now: i64,
) -> Result<Value, TaskFailure> {
    let patience = Duration::from_micros(u64::try_from(task.timeout).unwrap_or_default());
    tokio::time::timeout(patience, act(way, task, now)).await.unwrap_or_else(|_| {
        Err(TaskFailure {
            kind: "Timeout".to_owned(),
            message: format!("the repository gave no answer within {} s", patience.as_secs_f32()),
            is_timeout: true,
        })
    })
}

async fn act(way: &OutgoingSettings, task: PullTask, now: i64) -> Result<Value, TaskFailure> {
    let wrong = |why: String| TaskFailure::new("InvalidParameters", why);
    let place = Place::read(&task.provider, &task.base_url, &task.repository).map_err(wrong)?;
    let host = Host::new(&place, task.token.into());
    let there = (&host, place.repository.as_str());
    match task.action {
        PullAction::Open { branch, base, title, text, changes } => {
            for change in &changes {
                pulls::check_path(&change.path).map_err(wrong)?;
            }
            let paths = changes.iter().map(|change| change.path.clone()).collect();
            let draft = Draft { branch, base, title, text, paths };
            let edit = |path: &str, before: Option<&str>| {
                let change = changes.iter().find(|change| change.path == path);
                change.ok_or_else(|| "no change was asked for".to_owned())?.apply(before)
            };
            let opened =
                pulls::open(way, there, &draft, &edit, now).await.map_err(|failure| failed(&failure))?;
            let patch: String = opened
                .files
                .iter()
                .map(|file| shown(&file.path, file.before.as_deref(), &file.after))
                .collect();
            given(&PullAnswer {
                was_there: Some(opened.was_there),
                patch: Some(patch).filter(|patch| !patch.is_empty()),
                status: Some("pull_request"),
                ..PullAnswer::from(opened.pull)
            })
        }
        PullAction::Read { number, until_merged } => {
            let pull = pulls::read(way, there, number, now).await.map_err(|failure| failed(&failure))?;
            match pull.state {
                PullState::Open if until_merged => {
                    Err(TaskFailure::new("PullRequestOpen", format!("{} waits to be merged", pull.url)))
                }
                PullState::Closed if until_merged => Err(TaskFailure::new(
                    "PullRequestClosed",
                    format!("{} was closed without a merge", pull.url),
                )),
                _ => given(&PullAnswer::from(pull)),
            }
        }
        PullAction::Comment { number, text, marker } => {
            let url = pulls::comment(way, there, number, (&text, &marker), now).await;
            given(&CommentAnswer { url: url.map_err(|failure| failed(&failure))? })
        }
        PullAction::Merge { number, squashes } => {
            let pull = pulls::merge(way, there, number, squashes, now).await;
            given(&PullAnswer::from(pull.map_err(|failure| failed(&failure))?))
        }
    }
}
