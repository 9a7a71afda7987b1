//! Checks a response of the identity provider: every check in order, each with the expected and the received value.
//!
//! The same checks serve a sign-in, a dry run and the inspection of a pasted response. They change nothing but the list of steps.

use super::assertion::{self, Expectation, Subject};
use super::attributes::{self, Attribute, Attributes};
use super::cause::{Cause, Rejection};
use super::certificate::Certificate;
use super::settings::{self, Settings, Verifier};
use super::structure::{self, ASSERTION, PROTOCOL, children, is};
use super::{document, signature};
use crate::SECOND;
use roxmltree::{Document, Node};
use schemars::JsonSchema;
use serde::Serialize;

/// The result of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "CheckState")]
#[serde(rename_all = "snake_case")]
pub enum State {
    Passed,
    Failed,
    NotReached,
    /// Not applicable: there is no pending sign-in to compare with.
    NotChecked,
}

/// One of the ordered checks of a SAML response.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "CheckStep")]
pub struct Step {
    pub id: &'static str,
    pub title: &'static str,
    pub state: State,
    pub detail: Option<String>,
    pub setting: Option<&'static str>,
    pub expected: Option<String>,
    pub received: Option<String>,
    pub hint: Option<String>,
    pub remedy: Option<&'static str>,
    pub cause: Option<Cause>,
}

/// Ids, titles and settings of the checks, in order.
const STEPS: [(&str, &str, Option<&str>); 20] = [
    ("configured", "Single sign-on is configured", None),
    ("body", "Answer read", None),
    ("xml", "Well-formed XML, nothing hidden in it", None),
    ("status", "The provider reports success", Some(settings::ENTRY_POINT)),
    ("structure", "Structure allowed", None),
    ("issuer", "Issuer matches", Some(settings::ISSUER)),
    ("destination", "Meant for this address", Some(settings::URL)),
    ("signature", "Signature valid", Some(settings::CERT)),
    ("certificate", "Certificate valid", Some(settings::CERT)),
    ("conditions", "Valid now", None),
    ("audience", "Audience matches", Some(settings::AUDIENCE)),
    ("subject", "Confirmed for this service", Some(settings::URL)),
    ("authn", "Somebody signed in at the provider", None),
    ("email", "E-mail address found", None),
    ("replay", "Not used before", None),
    ("request", "Answers a request of this service", None),
    ("account", "User is active", None),
    ("placement", "Tenant found", None),
    ("roles", "Roles", Some(settings::GROUP_MAPPING)),
    ("done", "Signed in", None),
];

/// The checks of one response.
#[derive(Debug, Clone)]
pub struct ValidationReport {
    pub steps: Vec<Step>,
}

impl Default for ValidationReport {
    fn default() -> Self {
        let steps = STEPS[..STEPS.len() - 1].iter().map(|(id, title, setting)| Step {
            id,
            title,
            state: State::NotReached,
            detail: None,
            setting: *setting,
            expected: None,
            received: None,
            hint: None,
            remedy: None,
            cause: None,
        });
        Self { steps: steps.collect() }
    }
}

impl ValidationReport {
    fn step(&mut self, id: &str) -> Option<&mut Step> {
        self.steps.iter_mut().find(|step| step.id == id)
    }

    /// Records the result of a check.
    pub fn note(&mut self, id: &str, state: State, detail: Option<String>) {
        if let Some(step) = self.step(id) {
            step.state = state;
            step.detail = detail;
        }
    }

    pub fn fail(&mut self, id: &str, refused: &Rejection) {
        if let Some(step) = self.step(id) {
            step.state = State::Failed;
            step.expected.clone_from(&refused.expected);
            step.received.clone_from(&refused.received);
            step.hint.clone_from(&refused.hint);
            step.remedy = Some(refused.cause.remedy());
            step.cause = Some(refused.cause);
        }
    }

    /// Records a check, with `detail` if it passed, and returns its result.
    pub fn take<T>(
        &mut self,
        id: &str,
        result: Result<T, Rejection>,
        detail: impl FnOnce(&T) -> Option<String>,
    ) -> Result<T, Rejection> {
        match &result {
            Ok(value) => {
                let detail = detail(value);
                self.note(id, State::Passed, detail);
            }
            Err(refused) => self.fail(id, refused),
        }
        result
    }
}

/// The content of an accepted response. The signature covers all of it.
#[derive(Debug, Clone)]
pub struct VerifiedResponse {
    /// The id of the request that was answered.
    pub request: String,
    pub assertion_id: String,
    pub issuer: String,
    pub subject: Subject,
    pub attributes: Attributes,
    /// Until when the same assertion would be accepted again, in µs.
    pub ends_at: i64,
    /// When the provider's session ends, and the session here with it, in µs; `None` if the provider does not state it.
    pub session_ends_at: Option<i64>,
}

impl VerifiedResponse {
    /// The provider's id of the person; `None` if it is empty or changes with each sign-in.
    pub fn account(&self) -> Option<&str> {
        let is_fleeting = self.subject.format.ends_with(":transient");
        Some(self.subject.name_id.as_str()).filter(|name_id| !is_fleeting && !name_id.is_empty())
    }
}

/// The result of checking a response.
#[derive(Debug)]
pub struct ExaminationResult {
    pub ladder: ValidationReport,
    pub outcome: Result<VerifiedResponse, Rejection>,
    /// The attributes of a signed assertion, even if it was refused later.
    pub received: Option<Vec<Attribute>>,
    /// The response as text, if it could be decoded.
    pub xml: Option<String>,
}

/// The request id in a response, not yet verified.
pub fn claimed_request(xml: &str) -> Option<String> {
    let document = document::glance(xml)?;
    let root = document.root_element();
    is(root, PROTOCOL, "Response").then(|| root.attribute("InResponseTo").map(str::to_owned)).flatten()
}

/// Runs all checks that need only the posted response and the settings.
pub fn examine(field: &str, settings: &Settings, now: i64) -> ExaminationResult {
    let mut examination = Examination { ladder: ValidationReport::default(), received: None, xml: None };
    let outcome = examination.walk(field, settings, now);
    let Examination { ladder, received, xml } = examination;
    ExaminationResult { ladder, outcome, received, xml }
}

struct Examination {
    ladder: ValidationReport,
    received: Option<Vec<Attribute>>,
    xml: Option<String>,
}

impl Examination {
    fn walk(&mut self, field: &str, settings: &Settings, now: i64) -> Result<VerifiedResponse, Rejection> {
        let verifier = settings.verifier().map_err(|problems| {
            let named: Vec<String> =
                problems.iter().map(|problem| format!("{} {}", problem.setting, problem.message)).collect();
            Rejection::new(Cause::NotConfigured)
                .expected(settings::FOUR.join(", "))
                .received(named.join("; "))
        });
        let verifier = self.ladder.take("configured", verifier, |_| None)?;
        let xml = self.ladder.take("body", document::decode(field), |xml| Some(size(xml.len())))?;
        self.xml = Some(xml.clone());
        let document = self.ladder.take("xml", document::parse(&xml), |_| None)?;
        let response = self.ladder.take("status", structure::check_status(&document), |_| None)?;
        let shape = self.ladder.take("structure", structure::check(response), |shape| {
            let count = shape.algorithms.len();
            Some(format!("1 assertion, {count} signature{}", if count == 1 { "" } else { "s" }))
        })?;
        let issuer = assertion::check_issuer(shape.response, &verifier.issuer, true)
            .and_then(|()| assertion::check_issuer(shape.assertion, &verifier.issuer, false));
        self.ladder.take("issuer", issuer, |()| Some(verifier.issuer.clone()))?;
        let destination = assertion::check_destination(shape.response, &verifier.acs_url);
        self.ladder.take("destination", destination, |()| None)?;
        let request = assertion::in_response_to(shape.response, shape.assertion);
        let request = request.inspect_err(|refused| self.ladder.fail("request", refused))?;
        let algorithm = shape.algorithms.join(", ").to_uppercase();
        let (signed, certificate) =
            self.ladder.take("signature", signature::verify(&xml, &verifier.certificates), |_| {
                Some(format!("{}, {algorithm}", settings::CERT))
            })?;
        self.ladder.take("certificate", check_certificate(certificate, now), |()| {
            Some(format!("{} days left", certificate.days_left(now)))
        })?;
        let ids = (shape.response.attribute("ID"), shape.assertion.attribute("ID"));
        self.read_signed(&signed, ids, &request, &verifier, now)
    }

    /// The checks after signature verification. They read only bytes that the signature covers.
    fn read_signed(
        &mut self,
        signed: &str,
        ids: (Option<&str>, Option<&str>),
        request: &str,
        verifier: &Verifier,
        now: i64,
    ) -> Result<VerifiedResponse, Rejection> {
        let document =
            document::parse_strictly(signed).inspect_err(|refused| self.ladder.fail("signature", refused))?;
        let assertion =
            find_signed(&document, ids).inspect_err(|refused| self.ladder.fail("signature", refused))?;
        self.received = Some(attributes::read_all(assertion));
        let issuer = assertion::check_issuer(assertion, &verifier.issuer, false);
        issuer.inspect_err(|refused| self.ladder.fail("issuer", refused))?;
        let conditions = assertion::check_conditions(assertion, now);
        self.ladder.take("conditions", conditions, |until| Some(until.clone()))?;
        let audience = assertion::check_audience(assertion, &verifier.audience);
        self.ladder.take("audience", audience, |()| Some(verifier.audience.clone()))?;
        let expected = Expectation {
            issuer: &verifier.issuer,
            audience: &verifier.audience,
            acs_url: &verifier.acs_url,
            now,
        };
        let subject = assertion::check_subject(assertion, request, expected);
        let subject =
            self.ladder.take("subject", subject, |subject| Some(format!("NameID {}", subject.name_id)))?;
        let session_ends_at =
            self.ladder.take("authn", assertion::check_authentication(assertion, now), |ends| {
                ends.map(|ends| format!("session until {}", super::time::text(ends)))
            })?;
        let read = attributes::read(self.received.clone().unwrap_or_default(), &subject);
        let attributes = self
            .ladder
            .take("email", read, |read| Some(format!("{}, from {}", read.email.value, read.email.from)))?;
        Ok(VerifiedResponse {
            request: request.to_owned(),
            assertion_id: assertion.attribute("ID").unwrap_or_default().to_owned(),
            issuer: verifier.issuer.clone(),
            ends_at: subject.ends_at.max(now) + assertion::SKEW + 60 * SECOND,
            subject,
            attributes,
            session_ends_at,
        })
    }
}

/// The assertion in the signed bytes; it must be the one the structure check found.
fn find_signed<'a, 'input>(
    document: &'a Document<'input>,
    (response, assertion): (Option<&str>, Option<&str>),
) -> Result<Node<'a, 'input>, Rejection> {
    let root = document.root_element();
    let found = if is(root, ASSERTION, "Assertion") {
        Some(root)
    } else if is(root, PROTOCOL, "Response") && root.attribute("ID") == response {
        let mut inside = children(root, ASSERTION, "Assertion");
        inside.next().filter(|_| inside.next().is_none())
    } else {
        None
    };
    let same = found.filter(|node| node.attribute("ID") == assertion && assertion.is_some());
    same.ok_or_else(|| {
        Rejection::new(Cause::VerifiedOther)
            .expected(format!("the assertion {}", assertion.unwrap_or("none")))
            .received(root.tag_name().name())
    })
}

/// An expired certificate still verifies signatures; the contract requires that sign-in fails.
fn check_certificate(certificate: &Certificate, now: i64) -> Result<(), Rejection> {
    let (begins, ends) =
        (super::time::text(certificate.not_before), super::time::text(certificate.not_after));
    let expected = format!("a certificate valid at {}", super::time::text(now));
    if certificate.is_expired(now) {
        return Err(Rejection::new(Cause::CertificateExpired)
            .expected(expected)
            .received(format!("ended {ends}")));
    }
    if now < certificate.not_before {
        return Err(Rejection::new(Cause::CertificateNotYetValid)
            .expected(expected)
            .received(format!("begins {begins}")));
    }
    Ok(())
}

fn size(bytes: usize) -> String {
    if bytes < 1000 {
        format!("POST, {bytes} bytes")
    } else {
        format!("POST, {}.{} kB", bytes / 1000, bytes % 1000 / 100)
    }
}
