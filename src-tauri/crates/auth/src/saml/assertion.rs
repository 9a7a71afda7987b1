//! Reads the signed assertion from the bytes the signature covers, and checks issuer, audience, times and recipient.

use super::cause::{Cause, Rejection, difference};
use super::structure::{ASSERTION, check_version, children, is, only, text_of};
use super::time;
use crate::SECOND;
use roxmltree::Node;

/// Allowed difference between the clocks of provider and service, in µs.
pub const SKEW: i64 = 60 * SECOND;

/// The expected values that a response is checked against.
#[derive(Debug, Clone, Copy)]
pub struct Expectation<'a> {
    pub issuer: &'a str,
    pub audience: &'a str,
    /// The assertion consumer URL.
    pub acs_url: &'a str,
    pub now: i64,
}

/// Checks the issuer of a Response or an Assertion: exactly the configured one.
pub fn check_issuer(node: Node<'_, '_>, expected: &str, may_be_missing: bool) -> Result<(), Rejection> {
    let mut issuers = children(node, ASSERTION, "Issuer");
    match (issuers.next().map(text_of), issuers.next()) {
        (None, _) if may_be_missing => Ok(()),
        (Some(issuer), None) if issuer == expected => Ok(()),
        (Some(issuer), None) => {
            let hint = difference(expected, &issuer);
            Err(Rejection::new(Cause::WrongIssuer).expected(expected).received(issuer).hint(hint))
        }
        _ => Err(Rejection::new(Cause::NoIssuer).expected(expected).received("none or several")),
    }
}

pub fn check_destination(response: Node<'_, '_>, expected: &str) -> Result<(), Rejection> {
    match response.attribute("Destination") {
        Some(found) if found == expected => Ok(()),
        Some(found) => Err(Rejection::new(Cause::WrongDestination)
            .expected(expected)
            .received(found)
            .hint(difference(expected, found))),
        None => Err(Rejection::new(Cause::NoDestination).expected(expected).received("none")),
    }
}

/// The id of the request that both response and assertion refer to.
pub fn in_response_to(response: Node<'_, '_>, assertion: Node<'_, '_>) -> Result<String, Rejection> {
    let missing = || {
        Rejection::new(Cause::InResponseToMissing).expected("the id of a request of ours").received("none")
    };
    let outer = response.attribute("InResponseTo").filter(|id| !id.is_empty()).ok_or_else(missing)?;
    let mut inner = assertion
        .descendants()
        .filter(|node| is(*node, ASSERTION, "SubjectConfirmationData"))
        .filter_map(|node| node.attribute("InResponseTo"));
    if let Some(other) = inner.find(|id| *id != outer) {
        return Err(Rejection::new(Cause::InResponseToDiffers).expected(outer).received(other));
    }
    Ok(outer.to_owned())
}

/// Checks the issue time and the conditions except the audience. Returns the end of validity as text to display.
pub fn check_conditions(assertion: Node<'_, '_>, now: i64) -> Result<String, Rejection> {
    check_version(assertion)?;
    let issued = moment(assertion, "IssueInstant")?
        .ok_or_else(|| Rejection::new(Cause::BadTime).expected("an IssueInstant").received("none"))?;
    if issued > now + SKEW {
        return Err(Rejection::new(Cause::IssuedInFuture)
            .expected(at_most(now))
            .received(time::text(issued)));
    }
    let conditions = only(assertion, ASSERTION, "Conditions", Cause::NoConditions, Cause::SeveralConditions)?;
    for child in conditions.children().filter(Node::is_element) {
        let is_known = ["AudienceRestriction", "OneTimeUse", "ProxyRestriction"];
        if !is_known.iter().any(|name| is(child, ASSERTION, name)) {
            return Err(Rejection::new(Cause::UnknownCondition).received(child.tag_name().name()));
        }
    }
    if let Some(begins) = moment(conditions, "NotBefore")?
        && begins > now + SKEW
    {
        return Err(Rejection::new(Cause::NotYetValid).expected(at_most(now)).received(time::text(begins)));
    }
    let ends = moment(conditions, "NotOnOrAfter")?;
    if let Some(ends) = ends
        && ends <= now - SKEW
    {
        return Err(Rejection::new(Cause::AssertionExpired)
            .expected(later_than(now))
            .received(time::text(ends)));
    }
    Ok(ends.map_or_else(|| "without an end".to_owned(), |ends| format!("until {}", time::text(ends))))
}

/// Every audience restriction must name the audience: SAML combines restrictions with AND.
pub fn check_audience(assertion: Node<'_, '_>, expected: &str) -> Result<(), Rejection> {
    let conditions = only(assertion, ASSERTION, "Conditions", Cause::NoConditions, Cause::SeveralConditions)?;
    let mut is_restricted = false;
    for restriction in children(conditions, ASSERTION, "AudienceRestriction") {
        is_restricted = true;
        let named: Vec<String> = children(restriction, ASSERTION, "Audience").map(text_of).collect();
        if !named.iter().any(|audience| audience == expected) {
            let hint = named.iter().find_map(|audience| difference(expected, audience));
            return Err(Rejection::new(Cause::WrongAudience)
                .expected(expected)
                .received(if named.is_empty() { "none".to_owned() } else { named.join(", ") })
                .hint(hint));
        }
    }
    if is_restricted {
        Ok(())
    } else {
        Err(Rejection::new(Cause::NoAudience).expected(expected).received("none"))
    }
}

/// The subject of the assertion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    pub name_id: String,
    pub format: String,
    /// When the confirmation expires, in µs.
    pub ends_at: i64,
}

/// The subject, confirmed as bearer for this service and that request.
pub fn check_subject(
    assertion: Node<'_, '_>,
    request: &str,
    expected: Expectation<'_>,
) -> Result<Subject, Rejection> {
    let subject = only(assertion, ASSERTION, "Subject", Cause::NoSubject, Cause::SeveralSubjects)?;
    let name = only(subject, ASSERTION, "NameID", Cause::NoSubject, Cause::SeveralSubjects)?;
    // With child elements, parsers disagree on the text of a NameID: some read up to the first element, others join all text.
    if let Some(inside) = name.children().find(Node::is_element) {
        return Err(Rejection::new(Cause::NameIdShape)
            .expected("a NameID of text alone")
            .received(format!("{} inside", inside.tag_name().name())));
    }
    let mut first = None;
    for confirmation in children(subject, ASSERTION, "SubjectConfirmation") {
        if confirmation.attribute("Method") != Some("urn:oasis:names:tc:SAML:2.0:cm:bearer") {
            continue;
        }
        match check_confirmation(confirmation, request, expected) {
            Ok(ends_at) => {
                // May be empty: the e-mail address can be in an attribute.
                let name_id = text_of(name);
                let format = name.attribute("Format").unwrap_or_default().to_owned();
                return Ok(Subject { name_id, format, ends_at });
            }
            Err(refused) => {
                first.get_or_insert(refused);
            }
        }
    }
    Err(first.unwrap_or_else(|| {
        Rejection::new(Cause::NoBearer).expected("a bearer confirmation").received("none")
    }))
}

fn check_confirmation(
    confirmation: Node<'_, '_>,
    request: &str,
    expected: Expectation<'_>,
) -> Result<i64, Rejection> {
    let data = only(confirmation, ASSERTION, "SubjectConfirmationData", Cause::NoBearer, Cause::NoBearer)?;
    let recipient = data.attribute("Recipient").unwrap_or_default();
    if recipient != expected.acs_url {
        return Err(Rejection::new(Cause::WrongRecipient)
            .expected(expected.acs_url)
            .received(if recipient.is_empty() { "none" } else { recipient })
            .hint(difference(expected.acs_url, recipient)));
    }
    match data.attribute("InResponseTo") {
        Some(id) if id == request => {}
        Some(id) => return Err(Rejection::new(Cause::InResponseToDiffers).expected(request).received(id)),
        None => return Err(Rejection::new(Cause::InResponseToMissing).expected(request).received("none")),
    }
    let now = expected.now;
    if let Some(begins) = moment(data, "NotBefore")?
        && begins > now + SKEW
    {
        return Err(Rejection::new(Cause::ConfirmationNotYetValid)
            .expected(at_most(now))
            .received(time::text(begins)));
    }
    match moment(data, "NotOnOrAfter")? {
        Some(ends) if ends > now - SKEW => Ok(ends),
        found => Err(Rejection::new(Cause::ConfirmationExpired)
            .expected(later_than(now))
            .received(found.map_or_else(|| "no end".to_owned(), time::text))),
    }
}

/// Checks that the assertion states a sign-in at the provider, not in the future, and that the provider's session has not ended. Returns when that
/// session ends, in µs, if stated; the earliest of several.
pub fn check_authentication(assertion: Node<'_, '_>, now: i64) -> Result<Option<i64>, Rejection> {
    let mut is_said = false;
    let mut session_ends_at: Option<i64> = None;
    for statement in children(assertion, ASSERTION, "AuthnStatement") {
        is_said = true;
        if let Some(instant) = moment(statement, "AuthnInstant")?
            && instant > now + SKEW
        {
            return Err(Rejection::new(Cause::IssuedInFuture)
                .expected(at_most(now))
                .received(time::text(instant)));
        }
        let Some(ends) = moment(statement, "SessionNotOnOrAfter")? else { continue };
        // No clock tolerance: the session here ends at that time too.
        if ends <= now {
            return Err(Rejection::new(Cause::ProviderSessionEnded)
                .expected(format!("later than {}", time::text(now)))
                .received(time::text(ends)));
        }
        session_ends_at = Some(session_ends_at.map_or(ends, |known| known.min(ends)));
    }
    if is_said {
        Ok(session_ends_at)
    } else {
        Err(Rejection::new(Cause::NoAuthnStatement).expected("an AuthnStatement").received("none"))
    }
}

/// The time in an attribute, in µs; `None` without the attribute.
pub(super) fn moment(node: Node<'_, '_>, attribute: &str) -> Result<Option<i64>, Rejection> {
    let Some(text) = node.attribute(attribute) else { return Ok(None) };
    let wrong = || Rejection::new(Cause::BadTime).expected("a time like 2026-11-20T06:38:00Z").received(text);
    time::parse(text).map(Some).ok_or_else(wrong)
}

fn at_most(now: i64) -> String {
    format!("at most {} (now, and {} s)", time::text(now + SKEW), SKEW / SECOND)
}

fn later_than(now: i64) -> String {
    format!("later than {} (now, less {} s)", time::text(now - SKEW), SKEW / SECOND)
}
