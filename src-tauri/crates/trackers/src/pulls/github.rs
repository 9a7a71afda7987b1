//! Pull requests of github.com and GitHub Enterprise Server.

use super::{ChangedFile, Draft, Edit, Pull, PullState, changed, find_comment, text_of};
use crate::client::{TrackerClient, needed};
use crate::failure::Failure;
use serde_json::{Value, json};

/// Mode of a file that is not executable.
const PLAIN_FILE: &str = "100644";

/// A repository and its default branch.
pub(super) struct Repository<'l> {
    line: &'l TrackerClient<'l>,
    name: &'l str,
    pub usual_branch: String,
}

fn parts<'p>(repository: &'p str, rest: &[&'p str]) -> Vec<&'p str> {
    ["repos"].into_iter().chain(repository.split('/')).chain(rest.iter().copied()).collect()
}

impl<'l> Repository<'l> {
    pub(super) async fn read(line: &'l TrackerClient<'l>, name: &'l str) -> Result<Self, Failure> {
        let found = line.get(&parts(name, &[]), &[]).await?;
        let usual_branch = needed(line, &found, "/default_branch")?.to_owned();
        Ok(Self { line, name, usual_branch })
    }

    fn parts<'p>(&'p self, rest: &[&'p str]) -> Vec<&'p str> {
        parts(self.name, rest)
    }

    /// The newest pull request from a branch of the repository itself.
    pub(super) async fn pull_of_branch(&self, branch: &str) -> Result<Option<Pull>, Failure> {
        let owner = self.name.split('/').next().unwrap_or_default();
        let head = format!("{owner}:{branch}");
        let query = [("head", head.as_str()), ("state", "all"), ("sort", "created"), ("direction", "desc")];
        let listed = self.line.get(&self.parts(&["pulls"]), &query).await?;
        // Old versions of GitHub Enterprise Server ignore `head`.
        let mut of_branch = listed.as_array().into_iter().flatten();
        of_branch.find(|one| one["head"]["ref"] == branch).map(|found| pull_of(self.line, found)).transpose()
    }

    fn branch<'p>(&'p self, branch: &'p str) -> Vec<&'p str> {
        let mut parts = self.parts(&["git", "ref", "heads"]);
        parts.extend(branch.split('/'));
        parts
    }

    pub(super) async fn has_branch(&self, branch: &str) -> Result<bool, Failure> {
        Ok(self.line.find(&self.branch(branch), &[]).await?.is_some())
    }

    /// Creates the branch with its only commit.
    pub(super) async fn commit(
        &self,
        base: &str,
        draft: &Draft,
        edit: &Edit<'_>,
    ) -> Result<Vec<ChangedFile>, Failure> {
        let head = self.line.find(&self.branch(base), &[]).await?.ok_or_else(|| {
            Failure::lasting(format!("{} of {} has no branch {base}.", self.name, self.line.who()))
        })?;
        let head = needed(self.line, &head, "/object/sha")?;
        let mut found = Vec::new();
        for path in &draft.paths {
            found.push((path.clone(), self.file(path, head).await?));
        }
        let files = changed(self.line, base, found, edit)?;
        let before = self.line.get(&self.parts(&["git", "commits", head]), &[]).await?;
        let base_tree = needed(self.line, &before, "/tree/sha")?;
        let mut entries = Vec::new();
        for file in &files {
            let mode = self.mode(base_tree, &file.path).await?;
            entries.push(json!({ "path": file.path, "mode": mode, "type": "blob", "content": file.after }));
        }
        let tree = json!({ "base_tree": base_tree, "tree": entries });
        let tree = self.line.post(&self.parts(&["git", "trees"]), &[], &tree).await?;
        let message = format!("{}\n\n{}", draft.title, draft.text);
        let commit =
            json!({ "message": message, "tree": needed(self.line, &tree, "/sha")?, "parents": [head] });
        let commit = self.line.post(&self.parts(&["git", "commits"]), &[], &commit).await?;
        let name = format!("refs/heads/{}", draft.branch);
        let branch = json!({ "ref": name, "sha": needed(self.line, &commit, "/sha")? });
        self.line.post(&self.parts(&["git", "refs"]), &[], &branch).await?;
        Ok(files)
    }

    /// The mode of an existing file, so that an executable stays one; that of a plain file for a new one. Reads one directory at a time, because a
    /// recursive listing may be very long.
    async fn mode(&self, tree: &str, path: &str) -> Result<String, Failure> {
        let mut tree = tree.to_owned();
        for step in path.split('/') {
            let listed = self.line.get(&self.parts(&["git", "trees", &tree]), &[]).await?;
            let found = listed["tree"].as_array().into_iter().flatten().find(|entry| entry["path"] == step);
            match found {
                None => break,
                Some(entry) if entry["type"] == "tree" => {
                    needed(self.line, entry, "/sha")?.clone_into(&mut tree);
                }
                Some(entry) => return Ok(needed(self.line, entry, "/mode")?.to_owned()),
            }
        }
        Ok(PLAIN_FILE.to_owned())
    }

    async fn file(&self, path: &str, commit: &str) -> Result<Option<String>, Failure> {
        let mut parts = self.parts(&["contents"]);
        parts.extend(path.split('/'));
        let Some(found) = self.line.find(&parts, &[("ref", commit)]).await? else { return Ok(None) };
        if found["type"] != "file" || found["encoding"] != "base64" {
            return Err(Failure::lasting(format!("{path} is no file that can be changed here.")));
        }
        text_of(path, found["content"].as_str().unwrap_or_default()).map(Some)
    }

    pub(super) async fn open(&self, base: &str, draft: &Draft) -> Result<Pull, Failure> {
        let body = json!({ "title": draft.title, "body": draft.text, "head": draft.branch, "base": base });
        pull_of(self.line, &self.line.post(&self.parts(&["pulls"]), &[], &body).await?)
    }
}

pub(super) async fn pull(line: &TrackerClient<'_>, repository: &str, number: u64) -> Result<Pull, Failure> {
    let number = number.to_string();
    pull_of(line, &line.get(&parts(repository, &["pulls", &number]), &[]).await?)
}

pub(super) async fn comment(
    line: &TrackerClient<'_>,
    repository: &str,
    number: u64,
    (text, marker): (&str, &str),
) -> Result<String, Failure> {
    let number = number.to_string();
    let place = parts(repository, &["issues", &number, "comments"]);
    let said = match find_comment(line, &place, marker).await? {
        Some(said) => said,
        None => line.post(&place, &[], &json!({ "body": text })).await?,
    };
    Ok(needed(line, &said, "/html_url")?.to_owned())
}

pub(super) async fn merge(
    line: &TrackerClient<'_>,
    repository: &str,
    number: u64,
    squashes: bool,
) -> Result<(), Failure> {
    let number = number.to_string();
    let body = json!({ "merge_method": if squashes { "squash" } else { "merge" } });
    line.put(&parts(repository, &["pulls", &number, "merge"]), &body).await.map(drop)
}

fn pull_of(line: &TrackerClient<'_>, found: &Value) -> Result<Pull, Failure> {
    let number =
        found["number"].as_u64().ok_or_else(|| Failure::nonsense(line.who(), "there is no number in it"))?;
    let is_merged = found["merged"] == true || found["merged_at"].is_string();
    let state = match found["state"].as_str() {
        _ if is_merged => PullState::Merged,
        Some("open") => PullState::Open,
        _ => PullState::Closed,
    };
    Ok(Pull {
        number,
        url: needed(line, found, "/html_url")?.to_owned(),
        title: found["title"].as_str().unwrap_or_default().to_owned(),
        state,
        branch: needed(line, found, "/head/ref")?.to_owned(),
        base: needed(line, found, "/base/ref")?.to_owned(),
    })
}
