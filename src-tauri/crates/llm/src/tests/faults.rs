//! Tests of providers that fail.

use super::{KINDS, provider_at, wait};
use crate::kind::Field;
use crate::{Chat, End, Failure, FailureKind, Message, Provider, ProviderKind, Reply, ask, embed};
use std::time::Duration;
use testkit::language_models::{Fault, KEY, LanguageModels, SECRET_KEY, Said, TOKEN};

fn hello() -> Chat {
    Chat { messages: vec![Message::user("Hello")], ..Chat::default() }
}

fn asked(kind: ProviderKind, said: Said) -> Result<Reply, Failure> {
    let double = LanguageModels::start();
    double.say([said]);
    let provider = [provider_at(&double, kind)];
    wait(async { ask(&provider, &hello()).await?.whole().await })
}

/// A fault and the expected failure.
struct Wrong {
    fault: Fault,
    trouble: FailureKind,
    /// Expected in the message.
    words: &'static str,
    retry_after: Option<Duration>,
    /// Whether the stream has produced output before the fault: then no other provider may continue.
    has_spoken: bool,
}

/// Faults that any provider can have. `secret` is its credential: providers repeat it in error messages.
fn faults(secret: &str) -> Vec<Wrong> {
    let status = |status, words: &str, wait| Fault::Status(status, words.to_owned(), wait);
    let wrong = |fault, trouble, words| Wrong { fault, trouble, words, retry_after: None, has_spoken: false };
    let refused = format!("the key {secret} is wrong");
    vec![
        wrong(
            status(401, &refused, None),
            FailureKind::Refused,
            "refuses the key (status 401). It says: the key",
        ),
        wrong(
            status(403, "no right to this model", None),
            FailureKind::Refused,
            "refuses the key (status 403). It says: no right to this model",
        ),
        Wrong {
            retry_after: Some(Duration::from_secs(7)),
            ..wrong(
                status(429, "Too many tokens per minute", Some(7)),
                FailureKind::Limited,
                "has reached a limit (status 429). It says: Too many tokens per minute. Ask again in 7 s.",
            )
        },
        wrong(
            status(500, "Internal server error", None),
            FailureKind::Broken,
            "has trouble of its own (status 500). It says: Internal server error",
        ),
        wrong(Fault::Silent, FailureKind::Slow, "took too long to answer"),
        Wrong { has_spoken: true, ..wrong(Fault::Stalls, FailureKind::Slow, "took too long to answer") },
        wrong(Fault::HangsUp, FailureKind::CutOff, "broke off"),
        Wrong { has_spoken: true, ..wrong(Fault::CutOff, FailureKind::CutOff, "broke off") },
        wrong(
            Fault::Nonsense,
            FailureKind::Nonsense,
            "answered with something that is no answer of such a provider",
        ),
    ]
}

/// The credential of a provider of that kind, as sent or as used to sign requests.
fn secret_of(kind: ProviderKind) -> &'static str {
    match kind {
        ProviderKind::Bedrock | ProviderKind::SageMaker => SECRET_KEY,
        ProviderKind::Vertex => TOKEN,
        _ => KEY,
    }
}

impl Wrong {
    /// A provider that fails this way at the next request.
    fn provider(&self, double: &LanguageModels, kind: ProviderKind) -> Provider {
        double.fail([self.fault.clone()]);
        let mut provider = provider_at(double, kind);
        "amazon.titan-embed-text-v2:0".clone_into(&mut provider.model);
        if kind == ProviderKind::Ollama {
            // Ollama requires no key, but a proxy in front of it may.
            provider.connection.0.insert(Field::Key, KEY.to_owned());
        }
        if self.trouble == FailureKind::Slow {
            provider.way.silence = Duration::from_millis(150);
        }
        provider
    }

    fn check(&self, failure: &Failure, kind: ProviderKind) {
        let place = format!("{kind:?}, {:?}: {failure}", self.fault);
        assert_eq!(failure.trouble, self.trouble, "{place}");
        assert!(failure.message.contains(self.words), "{place}");
        assert!(!failure.message.contains(secret_of(kind)), "{place}");
        assert_eq!(failure.retry_after, self.retry_after, "{place}");
    }
}

/// Runs `work` for every kind in parallel: most of the time is waiting.
fn of_every_kind(work: impl Fn(ProviderKind) + Sync) {
    std::thread::scope(|scope| {
        for kind in KINDS {
            let work = &work;
            scope.spawn(move || work(kind));
        }
    });
}

#[test]
fn every_kind_that_goes_wrong_in_a_conversation_says_how_and_the_next_one_is_asked() {
    let sound = LanguageModels::start();
    of_every_kind(|kind| {
        for wrong in faults(secret_of(kind)) {
            let double = LanguageModels::start();
            let talk =
                |candidates: &[Provider]| wait(async { ask(candidates, &hello()).await?.whole().await });
            wrong.check(&talk(&[wrong.provider(&double, kind)]).unwrap_err(), kind);

            let answered = talk(&[wrong.provider(&double, kind), provider_at(&sound, ProviderKind::Ollama)]);
            match answered {
                Ok(reply) => assert_eq!(reply.text, "OK", "{kind:?}, {:?}", wrong.fault),
                // SageMaker answers completely or not at all.
                Err(failure) => {
                    let may = wrong.has_spoken && kind != ProviderKind::SageMaker;
                    assert!(may, "{kind:?}, {:?}: {failure}", wrong.fault);
                }
            }
        }
    });
}

#[test]
fn every_kind_that_goes_wrong_with_embeddings_says_how_and_the_next_one_is_asked() {
    let sound = LanguageModels::start();
    of_every_kind(|kind| {
        for wrong in faults(secret_of(kind)) {
            let double = LanguageModels::start();
            let texts = ["one".to_owned()];
            let failure = wait(embed(&[wrong.provider(&double, kind)], &texts)).unwrap_err();
            wrong.check(&failure, kind);
            let candidates = [wrong.provider(&double, kind), provider_at(&sound, ProviderKind::Ollama)];
            let embedded = wait(embed(&candidates, &texts))
                .unwrap_or_else(|failure| panic!("{kind:?}, {:?}: {failure}", wrong.fault));
            assert_eq!(embedded.provider, "ollama", "{kind:?}, {:?}", wrong.fault);
        }
    });
}

/// The test server checks credentials as providers do.
#[test]
fn a_wrong_key_is_refused_by_every_kind_that_wants_one() {
    for kind in KINDS {
        // Ollama requires none, and Vertex AI's is exchanged for a token.
        if matches!(kind, ProviderKind::Ollama | ProviderKind::Vertex) {
            continue;
        }
        let double = LanguageModels::start();
        let mut provider = provider_at(&double, kind);
        let wrong = "wrong-key-987654321";
        for field in [Field::Key, Field::SecretKey] {
            if provider.connection.get(field).is_some() {
                provider.connection.0.insert(field, wrong.to_owned());
            }
        }
        let failure = wait(async { ask(&[provider], &hello()).await.map(|_| ()) }).unwrap_err();
        assert_eq!(failure.trouble, FailureKind::Refused, "{kind:?}: {failure}");
        assert!(!failure.message.contains(wrong), "{kind:?}: {failure}");
    }
}

#[test]
fn refusals_are_told_apart_with_the_providers_words() {
    for kind in KINDS {
        for (status, words, trouble) in [
            (404, "The model does not exist", FailureKind::ModelUnknown),
            (400, "maximum context length is 8192 tokens", FailureKind::TooLong),
        ] {
            let failure =
                asked(kind, Said::fault(Fault::Status(status, words.to_owned(), None))).unwrap_err();
            assert_eq!(failure.trouble, trouble, "{kind:?}: {failure}");
            assert!(failure.message.contains(words), "{kind:?}: {failure}");
        }
    }
}

#[test]
fn an_answer_at_the_bound_of_tokens_says_so() {
    for kind in KINDS {
        let reply = asked(kind, Said { fault: Some(Fault::Length), ..Said::text("Once upon a") }).unwrap();
        assert_eq!((reply.text.as_str(), reply.end), ("Once upon a", End::Length), "{kind:?}");
    }
}

#[test]
fn a_slow_answer_is_waited_for() {
    let slow = Said { fault: Some(Fault::Slow(Duration::from_millis(50))), ..Said::text("At last") };
    let reply = asked(ProviderKind::Ollama, slow).unwrap();
    assert_eq!(reply.text, "At last");
    assert!(reply.first >= Duration::from_millis(50) && reply.latency >= reply.first, "{reply:?}");
}

#[test]
fn nobody_there_is_told_with_the_address() {
    let double = LanguageModels::start();
    let mut provider = provider_at(&double, ProviderKind::OpenAi);
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    provider.connection.0.insert(Field::Endpoint, format!("http://{free}/v1"));
    let failure = wait(async { ask(&[provider], &hello()).await.map(|_| ()) }).unwrap_err();
    assert_eq!(failure.trouble, FailureKind::Unreachable, "{failure}");
    assert!(failure.message.contains("127.0.0.1"), "{failure}");
}
