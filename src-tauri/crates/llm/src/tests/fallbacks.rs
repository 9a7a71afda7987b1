//! Tests of several providers for one purpose.

use super::{provider_at, wait};
use crate::kind::Field;
use crate::{Chat, FailureKind, Message, ProviderKind, ask, embed};
use testkit::language_models::{Fault, LanguageModels, Said};

fn hello() -> Chat {
    Chat { messages: vec![Message::user("Hello")], ..Chat::default() }
}

#[test]
fn the_next_one_is_asked_when_the_first_fails() {
    let (broken, sound) = (LanguageModels::start(), LanguageModels::start());
    broken.say([Said::fault(Fault::Status(503, "overloaded".to_owned(), None))]);
    let candidates = [provider_at(&broken, ProviderKind::OpenAi), provider_at(&sound, ProviderKind::Ollama)];
    let answer = wait(ask(&candidates, &hello())).unwrap();
    assert_eq!(answer.kind, ProviderKind::Ollama);
}

#[test]
fn the_first_failure_is_the_one_that_is_told() {
    let double = LanguageModels::start();
    let status = |status| Said::fault(Fault::Status(status, format!("number {status}"), None));
    double.say([status(500), status(404)]);
    let candidates = [provider_at(&double, ProviderKind::OpenAi), provider_at(&double, ProviderKind::Ollama)];
    let failure = wait(async { ask(&candidates, &hello()).await.map(|_| ()) }).unwrap_err();
    assert!(failure.message.contains("number 500"), "{failure}");
    assert_eq!(double.seen().len(), 2);
}

#[test]
fn a_request_that_is_too_long_is_not_asked_again_elsewhere() {
    let double = LanguageModels::start();
    double.say([Said::fault(Fault::Status(400, "maximum context length".to_owned(), None))]);
    let candidates = [provider_at(&double, ProviderKind::OpenAi), provider_at(&double, ProviderKind::Ollama)];
    let failure = wait(async { ask(&candidates, &hello()).await.map(|_| ()) }).unwrap_err();
    assert_eq!((failure.trouble, double.seen().len()), (FailureKind::TooLong, 1));
}

/// The address is reserved for documentation: a connection attempt would take long and fail differently.
#[test]
fn nothing_is_sent_away_that_nobody_allowed_to_leave() {
    let double = LanguageModels::start();
    let mut away = provider_at(&double, ProviderKind::OpenAi);
    away.connection.0.insert(Field::Endpoint, "https://192.0.2.1/v1".to_owned());
    assert!(!away.is_local());
    let candidates = [away.clone()];
    let failure = wait(async { ask(&candidates, &hello()).await.map(|_| ()) }).unwrap_err();
    assert_eq!(failure.trouble, FailureKind::MustStay, "{failure}");
    let failure = wait(embed(&candidates, &["a".to_owned()])).unwrap_err();
    assert_eq!(failure.trouble, FailureKind::MustStay, "{failure}");
    let answer = wait(ask(&[away, provider_at(&double, ProviderKind::Ollama)], &hello())).unwrap();
    assert!(answer.is_local);
}
