//! Pull requests of GitHub and merge requests of GitLab, both called pull requests here: opens them with changed files, reads, comments and merges
//! them.
//!
//! Operations are idempotent: the caller names the branch, and an existing branch, pull request or comment with that name is reused. A branch and
//! its only commit are created in one call, therefore an existing branch has all of its changes.

mod github;
mod gitlab;

use crate::client::TrackerClient;
use crate::failure::Failure;
use crate::tool::Tool;
use crate::{Auth, Tracker};
use outgoing::OutgoingSettings;
use serde_json::Value;
use url::Url;
use zeroize::Zeroizing;

/// Maximum size of a changed file, bytes.
const LARGEST_FILE: usize = 1024 * 1024;
/// Maximum number of pages of comments that are searched, and their size.
const PAGES: usize = 10;
const PAGE: usize = 100;

/// A repository service, with its credentials.
#[derive(Clone)]
pub struct Host {
    tracker: Tracker,
}

impl std::fmt::Debug for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Host")
            .field("tool", &self.tracker.tool)
            .field("base", &self.tracker.base)
            .finish_non_exhaustive()
    }
}

/// The location of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub tool: Tool,
    /// The base URL of its API.
    pub base: Url,
    /// The tool's name for the repository: see [`Tool::check_project`].
    pub repository: String,
}

impl Place {
    /// A repository of GitHub or GitLab. An error names the invalid parameter.
    pub fn read(provider: &str, base_url: &str, repository: &str) -> Result<Self, String> {
        let tool = match provider.trim().to_ascii_lowercase().as_str() {
            "github" => Tool::GitHub,
            "gitlab" => Tool::GitLab,
            "" => return Err("provider is missing: expected github or gitlab".to_owned()),
            other => return Err(format!("provider is \"{other}\": expected github or gitlab")),
        };
        let base = tool.base(base_url).map_err(|why| format!("base_url {why}"))?;
        let repository = repository.trim().trim_end_matches(".git");
        tool.check_project(repository).map_err(|why| format!("repository is \"{repository}\": {why}"))?;
        Ok(Self { tool, base, repository: repository.to_owned() })
    }
}

impl Host {
    pub fn new(place: &Place, token: Zeroizing<String>) -> Self {
        let name = place.base.host_str().unwrap_or_default().to_owned();
        let tracker = Tracker {
            tool: place.tool,
            name,
            base: place.base.clone(),
            username: String::new(),
            auth: Auth::Token,
            secret: token,
        };
        Self { tracker }
    }
}

/// A pull request to be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// The branch of its commit.
    pub branch: String,
    /// The target branch; the default branch of the repository if `None`.
    pub base: Option<String>,
    pub title: String,
    pub text: String,
    /// The files to change.
    pub paths: Vec<String>,
}

/// The state of a pull request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PullState {
    Open,
    Merged,
    /// Closed without a merge.
    Closed,
}

impl PullState {
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Merged => "merged",
            Self::Closed => "closed",
        }
    }
}

/// A pull request in the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pull {
    pub number: u64,
    pub url: String,
    pub title: String,
    pub state: PullState,
    pub branch: String,
    pub base: String,
}

/// A file before and after the change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedFile {
    pub path: String,
    /// `None` for a new file.
    pub before: Option<String>,
    pub after: String,
}

/// The result of opening a pull request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenedPull {
    pub pull: Pull,
    /// Whether the pull request existed already.
    pub was_there: bool,
    /// Empty if the branch existed already.
    pub files: Vec<ChangedFile>,
}

/// Edits a file: takes its path and text (`None` if it does not exist), and returns the new text.
pub type Edit<'e> = dyn Fn(&str, Option<&str>) -> Result<String, String> + Sync + 'e;

/// The comment that contains the marker.
async fn find_comment(
    line: &TrackerClient<'_>,
    place: &[&str],
    marker: &str,
) -> Result<Option<Value>, Failure> {
    for page in 1..=PAGES {
        let (size, page) = (PAGE.to_string(), page.to_string());
        let listed = line.get(place, &[("per_page", &size), ("page", &page)]).await?;
        let listed =
            listed.as_array().ok_or_else(|| Failure::nonsense(line.who(), "it lists no comments"))?;
        let is_said = |one: &&Value| one["body"].as_str().is_some_and(|text| text.contains(marker));
        if let Some(said) = listed.iter().find(is_said) {
            return Ok(Some(said.clone()));
        }
        if listed.len() < PAGE {
            break;
        }
    }
    Ok(None)
}

fn is_github(line: &TrackerClient<'_>) -> bool {
    line.tracker.tool == Tool::GitHub
}

/// Opens a pull request, or returns the existing one of the branch. `now` is µs since 1970 UTC.
pub async fn open(
    way: &OutgoingSettings,
    (host, repository): (&Host, &str),
    draft: &Draft,
    edit: &Edit<'_>,
    now: i64,
) -> Result<OpenedPull, Failure> {
    let line = TrackerClient::open(way, &host.tracker, now)?;
    let there = |pull| OpenedPull { pull, was_there: true, files: Vec::new() };
    if is_github(&line) {
        let repo = github::Repository::read(&line, repository).await?;
        if let Some(found) = repo.pull_of_branch(&draft.branch).await? {
            return Ok(there(found));
        }
        let base = draft.base.as_deref().unwrap_or(&repo.usual_branch);
        let files = if repo.has_branch(&draft.branch).await? {
            Vec::new()
        } else {
            repo.commit(base, draft, edit).await?
        };
        let pull = repo.open(base, draft).await?;
        return Ok(OpenedPull { pull, was_there: false, files });
    }
    let project = gitlab::Project::read(&line, repository).await?;
    if let Some(found) = project.pull_of_branch(&draft.branch).await? {
        return Ok(there(found));
    }
    let base = draft.base.as_deref().unwrap_or(&project.usual_branch);
    let files = if project.has_branch(&draft.branch).await? {
        Vec::new()
    } else {
        project.commit(base, draft, edit).await?
    };
    let pull = project.open(base, draft).await?;
    Ok(OpenedPull { pull, was_there: false, files })
}

/// A pull request by its number.
pub async fn read(
    way: &OutgoingSettings,
    (host, repository): (&Host, &str),
    number: u64,
    now: i64,
) -> Result<Pull, Failure> {
    let line = TrackerClient::open(way, &host.tracker, now)?;
    if is_github(&line) {
        return github::pull(&line, repository, number).await;
    }
    gitlab::pull(&line, repository, number).await
}

/// Adds a comment to a pull request, unless one contains `marker`. Returns its URL.
pub async fn comment(
    way: &OutgoingSettings,
    (host, repository): (&Host, &str),
    number: u64,
    (text, marker): (&str, &str),
    now: i64,
) -> Result<String, Failure> {
    let line = TrackerClient::open(way, &host.tracker, now)?;
    let whole = format!("{}\n\n<!-- {marker} -->", text.trim());
    if is_github(&line) {
        return github::comment(&line, repository, number, (&whole, marker)).await;
    }
    gitlab::comment(&line, repository, number, (&whole, marker)).await
}

/// Merges a pull request, unless it is merged already. `squashes` combines its commits into one.
pub async fn merge(
    way: &OutgoingSettings,
    (host, repository): (&Host, &str),
    number: u64,
    squashes: bool,
    now: i64,
) -> Result<Pull, Failure> {
    let line = TrackerClient::open(way, &host.tracker, now)?;
    let pull = read(way, (host, repository), number, now).await?;
    match pull.state {
        PullState::Merged => return Ok(pull),
        PullState::Closed => {
            return Err(Failure::lasting(format!("{} was closed, and is not merged.", pull.url)));
        }
        PullState::Open => {}
    }
    if is_github(&line) {
        github::merge(&line, repository, number, squashes).await?;
    } else {
        gitlab::merge(&line, repository, number, squashes).await?;
    }
    Ok(Pull { state: PullState::Merged, ..pull })
}

/// The files of a draft after the edit, without unchanged ones; an error if none changes.
fn changed(
    line: &TrackerClient<'_>,
    base: &str,
    found: Vec<(String, Option<String>)>,
    edit: &Edit<'_>,
) -> Result<Vec<ChangedFile>, Failure> {
    let mut files = Vec::new();
    for (path, before) in found {
        let after = edit(&path, before.as_deref())
            .map_err(|why| Failure::lasting(format!("{path} of {}: {why}", line.who())))?;
        if before.as_deref() != Some(after.as_str()) {
            files.push(ChangedFile { path, before, after });
        }
    }
    if files.is_empty() {
        let message = format!("There is nothing to change: the files of {base} are as they are to be.");
        return Err(Failure::lasting(message));
    }
    Ok(files)
}

/// The text of a base64-encoded file.
fn text_of(path: &str, content: &str) -> Result<String, Failure> {
    use base64::Engine;
    let packed: String = content.chars().filter(|letter| !letter.is_whitespace()).collect();
    let bytes = base64::engine::general_purpose::STANDARD.decode(packed);
    let text = bytes
        .ok()
        .filter(|bytes| bytes.len() <= LARGEST_FILE)
        .and_then(|bytes| String::from_utf8(bytes).ok());
    text.ok_or_else(|| {
        Failure::lasting(format!("{path} is no text of at most {LARGEST_FILE} bytes, and so is not changed."))
    })
}

/// Checks that a path is relative and below the root of a repository.
pub fn check_path(path: &str) -> Result<(), String> {
    let is_part = |part: &str| !part.is_empty() && part != "." && part != ".." && part != ".git";
    let is_fine = path.len() <= 500 && path.split('/').all(is_part) && !path.contains(['\\', '\0', '\n']);
    if is_fine {
        Ok(())
    } else {
        Err(format!("\"{path}\" is no path below the root of a repository, such as deploy/web.yaml"))
    }
}
