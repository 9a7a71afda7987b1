//! What carrying a recommendation out would do: as a text, as a patch, as commands, with the way back. Nothing is read or done here.
//!
//! What is not known is not guessed: where the figures of a recommendation do not say what to change, there are no commands.

mod aws;
mod kubernetes;

pub(super) use kubernetes::{WantedAmount, wanted_of};
use serde_json::Value;

/// What a plan is made of.
pub(super) struct Subject<'a> {
    pub title: String,
    /// The recommendation's JSON.
    pub details: &'a Value,
    /// The account's name: of a cluster, what its context is called.
    pub account_name: &'a str,
}

/// How a recommendation is carried out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ChangePlan {
    /// For a person.
    pub text: String,
    /// What is written into a repository or given to `kubectl patch`.
    pub patch: Option<String>,
    /// The same for the task `scm.create_pull_request`, which puts it into a manifest.
    pub resources: Option<Value>,
    /// The program that carries it out; none where only a person can.
    pub program: Option<Program>,
    /// Arguments of the program, one list a call, in order.
    pub commands: Vec<Vec<String>>,
    /// The calls that take it back.
    pub inverse: Vec<Vec<String>>,
}

/// A program, and the task of a workflow that runs it.
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

    pub(super) fn task(self) -> &'static str {
        match self {
            Self::Aws => "cloud.aws.cli",
            Self::Kubectl => "cloud.k8s.cli",
        }
    }
}

impl ChangePlan {
    /// Whether kubectl could carry it out if the account were called as its context is.
    pub(super) fn lacks_context(&self) -> bool {
        self.resources.is_some() && self.program.is_none()
    }

    /// The commands as a person would type them.
    pub(super) fn lines(&self) -> Vec<String> {
        let Some(program) = self.program else { return Vec::new() };
        let line = |arguments: &Vec<String>| {
            let words = arguments.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
            format!("{} {words}", program.name())
        };
        self.commands.iter().map(line).collect()
    }
}

/// A word of a command line; quotes where a shell would read it otherwise.
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

/// The text of a plan: what, then step by step.
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
