//! Responses that must be accepted, in every form that providers send.

use crate::saml::check::{State, examine};
use crate::saml::kit::{self, Answer, Idp, NOW};

const DAY: i64 = 86_400_000_000;

fn idp() -> Idp {
    Idp::new("sso.example.com", NOW - DAY, NOW + 100 * DAY)
}

#[test]
fn an_answer_is_accepted_with_the_assertion_the_response_or_both_signed() {
    let idp = idp();
    for (signs_response, signs_assertion) in [(false, true), (true, false), (true, true)] {
        let answer = Answer { signs_response, signs_assertion, ..Answer::good() };
        let examined = examine(&kit::pack(&answer.signed(&idp)), &kit::settings(&idp.pem()), NOW);
        let verified = examined.outcome.unwrap();
        assert_eq!(verified.attributes.email.value, "mei@example.com");
        assert_eq!(verified.attributes.groups.values, ["developers"]);
        assert_eq!(verified.request, kit::REQUEST);
        let reached = examined.ladder.steps.iter().filter(|step| step.state == State::Passed).count();
        assert_eq!(reached, 14);
    }
}

#[test]
fn base64_may_have_line_breaks() {
    let idp = idp();
    let packed = kit::pack(&Answer::good().signed(&idp));
    let lines: Vec<&str> =
        packed.as_bytes().chunks(76).map(|line| std::str::from_utf8(line).unwrap()).collect();
    assert!(examine(&lines.join("\r\n"), &kit::settings(&idp.pem()), NOW).outcome.is_ok());
}

#[test]
fn during_a_change_answers_of_either_certificate_are_accepted() {
    let (old, new) = (Idp::stranger(), idp());
    let settings = kit::settings(&format!("{}{}", old.pem(), new.pem()));
    for idp in [&old, &new] {
        assert!(examine(&kit::pack(&Answer::good().signed(idp)), &settings, NOW).outcome.is_ok());
    }
}

#[test]
fn clocks_may_be_a_minute_apart() {
    let idp = idp();
    let packed = kit::pack(&Answer::good().signed(&idp));
    let settings = kit::settings(&idp.pem());
    let second = 1_000_000;
    for (now, accepted) in [(-60, true), (-92, false), (359, true), (361, false)] {
        assert_eq!(examine(&packed, &settings, NOW + now * second).outcome.is_ok(), accepted, "{now}");
    }
}

#[test]
fn a_thousand_groups_are_read() {
    let idp = idp();
    let groups: Vec<String> = (0..1000).map(|n| format!("group-{n}")).collect();
    let groups: Vec<&str> = groups.iter().map(String::as_str).collect();
    let answer =
        Answer { signs_response: true, ..Answer::to(kit::REQUEST, "_a1", "mei@example.com", &groups) };
    let verified =
        examine(&kit::pack(&answer.signed(&idp)), &kit::settings(&idp.pem()), NOW).outcome.unwrap();
    assert_eq!(verified.attributes.groups.values.len(), 1000);
}

#[test]
fn a_fleeting_name_id_is_no_account() {
    let idp = idp();
    let answer = Answer::good().with(
        "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress",
        "urn:oasis:names:tc:SAML:2.0:nameid-format:transient",
    );
    let settings = kit::settings(&idp.pem());
    let verified = examine(&kit::pack(&answer.signed(&idp)), &settings, NOW).outcome.unwrap();
    assert_eq!(verified.account(), None);
    let lasting = examine(&kit::pack(&Answer::good().signed(&idp)), &settings, NOW).outcome.unwrap();
    assert_eq!(lasting.account(), Some("mei@example.com"));
}

#[test]
fn an_empty_name_id_signs_in_with_the_address_of_an_attribute_and_is_no_account() {
    let idp = idp();
    let settings = kit::settings(&idp.pem());
    let answer = Answer::good().with(">mei@example.com</saml:NameID>", "></saml:NameID>");
    let verified = examine(&kit::pack(&answer.signed(&idp)), &settings, NOW).outcome.unwrap();
    assert_eq!((verified.attributes.email.value.as_str(), verified.account()), ("mei@example.com", None));
    let without = answer.with("Name=\"email\"", "Name=\"other\"");
    let refused = examine(&kit::pack(&without.signed(&idp)), &settings, NOW).outcome.unwrap_err();
    assert_eq!(refused.cause.code(), "no_email");
}

#[test]
fn the_end_of_the_session_at_the_provider_is_read_and_counts_to_the_second() {
    let idp = idp();
    let settings = kit::settings(&idp.pem());
    let ends = NOW + 5_000_000;
    let says = format!("SessionNotOnOrAfter=\"{}\" SessionIndex", crate::saml::time::text(ends));
    let packed = kit::pack(&Answer::good().with("SessionIndex", &says).signed(&idp));
    let at = |now| examine(&packed, &settings, now).outcome;
    assert_eq!(at(NOW).unwrap().session_ends_at, Some(ends));
    assert_eq!(at(ends).unwrap_err().cause.code(), "provider_session_ended");
    let silent = examine(&kit::pack(&Answer::good().signed(&idp)), &settings, NOW).outcome.unwrap();
    assert_eq!(silent.session_ends_at, None);
}
