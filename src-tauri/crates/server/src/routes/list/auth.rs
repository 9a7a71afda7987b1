//! `/api/auth`: sign-in and sign-out.

use crate::rest::route::Guard;
use crate::rest::{Access, Area, Relay, delete, get, post, put};
use crate::routes::tenants::Session;
use crate::routes::{device, password, saml, session, sign_on, tenants, token};

const ABOUT: &str =
    "Sign-in with tokens, links, passwords, SAML and desktops; sessions; the settings of single sign-on";

pub fn auth() -> Area {
    let mut routes = vec![
        post("/api/auth/token", "A bearer token for the pair of an API token", token::exchange),
        get("/api/auth/session", "Who is signed in, with their tenants", tenants::show).relay(Relay::Kept),
        post("/api/auth/session", "Sign a browser in with the pair of an API token", session::sign_in),
        post("/api/auth/tenant", "Go on in another tenant of the same person", tenants::choose)
            .needs(Access::Browser)
            .answers::<Session>(),
        post("/api/auth/link", "Sign a browser in with a one-time link", session::follow_link),
        post("/api/auth/password", "Sign a browser in as the local administrator", password::sign_in),
        get(
            "/api/auth/local",
            "The local administrator's password: whether it is set and counts",
            password::show,
        )
        .relay(Relay::Passed),
        put("/api/auth/local", "Set the password, or switch it on or off", password::change)
            .relay(Relay::Passed),
        post("/api/auth/sign-out", "End the session", session::sign_out),
        post(
            "/api/auth/sign-out-everywhere",
            "End every session and device of the caller",
            session::sign_out_everywhere,
        )
        .relay(Relay::Passed),
        get("/api/auth/sessions", "Browsers that are signed in", session::list).relay(Relay::Passed),
        delete("/api/auth/sessions/{id}", "End a session", session::end).relay(Relay::Passed),
        get("/api/auth/refusals/{id}", "Why a sign-in was refused", saml::refusal).relay(Relay::Passed),
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
        get("/api/auth/desktop/authorize", "Where a desktop program sends the browser", device::authorize)
            .redirects(303),
        get("/api/auth/desktop/consent", "What a desktop program asks for", device::show),
        post("/api/auth/desktop/consent", "Let a desktop program in, or not", device::consent),
        post("/api/auth/desktop/token", "Tokens for a code or a refresh token", device::token),
        post("/api/auth/desktop/sign-out", "A desktop signs itself out", device::sign_out),
        get("/api/auth/devices", "Desktop programs that were let in", device::list).relay(Relay::Passed),
        delete("/api/auth/devices/{id}", "End a desktop program", device::revoke).relay(Relay::Passed),
    ]
}

fn single_sign_on() -> Vec<crate::rest::Route> {
    vec![
        get("/api/auth/saml/login", "Send the browser to the identity provider", saml::login)
            .redirects(302)
            .redirects(303),
        post("/api/auth/saml/acs", "The answer of the identity provider, brought by the browser", saml::acs)
            .takes_file("application/x-www-form-urlencoded")
            .redirects(303)
            .guard(Guard::FromAnySite),
        get("/api/auth/saml/finish", "Begin the session of a sign-in that was accepted", saml::finish)
            .redirects(303),
        get("/api/auth/saml/health", "The health report of single sign-on", saml::health)
            .relay(Relay::Passed),
        get("/api/auth/saml/metadata", "Metadata of this service, for the identity provider", saml::metadata)
            .file("application/samlmetadata+xml"),
    ]
}

fn settings_of_single_sign_on() -> Vec<crate::rest::Route> {
    let mut routes = vec![
        get("/api/auth/saml/settings", "Every setting with where it comes from", sign_on::show),
        put("/api/auth/saml/settings", "Save settings", sign_on::save),
        post(
            "/api/auth/saml/settings/check",
            "The settings with a draft on top; saves nothing",
            sign_on::check_draft,
        ),
        post("/api/auth/saml/idp-metadata", "Read metadata of an identity provider", sign_on::read_metadata),
        post("/api/auth/saml/certificate", "Read certificates", sign_on::read_certificate),
        post(
            "/api/auth/saml/roles-preview",
            "What groups would give; changes nothing",
            sign_on::preview_roles,
        ),
        post("/api/auth/saml/tests", "Begin a test sign-in", sign_on::create_test),
        get("/api/auth/saml/tests/{id}", "How a test sign-in stands", sign_on::show_test),
        get(
            "/api/auth/saml/tests/{id}/start",
            "Send the browser to the provider for a test",
            sign_on::start_test,
        )
        .redirects(302),
        post("/api/auth/saml/lab", "Check an answer of a provider; changes nothing", sign_on::examine),
        get("/api/auth/saml/accounts", "Accounts at identity providers that are linked", sign_on::accounts),
        get("/api/auth/saml/refusals", "The newest refusals with cause and remedy", sign_on::refusals),
    ];
    // Except for `/start`, which sends the browser to the provider and must not be opened by a page for a remote instance.
    for route in routes.iter_mut().filter(|route| !route.facts.path.ends_with("/start")) {
        route.facts.relay = Relay::Passed;
    }
    routes
}
