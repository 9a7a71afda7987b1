//! Merge requests of GitLab, API version 4.

use super::{ChangedFile, Draft, Edit, Pull, PullState, changed, find_comment, text_of};
use crate::client::{TrackerClient, needed};
use crate::failure::Failure;
use serde_json::{Value, json};

/// A project and its default branch.
pub(super) struct Project<'l> {
    line: &'l TrackerClient<'l>,
    name: &'l str,
    pub usual_branch: String,
}

/// The path of a project is a single, encoded path segment.
fn parts<'p>(project: &'p str, rest: &[&'p str]) -> Vec<&'p str> {
    ["api", "v4", "projects", project].into_iter().chain(rest.iter().copied()).collect()
}

impl<'l> Project<'l> {
    pub(super) async fn read(line: &'l TrackerClient<'l>, name: &'l str) -> Result<Self, Failure> {
        let found = line.get(&parts(name, &[]), &[]).await?;
        let usual_branch = needed(line, &found, "/default_branch")?.to_owned();
        Ok(Self { line, name, usual_branch })
    }

    fn parts<'p>(&'p self, rest: &[&'p str]) -> Vec<&'p str> {
        parts(self.name, rest)
    }

    /// The newest merge request of a branch.
    pub(super) async fn pull_of_branch(&self, branch: &str) -> Result<Option<Pull>, Failure> {
        let query = [("source_branch", branch), ("state", "all"), ("order_by", "created_at")];
        let listed = self.line.get(&self.parts(&["merge_requests"]), &query).await?;
        let mut of_branch = listed.as_array().into_iter().flatten();
        of_branch
            .find(|one| one["source_branch"] == branch)
            .map(|found| pull_of(self.line, found))
            .transpose()
    }

    pub(super) async fn has_branch(&self, branch: &str) -> Result<bool, Failure> {
        Ok(self.line.find(&self.parts(&["repository", "branches", branch]), &[]).await?.is_some())
    }

    /// Creates the branch with its only commit.
    pub(super) async fn commit(
        &self,
        base: &str,
        draft: &Draft,
        edit: &Edit<'_>,
    ) -> Result<Vec<ChangedFile>, Failure> {
        let head = self.line.find(&self.parts(&["repository", "branches", base]), &[]).await?;
        let head = head.ok_or_else(|| {
            Failure::lasting(format!("{} of {} has no branch {base}.", self.name, self.line.who()))
        })?;
        let head = needed(self.line, &head, "/commit/id")?;
        let mut found = Vec::new();
        for path in &draft.paths {
            found.push((path.clone(), self.file(path, head).await?));
        }
        let files = changed(self.line, base, found, edit)?;
        let action = |file: &ChangedFile| {
            let action = if file.before.is_some() { "update" } else { "create" };
            json!({ "action": action, "file_path": file.path, "content": file.after })
        };
        let body = json!({
            "branch": draft.branch,
            "start_sha": head,
            "commit_message": format!("{}\n\n{}", draft.title, draft.text),
            "actions": files.iter().map(action).collect::<Vec<_>>(),
        });
        self.line.post(&self.parts(&["repository", "commits"]), &[], &body).await?;
        Ok(files)
    }

    async fn file(&self, path: &str, commit: &str) -> Result<Option<String>, Failure> {
        let place = self.parts(&["repository", "files", path]);
        let Some(found) = self.line.find(&place, &[("ref", commit)]).await? else { return Ok(None) };
        text_of(path, found["content"].as_str().unwrap_or_default()).map(Some)
    }

    pub(super) async fn open(&self, base: &str, draft: &Draft) -> Result<Pull, Failure> {
        let body = json!({
            "source_branch": draft.branch,
            "target_branch": base,
            "title": draft.title,
            "description": draft.text,
            "remove_source_branch": true,
        });
        pull_of(self.line, &self.line.post(&self.parts(&["merge_requests"]), &[], &body).await?)
    }
}

pub(super) async fn pull(line: &TrackerClient<'_>, project: &str, number: u64) -> Result<Pull, Failure> {
    let number = number.to_string();
    pull_of(line, &line.get(&parts(project, &["merge_requests", &number]), &[]).await?)
}

pub(super) async fn comment(
    line: &TrackerClient<'_>,
    project: &str,
    number: u64,
    (text, marker): (&str, &str),
) -> Result<String, Failure> {
    let number = number.to_string();
    let place = parts(project, &["merge_requests", &number, "notes"]);
    let url = needed(line, &line.get(&parts(project, &["merge_requests", &number]), &[]).await?, "/web_url")?
        .to_owned();
    let note = match find_comment(line, &place, marker).await? {
        Some(note) => note,
        None => line.post(&place, &[], &json!({ "body": text })).await?,
    };
    Ok(format!("{url}#note_{}", note["id"]))
}

pub(super) async fn merge(
    line: &TrackerClient<'_>,
    project: &str,
    number: u64,
    squashes: bool,
) -> Result<(), Failure> {
    let number = number.to_string();
    line.put(&parts(project, &["merge_requests", &number, "merge"]), &json!({ "squash": squashes }))
        .await
        .map(drop)
}

fn pull_of(line: &TrackerClient<'_>, found: &Value) -> Result<Pull, Failure> {
    let number =
        found["iid"].as_u64().ok_or_else(|| Failure::nonsense(line.who(), "there is no iid in it"))?;
    let state = match found["state"].as_str() {
        Some("merged") => PullState::Merged,
        // `locked` is the state while it is being merged.
        Some("opened" | "locked") => PullState::Open,
        _ => PullState::Closed,
    };
    Ok(Pull {
        number,
        url: needed(line, found, "/web_url")?.to_owned(),
        title: found["title"].as_str().unwrap_or_default().to_owned(),
        state,
        branch: needed(line, found, "/source_branch")?.to_owned(),
        base: needed(line, found, "/target_branch")?.to_owned(),
    })
}
