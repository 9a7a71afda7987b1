//! The pages: the built UI, carried inside the program.

use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../../ui/dist"]
#[allow_missing = true]
struct Built;

const NOT_BUILT: &str = "Quarterdeck is running, but its pages are not in this program: they were not built before \
                         it was.\n\nIn the repository: `make run` builds both. By hand: `npm ci && npm run build` in \
                         ui/, then build the program again.\n\nThe API under /api answers all the same.\n";

/// Whether the pages were built before the program was.
pub fn are_built() -> bool {
    Built::get("index.html").is_some()
}

/// Answers everything that is not the API: a file of the UI, or its first page for a place inside it.
pub async fn answer(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    if path == "api" || path.starts_with("api/") {
        return crate::error::Failure::no_such_path(uri.path()).into_response();
    }
    if method != Method::GET && method != Method::HEAD {
        return crate::error::Failure::wrong_method().into_response();
    }
    if let Some(file) = Some(path).filter(|path| !path.is_empty()).and_then(Built::get) {
        return serve(path, file, &headers);
    }
    let asks_for_a_file = path.rsplit('/').next().is_some_and(|name| name.contains('.'));
    if asks_for_a_file {
        return (StatusCode::NOT_FOUND, "There is no such file.\n").into_response();
    }
    match Built::get("index.html") {
        Some(file) => serve("index.html", file, &headers),
        None => (StatusCode::SERVICE_UNAVAILABLE, NOT_BUILT).into_response(),
    }
}

fn serve(path: &str, file: EmbeddedFile, headers: &HeaderMap) -> Response {
    // Vite puts a hash of the content into the names in this folder.
    let cache = if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let hash = file.metadata.sha256_hash();
    let tag = format!("\"{}\"", crate::hex::of(&hash[..8]));
    if headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, [(ETAG, tag)]).into_response();
    }
    let body = match file.data {
        std::borrow::Cow::Borrowed(bytes) => Body::from(bytes),
        std::borrow::Cow::Owned(bytes) => Body::from(bytes),
    };
    let head = [(CONTENT_TYPE, content_type(path)), (CACHE_CONTROL, cache), (ETAG, tag.as_str())];
    (head, body).into_response()
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
