//! GitHub and GitLab on loopback: real HTTP servers with one repository that stores branches, commits, pull requests and comments, and with faults
//! on demand.

pub use crate::http::ReceivedRequest;

use crate::http;
use crate::loopback::Loopback;
use crate::trackers::plain;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::io::Read;
use std::net::TcpStream;
use std::sync::{Arc, Mutex};

/// The token for both.
pub const TOKEN: &str = "test-repository-token-0123456789";
/// The only repository.
pub const REPOSITORY: &str = "acme/shop";

/// The fault of the next change.
#[derive(Debug, Clone, Copy)]
pub enum Fault {
    /// The change is made, and the connection closes before the response.
    CutOff,
    /// The change is made, and no response is sent until the client disconnects.
    Stalls,
}

type Files = BTreeMap<String, String>;

/// A pull request or merge request.
#[derive(Debug, Clone)]
pub struct Pull {
    pub number: usize,
    pub branch: String,
    pub base: String,
    pub title: String,
    pub text: String,
    /// `open`, `merged` or `closed`.
    pub state: String,
    pub comments: Vec<String>,
}

#[derive(Default)]
struct State {
    /// Commits, and also trees: each is identified by its index as text.
    commits: Vec<Files>,
    branches: BTreeMap<String, usize>,
    pulls: Vec<Pull>,
    faults: VecDeque<(String, Fault)>,
    seen: Vec<ReceivedRequest>,
}

/// Repository services that run until this value is dropped.
pub struct Repositories {
    /// `http://127.0.0.1:PORT` of both.
    pub address: String,
    state: Arc<Mutex<State>>,
    _door: Loopback,
}

impl Repositories {
    /// With these files on the branch `main`.
    pub fn start(files: &[(&str, &str)]) -> Self {
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        let state = State {
            commits: vec![files],
            branches: BTreeMap::from([("main".to_owned(), 0)]),
            ..State::default()
        };
        let state = Arc::new(Mutex::new(state));
        let theirs = Arc::clone(&state);
        let door = Loopback::on(Loopback::listener(), move |stream| serve(&theirs, stream));
        Self { address: door.address.clone(), state, _door: door }
    }

    /// Sets the fault of the next change to a path with this ending.
    pub fn fail(&self, place: &str, fault: Fault) {
        self.state.lock().unwrap().faults.push_back((place.to_owned(), fault));
    }

    pub fn pulls(&self) -> Vec<Pull> {
        self.state.lock().unwrap().pulls.clone()
    }

    /// All branches, by name.
    pub fn branches(&self) -> Vec<String> {
        self.state.lock().unwrap().branches.keys().cloned().collect()
    }

    /// The text of a file on a branch.
    pub fn file(&self, branch: &str, path: &str) -> Option<String> {
        let state = self.state.lock().unwrap();
        state.commits[*state.branches.get(branch)?].get(path).cloned()
    }

    /// Merges or closes a pull request, as a user would.
    pub fn set(&self, number: usize, pull_state: &str) {
        self.state.lock().unwrap().settle(number, pull_state);
    }

    /// All requests so far.
    pub fn seen(&self) -> Vec<ReceivedRequest> {
        self.state.lock().unwrap().seen.clone()
    }
}

impl State {
    fn settle(&mut self, number: usize, pull_state: &str) {
        let pull = &mut self.pulls[number - 1];
        pull_state.clone_into(&mut pull.state);
        if pull_state == "merged" {
            let (base, commit) = (pull.base.clone(), self.branches[&pull.branch]);
            self.branches.insert(base, commit);
        }
    }

    fn open(&mut self, body: &Value, names: [&str; 4]) -> Pull {
        let text = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
        let pull = Pull {
            number: self.pulls.len() + 1,
            branch: text(names[0]),
            base: text(names[1]),
            title: text(names[2]),
            text: text(names[3]),
            state: "open".to_owned(),
            comments: Vec::new(),
        };
        self.pulls.push(pull.clone());
        pull
    }
}

fn serve(state: &Mutex<State>, mut stream: TcpStream) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let host = format!("http://{}", stream.local_addr()?);
    let mut reader = std::io::BufReader::new(stream.try_clone()?);
    while let Some(asked) = http::read(&mut reader)? {
        let (status, body, fault) = {
            let mut state = state.lock().unwrap();
            state.seen.push(asked.clone());
            let place = state
                .faults
                .iter()
                .position(|(place, _)| asked.method != "GET" && asked.path.ends_with(place.as_str()));
            let fault = place.and_then(|place| state.faults.remove(place));
            let (status, body) = answer(&mut state, &asked, &host);
            (status, body, fault)
        };
        match fault {
            Some((_, Fault::CutOff)) => return Ok(()),
            Some((_, Fault::Stalls)) => {
                // Wait until the client closes the connection.
                let _ = reader.read(&mut [0])?;
                return Ok(());
            }
            None => {}
        }
        http::plain(&mut stream, status, &body.to_string(), None)?;
    }
    Ok(())
}

fn answer(state: &mut State, asked: &ReceivedRequest, host: &str) -> (u16, Value) {
    if asked.headers.get("authorization").is_none_or(|says| *says != format!("Bearer {TOKEN}")) {
        return (401, json!({ "message": "Bad credentials" }));
    }
    let (path, query) = asked.path.split_once('?').unwrap_or((&asked.path, ""));
    let parts: Vec<String> = path.split('/').skip(1).map(plain).collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let query: BTreeMap<String, String> = query
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (plain(name), plain(value)))
        .collect();
    let asks = Asks { method: &asked.method, body: &asked.body, query, host };
    let found = match parts.as_slice() {
        ["api", "v3", "repos", "acme", "shop", rest @ ..] => asks.github(state, rest),
        ["api", "v4", "projects", REPOSITORY, rest @ ..] => asks.gitlab(state, rest),
        _ => None,
    };
    found.unwrap_or((404, json!({ "message": "Not Found" })))
}

struct Asks<'a> {
    method: &'a str,
    body: &'a Value,
    query: BTreeMap<String, String>,
    host: &'a str,
}

impl Asks<'_> {
    fn query(&self, name: &str) -> &str {
        self.query.get(name).map_or("", String::as_str)
    }

    fn github(&self, state: &mut State, rest: &[&str]) -> Option<(u16, Value)> {
        let pull = |pull: &Pull| {
            let url = format!("{}/{REPOSITORY}/pull/{}", self.host, pull.number);
            json!({ "number": pull.number, "html_url": url, "title": pull.title, "merged": pull.state == "merged",
                "state": if pull.state == "open" { "open" } else { "closed" },
                "head": { "ref": pull.branch }, "base": { "ref": pull.base } })
        };
        let comment = |number: &str, place: usize, text: &str| json!({ "body": text, "html_url": format!("{}/{REPOSITORY}/pull/{number}#issuecomment-{place}", self.host) });
        Some(match (self.method, rest) {
            ("GET", []) => (200, json!({ "default_branch": "main" })),
            ("GET", ["git", "ref", "heads", branch @ ..]) => {
                (200, json!({ "object": { "sha": state.branches.get(&branch.join("/"))?.to_string() } }))
            }
            ("GET", ["git", "commits", commit]) => (200, json!({ "sha": commit, "tree": { "sha": commit } })),
            // One level; the files in the folder `tools` are executable.
            ("GET", ["git", "trees", tree]) => {
                let (commit, folder) = tree.split_once(':').unwrap_or((tree, ""));
                let files = &state.commits[commit.parse::<usize>().ok()?];
                let entries = files.keys().filter_map(|path| path.strip_prefix(folder)).map(|path| {
                    match path.split_once('/') {
                        Some((name, _)) => json!({ "path": name, "type": "tree", "mode": "040000", "sha": format!("{commit}:{folder}{name}/") }),
                        None => json!({ "path": path, "type": "blob", "mode": if folder == "tools/" { "100755" } else { "100644" } }),
                    }
                });
                (200, json!({ "tree": entries.collect::<Vec<_>>() }))
            }
            ("GET", ["contents", path @ ..]) => {
                let files = &state.commits[self.query("ref").parse::<usize>().ok()?];
                let content = STANDARD.encode(files.get(&path.join("/"))?);
                // In lines, as GitHub sends it.
                let lines: Vec<String> = content
                    .as_bytes()
                    .chunks(60)
                    .map(|line| String::from_utf8_lossy(line).into_owned())
                    .collect();
                (200, json!({ "type": "file", "encoding": "base64", "content": lines.join("\n") }))
            }
            ("POST", ["git", "trees"]) => {
                let mut files =
                    state.commits[self.body["base_tree"].as_str()?.parse::<usize>().ok()?].clone();
                for entry in self.body["tree"].as_array()? {
                    files.insert(entry["path"].as_str()?.to_owned(), entry["content"].as_str()?.to_owned());
                }
                state.commits.push(files);
                (201, json!({ "sha": (state.commits.len() - 1).to_string() }))
            }
            ("POST", ["git", "commits"]) => (201, json!({ "sha": self.body["tree"] })),
            ("POST", ["git", "refs"]) => {
                let name = self.body["ref"].as_str()?.strip_prefix("refs/heads/")?.to_owned();
                if state.branches.contains_key(&name) {
                    return Some((422, json!({ "message": "Reference already exists" })));
                }
                state.branches.insert(name, self.body["sha"].as_str()?.parse().ok()?);
                (201, json!({}))
            }
            ("GET", ["pulls"]) => {
                let head = self.query("head").strip_prefix("acme:")?;
                let found: Vec<Value> =
                    state.pulls.iter().filter(|one| one.branch == head).map(pull).collect();
                (200, json!(found))
            }
            ("POST", ["pulls"]) => (201, pull(&state.open(self.body, ["head", "base", "title", "body"]))),
            ("GET", ["pulls", number]) => (200, pull(state.pulls.get(number.parse::<usize>().ok()? - 1)?)),
            ("PUT", ["pulls", number, "merge"]) => {
                state.settle(number.parse().ok()?, "merged");
                (200, json!({ "merged": true }))
            }
            (method, ["issues", number, "comments"]) => {
                let comments = &mut state.pulls.get_mut(number.parse::<usize>().ok()? - 1)?.comments;
                if method == "POST" {
                    comments.push(self.body["body"].as_str()?.to_owned());
                    return Some((201, comment(number, comments.len(), &comments[comments.len() - 1])));
                }
                (
                    200,
                    comments
                        .iter()
                        .enumerate()
                        .map(|(place, text)| comment(number, place + 1, text))
                        .collect(),
                )
            }
            _ => return None,
        })
    }

    fn gitlab(&self, state: &mut State, rest: &[&str]) -> Option<(u16, Value)> {
        let pull = |pull: &Pull| {
            let url = format!("{}/{REPOSITORY}/-/merge_requests/{}", self.host, pull.number);
            json!({ "iid": pull.number, "web_url": url, "title": pull.title, "source_branch": pull.branch, "target_branch": pull.base,
                "state": if pull.state == "open" { "opened" } else { &pull.state } })
        };
        Some(match (self.method, rest) {
            ("GET", []) => (200, json!({ "default_branch": "main" })),
            ("GET", ["repository", "branches", branch]) => {
                (200, json!({ "commit": { "id": state.branches.get(*branch)?.to_string() } }))
            }
            ("GET", ["repository", "files", path]) => {
                let files = &state.commits[self.query("ref").parse::<usize>().ok()?];
                (200, json!({ "encoding": "base64", "content": STANDARD.encode(files.get(*path)?) }))
            }
            ("POST", ["repository", "commits"]) => {
                let name = self.body["branch"].as_str()?.to_owned();
                if state.branches.contains_key(&name) {
                    return Some((400, json!({ "message": "A branch called that already exists" })));
                }
                let mut files =
                    state.commits[self.body["start_sha"].as_str()?.parse::<usize>().ok()?].clone();
                for action in self.body["actions"].as_array()? {
                    let path = action["file_path"].as_str()?.to_owned();
                    if (action["action"] == "update") != files.contains_key(&path) {
                        return Some((400, json!({ "message": "A file with this name is or is not there" })));
                    }
                    files.insert(path, action["content"].as_str()?.to_owned());
                }
                state.commits.push(files);
                state.branches.insert(name, state.commits.len() - 1);
                (201, json!({ "id": (state.commits.len() - 1).to_string() }))
            }
            ("GET", ["merge_requests"]) => {
                let branch = self.query("source_branch");
                let found: Vec<Value> =
                    state.pulls.iter().filter(|one| one.branch == branch).map(pull).collect();
                (200, json!(found))
            }
            ("POST", ["merge_requests"]) => (
                201,
                pull(&state.open(self.body, ["source_branch", "target_branch", "title", "description"])),
            ),
            ("GET", ["merge_requests", number]) => {
                (200, pull(state.pulls.get(number.parse::<usize>().ok()? - 1)?))
            }
            ("PUT", ["merge_requests", number, "merge"]) => {
                state.settle(number.parse().ok()?, "merged");
                (200, json!({ "state": "merged" }))
            }
            (method, ["merge_requests", number, "notes"]) => {
                let notes = &mut state.pulls.get_mut(number.parse::<usize>().ok()? - 1)?.comments;
                if method == "POST" {
                    notes.push(self.body["body"].as_str()?.to_owned());
                    return Some((201, json!({ "id": notes.len() })));
                }
                (
                    200,
                    notes
                        .iter()
                        .enumerate()
                        .map(|(place, text)| json!({ "id": place + 1, "body": text }))
                        .collect(),
                )
            }
            _ => return None,
        })
    }
}
