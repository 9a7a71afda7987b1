//! Tests of what the relay forwards to the page, and what it withholds.

use super::kit::{Came, Elsewhere, Kit, grant};
use crate::relay::{Content, RelayMode, RelayRequest, RelayResponse, RequestBody};
use crate::{Keeping, Mode, RemoteError};
use futures_util::stream::Empty;
use outgoing::Method;
use outgoing::header::{COOKIE, HeaderMap, HeaderValue};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use uuid::Uuid;

type NoStream = Empty<Result<Vec<u8>, std::io::Error>>;
const QUERY: &str = r#"{"query": "{ spends { amount } }"}"#;

async fn signed_in(elsewhere: &Elsewhere) -> (Kit, Uuid) {
    let kit = Kit::new();
    let id = kit.add(&elsewhere.url());
    let mut rng = <rand::rngs::StdRng as rand::SeedableRng>::seed_from_u64(1);
    kit.remotes.begin_sign_in(id, Mode::Code, Keeping::Run, "A laptop", &mut rng).await.unwrap();
    kit.remotes.finish_with_code(id, "abc123").await.unwrap();
    (kit, id)
}

async fn ask(
    kit: &Kit,
    id: Uuid,
    method: Method,
    path: &str,
    body: &str,
) -> Result<RelayResponse, RemoteError> {
    let mut headers = HeaderMap::new();
    headers.insert(COOKIE, HeaderValue::from_static("quarterdeck_8791=secret"));
    headers.insert("content-type", HeaderValue::from_static("application/json"));
    let body: RequestBody<NoStream> = RequestBody::Whole(body.as_bytes().to_vec());
    let passing = if path == "/api/about" { RelayMode::AsItComes } else { RelayMode::Whole };
    kit.remotes.relay(id, Some(passing), RelayRequest { method, path: path.to_owned(), headers, body }).await
}

#[tokio::test]
async fn what_the_service_does_not_pass_on_never_leaves() {
    let elsewhere = granting(|came| panic!("{} left", came.line));
    let (kit, id) = signed_in(&elsewhere).await;
    for (passing, path) in
        [(None, "/api/auth/token"), (Some(RelayMode::Whole), "/api/imports/%2e%2e/auth/token")]
    {
        let body: RequestBody<NoStream> = RequestBody::Whole(Vec::new());
        let asked =
            RelayRequest { method: Method::GET, path: path.to_owned(), headers: HeaderMap::new(), body };
        let refused = kit.remotes.relay(id, passing, asked).await.err().unwrap();
        assert!(matches!(refused, RemoteError::NotRelayed { .. }), "{path}");
    }
}

async fn query(kit: &Kit, id: Uuid) -> Result<RelayResponse, RemoteError> {
    ask(kit, id, Method::POST, "/api/graphql", QUERY).await
}

fn body(answered: &RelayResponse) -> &str {
    match &answered.content {
        Content::Whole(bytes) => std::str::from_utf8(bytes).unwrap(),
        Content::Stream(_) => panic!("not read whole"),
    }
}

fn granting(answer: impl Fn(&Came) -> (u16, String, String) + Send + Sync + 'static) -> Elsewhere {
    let nth = AtomicI64::new(0);
    Elsewhere::start(move |came| {
        if came.line.starts_with("POST /api/auth/desktop/token") {
            return (200, String::new(), grant(nth.fetch_add(1, Ordering::Relaxed)));
        }
        answer(came)
    })
}

#[tokio::test]
async fn the_token_goes_out_and_cookies_go_nowhere() {
    let elsewhere = granting(|_| {
        (200, "content-type: application/json\r\nset-cookie: a=b\r\n".to_owned(), r#"{"data":1}"#.to_owned())
    });
    let (kit, id) = signed_in(&elsewhere).await;
    let answered = query(&kit, id).await.unwrap();
    assert_eq!(body(&answered), r#"{"data":1}"#);
    assert!(answered.headers.get("set-cookie").is_none());
    let came = elsewhere.came().pop().unwrap();
    assert_eq!(came.header("authorization"), Some("Bearer access-0"));
    assert_eq!(came.header("cookie"), None);
    assert_eq!(came.body, QUERY);
}

#[tokio::test]
async fn tokens_are_nowhere_on_disk_in_the_answer_or_in_addresses() {
    let elsewhere = granting(|_| (200, "content-type: application/json\r\n".to_owned(), "{}".to_owned()));
    let (kit, id) = signed_in(&elsewhere).await;
    query(&kit, id).await.unwrap();
    let disk = String::from_utf8_lossy(&kit.on_disk()).into_owned();
    assert!(!disk.contains("access-0") && !disk.contains("refresh-0"));
    for came in elsewhere.came() {
        assert!(!came.line.contains("access-") && !came.line.contains("refresh-"), "{came:?}");
    }
    assert!(!format!("{:?}", kit.remotes.find(id).unwrap()).contains("refresh-0"));
}

#[tokio::test]
async fn a_token_that_counts_no_more_is_replaced_and_the_request_sent_again() {
    let elsewhere = granting(|came| {
        let is_new = came.header("authorization") == Some("Bearer access-1");
        (if is_new { 200 } else { 401 }, "content-type: application/json\r\n".to_owned(), "{}".to_owned())
    });
    let (kit, id) = signed_in(&elsewhere).await;
    assert_eq!(query(&kit, id).await.unwrap().status, 200);
    let refreshed = elsewhere.came().into_iter().find(|came| came.body.contains("refresh_token")).unwrap();
    assert_eq!(refreshed.json()["refresh_token"], "refresh-0");
}

#[tokio::test]
async fn many_who_need_a_new_token_at_once_fetch_one() {
    let elsewhere = granting(|came| {
        let is_old = came.header("authorization") == Some("Bearer access-0");
        (if is_old { 401 } else { 200 }, "content-type: application/json\r\n".to_owned(), "{}".to_owned())
    });
    let (kit, id) = signed_in(&elsewhere).await;
    let all = futures_util::future::join_all((0..8).map(|_| query(&kit, id))).await;
    assert!(all.iter().all(|answered| answered.as_ref().is_ok_and(|answered| answered.status == 200)));
    let refreshes = elsewhere.came().iter().filter(|came| came.body.contains("refresh_token")).count();
    assert_eq!(refreshes, 1);
}

#[tokio::test]
async fn who_was_revoked_there_is_asked_to_sign_in_and_has_no_key_left() {
    let out = Arc::new(AtomicBool::new(false));
    let is_out = Arc::clone(&out);
    let elsewhere = Elsewhere::start(move |came| {
        let words = r#"{"error": "device_revoked", "message": "This device was signed out or revoked. Sign in again"}"#;
        if is_out.load(Ordering::Relaxed) {
            return (401, String::new(), words.to_owned());
        }
        let body = if came.line.contains("/desktop/token") { grant(0) } else { "{}".to_owned() };
        (200, "content-type: application/json\r\n".to_owned(), body)
    });
    let (kit, id) = signed_in(&elsewhere).await;
    query(&kit, id).await.unwrap();
    out.store(true, Ordering::Relaxed);
    let refused = query(&kit, id).await.err().unwrap();
    assert!(
        matches!(&refused, RemoteError::SignedOut { message } if message.contains("revoked")),
        "{refused:?}"
    );
    assert_eq!(kit.remotes.find(id).unwrap().kept_in, None);
    assert_eq!(kit.remotes.vault().get(id, Keeping::Run).unwrap(), None);
    assert!(matches!(query(&kit, id).await, Err(RemoteError::SignedOut { .. })));
}

#[tokio::test]
async fn a_redirect_takes_the_token_nowhere() {
    let thief = Elsewhere::granting();
    let to = format!("location: {}/\r\n", thief.url());
    let elsewhere = granting(move |_| (307, to.clone(), String::new()));
    let (kit, id) = signed_in(&elsewhere).await;
    assert!(matches!(query(&kit, id).await, Err(RemoteError::Strange { .. })));
    assert!(thief.came().is_empty());
}

#[tokio::test]
async fn while_it_is_away_questions_get_the_last_answer_with_its_time_and_changes_are_refused() {
    let elsewhere =
        granting(|_| (200, "content-type: application/json\r\n".to_owned(), r#"{"data":12.50}"#.to_owned()));
    let (kit, id) = signed_in(&elsewhere).await;
    let instance = kit.remotes.find(id).unwrap();
    let fresh = query(&kit, id).await.unwrap();
    assert_eq!(fresh.copy_of, None);
    let asked = crate::copies::asked_hash("POST", "/api/graphql", QUERY.as_bytes());
    kit.remotes.keep_copy(&instance, &asked, body(&fresh)).unwrap();
    // Nothing listens at that port any more.
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let set = kit.store.transaction(&catalogue::Caller::system(), |rows| {
        rows.update(
            "instance",
            &[store::eq("id", id)],
            &[("address", format!("http://{free}").as_str().into())],
        )
    });
    assert_eq!(set.unwrap(), 1);
    let copy = query(&kit, id).await.unwrap();
    assert_eq!((body(&copy), copy.copy_of), (r#"{"data":12.50}"#, Some(super::kit::NOW)));
    let other = ask(&kit, id, Method::POST, "/api/graphql", r#"{"query": "{ imports { id } }"}"#).await;
    assert!(other.err().unwrap().is_away());
    let change = ask(&kit, id, Method::POST, "/api/graphql", r#"{"query": "mutation { a }"}"#).await;
    assert!(change.err().unwrap().is_away());

    // When signed out, the copies are not readable.
    let known = kit.remotes.find(id).unwrap();
    kit.remotes.forget_key(&known).unwrap();
    assert!(matches!(
        query(&kit, id).await,
        Err(RemoteError::SignedOut { .. } | RemoteError::Resting { .. })
    ));
}

#[tokio::test]
async fn an_instance_that_is_not_there_behind_its_proxy_is_away() {
    let page = || "content-type: text/html\r\n".to_owned();
    let gone = Arc::new(AtomicBool::new(false));
    let is_gone = Arc::clone(&gone);
    let elsewhere = granting(move |_| {
        if is_gone.load(Ordering::Relaxed) {
            (502, page(), "<h1>Bad Gateway</h1>".to_owned())
        } else {
            (200, "content-type: application/json\r\n".to_owned(), r#"{"data":12.50}"#.to_owned())
        }
    });
    let (kit, id) = signed_in(&elsewhere).await;
    let fresh = query(&kit, id).await.unwrap();
    let asked = crate::copies::asked_hash("POST", "/api/graphql", QUERY.as_bytes());
    kit.remotes.keep_copy(&kit.remotes.find(id).unwrap(), &asked, body(&fresh)).unwrap();
    gone.store(true, Ordering::Relaxed);
    let knock = ask(&kit, id, Method::GET, "/api/about", "").await.err().unwrap();
    assert!(knock.is_away() && knock.to_string().contains("502"), "{knock}");
    let copy = query(&kit, id).await.unwrap();
    assert_eq!((body(&copy), copy.copy_of), (r#"{"data":12.50}"#, Some(super::kit::NOW)));
    let socket = kit.remotes.open_socket(id, "/api/graphql/ws", &HeaderMap::new()).await;
    assert!(socket.err().unwrap().is_away());
    // When it is back, it is contacted as before.
    gone.store(false, Ordering::Relaxed);
    ask(&kit, id, Method::GET, "/api/about", "").await.unwrap();
    assert_eq!(query(&kit, id).await.unwrap().copy_of, None);
}

#[tokio::test]
async fn what_the_instance_itself_says_when_it_is_busy_reaches_the_page() {
    let words = r#"{"error": "busy", "message": "Another program writes"}"#;
    let elsewhere =
        granting(move |_| (503, "content-type: application/json\r\n".to_owned(), words.to_owned()));
    let (kit, id) = signed_in(&elsewhere).await;
    let answered = query(&kit, id).await.unwrap();
    assert_eq!((answered.status.as_u16(), body(&answered)), (503, words));
}

#[tokio::test]
async fn a_key_that_cannot_be_changed_just_now_is_kept_and_used_later() {
    let busy = Arc::new(AtomicBool::new(false));
    let is_busy = Arc::clone(&busy);
    let elsewhere = Elsewhere::start(move |came| {
        let json = "content-type: application/json\r\n".to_owned();
        match came.line.contains("/desktop/token") {
            true if is_busy.load(Ordering::Relaxed) => {
                (503, json, r#"{"error": "busy", "message": "Another program writes"}"#.to_owned())
            }
            true => (200, json, grant(i64::from(came.body.contains("refresh_token")))),
            false => {
                let counts = came.line.contains("/api/about")
                    || came.header("authorization") == Some("Bearer access-1");
                (if counts { 200 } else { 401 }, json, "{}".to_owned())
            }
        }
    });
    let (kit, id) = signed_in(&elsewhere).await;
    busy.store(true, Ordering::Relaxed);
    assert!(query(&kit, id).await.err().unwrap().is_away());
    busy.store(false, Ordering::Relaxed);
    ask(&kit, id, Method::GET, "/api/about", "").await.unwrap();
    assert_eq!(query(&kit, id).await.unwrap().status, 200);
}

#[tokio::test]
async fn copies_of_one_instance_are_never_read_for_another() {
    let kit = Kit::new();
    let (one, other) = (kit.add("https://one.example"), kit.add("https://other.example"));
    kit.remotes.keep_copy(&kit.remotes.find(one).unwrap(), "asked", "{}").unwrap();
    assert!(kit.remotes.copy(one, "asked").unwrap().is_some());
    assert_eq!(kit.remotes.copy(other, "asked").unwrap(), None);
    kit.remotes.remove(one).unwrap();
    assert_eq!(kit.remotes.copy(one, "asked").unwrap(), None);
}

#[tokio::test]
async fn copies_of_one_person_are_never_read_by_the_next() {
    let kit = Kit::new();
    let id = kit.add("https://one.example");
    let sign_in = |email, tenant| kit.remotes.note_signed_in(id, "run", (email, tenant)).unwrap();
    let kept = || kit.remotes.copy(id, "asked").unwrap().is_some();
    for (first, next) in [
        (("ada@example.com", "Plant"), ("mei@example.com", "Plant")),
        (("ada@example.com", "Plant"), ("ada@example.com", "Works")),
    ] {
        sign_in(first.0, first.1);
        let asked_as = kit.remotes.find(id).unwrap();
        kit.remotes.keep_copy(&asked_as, "asked", "{}").unwrap();
        sign_in(first.0, first.1);
        assert!(kept(), "the same person reads on");
        sign_in(next.0, next.1);
        assert!(!kept());
        // A response that was in flight meanwhile.
        kit.remotes.keep_copy(&asked_as, "asked", "{}").unwrap();
        assert!(!kept());
    }
}

#[tokio::test]
async fn who_signs_in_again_reads_no_copies_of_before() {
    let elsewhere = granting(|_| (200, String::new(), "{}".to_owned()));
    let (kit, id) = signed_in(&elsewhere).await;
    kit.remotes.keep_copy(&kit.remotes.find(id).unwrap(), "asked", "{}").unwrap();
    let mut rng = <rand::rngs::StdRng as rand::SeedableRng>::seed_from_u64(2);
    kit.remotes.begin_sign_in(id, Mode::Code, Keeping::Run, "A laptop", &mut rng).await.unwrap();
    kit.remotes.finish_with_code(id, "def456").await.unwrap();
    assert_eq!(kit.remotes.copy(id, "asked").unwrap(), None);
}

#[tokio::test]
async fn a_socket_is_asked_for_with_the_token_and_without_the_cookie() {
    let elsewhere = granting(|_| (403, String::new(), String::new()));
    let (kit, id) = signed_in(&elsewhere).await;
    let headers = HeaderMap::from_iter(
        [
            ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
            ("cookie", "quarterdeck_8791=secret"),
            ("origin", "http://here"),
        ]
        .map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value))),
    );
    let refused = kit.remotes.open_socket(id, "/api/graphql/ws", &headers).await.err().unwrap();
    assert!(matches!(refused, RemoteError::Strange { .. }), "{refused:?}");
    let came = elsewhere.came().pop().unwrap();
    assert_eq!(came.header("authorization"), Some("Bearer access-0"));
    assert_eq!(came.header("sec-websocket-key"), Some("dGhlIHNhbXBsZSBub25jZQ=="));
    assert_eq!((came.header("cookie"), came.header("origin")), (None, None));
    for path in ["/api/auth/session", "/api/graphql/ws/", "/api/models/events"] {
        let refused = kit.remotes.open_socket(id, path, &headers).await.err().unwrap();
        assert!(matches!(refused, RemoteError::NotRelayed { .. }), "{path}");
    }
}

#[tokio::test]
async fn an_instance_that_does_not_answer_is_asked_again_after_its_rest_however_often_somebody_asks() {
    let elsewhere = granting(|_| (200, String::new(), "{}".to_owned()));
    let (kit, id) = signed_in(&elsewhere).await;
    let instance = kit.remotes.find(id).unwrap();
    let away = || crate::hold(&kit.remotes.away).get(&id).copied();
    kit.remotes.note_away(&instance, RemoteError::Unknown);
    let until = away();
    let resting = kit.remotes.rests(&instance).unwrap();
    crate::hold(&kit.remotes.away).insert(id, i64::MAX);
    kit.remotes.note_away(&instance, resting);
    assert!(
        until.is_some() && away() == Some(i64::MAX),
        "who only heard that it rests says nothing about it"
    );
}
