//! `/api/auth`: sign-in and sign-out.

use crate::rest::route::Guard;
use crate::rest::{Access, Area, Relay, delete, get, post, put};
use crate::routes::tenants::Session;
use crate::routes::{device, password, saml, session, sign_on, tenants, token};

const ABOUT: &str =
    "Sign-in with tokens, links, passwords, SAML and desktops; sessions; the settings of single sign-on";

pub fn auth() -> Area {
    let mut routes = vec![
        post("/api/auth/token", "Exchange an API token for a bearer token", token::exchange),
        get("/api/auth/session", "The signed-in user and their tenants", tenants::show).relay(Relay::Kept),
        post("/api/auth/session", "Sign a browser in with an API token", session::sign_in),
        post("/api/auth/tenant", "Switch to another tenant of the user", tenants::choose)
            .needs(Access::Browser)
            .answers::<Session>(),
        post("/api/auth/link", "Sign a browser in with a one-time link", session::follow_link),
        post("/api/auth/password", "Sign a browser in as the local administrator", password::sign_in),
        get(
            "/api/auth/local",
            "Whether the local administrator's password is set and enabled",
            password::show,
        )
        .relay(Relay::Passed),
        put("/api/auth/local", "Set, enable or disable the password", password::change).relay(Relay::Passed),
        post("/api/auth/sign-out", "End the session", session::sign_out),
        post(
            "/api/auth/sign-out-everywhere",
            "End all sessions and devices of the caller",
            session::sign_out_everywhere,
        )
        .relay(Relay::Passed),
        get("/api/auth/sessions", "List browser sessions", session::list).relay(Relay::Passed),
        delete("/api/auth/sessions/{id}", "End a session", session::end).relay(Relay::Passed),
        get("/api/auth/refusals/{id}", "The reason why a sign-in was refused", saml::refusal)
            .relay(Relay::Passed),
        get("/api/auth/security-log", "Sign-ins and changes of rights, newest first", sign_on::log)
            .relay(Relay::Passed),
    ];
    routes.extend(desktops());
    routes.extend(single_sign_on());
    routes.extend(settings_of_single_sign_on());
    Area::new("auth", ABOUT, routes).with_secrets()
}

fn desktops() -> Vec<crate::rest::Route> {
    vec![
        get(
            "/api/auth/desktop/authorize",
            "Start the sign-in of a desktop program in the browser",
            device::authorize,
        )
        .redirects(303),
        get("/api/auth/desktop/consent", "The request of a desktop program", device::show),
        post("/api/auth/desktop/consent", "Approve or reject a desktop program", device::consent),
        post("/api/auth/desktop/token", "Exchange a code or a refresh token for tokens", device::token),
        post("/api/auth/desktop/sign-out", "Sign a desktop program out", device::sign_out),
        get("/api/auth/devices", "List approved desktop programs", device::list).relay(Relay::Passed),
        delete("/api/auth/devices/{id}", "Revoke a desktop program", device::revoke).relay(Relay::Passed),
    ]
}

fn single_sign_on() -> Vec<crate::rest::Route> {
    vec![
        get("/api/auth/saml/login", "Redirect the browser to the identity provider", saml::login)
            .redirects(302)
            .redirects(303),
        post(
            "/api/auth/saml/acs",
            "Receive the SAML response of the identity provider (assertion consumer service)",
            saml::acs,
        )
        .takes_file("application/x-www-form-urlencoded")
        .redirects(303)
        .guard(Guard::FromAnySite),
        get("/api/auth/saml/finish", "Start the session of an accepted sign-in", saml::finish).redirects(303),
        get("/api/auth/saml/health", "The health report of single sign-on", saml::health)
            .relay(Relay::Passed),
        get("/api/auth/saml/metadata", "SAML metadata of this service", saml::metadata)
            .file("application/samlmetadata+xml"),
    ]
}

fn settings_of_single_sign_on() -> Vec<crate::rest::Route> {
    let mut routes = vec![
        get("/api/auth/saml/settings", "All settings with their sources", sign_on::show),
        put("/api/auth/saml/settings", "Save settings", sign_on::save),
        post(
            "/api/auth/saml/settings/check",
            "Preview the settings with a draft; saves nothing",
            sign_on::check_draft,
        ),
        post("/api/auth/saml/idp-metadata", "Parse metadata of an identity provider", sign_on::read_metadata),
        post("/api/auth/saml/certificate", "Parse certificates", sign_on::read_certificate),
        post(
            "/api/auth/saml/roles-preview",
            "Preview the roles that groups grant; changes nothing",
            sign_on::preview_roles,
        ),
        post("/api/auth/saml/tests", "Start a test sign-in", sign_on::create_test),
        get("/api/auth/saml/tests/{id}", "The state of a test sign-in", sign_on::show_test),
        get(
            "/api/auth/saml/tests/{id}/start",
            "Redirect the browser to the identity provider for a test",
            sign_on::start_test,
        )
        .redirects(302),
        post("/api/auth/saml/lab", "Validate a SAML response; changes nothing", sign_on::examine),
        get("/api/auth/saml/accounts", "List linked accounts at identity providers", sign_on::accounts),
        get(
            "/api/auth/saml/refusals",
            "List recent refused sign-ins with cause and remedy",
            sign_on::refusals,
        ),
    ];
    // Except for `/start`, which sends the browser to the provider and must not be opened by a page for a remote instance.
    for route in routes.iter_mut().filter(|route| !route.facts.path.ends_with("/start")) {
        route.facts.relay = Relay::Passed;
    }
    routes
}
