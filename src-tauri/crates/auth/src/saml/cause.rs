//! Causes for refusing a SAML sign-in: each with a code, a message and a remedy.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use std::borrow::Cow;

macro_rules! causes {
    ($($name:ident $code:literal, $title:literal, $message:literal, $remedy:literal;)*) => {
        /// Why a sign-in was refused. The code is for programs, the texts are for people. The interface's wording is unchanged.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Cause { $($name),* }

        impl Cause {
            /// Every cause.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The code in responses, logs and the database.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$name => $code),* }
            }

            /// The key of the heading; [`heading`](Self::heading) returns the text.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$name => $title),* }
            }

            /// The error message.
            pub const fn message(self) -> &'static str {
                match self { $(Self::$name => $message),* }
            }

            /// How to solve the problem.
            pub const fn remedy(self) -> &'static str {
                match self { $(Self::$name => $remedy),* }
            }
        }
    };
}

const SETUP: &str = "Single sign-on is not set up";
const ANSWER: &str = "The identity provider's answer was not accepted";
const SLOW: &str = "Signing in took too long";
const DOWN: &str = "Single sign-on is not available";

impl Cause {
    /// The cause with that code.
    pub fn find(code: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|cause| cause.code() == code)
    }

    /// The heading shown to the person who tried to sign in.
    pub fn heading(self) -> &'static str {
        match self.title() {
            "setup" => SETUP,
            "answer" => ANSWER,
            "slow" => SLOW,
            "down" => DOWN,
            own => own,
        }
    }
}

causes! {
    NotEnabled "not_enabled", "setup", "SAML not configured: it is switched off", "Set SAML_ENABLED to true";
    NotConfigured "not_configured", "setup", "SAML not configured", "Set SAML_ENTRY_POINT, SAML_ISSUER, SAML_CERT and SAML_AUDIENCE";

    CannotSign "cannot_sign", "setup", "The request to the identity provider cannot be signed", "Look at the service's log; switch SAML_SIGN_REQUESTS off where the provider wants no signature";

    BodyMissing "body_missing", "answer", "The answer holds no SAMLResponse", "Start at the sign-in page; the provider must answer with the HTTP-POST binding";
    BodyTwice "body_twice", "answer", "The answer holds several SAMLResponse fields", "The provider must send exactly one";
    BodyTooLarge "body_too_large", "answer", "The answer is too large", "Send fewer groups: filter them at the provider";
    NotBase64 "not_base64", "answer", "The answer is not base64", "The provider must answer with the HTTP-POST binding";
    NotUtf8 "not_utf8", "answer", "The answer is not UTF-8 text", "The provider must write its answers in UTF-8";

    Doctype "doctype", "answer", "The answer contains a document type or entity declaration", "Such an answer is an attack or a broken provider; nothing a provider sends needs one";
    ProcessingInstruction "processing_instruction", "answer", "The answer contains a processing instruction", "Nothing a provider sends needs one";
    Comment "comment", "answer", "The answer contains a comment", "Comments can cut an e-mail address in two and are refused; switch them off at the provider";
    Cdata "cdata", "answer", "The answer contains a CDATA section", "Nothing a provider sends needs one";
    TooDeep "too_deep", "answer", "The answer nests too deeply", "Nothing a provider sends nests like that";
    TooManyAttributes "too_many_attributes", "answer", "An element of the answer has too many XML attributes", "Nothing a provider sends has that many";
    TooManyElements "too_many_elements", "answer", "The answer has too many elements", "Send fewer groups: filter them at the provider";
    MalformedXml "malformed_xml", "answer", "The answer is not well-formed XML", "The answer was cut or changed on its way, or the provider is broken";
    Xinclude "xinclude", "answer", "The answer asks for other documents to be included", "Nothing a provider sends needs that";

    WrongRoot "wrong_root", "answer", "The answer is not a SAML 2.0 Response", "Check that SAML_ENTRY_POINT is a SAML 2.0 sign-on address";
    WrongVersion "wrong_version", "answer", "The answer is not of SAML version 2.0", "Set the provider to SAML 2.0";
    StatusFailed "status_failed", "The identity provider did not sign you in", "The identity provider reports a failure", "Ask whoever runs the identity provider; its log has the reason";
    NoStatus "no_status", "answer", "The answer does not say whether sign-in succeeded", "The provider must send a Status";
    NoAssertion "no_assertion", "answer", "The answer contains no assertion", "The provider must send an assertion with its answer";
    SeveralAssertions "several_assertions", "answer", "The answer contains several assertions", "The provider must send exactly one";
    MisplacedAssertion "misplaced_assertion", "answer", "An assertion stands where none belongs", "An answer like that is an attempt to wrap a forged assertion";
    EncryptedAssertion "encrypted_assertion", "answer", "The assertion is encrypted", "Switch encryption of assertions off at the provider; the connection is encrypted already";
    MissingId "missing_id", "answer", "The answer or its assertion has no usable ID", "The provider must give both an ID";
    DuplicateId "duplicate_id", "answer", "Two elements of the answer have the same ID", "An answer like that is an attempt to wrap a forged assertion";
    Unsigned "unsigned", "answer", "Neither the answer nor its assertion is signed", "Switch signing of assertions on at the provider";
    MisplacedSignature "misplaced_signature", "answer", "A signature stands where none belongs", "An answer like that is an attempt to wrap a forged assertion";
    SeveralSignatures "several_signatures", "answer", "An element has several signatures", "The provider must sign each element once";
    SignatureShape "signature_shape", "answer", "A signature has parts that do not belong in it", "A signature has one SignedInfo, one SignatureValue and at most one KeyInfo without references";
    SeveralReferences "several_references", "answer", "A signature does not cover exactly one element", "The provider must sign with one reference";
    ReferenceElsewhere "reference_elsewhere", "answer", "A signature covers something other than the element it stands in", "An answer like that is an attempt to wrap a forged assertion";
    WrongTransforms "wrong_transforms", "answer", "A signature uses transforms that are not allowed", "Allowed are the enveloped signature and exclusive canonicalisation";
    WrongCanonicalization "wrong_canonicalization", "answer", "A signature is canonicalised in a way that is not allowed", "Use exclusive canonicalisation at the provider";
    WeakAlgorithm "weak_algorithm", "answer", "A signature uses an algorithm that is not allowed", "Sign with RSA or ECDSA and SHA-256 or stronger at the provider";
    WrongIssuer "wrong_issuer", "answer", "The answer comes from another issuer", "Correct SAML_ISSUER: names are compared exactly";
    NoIssuer "no_issuer", "answer", "The answer does not say who issued it", "The provider must name itself as issuer";
    WrongDestination "wrong_destination", "answer", "The answer was meant for another address", "Correct APPAUTH_URL, or the assertion consumer URL at the provider";
    NoDestination "no_destination", "answer", "The answer does not say where it was meant to go", "The provider must send a Destination";
    InResponseToMissing "in_response_to_missing", "answer", "The answer belongs to no request", "Start at the sign-in page: sign-in that begins at the provider is not supported";
    InResponseToDiffers "in_response_to_differs", "answer", "The answer and its assertion belong to different requests", "An answer like that was put together from two";
    RequestUnknown "request_unknown", "answer", "Invalid session data: the request is not known here or was answered already", "Sign in again, from the sign-in page";
    SessionDataExpired "session_data_expired", "slow", "Invalid session data", "Sign in again and finish within a minute; if it happens at once, synchronise the clocks of provider and service";
    RelayState "relay_state", "answer", "The page to go to after sign-in is not one of this service", "Start at the sign-in page";

    SignatureWrong "signature_wrong", "answer", "The signature is not valid", "Replace SAML_CERT by the certificate the provider signs with now";
    CertificateExpired "certificate_expired", "down", "The signature is not valid: the certificate has expired", "Replace SAML_CERT by a certificate that is still valid";
    CertificateNotYetValid "certificate_not_yet_valid", "down", "The signature is not valid: the certificate is not valid yet", "Check the clock of this service, or wait until the certificate becomes valid";
    VerifiedOther "verified_other", "answer", "What was signed is not what was looked at", "An answer like that is an attempt to wrap a forged assertion";

    NoConditions "no_conditions", "answer", "The assertion has no conditions", "The provider must restrict its assertions to an audience";
    SeveralConditions "several_conditions", "answer", "The assertion has conditions twice", "The provider must send Conditions once";
    UnknownCondition "unknown_condition", "answer", "The assertion has a condition that is not understood", "Remove the condition at the provider";
    NotYetValid "not_yet_valid", "answer", "The assertion is not valid yet", "Synchronise the clocks of provider and service";
    AssertionExpired "assertion_expired", "slow", "The assertion is not valid any more", "Sign in again; if it happens at once, synchronise the clocks of provider and service";
    BadTime "bad_time", "answer", "A time in the answer cannot be read", "Times are written like 2026-11-20T06:38:00Z";
    IssuedInFuture "issued_in_future", "answer", "The answer was issued in the future", "Synchronise the clocks of provider and service";
    NoAudience "no_audience", "answer", "The assertion is not restricted to an audience", "Set the audience (entity ID) of this service at the provider";
    WrongAudience "wrong_audience", "answer", "The assertion is meant for another audience", "Make SAML_AUDIENCE and the audience at the provider the same: they are compared exactly";
    NoSubject "no_subject", "answer", "The assertion does not say whom it is about", "The provider must send a Subject with a NameID";
    SeveralSubjects "several_subjects", "answer", "The assertion is about several subjects", "The provider must send one Subject with one NameID";
    NameIdShape "name_id_shape", "answer", "The NameID has elements inside", "A NameID is text alone; an answer like that is an attempt to forge a name";
    NoBearer "no_bearer", "answer", "The assertion has no bearer confirmation", "The provider must confirm the subject as bearer";
    WrongRecipient "wrong_recipient", "answer", "The assertion was meant for another recipient", "Correct APPAUTH_URL, or the assertion consumer URL at the provider";
    ConfirmationExpired "confirmation_expired", "slow", "The confirmation of the assertion is not valid any more", "Sign in again; if it happens at once, synchronise the clocks of provider and service";
    ConfirmationNotYetValid "confirmation_not_yet_valid", "answer", "The confirmation of the assertion is not valid yet", "Synchronise the clocks of provider and service";
    NoAuthnStatement "no_authn_statement", "answer", "The assertion does not say that somebody signed in", "The provider must send an AuthnStatement";
    ProviderSessionEnded "provider_session_ended", "answer", "The session at the provider has ended", "Sign in again at the provider";
    Replayed "replayed", "answer", "The assertion was used before", "Sign in again; if you did not send it twice, somebody else did";

    NoEmail "no_email", "The identity provider sent no e-mail address", "The assertion contains no e-mail address", "Send the attribute email or mail, or an e-mail address as NameID";
    ImplausibleEmail "implausible_email", "The identity provider sent no usable e-mail address", "What the assertion gives as e-mail address is none", "Send an e-mail address like ada@example.com";
    LocalAccount "local_account", "This account cannot sign in here", "Sign-in not allowed: the local administrator does not come from an identity provider", "Use an e-mail address of your own at the provider";
    Suspended "suspended", "Your account is suspended", "Sign-in not allowed: user is suspended", "Reactivate the user under Settings, Users & roles";
    NoTenantForDomain "no_tenant_for_domain", "Your organisation is not known here", "Sign-in not allowed: no tenant has the domain of this e-mail address", "Add the domain to the tenant's allowed_domains";

    OtherBrowser "other_browser", "Sign-in ended in another browser", "Invalid session data: this browser did not begin the sign-in", "Begin and end in the same browser, with cookies allowed";
    CodeSpent "code_spent", "slow", "Invalid session data: the sign-in was finished before or has expired", "Sign in again and finish within a minute";
    Busy "busy", "The service is busy", "The database is busy", "Try again in a moment";
}

/// A refusal: its cause, the expected and the received value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    pub cause: Cause,
    pub expected: Option<String>,
    pub received: Option<String>,
    /// A hint at a small difference between the two.
    pub hint: Option<String>,
}

impl Rejection {
    pub fn new(cause: Cause) -> Self {
        Self { cause, expected: None, received: None, hint: None }
    }

    #[must_use]
    pub fn expected(mut self, expected: impl Into<String>) -> Self {
        self.expected = Some(shorten(&expected.into()));
        self
    }

    #[must_use]
    pub fn received(mut self, received: impl Into<String>) -> Self {
        self.received = Some(shorten(&received.into()));
        self
    }

    #[must_use]
    pub fn hint(mut self, hint: Option<impl Into<String>>) -> Self {
        self.hint = hint.map(Into::into);
        self
    }
}

impl From<Cause> for Rejection {
    fn from(cause: Cause) -> Self {
        Self::new(cause)
    }
}

/// Maximum number of characters of a received value that are shown.
const SHOWN: usize = 500;

fn shorten(text: &str) -> String {
    let text: String =
        text.chars().map(|letter| if letter.is_control() { '\u{fffd}' } else { letter }).collect();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Describes an easily overlooked difference between two texts that should be equal.
pub(crate) fn difference(expected: &str, received: &str) -> Option<&'static str> {
    if expected == received {
        return None;
    }
    if received.strip_suffix('/') == Some(expected) {
        return Some("One character too many: the slash at the end.");
    }
    if expected.strip_suffix('/') == Some(received) {
        return Some("The slash at the end is missing.");
    }
    if expected.to_lowercase() == received.to_lowercase() {
        return Some("Only capital letters differ.");
    }
    if expected.trim() == received.trim() {
        return Some("Only white space around it differs.");
    }
    let without_scheme = |text: &str| text.split_once("://").map(|(_, rest)| rest.to_owned());
    if without_scheme(expected).is_some() && without_scheme(expected) == without_scheme(received) {
        return Some("One begins with http, the other with https.");
    }
    None
}

/// The schema of a cause, which is serialised as its code.
impl JsonSchema for Cause {
    fn schema_name() -> Cow<'static, str> {
        "RefusalCause".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }

    fn inline_schema() -> bool {
        true
    }
}

impl Serialize for Cause {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_cause_has_a_code_of_its_own() {
        let codes: HashSet<&str> = Cause::ALL.iter().map(|cause| cause.code()).collect();
        assert_eq!(codes.len(), Cause::ALL.len());
        assert!(Cause::ALL.iter().all(|cause| Cause::find(cause.code()) == Some(*cause)));
    }

    #[test]
    fn the_wording_of_the_interface_is_kept() {
        assert_eq!(Cause::NotConfigured.message(), "SAML not configured");
        assert_eq!(Cause::SessionDataExpired.message(), "Invalid session data");
        assert!(Cause::Suspended.message().contains("not allowed"));
    }

    #[test]
    fn what_differs_is_told_where_it_is_easily_overlooked() {
        let slash = difference("https://a.example", "https://a.example/");
        assert_eq!(slash, Some("One character too many: the slash at the end."));
        assert_eq!(difference("Dev", "dev"), Some("Only capital letters differ."));
        assert_eq!(difference("http://a", "https://a"), Some("One begins with http, the other with https."));
        assert_eq!(difference("a", "b"), None);
    }
}
