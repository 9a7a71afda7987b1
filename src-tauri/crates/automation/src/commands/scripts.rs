//! `scripting.run_script`: runs a script from a private file with its interpreter, isolated from the service's environment.

use super::setup::{Environment, FILE, OutputFormat, PrivateFile, ProgramSetup};
use super::tools::{PreparedCommand, refuse_secrets};
use crate::template::to_text;
use serde_json::{Map, Value};

pub(super) const KIND: &str = "scripting.run_script";

/// Languages: name, interpreter, file extension, arguments before the file.
const LANGUAGES: [(&str, &str, &str, &[&str]); 4] = [
    ("bash", "bash", "sh", &["--noprofile", "--norc"]),
    ("javascript", "node", "js", &[]),
    ("powershell", "pwsh", "ps1", &["-NoProfile", "-NonInteractive", "-File"]),
    ("python", "python3", "py", &["-I"]),
];

const LONGEST: usize = 256 * 1024;

/// Interpreters, for the setting that allows programs.
pub const INTERPRETERS: [&str; 4] = ["bash", "node", "pwsh", "python3"];

fn language(
    params: &Value,
) -> Result<&'static (&'static str, &'static str, &'static str, &'static [&'static str]), String> {
    let given = to_text(&params["language"]).trim().to_lowercase();
    let script = to_text(&params["script"]);
    let wanted = if given.is_empty() { by_first_line(&script) } else { given.as_str() };
    LANGUAGES.iter().find(|(name, ..)| *name == wanted).ok_or_else(|| {
        format!("language: expected bash, javascript, powershell or python, found \"{given}\"")
    })
}

/// The language in the first line of a script (shebang); bash by default.
fn by_first_line(script: &str) -> &'static str {
    let first = script.trim_start().lines().next().filter(|line| line.starts_with("#!")).unwrap_or_default();
    let kinds = [("python", "python"), ("node", "javascript"), ("pwsh", "powershell")];
    kinds.iter().find(|(word, _)| first.contains(word)).map_or("bash", |(_, language)| language)
}

pub(super) fn program(params: &Value) -> Result<&'static str, String> {
    language(params).map(|(_, program, ..)| *program)
}

/// Checks the parameters.
pub(super) fn check(params: &Value) -> Result<(), String> {
    language(params)?;
    let text = |name: &str| to_text(&params[name]).trim().to_owned();
    let script = to_text(&params["script"]);
    if script.trim().is_empty() || script.len() > LONGEST || script.contains('\0') {
        return Err(format!("script: expected a script of {LONGEST} bytes at most"));
    }
    match text("executor_type").as_str() {
        "" | "local" => {}
        "ssh" => return Err("executor_type: integrations.ssh runs commands on other machines".to_owned()),
        other => {
            return Err(format!(
                "executor_type is \"{other}\": scripts run on the machine of the service alone; cloud.aws.cli, cloud.azure.cli and cloud.gcp.cli start commands on machines of a cloud"
            ));
        }
    }
    for (name, instead) in [
        ("cwd", "a script has a folder of its own, which is gone when it ends"),
        ("image", "no container is started"),
        ("resources", "the time-out of the task is the limit"),
    ] {
        if !matches!(&params[name], Value::Null) && !text(name).is_empty() && text(name) != "{}" {
            return Err(format!("{name} is not supported: {instead}"));
        }
    }
    if !matches!(text("parser_type").as_str(), "" | "json" | "text") {
        return Err(format!("parser_type: expected json or nothing, found \"{}\"", text("parser_type")));
    }
    if !matches!(&params["args"], Value::Null | Value::Array(_)) {
        return Err("args: expected a list of arguments".to_owned());
    }
    environment(params).map(drop)
}

fn environment(params: &Value) -> Result<Environment, String> {
    let mut environment = Environment::default();
    match &params["env"] {
        Value::Null => {}
        Value::Object(fields) => {
            for (name, value) in fields {
                let is_name = name.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
                    && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
                let value = to_text(value);
                if !is_name || value.contains('\0') {
                    return Err(format!("env: expected names of letters, digits and _, found \"{name}\""));
                }
                environment.0.push((name.clone(), value));
            }
        }
        other => return Err(format!("env: expected an object, found {other}")),
    }
    Ok(environment)
}

pub(super) fn make(
    params: &Value,
    secrets: &Map<String, Value>,
) -> Result<(&'static str, PreparedCommand), String> {
    check(params)?;
    let (_, program, ending, before) = language(params)?;
    let given: Vec<String> =
        params["args"].as_array().map(|list| list.iter().map(to_text).collect()).unwrap_or_default();
    refuse_secrets(&given, secrets).map_err(|_| {
        "args: they hold a secret, and arguments can be read by other users of the machine: give it in env".to_owned()
    })?;
    let mut arguments: Vec<String> = before.iter().map(|word| (*word).to_owned()).collect();
    arguments.push(FILE.to_owned());
    arguments.extend(given);
    let file = PrivateFile { name: format!("script.{ending}"), text: to_text(&params["script"]) };
    let is_json = to_text(&params["parser_type"]).trim() == "json";
    let setup = ProgramSetup {
        is_apart: true,
        environment: environment(params)?,
        file: Some(file),
        output: if is_json { OutputFormat::Json } else { OutputFormat::Text },
        ..ProgramSetup::default()
    };
    Ok((program, (arguments, setup)))
}

#[cfg(test)]
mod tests {
    use super::super::{FILE, OutputFormat, program_call};
    use serde_json::{Map, json};

    #[test]
    fn a_script_stands_in_a_private_file_and_secrets_in_its_environment() {
        let secrets = Map::from_iter([("TOKEN".to_owned(), json!("hunter2"))]);
        let params = json!({ "script": "#!/usr/bin/env python3\nprint(1)", "args": ["a b"], "env": { "TOKEN": "hunter2" }, "parser_type": "json" });
        let call = program_call("scripting.run_script", &params, &secrets, 1).unwrap();
        assert_eq!((call.program, call.calls[0].join(" ")), ("python3", format!("-I {FILE} a b")));
        assert_eq!((call.setup.output, call.setup.is_apart), (OutputFormat::Json, true));
        assert_eq!(call.setup.file.as_ref().unwrap().name, "script.py");
        assert!(!format!("{call:?}").contains("hunter2"));
        for (params, expected) in [
            (json!({ "script": "date", "args": ["hunter2"] }), "args: they hold a secret"),
            (json!({ "script": "date", "language": "perl" }), "language: expected bash"),
            (json!({ "script": " " }), "script: expected a script"),
            (json!({ "script": "date", "cwd": "/" }), "cwd is not supported"),
            (json!({ "script": "date", "executor_type": "ssh" }), "executor_type: integrations.ssh"),
            (json!({ "script": "date", "env": { "A=B": "c" } }), "env: expected names"),
        ] {
            let reason = program_call("scripting.run_script", &params, &secrets, 1).unwrap_err();
            assert!(reason.starts_with(expected), "{reason}");
        }
    }
}
