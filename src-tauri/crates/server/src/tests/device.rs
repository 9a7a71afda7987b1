//! Tests of desktop programs: admission, token refresh and revocation, and attempts to bypass them.

use super::{Answer, Client, Service};
use serde_json::{Value, json};

const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
/// From RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const BACK: &str = "http://127.0.0.1:53117/signed-in";
const ANY: &str = r#"{"query": "{ imports { id } }"}"#;

fn request(back: &str) -> String {
    let back: String = url::form_urlencoded::byte_serialize(back.as_bytes()).collect();
    format!(
        "redirect_uri={back}&state=0123456789abcdef&code_challenge={CHALLENGE}&code_challenge_method=S256&device_name=Ana%27s+laptop"
    )
}

async fn agree(page: &Client, request: &str, allow: bool) -> Answer {
    page.post("/api/auth/desktop/consent", &json!({ "request": request, "allow": allow }).to_string()).await
}

/// The code in the redirect address.
async fn code(page: &Client) -> String {
    let answer = agree(page, &request(BACK), true).await;
    let redirect = answer.json()["redirect"].as_str().unwrap().to_owned();
    let query = redirect.strip_prefix(&format!("{BACK}?code=")).unwrap();
    query.strip_suffix("&state=0123456789abcdef").unwrap().to_owned()
}

async fn exchange(service: &Service, code: &str, verifier: &str) -> Answer {
    let body = json!({ "grant": "code", "code": code, "verifier": verifier, "redirect_uri": BACK,
        "platform": "Linux", "kept_in": "keyring" });
    service.stranger().post("/api/auth/desktop/token", &body.to_string()).await
}

async fn refresh(service: &Service, token: &Value) -> Answer {
    let body = json!({ "grant": "refresh", "refresh_token": token });
    service.stranger().post("/api/auth/desktop/token", &body.to_string()).await
}

fn program(service: &Service, granted: &Value) -> Client {
    let token = granted["access_token"].as_str().unwrap();
    service.stranger().with("Authorization", &format!("Bearer {token}"))
}

#[tokio::test]
async fn a_desktop_is_let_in_and_thrown_out() {
    let service = Service::start().await;
    let page = service.signed_in_page().await;
    let asked = page.get(&format!("/api/auth/desktop/consent?{}", request(BACK))).await.json();
    assert_eq!(asked["device"], "Ana's laptop");
    assert_eq!(asked["answers_to"], "127.0.0.1:53117");
    assert_eq!(asked["email"], "administrator@localhost");

    let granted = exchange(&service, &code(&page).await, VERIFIER).await.json();
    let desktop = program(&service, &granted);
    assert_eq!(desktop.post("/api/graphql", ANY).await.status, 200);
    let devices = page.get("/api/auth/devices").await.json();
    assert_eq!((&devices[0]["name"], &devices[0]["kept_in"]), (&json!("Ana's laptop"), &json!("keyring")));

    let id = devices[0]["id"].as_str().unwrap();
    assert_eq!(page.delete(&format!("/api/auth/devices/{id}")).await.status, 204);
    assert_eq!(desktop.post("/api/graphql", ANY).await.refusal(), (401, "not_authenticated".to_owned()));
    let refused = refresh(&service, &granted["refresh_token"]).await;
    assert_eq!(refused.refusal(), (401, "device_revoked".to_owned()));
    let log = page.get("/api/auth/security-log?limit=10").await.body;
    for kind in ["device_allowed", "device_signed_in", "device_revoked"] {
        assert!(log.contains(kind), "{log}");
    }
    assert!(!log.contains(granted["refresh_token"].as_str().unwrap()));
}

#[tokio::test]
async fn the_browser_is_sent_to_our_own_page_whatever_is_asked() {
    let service = Service::start().await;
    for query in [request(BACK), request("https://evil.example/"), "//evil.example".to_owned(), String::new()]
    {
        let answer = service.stranger().get(&format!("/api/auth/desktop/authorize?{query}")).await;
        assert_eq!(answer.status, 303);
        assert!(answer.header("location").starts_with("/device?"), "{answer:?}");
    }
}

#[tokio::test]
async fn an_answer_for_somebody_elses_address_is_never_made() {
    let service = Service::start().await;
    let page = service.signed_in_page().await;
    let twice = format!("{}&redirect_uri=https%3A%2F%2Fevil.example%2F", request(BACK));
    for request in [request("https://evil.example/"), request("http://localhost:5000/"), twice] {
        for allow in [true, false] {
            let answer = agree(&page, &request, allow).await;
            assert_eq!(answer.refusal(), (400, "bad_device_request".to_owned()), "{request}");
        }
    }
}

#[tokio::test]
async fn a_person_can_refuse_or_carry_the_code_over() {
    let service = Service::start().await;
    let page = service.signed_in_page().await;
    let refused = agree(&page, &request(BACK), false).await.json();
    assert_eq!(refused["redirect"], format!("{BACK}?error=access_denied&state=0123456789abcdef"));

    let carried = agree(&page, &request(""), true).await.json();
    assert!(carried["redirect"].is_null());
    let body = json!({ "grant": "code", "code": carried["code"], "verifier": VERIFIER });
    let granted = service.stranger().post("/api/auth/desktop/token", &body.to_string()).await;
    assert_eq!(granted.status, 200, "{granted:?}");
}

#[tokio::test]
async fn only_a_person_on_our_own_page_lets_a_desktop_in() {
    let service = Service::start().await;
    assert_eq!(agree(&service.page(), &request(BACK), true).await.status, 401);
    let program = service.administrator().await;
    assert_eq!(agree(&program, &request(BACK), true).await.refusal(), (403, "browser_only".to_owned()));
    let page = service.signed_in_page().await;
    let foreign = page.clone().without("Origin").with("Sec-Fetch-Site", "same-site");
    assert_eq!(agree(&foreign, &request(BACK), true).await.refusal(), (403, "foreign_site".to_owned()));
    let foreign = page.clone().with("Origin", "http://127.0.0.1:1").with("Sec-Fetch-Site", "cross-site");
    assert_eq!(agree(&foreign, &request(BACK), true).await.refusal(), (403, "foreign_origin".to_owned()));
    // A desktop cannot admit another one.
    let granted = exchange(&service, &code(&page).await, VERIFIER).await.json();
    let desktop = self::program(&service, &granted);
    assert_eq!(agree(&desktop, &request(BACK), true).await.refusal(), (403, "browser_only".to_owned()));
}

#[tokio::test]
async fn a_code_is_worth_nothing_without_its_verifier_and_nothing_twice() {
    let service = Service::start().await;
    let page = service.signed_in_page().await;
    let stolen = code(&page).await;
    assert_eq!(exchange(&service, &stolen, "guess").await.refusal(), (401, "code_spent".to_owned()));
    assert_eq!(exchange(&service, &stolen, VERIFIER).await.refusal(), (401, "code_spent".to_owned()));
    let code = code(&page).await;
    let tries = futures_util::future::join_all((0..6).map(|_| exchange(&service, &code, VERIFIER))).await;
    assert_eq!(tries.iter().filter(|answer| answer.status == 200).count(), 1, "{tries:?}");
}

#[tokio::test]
async fn who_sends_a_used_refresh_token_ends_the_device() {
    let service = Service::start().await;
    let page = service.signed_in_page().await;
    let first = exchange(&service, &code(&page).await, VERIFIER).await.json();
    let second = refresh(&service, &first["refresh_token"]).await.json();
    let third = refresh(&service, &second["refresh_token"]).await.json();
    let reused = refresh(&service, &first["refresh_token"]).await;
    assert_eq!(reused.refusal(), (401, "device_token_reused".to_owned()));
    assert_eq!(program(&service, &third).post("/api/graphql", ANY).await.status, 401);
}

#[tokio::test]
async fn who_guesses_refresh_tokens_waits() {
    let service = Service::start().await;
    let mut last = 0;
    for _ in 0..6 {
        last = refresh(&service, &json!("guess")).await.status;
    }
    assert_eq!(last, 429);
}

#[tokio::test]
async fn signing_out_everywhere_ends_devices_too() {
    let service = Service::start().await;
    let page = service.signed_in_page().await;
    let granted = exchange(&service, &code(&page).await, VERIFIER).await.json();
    page.post("/api/auth/sign-out-everywhere", "").await;
    assert_eq!(program(&service, &granted).post("/api/graphql", ANY).await.status, 401);
}

#[tokio::test]
async fn a_desktop_is_let_in_to_the_tenant_the_person_chooses() {
    let service = Service::start().await;
    let (store, rng) = (service.store(), &mut rand::rng());
    let (umbrella, _) = auth::tenancy::find_or_create(&store, "Umbrella", crate::clock::now(), rng).unwrap();
    let page = service.signed_in_page().await;
    let asked = page.get(&format!("/api/auth/desktop/consent?{}", request(BACK))).await.json();
    let names: Vec<&str> =
        asked["tenants"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Personal workspace", "Umbrella"]);

    let allow = |tenant: &str| json!({ "request": request(""), "allow": true, "tenant": tenant }).to_string();
    let nowhere =
        page.post("/api/auth/desktop/consent", &allow("00000000-0000-0000-0000-000000000007")).await;
    assert_eq!(nowhere.refusal(), (403, "not_a_member".to_owned()));
    let carried = page.post("/api/auth/desktop/consent", &allow(&umbrella.id.to_string())).await.json();
    let body = json!({ "grant": "code", "code": carried["code"], "verifier": VERIFIER });
    let granted = service.stranger().post("/api/auth/desktop/token", &body.to_string()).await.json();
    assert_eq!(granted["tenant"], "Umbrella");

    // It stays in its tenant, and lists the others.
    let desktop = program(&service, &granted);
    let session = desktop.get("/api/auth/session").await.json();
    assert_eq!(
        (&session["tenant"]["name"], &session["tenants"][0]["name"]),
        (&json!("Umbrella"), &json!("Personal workspace"))
    );
    let home = json!({ "tenant": service.tenant().id.to_string() }).to_string();
    let refused = desktop.post("/api/auth/tenant", &home).await;
    assert_eq!(refused.refusal(), (403, "bound_to_tenant".to_owned()));

    // It can be revoked from any tenant of the user.
    let devices = page.get("/api/auth/devices").await.json();
    assert_eq!(devices[0]["tenant"], "Umbrella");
    assert_eq!(page.get("/api/auth/devices?of=everyone").await.json(), json!([]));
    let path = format!("/api/auth/devices/{}", devices[0]["id"].as_str().unwrap());
    assert_eq!(page.delete(&path).await.status, 204);
    assert_eq!(desktop.get("/api/auth/session").await.status, 401);
}
