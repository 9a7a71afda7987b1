//! The plan of a recommendation: the change as text, patch and commands, with the inverse commands. Nothing is read from the database or executed
//! here.
//!
//! Nothing is guessed: if the figures of a recommendation do not say what to change, there are no commands.

mod aws;
mod kubernetes;

pub(super) use kubernetes::{WantedAmount, wanted_of};
use serde_json::Value;

/// The input of a plan.
pub(super) struct Subject<'a> {
    pub title: String,
    /// The recommendation's JSON.
    pub details: &'a Value,
    /// The account's name; for a cluster, the name of its kubectl context.
    pub account_name: &'a str,
}

/// The plan of a recommendation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ChangePlan {
    /// The plan as readable text.
    pub text: String,
    /// A patch for a repository or for `kubectl patch`.
    pub patch: Option<String>,
    /// The change in the form that the task `scm.create_pull_request` applies to a manifest.
    pub resources: Option<Value>,
    /// The program that applies the change; `None` if only a person can.
    pub program: Option<Program>,
    /// The program's arguments, one list per call, in order.
    pub commands: Vec<Vec<String>>,
    /// The calls that undo the change.
    pub inverse: Vec<Vec<String>>,
}

/// A program that a workflow task runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Program {
    Aws,
    Kubectl,
}

impl Program {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Aws => "aws",
            Self::Kubectl => "kubectl",
        }
    }

    /// The workflow task type that runs the program.
    pub(super) fn task(self) -> &'static str {
        match self {
            Self::Aws => "cloud.aws.cli",
            Self::Kubectl => "cloud.k8s.cli",
        }
    }
}

impl ChangePlan {
    /// Whether kubectl could apply the change if the account's name were a valid context name.
    pub(super) fn lacks_context(&self) -> bool {
        self.resources.is_some() && self.program.is_none()
    }

    /// The commands as shell command lines.
    pub(super) fn lines(&self) -> Vec<String> {
        let Some(program) = self.program else { return Vec::new() };
        let line = |arguments: &Vec<String>| {
            let words = arguments.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
            format!("{} {words}", program.name())
        };
        self.commands.iter().map(line).collect()
    }
}

/// A word of a shell command line, quoted if necessary.
fn quoted(word: &str) -> String {
    let is_plain = !word.is_empty()
        && word.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-./:=,@+".contains(letter));
    if is_plain { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// The plan of a recommendation.
pub(super) fn plan(subject: &Subject<'_>) -> ChangePlan {
    let found =
        kubernetes::resources(subject).or_else(|| aws::instance(subject)).or_else(|| aws::volume(subject));
    found.unwrap_or_else(|| ChangePlan {
        text: format!(
            "{}\n\nThe recommendation does not say which setting to change to what: a person carries it out, and the next import shows it.",
            subject.title
        ),
        ..ChangePlan::default()
    })
}

/// Adds the text of a plan: title, change and commands.
fn told(title: &str, change: &str, plan: ChangePlan) -> ChangePlan {
    let lines = plan.lines();
    let steps = if lines.is_empty() { String::new() } else { format!("\n\n{}", lines.join("\n")) };
    ChangePlan { text: format!("{title}\n\n{change}{steps}"), ..plan }
}

#[cfg(test)]
mod tests {
    use super::{Subject, plan, quoted};
    use serde_json::json;

    #[test]
    fn words_that_a_shell_would_read_otherwise_are_quoted() {
        assert_eq!(quoted("--requests=cpu=100m,memory=1Gi"), "--requests=cpu=100m,memory=1Gi");
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("it's; rm"), "'it'\\''s; rm'");
    }

    #[test]
    fn what_is_not_known_is_not_guessed() {
        let details = json!({ "title": "Encrypt the bucket" });
        let subject =
            Subject { title: "Encrypt the bucket".to_owned(), details: &details, account_name: "x" };
        let plan = plan(&subject);
        assert!(plan.commands.is_empty() && plan.patch.is_none() && plan.program.is_none());
        assert!(plan.text.starts_with("Encrypt the bucket\n\n"));
    }
}
