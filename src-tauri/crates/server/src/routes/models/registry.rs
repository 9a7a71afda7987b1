//! `/downloads/models/<name>`: this service as a model registry for other machines, as the contract defines it.
//!
//! A client with a license key that this service accepts can download models, also in ranges, with the hash in the headers. Only models whose hash
//! was vouched for are served: a model that was merely trusted on first use would appear verified elsewhere.

use crate::app::App;
use crate::blocking::blocking;
use crate::error::Failure;
use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::header::{
    ACCEPT_RANGES, AUTHORIZATION, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_RANGE,
    CONTENT_TYPE, ETAG, IF_NONE_MATCH, IF_RANGE, RANGE,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use models::{Model, ModelName, Trust};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncSeekExt, SeekFrom};

/// Number of bytes read at a time.
const PIECE: u64 = 256 << 10;

/// GET: a model or, with the suffix `.sha256`, its hash.
pub async fn answer(
    State(app): State<Arc<App>>,
    Path(asked): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let key =
        headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()).and_then(bearer).map(str::to_owned);
    let key = key.ok_or_else(|| {
        Failure::new(
            StatusCode::UNAUTHORIZED,
            "no_license_key",
            "Send a license key this service was given: Authorization: Bearer <LICENSE_KEY>",
        )
    })?;
    let (model, path) = blocking(move || {
        if !app.models.downloads.settings()?.accepts(&key) {
            return Err(Failure::new(
                StatusCode::FORBIDDEN,
                "key_refused",
                "This service was not given that license key",
            ));
        }
        let library = app.models.downloads.library()?;
        let name = asked.strip_suffix(".sha256").unwrap_or(&asked);
        let name = ModelName::parse(name).map_err(|_| not_here())?;
        let model = library.find(&name)?;
        if model.trust == Trust::FirstUse {
            return Err(Failure::new(
                StatusCode::NOT_FOUND,
                "not_verified",
                "The model is here, and nobody vouches for its hash: verify it with the hash it should have, then it is given on",
            ));
        }
        let path = (!asked.ends_with(".sha256")).then(|| library.path(&model));
        Ok((model, path))
    })
    .await?;
    match path {
        Some(path) => serve(&model, path, &headers).await,
        None => Ok(hash_file(&model)),
    }
}

fn bearer(value: &str) -> Option<&str> {
    let (scheme, key) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
}

fn not_here() -> Failure {
    Failure::new(StatusCode::NOT_FOUND, "not_found", "There is no model of this name here")
}

/// The hash in the format of `sha256sum`.
pub fn hash_file(model: &Model) -> Response {
    let head = [
        (CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
        attachment(&format!("{}.sha256", model.name)),
    ];
    (head, format!("{}  {}\n", model.sha256, model.name)).into_response()
}

fn attachment(name: &str) -> (HeaderName, String) {
    (CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\""))
}

/// The requested part of a file.
#[derive(Debug, PartialEq, Eq)]
enum FileRange {
    Whole,
    /// Half-open byte range.
    Part(u64, u64),
    /// A range beyond the end of the file.
    Nothing,
}

/// Responds with a model's file, or a single range of it.
pub async fn serve(model: &Model, path: PathBuf, headers: &HeaderMap) -> Result<Response, Failure> {
    let tag = format!("\"sha256:{}\"", model.sha256);
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    if text(IF_NONE_MATCH)
        .is_some_and(|tags| tags.split(',').any(|one| one.trim() == tag || one.trim() == "*"))
    {
        return Ok((StatusCode::NOT_MODIFIED, [(ETAG, tag)]).into_response());
    }
    let is_current = text(IF_RANGE).is_none_or(|wanted| wanted == tag);
    let wanted = text(RANGE)
        .filter(|_| is_current)
        .map_or(FileRange::Whole, |range| read_range(range, model.size_bytes));
    let (status, start, end) = match wanted {
        FileRange::Whole => (StatusCode::OK, 0, model.size_bytes),
        FileRange::Part(start, end) => (StatusCode::PARTIAL_CONTENT, start, end),
        FileRange::Nothing => {
            let head = [(CONTENT_RANGE, format!("bytes */{}", model.size_bytes))];
            return Ok((StatusCode::RANGE_NOT_SATISFIABLE, head).into_response());
        }
    };
    let mut file = tokio::fs::File::open(&path).await?;
    if file.metadata().await?.len() != model.size_bytes {
        return Err(Failure::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "damaged",
            "The file is not as long as it should be; verify the model",
        ));
    }
    file.seek(SeekFrom::Start(start)).await?;
    let body = Body::from_stream(stream::try_unfold((file, end - start), |(mut file, left)| async move {
        if left == 0 {
            return Ok(None);
        }
        let most = usize::try_from(left.min(PIECE)).unwrap_or_default();
        let mut piece = vec![0; most];
        let read = file.read(&mut piece).await?;
        if read == 0 {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof));
        }
        piece.truncate(read);
        Ok(Some((Bytes::from(piece), (file, left - read as u64))))
    }));
    let mut response = (status, body).into_response();
    let head = response.headers_mut();
    let mut set = |name: HeaderName, value: String| {
        if let Ok(value) = HeaderValue::try_from(value) {
            head.insert(name, value);
        }
    };
    set(CONTENT_LENGTH, (end - start).to_string());
    set(CONTENT_TYPE, "application/octet-stream".to_owned());
    set(ACCEPT_RANGES, "bytes".to_owned());
    set(ETAG, tag);
    set(CACHE_CONTROL, "private, no-transform".to_owned());
    set(HeaderName::from_static("x-checksum-sha256"), model.sha256.clone());
    let (name, value) = attachment(&model.name);
    set(name, value);
    if status == StatusCode::PARTIAL_CONTENT {
        set(CONTENT_RANGE, format!("bytes {start}-{}/{}", end - 1, model.size_bytes));
    }
    Ok(response)
}

/// Parses a single range. Several ranges, and invalid ones, get the whole file, as RFC 9110 allows.
fn read_range(text: &str, size: u64) -> FileRange {
    let Some((first, last)) = text.trim().strip_prefix("bytes=").and_then(|range| range.split_once('-'))
    else {
        return FileRange::Whole;
    };
    match (first.trim().parse::<u64>(), last.trim().parse::<u64>()) {
        (Ok(first), _) if first >= size => FileRange::Nothing,
        (Ok(first), Ok(last)) if last >= first => FileRange::Part(first, last.saturating_add(1).min(size)),
        (Ok(first), Err(_)) if last.trim().is_empty() => FileRange::Part(first, size),
        (Err(_), Ok(0)) if first.trim().is_empty() => FileRange::Nothing,
        (Err(_), Ok(last)) if first.trim().is_empty() => FileRange::Part(size.saturating_sub(last), size),
        _ => FileRange::Whole,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_range_is_answered_and_nonsense_gets_the_whole_file() {
        for (text, wanted) in [
            ("bytes=0-9", FileRange::Part(0, 10)),
            ("bytes=90-200", FileRange::Part(90, 100)),
            ("bytes=90-", FileRange::Part(90, 100)),
            ("bytes=-10", FileRange::Part(90, 100)),
            ("bytes=-200", FileRange::Part(0, 100)),
            ("bytes=100-", FileRange::Nothing),
            ("bytes=-0", FileRange::Nothing),
            ("bytes=9-3", FileRange::Whole),
            ("bytes=0-1,5-6", FileRange::Whole),
            ("lines=1-2", FileRange::Whole),
        ] {
            assert_eq!(read_range(text, 100), wanted, "{text}");
        }
    }
}
