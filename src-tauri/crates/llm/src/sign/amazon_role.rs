//! Temporary credentials of an assumed role: `AssumeRole` of Amazon's Security Token Service, signed with existing keys.
//!
//! They are valid for an hour.

use super::sigv4::{Credentials, Signing, sign};
use crate::failure::{Failure, FailureKind};
use crate::wire::refusal;
use chrono::DateTime;
use outgoing::{Method, Outgoing, StatusCode, read};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use url::Url;

const SECOND: i64 = 1_000_000;
/// Maximum size of a response, in bytes.
const LARGEST: usize = 64 * 1024;
/// Session name, shown in Amazon's logs.
const SESSION: &str = "quarterdeck";

/// A role, and where to request its credentials.
pub(crate) struct Role<'a> {
    pub arn: &'a str,
    pub external_id: Option<&'a str>,
    pub region: &'a str,
    /// The endpoint set in the environment (`AWS_ENDPOINT_URL_STS`); `None` for Amazon's endpoint of the region.
    pub address: Option<&'a str>,
}

/// Cached credentials of roles; the cache is per process.
#[derive(Default)]
pub(crate) struct Roles(Mutex<HashMap<(String, String), (Credentials, i64)>>);

impl Roles {
    /// Credentials that are valid for at least five more minutes.
    pub(crate) async fn get(
        &self,
        role: &Role<'_>,
        own: &Credentials,
        outgoing: &Outgoing,
        now: i64,
    ) -> Result<Credentials, Failure> {
        let name = (role.arn.to_owned(), own.access_key.clone());
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&name).cloned();
        if let Some((keys, _)) = known.filter(|(_, until)| *until > now + 300 * SECOND) {
            return Ok(keys);
        }
        let (keys, until) = assume(role, own, outgoing, now).await?;
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(name, (keys.clone(), until));
        Ok(keys)
    }
}

async fn assume(
    role: &Role<'_>,
    own: &Credentials,
    outgoing: &Outgoing,
    now: i64,
) -> Result<(Credentials, i64), Failure> {
    let usual = format!("https://sts.{}.amazonaws.com", role.region);
    let mut url = Url::parse(role.address.unwrap_or(&usual)).map_err(|error| {
        Failure::setting(format!("The address of Amazon's roles cannot be used ({error})."))
    })?;
    url.set_path("/");
    {
        let mut query = url.query_pairs_mut();
        query.append_pair("Action", "AssumeRole").append_pair("Version", "2011-06-15");
        query.append_pair("RoleArn", role.arn).append_pair("RoleSessionName", SESSION);
        if let Some(id) = role.external_id {
            query.append_pair("ExternalId", id);
        }
    }
    let what = Signing { method: "GET", url: &url, body: &[], service: "sts", region: role.region, now };
    let mut request = outgoing.request(Method::GET, &url)?;
    for (name, value) in sign(&what, own) {
        request = request.header(name, value);
    }
    let response = outgoing.send(request).await?;
    let status = response.status();
    let body = read(response, LARGEST).await?;
    let answer = String::from_utf8_lossy(&body);
    if status != StatusCode::OK {
        let words = text_of(&answer, "Message").unwrap_or_default();
        let said = serde_json::json!({ "message": words }).to_string();
        let failure =
            refusal::of_status("Amazon's sign-in", status, None, said.as_bytes(), &[&own.secret_key]);
        // A refusal of this request concerns the role, not the model.
        let remedy = "Look at the role, and whether its trust policy lets these keys take it on.";
        return Err(if failure.trouble == FailureKind::Refused {
            Failure { remedy: remedy.to_owned(), ..failure }
        } else {
            failure
        });
    }
    let part = |name: &str| {
        text_of(&answer, name)
            .ok_or_else(|| Failure::nonsense("Amazon's sign-in", format!("expected <{name}> in its answer")))
    };
    let keys = Credentials {
        access_key: part("AccessKeyId")?,
        secret_key: part("SecretAccessKey")?,
        session_token: Some(part("SessionToken")?),
    };
    let until = DateTime::parse_from_rfc3339(&part("Expiration")?);
    Ok((keys, until.map_or(now, |until| until.timestamp_micros())))
}

/// The text of the first element with that name.
fn text_of(xml: &str, name: &str) -> Option<String> {
    let document = roxmltree::Document::parse(xml).ok()?;
    let found = document.descendants().find(|node| node.tag_name().name() == name)?;
    found.text().map(|text| text.trim().to_owned())
}
