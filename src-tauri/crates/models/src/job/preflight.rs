//! Queries the registry about a file before the download.

use crate::digest::{self, ExpectedDigest};
use crate::failure::{Failure, FetchError, Kind};
use crate::name::ModelName;
use crate::record::Validator;
use crate::registry::{Answer, Registry, not_a_model};
use outgoing::header::{ACCEPT_RANGES, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, HeaderMap, RANGE};
use outgoing::{Method, StatusCode};
use url::Url;

/// A `.sha256` file is one line; anything longer is something else.
const SIDECAR_BYTES: usize = 4096;

/// A file to download.
#[derive(Debug, Clone)]
pub(crate) struct Offer {
    /// `None` if the registry does not report it: then a hash is required, to verify completeness.
    pub size: Option<u64>,
    pub validator: Option<Validator>,
    /// All offered hashes; they agree.
    pub expected: Vec<ExpectedDigest>,
    /// Whether ranges can be requested, as far as is known.
    pub has_ranges: bool,
    /// The address after redirects.
    pub url: Url,
}

/// Sends a HEAD request. If that is refused, or has no length, requests the first byte.
pub(crate) async fn ask(registry: &Registry, name: &ModelName) -> Result<Offer, FetchError> {
    let address = registry.model(name, "");
    let head = registry.ask(Method::HEAD, &address, &[]).await?;
    let is_own = registry.is_own(&head.url);
    let may_be_methods = matches!(head.response.status().as_u16(), 400 | 405 | 501)
        || (!is_own && head.response.status().is_client_error());
    let answer = if may_be_methods
        || (head.response.status().is_success() && length(head.response.headers()).is_none())
    {
        registry.ask(Method::GET, &address, &[(RANGE, "bytes=0-0".to_owned())]).await?
    } else {
        head
    };
    registry.judge(&answer)?;
    let mut offer = read(&answer, registry.host())?;
    if offer.expected.is_empty() {
        offer.expected.extend(sidecar(registry, name).await?);
    }
    check_agreement(&offer.expected)?;
    if offer.size.is_none() && offer.expected.is_empty() {
        return Err(FetchError::Final(Failure::new(
            Kind::Refused,
            format!(
                "{} says neither how long the file is nor its hash, so nobody could tell whether it came whole.",
                registry.host()
            ),
            "Ask whoever runs the registry, or import the model from a file.",
        )));
    }
    Ok(offer)
}

fn read(answer: &Answer, host: &str) -> Result<Offer, FetchError> {
    let headers = answer.response.headers();
    if is_web_page(headers) {
        return Err(FetchError::Final(not_a_model(host, "it is a web page")));
    }
    let is_part = answer.response.status() == StatusCode::PARTIAL_CONTENT;
    let size = if is_part { total(headers) } else { length(headers) };
    if size == Some(0) {
        return Err(FetchError::Final(not_a_model(host, "it is empty")));
    }
    // Headers of the registry come before those of the host it redirects to.
    let mut expected: Vec<ExpectedDigest> = answer.said.iter().flat_map(digest::of_headers).collect();
    expected.extend(digest::of_headers(headers));
    expected.dedup_by(|one, other| one.hex == other.hex);
    let says_none =
        headers.get(ACCEPT_RANGES).is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"none"));
    Ok(Offer {
        size,
        validator: Validator::of(headers),
        expected,
        has_ranges: is_part || !says_none,
        url: answer.url.clone(),
    })
}

fn is_web_page(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("text/html") || kind.eq_ignore_ascii_case("application/xhtml+xml")
}

/// The hash in the model's `.sha256` file. A missing file is not an error; a failed request is.
async fn sidecar(registry: &Registry, name: &ModelName) -> Result<Option<ExpectedDigest>, FetchError> {
    let answer = registry.ask(Method::GET, &registry.model(name, ".sha256"), &[]).await?;
    match registry.judge(&answer) {
        Ok(()) => {}
        Err(FetchError::Final(_)) => return Ok(None),
        // If files are on another host, a refusal there means that there is no such file.
        Err(_) if answer.response.status().is_client_error() => return Ok(None),
        Err(trouble) => return Err(trouble),
    }
    match outgoing::read(answer.response, SIDECAR_BYTES).await {
        Ok(body) => Ok(std::str::from_utf8(&body).ok().and_then(digest::of_sidecar)),
        Err(fault) if fault.trouble == outgoing::FaultKind::Size => Ok(None),
        Err(fault) => Err(fault.into()),
    }
}

fn check_agreement(expected: &[ExpectedDigest]) -> Result<(), FetchError> {
    for one in expected {
        let other = expected.iter().find(|other| other.algorithm == one.algorithm && other.hex != one.hex);
        if let Some(other) = other {
            return Err(FetchError::Final(Failure::new(
                Kind::Contradiction,
                format!(
                    "The registry offers two different hashes of the same file: {} in {}, {} in {}.",
                    one.hex, one.told_by, other.hex, other.told_by
                ),
                "Ask whoever runs the registry which one is right; until then the file is not fetched.",
            )));
        }
    }
    Ok(())
}

/// The length of a body, or the length reported by HEAD.
pub(crate) fn length(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.trim().parse().ok()
}

/// The size of the whole file in a range response.
pub(crate) fn total(headers: &HeaderMap) -> Option<u64> {
    let (_, total) = headers.get(CONTENT_RANGE)?.to_str().ok()?.rsplit_once('/')?;
    total.trim().parse().ok()
}

/// First byte of a range response.
pub(crate) fn first_byte(headers: &HeaderMap) -> Option<u64> {
    let text = headers.get(CONTENT_RANGE)?.to_str().ok()?.trim().strip_prefix("bytes")?.trim_start();
    text.split_once('-')?.0.trim().parse().ok()
}
