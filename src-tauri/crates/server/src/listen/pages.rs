//! The pages: the built UI, embedded in the program.
//!
//! The build stores compressed files beside the assets (`x.js.br`, `x.js.gz`). Clients on other computers get one of them if they accept its
//! coding; clients on this computer get the uncompressed asset.

use crate::listen::compression::{accepts, is_near};
use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY};
use axum::http::{Extensions, HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../../ui/dist"]
#[allow_missing = true]
struct PageAssets;

/// Content codings of compressed assets and their file suffixes, smallest first.
const PACKED: [(&str, &str); 2] = [("br", ".br"), ("gzip", ".gz")];

const NOT_BUILT: &str = "Quarterdeck is running, but its pages are not in this program: they were not built before \
                         it was.\n\nIn the repository: `make run` builds both. By hand: `npm ci && npm run build` in \
                         ui/, then build the program again.\n\nThe API under /api answers all the same.\n";

/// Whether the pages were built before the program was compiled.
pub fn are_built() -> bool {
    PageAssets::get("index.html").is_some()
}

/// Answers every path outside the API: a file of the UI, or `index.html` for a path of its router.
pub async fn answer(method: Method, uri: Uri, headers: HeaderMap, extensions: Extensions) -> Response {
    let get = |path: &str| find::<PageAssets>(path, &headers, is_near(&headers, &extensions));
    let path = uri.path().trim_start_matches('/');
    if path == "api" || path.starts_with("api/") {
        return crate::error::Failure::no_such_path(uri.path()).into_response();
    }
    if method != Method::GET && method != Method::HEAD {
        return crate::error::Failure::wrong_method().into_response();
    }
    if let Some(found) = Some(path).filter(|path| !path.is_empty()).and_then(get) {
        return serve(path, found, &headers);
    }
    let asks_for_a_file = path.rsplit('/').next().is_some_and(|name| name.contains('.'));
    if asks_for_a_file {
        return (StatusCode::NOT_FOUND, "There is no such file.\n").into_response();
    }
    match get("index.html") {
        Some(found) => serve("index.html", found, &headers),
        None => (StatusCode::SERVICE_UNAVAILABLE, NOT_BUILT).into_response(),
    }
}

/// A file of the UI in the coding chosen for a client.
struct PageFile {
    file: EmbeddedFile,
    coding: Option<&'static str>,
    /// Whether the file also exists compressed, so that the response varies by client.
    is_packed: bool,
}

/// The file at a path. Compressed files have no path of their own.
fn find<Files: RustEmbed>(path: &str, headers: &HeaderMap, is_near: bool) -> Option<PageFile> {
    if PACKED.iter().any(|(_, end)| path.ends_with(end)) {
        return None;
    }
    let file = Files::get(path)?;
    let packed = |end: &str| Files::get(&format!("{path}{end}"));
    let is_packed = PACKED.iter().any(|(_, end)| packed(end).is_some());
    let taken = PACKED.iter().filter(|(coding, _)| !is_near && accepts(headers, coding));
    let best = taken.into_iter().find_map(|(coding, end)| packed(end).map(|file| (*coding, file)));
    Some(match best {
        Some((coding, file)) => PageFile { file, coding: Some(coding), is_packed },
        None => PageFile { file, coding: None, is_packed },
    })
}

fn serve(path: &str, found: PageFile, headers: &HeaderMap) -> Response {
    // Vite puts a hash of the content into the names of files in this folder.
    let cache = if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let PageFile { file, coding, is_packed } = found;
    let hash = file.metadata.sha256_hash();
    let tag = format!("\"{}\"", crate::hex::of(&hash[..8]));
    let mut response = if headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        (StatusCode::NOT_MODIFIED, [(ETAG, tag)]).into_response()
    } else {
        let body = match file.data {
            std::borrow::Cow::Borrowed(bytes) => Body::from(bytes),
            std::borrow::Cow::Owned(bytes) => Body::from(bytes),
        };
        let head = [(CONTENT_TYPE, content_type(path)), (CACHE_CONTROL, cache), (ETAG, tag.as_str())];
        let mut response = (head, body).into_response();
        if let Some(coding) = coding {
            response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static(coding));
        }
        response
    };
    if is_packed {
        response.headers_mut().insert(VARY, HeaderValue::from_static("accept-encoding"));
    }
    response
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

#[cfg(test)]
mod tests {
    use super::{PageFile, find, serve};
    use axum::body::to_bytes;
    use axum::http::header::{
        ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, IF_NONE_MATCH, VARY,
    };
    use axum::response::Response;
    use rust_embed::{EmbeddedFile, Metadata, RustEmbed};
    use std::borrow::Cow;

    /// A script with both compressed forms, and a picture with neither.
    struct Files;

    impl RustEmbed for Files {
        fn get(path: &str) -> Option<EmbeddedFile> {
            let text: &'static str = match path {
                "assets/main.js" => "plain script",
                "assets/main.js.br" => "brotli",
                "assets/main.js.gz" => "gzip",
                "mark.png" => "picture",
                _ => return None,
            };
            let mut hash = [0; 32];
            hash[..text.len()].copy_from_slice(text.as_bytes());
            let metadata = Metadata::__rust_embed_new(hash, None, None);
            Some(EmbeddedFile { data: Cow::Borrowed(text.as_bytes()), metadata })
        }

        fn iter() -> impl Iterator<Item = Cow<'static, str>> + 'static {
            std::iter::empty()
        }
    }

    fn head(pairs: &[(axum::http::HeaderName, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.clone(), HeaderValue::from_str(value).unwrap())).collect()
    }

    fn ask(path: &str, headers: &HeaderMap, is_near: bool) -> Option<Response> {
        find::<Files>(path, headers, is_near).map(|found: PageFile| serve(path, found, headers))
    }

    async fn body(response: Response) -> String {
        String::from_utf8(to_bytes(response.into_body(), 100).await.unwrap().to_vec()).unwrap()
    }

    #[tokio::test]
    async fn the_smallest_form_that_a_client_takes_is_sent() {
        for (accept, coding, text) in [
            ("gzip, deflate, br, zstd", Some("br"), "brotli"),
            ("gzip, br;q=0", Some("gzip"), "gzip"),
            ("identity", None, "plain script"),
        ] {
            let answer = ask("assets/main.js", &head(&[(ACCEPT_ENCODING, accept)]), false).unwrap();
            assert_eq!(answer.headers().get(CONTENT_ENCODING).map(|one| one.to_str().unwrap()), coding);
            assert_eq!(answer.headers()[CONTENT_TYPE], "text/javascript; charset=utf-8");
            assert_eq!(answer.headers()[VARY], "accept-encoding");
            assert_eq!(body(answer).await, text);
        }
    }

    #[tokio::test]
    async fn this_computer_gets_what_it_need_not_unpack() {
        let answer = ask("assets/main.js", &head(&[(ACCEPT_ENCODING, "br")]), true).unwrap();
        assert_eq!(body(answer).await, "plain script");
    }

    #[test]
    fn every_form_has_a_tag_of_its_own() {
        let packed = head(&[(ACCEPT_ENCODING, "br")]);
        let tag = |headers: &HeaderMap| {
            ask("assets/main.js", headers, false).unwrap().headers()[ETAG].to_str().unwrap().to_owned()
        };
        let (of_packed, of_plain) = (tag(&packed), tag(&HeaderMap::new()));
        assert_ne!(of_packed, of_plain);
        let again = head(&[(ACCEPT_ENCODING, "br"), (IF_NONE_MATCH, &of_packed)]);
        let answer = ask("assets/main.js", &again, false).unwrap();
        assert_eq!(
            (answer.status().as_u16(), &answer.headers()[VARY]),
            (304, &HeaderValue::from_static("accept-encoding"))
        );
        let other = head(&[(ACCEPT_ENCODING, "br"), (IF_NONE_MATCH, &of_plain)]);
        assert_eq!(ask("assets/main.js", &other, false).unwrap().status().as_u16(), 200);
    }

    #[test]
    fn what_is_not_packed_depends_on_nothing_and_packed_files_have_no_address() {
        let takes_all = head(&[(ACCEPT_ENCODING, "br, gzip")]);
        assert!(ask("mark.png", &takes_all, false).unwrap().headers().get(VARY).is_none());
        assert!(ask("assets/main.js.br", &takes_all, false).is_none());
    }
}
