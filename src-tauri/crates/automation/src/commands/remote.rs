//! `integrations.ssh`: runs a command on another machine with ssh and the keys of the service's operating system user.

use super::connections::{connection, host, user};
use super::setup::ProgramSetup;
use super::tools::{PreparedCommand, refuse_secrets};
use crate::template::to_text;
use serde_json::{Map, Value};

pub(super) const KIND: &str = "integrations.ssh";

/// No prompts, no unknown hosts, and no forwarding.
const OPTIONS: [&str; 9] = [
    "BatchMode=yes",
    "StrictHostKeyChecking=yes",
    "ClearAllForwardings=yes",
    "ForwardAgent=no",
    "ForwardX11=no",
    "PermitLocalCommand=no",
    "ControlMaster=no",
    "ControlPath=none",
    "ConnectTimeout=10",
];

pub(super) fn command(params: &Value) -> Result<String, String> {
    let command = to_text(&params["command"]).trim().to_owned();
    if command.is_empty() || command.contains('\0') {
        return Err("command: expected what is to run on the other machine".to_owned());
    }
    Ok(command)
}

pub(super) fn make(params: &Value, secrets: &Map<String, Value>) -> Result<PreparedCommand, String> {
    let command = command(params)?;
    refuse_secrets(std::slice::from_ref(&command), secrets)?;
    let url = connection(KIND, params, secrets)?;
    if url.password().is_some() {
        return Err("the connection has a password, and ssh takes none here: use a key".to_owned());
    }
    let mut arguments = vec!["-T".to_owned(), "-x".to_owned()];
    for option in OPTIONS {
        arguments.extend(["-o".to_owned(), option.to_owned()]);
    }
    if let Some(port) = url.port() {
        arguments.extend(["-p".to_owned(), port.to_string()]);
    }
    let user = user(&url);
    if user.starts_with('-') {
        return Err("the connection has a name that begins with -".to_owned());
    }
    if !user.is_empty() {
        arguments.extend(["-l".to_owned(), user]);
    }
    arguments.extend(["--".to_owned(), host(&url), command]);
    let setup =
        ProgramSetup { is_apart: true, kept: &["HOME", "SSH_AUTH_SOCK", "USER"], ..ProgramSetup::default() };
    Ok((arguments, setup))
}

#[cfg(test)]
mod tests {
    use super::super::program_call;
    use serde_json::{Map, json};

    #[test]
    fn a_command_goes_to_a_known_machine_and_asks_nobody() {
        let secrets = Map::from_iter([
            ("WEB_1".to_owned(), json!("ssh://ops@web.example:2222")),
            ("ODD".to_owned(), json!("ssh://ops:word@web.example")),
        ]);
        let call = program_call(
            "integrations.ssh",
            &json!({ "command": "systemctl restart web; df -h", "integration_id": "web-1" }),
            &secrets,
            1,
        )
        .unwrap();
        let line = call.calls[0].join(" ");
        assert!(line.contains("-o BatchMode=yes -o StrictHostKeyChecking=yes"), "{line}");
        assert!(line.ends_with("-p 2222 -l ops -- web.example systemctl restart web; df -h"), "{line}");
        let odd = json!({ "command": "id", "integration_id": "odd" });
        assert!(program_call("integrations.ssh", &odd, &secrets, 1).unwrap_err().contains("has a password"));
        let literal = json!({ "command": "id", "connection": "ssh://127.0.0.1" });
        assert!(
            program_call("integrations.ssh", &literal, &secrets, 1)
                .unwrap_err()
                .starts_with("connection: expected a secret")
        );
    }
}
