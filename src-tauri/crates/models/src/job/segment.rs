//! One request for one part of a file.

use super::{Active, Job};
use crate::digest;
use crate::failure::{Failure, FetchError};
use crate::job::preflight::{first_byte, length, total};
use crate::plan::Claim;
use outgoing::header::{HeaderName, IF_RANGE, RANGE};
use outgoing::{Method, StatusCode};
use std::time::Duration;

/// Shorter waits are accumulated.
const SHORTEST_WAIT: Duration = Duration::from_millis(5);

/// Downloads a claimed range into the part file. After an error, the bytes before it remain there.
pub(crate) async fn fetch(job: &Job, active: &Active, claim: Claim) -> Result<(), FetchError> {
    let from = active.url().clone();
    let mut answer = job.registry.ask(Method::GET, &from, &headers(active, claim)).await?;
    let host = answer.url.host_str().unwrap_or_default().to_owned();
    let status = answer.response.status();
    if status == StatusCode::RANGE_NOT_SATISFIABLE {
        return Err(FetchError::Changed(format!(
            "{host} says that the file is shorter than it said before."
        )));
    }
    job.registry.judge(&answer)?;
    check(active, claim, status, answer.response.headers(), &host)?;
    learn(job, answer.response.headers());
    *active.url() = answer.url.clone();
    let has_length = length(answer.response.headers()).is_some();
    loop {
        let Some(piece) = outgoing::piece(&mut answer.response).await? else { break };
        let bytes = piece.as_ref();
        let is_done = !arrived(job, active, claim.id, bytes)?;
        let wait = job.limit.take(bytes.len(), job.surroundings.now());
        if wait >= SHORTEST_WAIT {
            job.surroundings.pass(wait).await;
        }
        if is_done {
            // A body without a length may be longer: then it is not the offered file.
            if active.is_whole && !has_length && outgoing::piece(&mut answer.response).await?.is_some() {
                return Err(FetchError::Changed(format!("{host} sends more than it said the file has.")));
            }
            return Ok(());
        }
    }
    let text = format!("{host} closed the connection before everything had come.");
    Err(FetchError::Broken { text, wait: None })
}

fn headers(active: &Active, claim: Claim) -> Vec<(HeaderName, String)> {
    if active.is_whole {
        return Vec::new();
    }
    let mut headers = vec![(RANGE, format!("bytes={}-{}", claim.at, claim.end - 1))];
    headers.extend(active.validator.as_ref().map(|validator| (IF_RANGE, validator.as_str().to_owned())));
    headers
}

/// Checks that the response contains the requested bytes of the same file.
fn check(
    active: &Active,
    claim: Claim,
    status: StatusCode,
    headers: &outgoing::header::HeaderMap,
    host: &str,
) -> Result<(), FetchError> {
    if active.validator.as_ref().is_some_and(|validator| validator.is_contradicted_by(headers)) {
        return Err(FetchError::Changed(format!("The file at {host} changed; the download started over.")));
    }
    let says = if status == StatusCode::PARTIAL_CONTENT { total(headers) } else { length(headers) };
    let is_size = says.is_none_or(|says| says == active.size);
    if !is_size {
        return Err(FetchError::Changed(format!(
            "{host} says that the file has {} bytes, and said {} before; the download started over.",
            says.unwrap_or(0),
            active.size
        )));
    }
    match status {
        StatusCode::PARTIAL_CONTENT if active.is_whole => Err(FetchError::Broken {
            text: format!("{host} sent a part where the whole file was asked for."),
            wait: None,
        }),
        StatusCode::PARTIAL_CONTENT if first_byte(headers) == Some(claim.at) => Ok(()),
        StatusCode::PARTIAL_CONTENT => Err(FetchError::Broken {
            text: format!("{host} sent other bytes than were asked for."),
            wait: None,
        }),
        StatusCode::OK if active.is_whole => Ok(()),
        StatusCode::OK => Err(FetchError::Unranged),
        _ => Err(crate::registry::refused(format!("{host} answered with status {}.", status.as_u16()))),
    }
}

/// Some registries send the hash only with the file.
fn learn(job: &Job, headers: &outgoing::header::HeaderMap) {
    let told = digest::of_headers(headers);
    let mut inner = job.live.lock();
    if inner.record.expected.is_empty() {
        // SHA-512 would have to be computed from the beginning.
        inner
            .record
            .expected
            .extend(told.into_iter().find(|told| told.algorithm == digest::Algorithm::Sha256));
    }
}

/// Writes received bytes to the part file. Returns whether this claim needs more.
fn arrived(job: &Job, active: &Active, claim: u64, bytes: &[u8]) -> Result<bool, FetchError> {
    let Some(stand) = active.plan().find(claim) else { return Ok(false) };
    let room = usize::try_from(stand.end - stand.at).unwrap_or(usize::MAX);
    let bytes = &bytes[..bytes.len().min(room)];
    active
        .part
        .write(bytes, stand.at)
        .map_err(|cause| FetchError::Final(Failure::disk("The part file cannot be written", &cause)))?;
    let (prefix, stand) = {
        let mut plan = active.plan();
        let stand = plan.arrived(claim, bytes.len() as u64);
        (plan.done.prefix(), stand)
    };
    let Some(stand) = stand else { return Ok(false) };
    // Without the note, these bytes are just downloaded again after a crash.
    let _ = active.part.note(active.size, stand);
    active.tail.advance(prefix);
    let now = job.surroundings.now();
    job.live.came(bytes.len() as u64, now);
    if Job::is_due(active, now) {
        active.save.notify_one();
    }
    Ok(stand.at < stand.end)
}
