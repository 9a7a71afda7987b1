//! Amazon credentials: the configured ones, else those found as Amazon's tools do: in the environment, the container, or the role of the machine
//! (IMDSv2).
//!
//! These are queried only if Amazon is configured without keys.

use super::sigv4::Credentials;
use crate::environment::EnvironmentValues;
use crate::failure::{Failure, FailureKind};
use crate::kind::Connection;
use crate::kind::Field;
use outgoing::{EgressPolicy, Method, Outgoing, OutgoingSettings, RequestBuilder, StatusCode, read};
use serde_json::Value;
use std::time::Duration;
use url::Url;

const CONTAINER: &str = "http://169.254.170.2";
const MACHINE: &str = "http://169.254.169.254";
/// Maximum size of a response, in bytes.
const LARGEST: usize = 64 * 1024;

/// The credentials of a connection.
pub(crate) async fn find(
    connection: &Connection,
    environment: &EnvironmentValues,
) -> Result<Credentials, Failure> {
    match (connection.get(Field::AccessKey), connection.get(Field::SecretKey)) {
        (Some(access_key), Some(secret_key)) => Ok(Credentials {
            access_key: access_key.to_owned(),
            secret_key: secret_key.to_owned(),
            session_token: connection.get(Field::SessionToken).map(str::to_owned),
        }),
        (None, None) => surroundings(environment).await,
        _ => Err(Failure::setting("Of the access key and the secret key only one is set; both are needed.")),
    }
}

async fn surroundings(environment: &EnvironmentValues) -> Result<Credentials, Failure> {
    let set = |name: &str| environment.get(name).map(|value| value.trim()).filter(|value| !value.is_empty());
    if let (Some(access_key), Some(secret_key)) = (set("AWS_ACCESS_KEY_ID"), set("AWS_SECRET_ACCESS_KEY")) {
        return Ok(Credentials {
            access_key: access_key.to_owned(),
            secret_key: secret_key.to_owned(),
            session_token: set("AWS_SESSION_TOKEN").map(str::to_owned),
        });
    }
    // On machines outside Amazon nothing listens there: fail quickly.
    // The addresses are those of Amazon's machines and containers, or from this program's environment: internal by nature, so the egress policy
    // does not apply.
    let way = OutgoingSettings {
        egress: EgressPolicy::anywhere(),
        connecting: Duration::from_secs(2),
        silence: Duration::from_secs(5),
        ..OutgoingSettings::default()
    };
    let outgoing = way.open()?;
    let relative = set("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI").map(|path| format!("{CONTAINER}{path}"));
    if let Some(address) = relative.or_else(|| set("AWS_CONTAINER_CREDENTIALS_FULL_URI").map(str::to_owned)) {
        let mut request = outgoing.request(Method::GET, &address_of(&address)?)?;
        if let Some(token) = set("AWS_CONTAINER_AUTHORIZATION_TOKEN") {
            request = request.header("authorization", token);
        }
        return keys(&text(&outgoing, request).await?);
    }
    if set("AWS_EC2_METADATA_DISABLED") == Some("true") {
        return Err(none());
    }
    let machine =
        set("AWS_EC2_METADATA_SERVICE_ENDPOINT").unwrap_or(MACHINE).trim_end_matches('/').to_owned();
    role(&outgoing, &machine).await.map_err(|failure| match failure.trouble {
        FailureKind::Unreachable | FailureKind::Slow => none(),
        _ => failure,
    })
}

/// The credentials of the machine's role: requests a token, the role's name, then its keys.
async fn role(outgoing: &Outgoing, machine: &str) -> Result<Credentials, Failure> {
    let token = outgoing.request(Method::PUT, &address_of(&format!("{machine}/latest/api/token"))?)?;
    let token = text(outgoing, token.header("x-aws-ec2-metadata-token-ttl-seconds", "60")).await?;
    let ask = async |path: String| {
        let request = outgoing.request(Method::GET, &address_of(&format!("{machine}{path}"))?)?;
        text(outgoing, request.header("x-aws-ec2-metadata-token", token.trim())).await
    };
    let roles = "/latest/meta-data/iam/security-credentials/";
    let role = ask(roles.to_owned()).await?;
    let role = role.lines().next().unwrap_or_default().trim();
    keys(&ask(format!("{roles}{role}")).await?)
}

async fn text(outgoing: &Outgoing, request: RequestBuilder) -> Result<String, Failure> {
    let response = outgoing.send(request).await?;
    if response.status() != StatusCode::OK {
        return Err(none());
    }
    Ok(String::from_utf8_lossy(&read(response, LARGEST).await?).into_owned())
}

fn keys(text: &str) -> Result<Credentials, Failure> {
    let value: Value = serde_json::from_str(text).map_err(|_| none())?;
    let part = |name: &str| value[name].as_str().map(str::to_owned);
    let both = part("AccessKeyId").zip(part("SecretAccessKey"));
    let (access_key, secret_key) = both.ok_or_else(none)?;
    Ok(Credentials { access_key, secret_key, session_token: part("Token") })
}

fn address_of(text: &str) -> Result<Url, Failure> {
    Url::parse(text)
        .map_err(|error| Failure::setting(format!("The address of Amazon's keys cannot be used ({error}).")))
}

fn none() -> Failure {
    Failure::new(
        FailureKind::NotConfigured,
        "No access key is set, and this machine has no keys of Amazon's of its own.",
        "Set an access key and its secret key, or run on a machine with a role.",
    )
}
