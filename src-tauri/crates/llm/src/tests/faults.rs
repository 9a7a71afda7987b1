//! Providers that misbehave.

use super::language_models::{Fault, LanguageModels, Said};
use super::{KINDS, provider_at, wait};
use crate::kind::Field;
use crate::{Chat, End, Failure, Message, ProviderKind, Reply, Trouble, ask};
use std::time::Duration;

fn hello() -> Chat {
    Chat { messages: vec![Message::user("Hello")], ..Chat::default() }
}

fn asked(kind: ProviderKind, said: Said) -> Result<Reply, Failure> {
    let double = LanguageModels::start();
    double.say([said]);
    let provider = [provider_at(&double, kind)];
    wait(async { ask(&provider, &hello()).await?.whole().await })
}

#[test]
fn an_answer_that_breaks_off_is_no_answer() {
    for kind in KINDS {
        let failure = asked(kind, Said::fault(Fault::CutOff)).unwrap_err();
        assert_eq!(failure.trouble, Trouble::CutOff, "{kind:?}: {failure}");
    }
}

#[test]
fn what_is_no_answer_is_told_as_that() {
    for kind in KINDS {
        let failure = asked(kind, Said::fault(Fault::Nonsense)).unwrap_err();
        let expected: &[Trouble] = &[Trouble::Nonsense, Trouble::CutOff];
        assert!(expected.contains(&failure.trouble), "{kind:?}: {failure}");
    }
}

#[test]
fn refusals_are_told_apart_with_the_providers_words() {
    for kind in KINDS {
        for (status, words, trouble) in [
            (429, "Too many tokens per minute", Trouble::Limited),
            (500, "Internal server error", Trouble::Broken),
            (404, "The model does not exist", Trouble::ModelUnknown),
            (400, "maximum context length is 8192 tokens", Trouble::TooLong),
        ] {
            let failure =
                asked(kind, Said::fault(Fault::Status(status, words.to_owned(), Some(7)))).unwrap_err();
            assert_eq!(failure.trouble, trouble, "{kind:?}: {failure}");
            assert!(failure.message.contains(words), "{kind:?}: {failure}");
            let wait = (trouble == Trouble::Limited).then_some(Duration::from_secs(7));
            assert_eq!(failure.retry_after, wait, "{kind:?}");
        }
    }
}

#[test]
fn a_wrong_key_is_refused_and_never_repeated() {
    for kind in KINDS {
        // Ollama wants none, and Vertex AI's is no text that could be repeated.
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
        assert_eq!(failure.trouble, Trouble::Refused, "{kind:?}: {failure}");
        assert!(!failure.message.contains(wrong), "{kind:?}: {failure}");
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
    assert_eq!(failure.trouble, Trouble::Unreachable, "{failure}");
    assert!(failure.message.contains("127.0.0.1"), "{failure}");
}
