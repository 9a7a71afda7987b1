//! `dbms.query`: runs a statement with the database's client.
//!
//! The client's own commands are refused, since they can run shells and write files.

use super::connections::{connection, host, password, path, user};
use super::setup::{OutputFormat, ProgramSetup};
use super::tools::{PreparedCommand, refuse_secrets};
use crate::template::to_text;
use serde_json::{Map, Value};
use url::Url;

pub(super) const KIND: &str = "dbms.query";

/// Kinds of databases with their clients.
const PROGRAMS: [(&str, &str); 3] = [("postgresql", "psql"), ("postgres", "psql"), ("mysql", "mysql")];

/// Words that the mysql client treats as its own commands at the beginning of a line.
const MYSQL_COMMANDS: [&str; 26] = [
    "charset",
    "clear",
    "connect",
    "delimiter",
    "edit",
    "ego",
    "exit",
    "go",
    "help",
    "nopager",
    "notee",
    "nowarning",
    "pager",
    "print",
    "prompt",
    "query_attributes",
    "quit",
    "rehash",
    "resetconnection",
    "source",
    "ssl_session_data_print",
    "status",
    "system",
    "tee",
    "use",
    "warnings",
];

/// The client for the parameters.
pub(super) fn program(params: &Value) -> Result<&'static str, String> {
    let kind = to_text(&params["dbms_type"]).trim().to_lowercase();
    let found = PROGRAMS.iter().find(|(known, _)| *known == kind).map(|(_, program)| *program);
    found.ok_or_else(|| {
        format!("dbms_type is \"{kind}\": expected postgresql or mysql; clickhouse, mssql and oracle need programs that are not run here")
    })
}

/// The statement, if the client does not treat any part of it as its own command.
fn statement(params: &Value) -> Result<String, String> {
    let text = to_text(&params["command"]).trim().to_owned();
    if text.is_empty() {
        return Err("command: expected a statement in SQL".to_owned());
    }
    if text.contains('\0') {
        return Err("command: it holds a zero byte".to_owned());
    }
    match program(params)? {
        // With -c, psql accepts either SQL or one command of its own that begins with a backslash.
        "psql" if text.starts_with('\\') => Err("command: expected SQL, found a command of psql".to_owned()),
        "mysql" if text.contains('\\') => {
            Err("command: mysql takes a backslash for a command of its own: write the text without one"
                .to_owned())
        }
        "mysql" => match text.lines().find(|line| begins_command(line)) {
            Some(line) => Err(format!("command: mysql takes \"{}\" for a command of its own", line.trim())),
            None => Ok(text),
        },
        _ => Ok(text),
    }
}

fn begins_command(line: &str) -> bool {
    let word: String = line
        .trim_start()
        .chars()
        .take_while(|letter| letter.is_ascii_alphanumeric() || *letter == '_')
        .collect();
    MYSQL_COMMANDS.contains(&word.to_lowercase().as_str())
}

/// Whether the statement can change nothing, so that it can be repeated.
pub(super) fn only_reads(params: &Value) -> bool {
    to_text(&params["read_only"]).trim() == "true"
}

/// Checks parameters as far as possible without a connection.
pub(super) fn check(params: &Value) -> Result<(), String> {
    statement(params).map(drop)
}

pub(super) fn make(
    params: &Value,
    secrets: &Map<String, Value>,
) -> Result<(&'static str, PreparedCommand), String> {
    let program = program(params)?;
    let statement = statement(params)?;
    refuse_secrets(std::slice::from_ref(&statement), secrets)?;
    let url = connection(KIND, params, secrets)?;
    if (url.scheme() == "mysql") != (program == "mysql") {
        return Err(format!(
            "the connection begins with {}, and dbms_type is {}",
            url.scheme(),
            to_text(&params["dbms_type"])
        ));
    }
    let read_only = only_reads(params);
    let made =
        if program == "psql" { psql(statement, &url, read_only) } else { mysql(statement, &url, read_only)? };
    Ok((program, made))
}

fn option(url: &Url, names: &[&str]) -> String {
    let found = url.query_pairs().find(|(name, _)| names.contains(&name.as_ref()));
    let value = found.map(|(_, value)| value.into_owned()).unwrap_or_default();
    if value.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter)) {
        value
    } else {
        String::new()
    }
}

fn psql(statement: String, url: &Url, read_only: bool) -> PreparedCommand {
    let mut arguments =
        ["--no-psqlrc", "--no-password", "--quiet", "--csv", "--set", "ON_ERROR_STOP=1", "-c"]
            .map(str::to_owned)
            .to_vec();
    arguments.push(statement);
    let mut setup = ProgramSetup { is_apart: true, output: OutputFormat::Csv, ..ProgramSetup::default() };
    let environment = &mut setup.environment;
    environment.set("PGHOST", host(url));
    environment.set("PGPORT", url.port().unwrap_or(5432).to_string());
    environment.set("PGUSER", user(url));
    environment.set("PGPASSWORD", password(url));
    environment.set("PGDATABASE", path(url));
    environment.set("PGSSLMODE", option(url, &["sslmode"]));
    environment.set("PGCONNECT_TIMEOUT", "10");
    environment.set("PGAPPNAME", "quarterdeck");
    if read_only {
        environment.set("PGOPTIONS", "-c default_transaction_read_only=on");
    }
    (arguments, setup)
}

fn mysql(statement: String, url: &Url, read_only: bool) -> Result<PreparedCommand, String> {
    let (user, database) = (user(url), path(url));
    if database.starts_with('-') {
        return Err("the connection has a database that begins with -".to_owned());
    }
    let mut arguments = vec![
        // Must be first: ignores the configuration files of the service's user.
        "--no-defaults".to_owned(),
        "--batch".to_owned(),
        "--local-infile=0".to_owned(),
        "--connect-timeout=10".to_owned(),
        format!("--host={}", host(url)),
        format!("--port={}", url.port().unwrap_or(3306)),
        "--protocol=TCP".to_owned(),
    ];
    if !user.is_empty() {
        arguments.push(format!("--user={user}"));
    }
    let mode = option(url, &["ssl-mode", "sslmode"]);
    if !mode.is_empty() {
        arguments.push(format!("--ssl-mode={}", mode.to_uppercase()));
    }
    if !database.is_empty() {
        arguments.push(format!("--database={database}"));
    }
    if read_only {
        arguments.push("--init-command=SET SESSION TRANSACTION READ ONLY".to_owned());
    }
    arguments.push(format!("--execute={statement}"));
    let mut setup = ProgramSetup { is_apart: true, output: OutputFormat::Tsv, ..ProgramSetup::default() };
    setup.environment.set("MYSQL_PWD", password(url));
    Ok((arguments, setup))
}

#[cfg(test)]
mod tests {
    use super::super::{ProgramCall, program_call, told};
    use serde_json::{Map, Value, json};

    fn made(params: &Value) -> Result<ProgramCall, String> {
        let secrets = [
            ("PG", "postgresql://ops:pg-word@db.example/shop?sslmode=require"),
            ("MY", "mysql://ops:my-word@db.example:3307/shop"),
        ];
        let secrets = secrets.into_iter().map(|(name, value)| (name.to_owned(), json!(value))).collect();
        program_call("dbms.query", params, &secrets, 1)
    }

    #[test]
    fn a_statement_is_one_argument_and_its_connection_the_environment() {
        let query = "SELECT ';'; -- \\! id";
        let call = made(&json!({ "dbms_type": "postgresql", "command": query, "integration_id": "pg", "read_only": true })).unwrap();
        assert_eq!(call.program, "psql");
        assert_eq!(call.calls[0].last().map(String::as_str), Some(query));
        let environment = &call.setup.environment.0;
        for (name, value) in [
            ("PGHOST", "db.example"),
            ("PGPORT", "5432"),
            ("PGPASSWORD", "pg-word"),
            ("PGDATABASE", "shop"),
            ("PGSSLMODE", "require"),
            ("PGOPTIONS", "-c default_transaction_read_only=on"),
        ] {
            assert!(environment.contains(&(name.to_owned(), value.to_owned())), "{name}");
        }
        let call =
            made(&json!({ "dbms_type": "mysql", "command": "SELECT 1", "integration_id": "my" })).unwrap();
        let line = call.calls[0].join(" ");
        assert!(line.starts_with("--no-defaults ") && line.contains("--local-infile=0"), "{line}");
        assert!(line.contains("--host=db.example --port=3307") && !line.contains("word"), "{line}");
        assert!(line.ends_with("--execute=SELECT 1"), "{line}");
    }

    #[test]
    fn commands_of_the_programs_themselves_are_refused() {
        for (kind, command) in [
            ("postgresql", " \\! id"),
            ("postgresql", "\\copy t to '/tmp/x'"),
            ("mysql", "SELECT 1 \\! id"),
            ("mysql", "SELECT 1;\n  system id"),
            ("mysql", "SOURCE /etc/passwd"),
            ("mysql", "tee /tmp/x"),
            ("postgresql", " "),
            ("oracle", "SELECT 1"),
        ] {
            let params = json!({ "dbms_type": kind, "command": command, "integration_id": "pg" });
            assert!(made(&params).is_err() && told("dbms.query", &params, 1).is_err(), "{command}");
        }
        let other = json!({ "dbms_type": "mysql", "command": "SELECT 1", "integration_id": "pg" });
        assert!(made(&other).unwrap_err().contains("begins with postgresql"));
        let none = program_call(
            "dbms.query",
            &json!({ "dbms_type": "mysql", "command": "SELECT 1" }),
            &Map::new(),
            1,
        );
        assert!(none.unwrap_err().starts_with("connection: expected a secret"));
    }
}
