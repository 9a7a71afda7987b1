use super::{find, list, openapi};
use crate::rest::Relay;
use axum::http::Method;
use std::fs;
use std::path::Path;

#[test]
fn openapi_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../schema/generated/openapi.json");
    let text = openapi::text();
    if std::env::var_os("UPDATE").is_some() {
        return fs::write(path, text).unwrap();
    }
    let kept = fs::read_to_string(path).unwrap_or_default();
    assert!(
        kept == text,
        "schema/generated/openapi.json is stale: run UPDATE=1 cargo test -p server openapi and read the change"
    );
}

#[test]
fn no_two_types_of_the_document_have_one_name() {
    let document: serde_json::Value = serde_json::from_str(&openapi::text()).unwrap();
    let names: Vec<&String> = document["components"]["schemas"].as_object().unwrap().keys().collect();
    let numbered: Vec<_> =
        names.iter().filter(|name| name.ends_with(|last: char| last.is_ascii_digit())).collect();
    assert!(numbered.is_empty(), "give one of each pair another name with #[schemars(rename)]: {numbered:?}");
}

#[test]
fn areas_stand_in_the_order_of_their_names() {
    let names: Vec<_> = list::areas().iter().map(|area| area.name).collect();
    assert!(names.is_sorted(), "{names:?}");
}

#[test]
fn a_route_of_the_interface_stands_in_the_area_its_path_names() {
    for area in list::areas() {
        for route in area.routes.iter().filter(|route| route.facts.path.starts_with("/api/")) {
            let path = route.facts.path;
            let named = path["/api/".len()..].split(['/', '.']).next();
            assert_eq!(named, Some(area.name), "{path}");
        }
    }
}

fn relay(method: Method, path: &str) -> Option<Relay> {
    find(&method, path).map(|route| route.relay)
}

#[test]
fn what_signs_in_or_out_is_not_passed_on() {
    for (method, path) in [
        (Method::POST, "/api/auth/token"),
        (Method::POST, "/api/auth/session"),
        (Method::POST, "/api/auth/link"),
        (Method::POST, "/api/auth/password"),
        (Method::POST, "/api/auth/sign-out"),
        (Method::POST, "/api/auth/desktop/token"),
        (Method::POST, "/api/auth/desktop/consent"),
        (Method::GET, "/api/auth/saml/login"),
        (Method::POST, "/api/auth/saml/acs"),
        (Method::GET, "/api/auth/saml/tests/1/start"),
        (Method::GET, "/api/instances"),
        (Method::GET, "/api/graphql"),
    ] {
        assert_eq!(relay(method.clone(), path), Some(Relay::Refused), "{method} {path}");
    }
    assert_eq!(relay(Method::GET, "/sign-in"), None);
}

#[test]
fn what_pages_ask_is_passed_on_and_what_only_asks_is_kept() {
    for (method, path, wanted) in [
        (Method::POST, "/api/graphql", Relay::Kept),
        (Method::POST, "/api/imports", Relay::Passed),
        (Method::GET, "/api/imports/7", Relay::Kept),
        (Method::GET, "/api/imports/7/file", Relay::Passed),
        (Method::GET, "/api/models/events", Relay::Passed),
        (Method::POST, "/api/assistant/ask", Relay::Passed),
        (Method::PUT, "/api/model-providers/order", Relay::Passed),
        (Method::GET, "/api/auth/session", Relay::Kept),
        (Method::GET, "/api/auth/saml/tests/1", Relay::Passed),
    ] {
        assert_eq!(relay(method.clone(), path), Some(wanted), "{method} {path}");
    }
}

#[test]
fn files_are_told_apart_from_what_a_page_typed() {
    let takes_file = |path: &str| find(&Method::POST, path).unwrap().takes_file();
    for path in
        ["/api/imports", "/api/backups/upload", "/api/assistant/documents", "/api/models/svc-llm/file"]
    {
        assert!(takes_file(path), "{path}");
    }
    for path in ["/api/imports/7/undo", "/api/graphql", "/api/models/svc-llm/verify"] {
        assert!(!takes_file(path), "{path}");
    }
}
