//! Access tokens of Google Cloud service accounts: a signed JWT (RFC 7523, RS256) is exchanged for a token valid for an hour.

use crate::failure::{Failure, FailureKind};
use crate::wire::refusal;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use outgoing::{Method, Outgoing, StatusCode, read};
use ring::rand::SystemRandom;
use ring::signature::{RSA_PKCS1_SHA256, RsaKeyPair};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use url::Url;

const SCOPE: &str = "https://www.googleapis.com/auth/cloud-platform";
const SECOND: i64 = 1_000_000;
const LARGEST: usize = 64 * 1024;

/// A service account's key file from Google. Never shown.
#[derive(Deserialize)]
pub(crate) struct Account {
    pub client_email: String,
    pub private_key: String,
    #[serde(default)]
    pub private_key_id: String,
    pub token_uri: String,
    #[serde(default)]
    pub project_id: String,
}

impl Account {
    pub(crate) fn parse(text: &str) -> Result<Self, Failure> {
        serde_json::from_str(text).map_err(|_| {
            Failure::setting(
                "The key is no key file of a Google service account: expected the JSON text with client_email, private_key and token_uri.",
            )
        })
    }

    /// The signed JWT.
    fn assertion(&self, now: i64) -> Result<String, Failure> {
        let second = now / SECOND;
        let head = json!({ "alg": "RS256", "typ": "JWT", "kid": self.private_key_id });
        let claims = json!({
            "iss": self.client_email, "scope": SCOPE, "aud": self.token_uri, "iat": second, "exp": second + 3600,
        });
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let signed = format!("{}.{}", part(&head), part(&claims));
        let unusable =
            || Failure::setting("The private key in the service account's key file cannot be used.");
        let body: String = self.private_key.lines().filter(|line| !line.starts_with("-----")).collect();
        let der = STANDARD.decode(body.trim()).map_err(|_| unusable())?;
        let key = RsaKeyPair::from_pkcs8(&der).map_err(|_| unusable())?;
        let mut signature = vec![0; key.public().modulus_len()];
        key.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), signed.as_bytes(), &mut signature)
            .map_err(|_| unusable())?;
        Ok(format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature)))
    }
}

/// Cached tokens by account and key; the cache is per process.
#[derive(Default)]
pub(crate) struct Tokens(Mutex<HashMap<String, (String, i64)>>);

impl Tokens {
    /// A token that is valid for at least another minute.
    pub(crate) async fn get(
        &self,
        account: &Account,
        outgoing: &Outgoing,
        now: i64,
    ) -> Result<String, Failure> {
        let name = format!("{} {}", account.client_email, account.private_key_id);
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&name).cloned();
        if let Some((token, _)) = known.filter(|(_, until)| *until > now + 60 * SECOND) {
            return Ok(token);
        }
        let (token, seconds) = fetch(account, outgoing, now).await?;
        let until = now + seconds * SECOND;
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(name, (token.clone(), until));
        Ok(token)
    }
}

async fn fetch(account: &Account, outgoing: &Outgoing, now: i64) -> Result<(String, i64), Failure> {
    let address = Url::parse(&account.token_uri).map_err(|_| {
        Failure::setting(
            "The key file's token_uri is not a full URL, such as https://oauth2.googleapis.com/token."
                .to_owned(),
        )
    })?;
    let assertion = account.assertion(now)?;
    let form =
        format!("grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion={assertion}");
    let request = outgoing.request(Method::POST, &address)?;
    let request = request.header("content-type", "application/x-www-form-urlencoded").body(form);
    let response = outgoing.send(request).await?;
    let status = response.status();
    let body = read(response, LARGEST).await?;
    if status != StatusCode::OK {
        let failure = refusal::of_status("Google's sign-in", status, None, &body, &[&assertion]);
        // The status is 400 if the key is no longer valid.
        let trouble = if status.as_u16() == 400 { FailureKind::Refused } else { failure.trouble };
        return Err(Failure { trouble, ..failure });
    }
    let value: Value =
        serde_json::from_slice(&body).map_err(|_| Failure::nonsense("Google's sign-in", "expected JSON"))?;
    let token = value["access_token"].as_str();
    let token = token.ok_or_else(|| Failure::nonsense("Google's sign-in", "expected `access_token`"))?;
    Ok((token.to_owned(), value["expires_in"].as_i64().unwrap_or(3600)))
}
