//! Checks the structure of a response against an allow-list, before the signature library processes it.
//!
//! xmlsec follows references and runs transforms before it checks a signature's value. A response therefore reaches it only without external
//! references or unusual transforms. This check also ties a signature to the element that contains it.

use super::cause::{Cause, Rejection};
use roxmltree::{Document, Node};
use std::collections::HashSet;

pub const PROTOCOL: &str = "urn:oasis:names:tc:SAML:2.0:protocol";
pub const ASSERTION: &str = "urn:oasis:names:tc:SAML:2.0:assertion";
pub const DSIG: &str = "http://www.w3.org/2000/09/xmldsig#";
const XINCLUDE: &[&str] = &["http://www.w3.org/2001/XInclude", "http://www.w3.org/2003/XInclude"];
const EXCLUSIVE: &str = "http://www.w3.org/2001/10/xml-exc-c14n#";
const ENVELOPED: &str = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";
const SUCCESS: &str = "urn:oasis:names:tc:SAML:2.0:status:Success";

/// SHA-256 and stronger.
const SIGNATURES: &[&str] = &[
    "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
    "http://www.w3.org/2001/04/xmldsig-more#rsa-sha384",
    "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512",
    "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256",
    "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha384",
    "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha512",
];
const DIGESTS: &[&str] = &[
    "http://www.w3.org/2001/04/xmlenc#sha256",
    "http://www.w3.org/2001/04/xmldsig-more#sha384",
    "http://www.w3.org/2001/04/xmlenc#sha512",
];

/// The parts of a checked response.
#[derive(Debug)]
pub struct Shape<'a, 'input> {
    pub response: Node<'a, 'input>,
    pub assertion: Node<'a, 'input>,
    /// The algorithm of each signature, to display: `rsa-sha256`.
    pub algorithms: Vec<String>,
}

/// Checks that the document is a Response of the right version that reports success.
pub fn check_status<'a, 'input>(document: &'a Document<'input>) -> Result<Node<'a, 'input>, Rejection> {
    let root = document.root_element();
    if !is(root, PROTOCOL, "Response") {
        return Err(Rejection::new(Cause::WrongRoot)
            .expected(format!("{{{PROTOCOL}}}Response"))
            .received(name_of(root)));
    }
    check_version(root)?;
    let status = only(root, PROTOCOL, "Status", Cause::NoStatus, Cause::NoStatus)?;
    let code = only(status, PROTOCOL, "StatusCode", Cause::NoStatus, Cause::NoStatus)?;
    let value = code.attribute("Value").unwrap_or_default();
    if value == SUCCESS {
        return Ok(root);
    }
    let inner = children(code, PROTOCOL, "StatusCode").next().and_then(|code| code.attribute("Value"));
    let words = children(status, PROTOCOL, "StatusMessage").next().map(text_of);
    let said = [Some(value.to_owned()), inner.map(str::to_owned), words];
    let said: Vec<String> = said.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    Err(Rejection::new(Cause::StatusFailed).expected(SUCCESS).received(said.join(" · ")))
}

pub(super) fn check_version(node: Node<'_, '_>) -> Result<(), Rejection> {
    match node.attribute("Version") {
        Some("2.0") => Ok(()),
        other => Err(Rejection::new(Cause::WrongVersion).expected("2.0").received(other.unwrap_or("none"))),
    }
}

/// Checks the whole response against the allow-list.
pub fn check<'a, 'input>(response: Node<'a, 'input>) -> Result<Shape<'a, 'input>, Rejection> {
    let assertion = find_assertion(response)?;
    check_ids(response, assertion)?;
    let signatures: Vec<Node<'a, 'input>> =
        response.descendants().filter(|node| is(*node, DSIG, "Signature")).collect();
    let of = |parent: Node<'a, 'input>| {
        let mut own = signatures.iter().filter(|node| node.parent() == Some(parent)).copied();
        match (own.next(), own.next()) {
            (_, Some(_)) => Err(Rejection::new(Cause::SeveralSignatures).received(name_of(parent))),
            (first, None) => Ok(first),
        }
    };
    let (of_response, of_assertion) = (of(response)?, of(assertion)?);
    let placed = usize::from(of_response.is_some()) + usize::from(of_assertion.is_some());
    if signatures.len() > placed {
        return Err(Rejection::new(Cause::MisplacedSignature)
            .expected("signatures directly in the Response or its Assertion")
            .received(format!("{} more", signatures.len() - placed)));
    }
    if placed == 0 {
        return Err(Rejection::new(Cause::Unsigned).expected("a signature of the answer or of its assertion"));
    }
    let mut algorithms = Vec::new();
    for (signature, parent) in [(of_response, response), (of_assertion, assertion)] {
        if let Some(signature) = signature {
            algorithms.push(check_signature(signature, parent)?);
        }
    }
    check_foreign(response)?;
    Ok(Shape { response, assertion, algorithms })
}

fn find_assertion<'a, 'input>(response: Node<'a, 'input>) -> Result<Node<'a, 'input>, Rejection> {
    let named = |name: &'static str| response.descendants().filter(move |node| local(*node) == name);
    if named("EncryptedAssertion").next().is_some() {
        return Err(Rejection::new(Cause::EncryptedAssertion).expected("an assertion in plain text"));
    }
    // By local name: a less careful reader might take one of another namespace for ours.
    let all: Vec<_> = named("Assertion").collect();
    let direct: Vec<_> = children(response, ASSERTION, "Assertion").collect();
    match (direct.as_slice(), all.len()) {
        ([one], 1) => {
            check_version(*one)?;
            Ok(*one)
        }
        ([], 0) => Err(Rejection::new(Cause::NoAssertion).expected("one assertion").received("none")),
        ([_, _, ..], _) => {
            Err(Rejection::new(Cause::SeveralAssertions).expected("1").received(direct.len().to_string()))
        }
        (_, count) => Err(Rejection::new(Cause::MisplacedAssertion)
            .expected("one assertion, directly in the Response")
            .received(format!("{count} in all, {} of them there", direct.len()))),
    }
}

/// Ids are valid names and unique, and every element that may be signed has one.
fn check_ids(response: Node<'_, '_>, assertion: Node<'_, '_>) -> Result<(), Rejection> {
    for node in [response, assertion] {
        if !node.attribute("ID").is_some_and(is_ncname) {
            let found = node.attribute("ID").unwrap_or("none").to_owned();
            return Err(Rejection::new(Cause::MissingId).expected("a name").received(found));
        }
    }
    let mut seen = HashSet::new();
    for node in response.descendants().filter(Node::is_element) {
        // Parsers differ in which attribute is an id.
        for attribute in node.attributes().filter(|attribute| attribute.name().eq_ignore_ascii_case("id")) {
            if !seen.insert(attribute.value()) {
                return Err(Rejection::new(Cause::DuplicateId).received(attribute.value()));
            }
        }
    }
    Ok(())
}

/// Checks one signature: of its parent, with one reference and the transforms every provider uses. Returns its algorithm.
fn check_signature(signature: Node<'_, '_>, parent: Node<'_, '_>) -> Result<String, Rejection> {
    let shape = |found: String| Rejection::new(Cause::SignatureShape).received(found);
    let parts: Vec<&str> = signature.children().filter(Node::is_element).map(local).collect();
    let is_plain = matches!(
        parts.as_slice(),
        ["SignedInfo", "SignatureValue"] | ["SignedInfo", "SignatureValue", "KeyInfo"]
    );
    if !is_plain || signature.descendants().any(|node| node.is_element() && is_foreign_to_signatures(node)) {
        return Err(shape(parts.join(", ")));
    }
    if let Some(found) =
        signature.descendants().find(|node| matches!(local(*node), "RetrievalMethod" | "Object" | "Manifest"))
    {
        return Err(shape(local(found).to_owned()));
    }
    let info = only(signature, DSIG, "SignedInfo", Cause::SignatureShape, Cause::SignatureShape)?;
    let parts: Vec<&str> = info.children().filter(Node::is_element).map(local).collect();
    if parts.iter().filter(|part| **part == "Reference").count() != 1 {
        return Err(Rejection::new(Cause::SeveralReferences)
            .expected("1 reference")
            .received(parts.join(", ")));
    }
    if parts != ["CanonicalizationMethod", "SignatureMethod", "Reference"] {
        return Err(shape(parts.join(", ")));
    }
    let first = |name| only(info, DSIG, name, Cause::SignatureShape, Cause::SignatureShape);
    let canonicalization = algorithm(first("CanonicalizationMethod")?);
    if canonicalization != EXCLUSIVE {
        return Err(Rejection::new(Cause::WrongCanonicalization)
            .expected(EXCLUSIVE)
            .received(canonicalization));
    }
    let method = algorithm(first("SignatureMethod")?);
    if !SIGNATURES.contains(&method) {
        return Err(Rejection::new(Cause::WeakAlgorithm)
            .expected("RSA or ECDSA with SHA-256 or stronger")
            .received(method));
    }
    // A truncated HMAC value could be guessed.
    if first("SignatureMethod")?.children().any(|node| node.is_element()) {
        return Err(shape("parameters of SignatureMethod".to_owned()));
    }
    check_reference(first("Reference")?, parent)?;
    Ok(method.rsplit('#').next().unwrap_or(method).to_owned())
}

fn check_reference(reference: Node<'_, '_>, parent: Node<'_, '_>) -> Result<(), Rejection> {
    let own = format!("#{}", parent.attribute("ID").unwrap_or_default());
    let uri = reference.attribute("URI");
    if uri != Some(own.as_str()) || own == "#" {
        return Err(Rejection::new(Cause::ReferenceElsewhere).expected(own).received(uri.unwrap_or("none")));
    }
    let one = |name| only(reference, DSIG, name, Cause::SignatureShape, Cause::SignatureShape);
    let steps: Vec<Node<'_, '_>> = match children(reference, DSIG, "Transforms").next() {
        Some(_) => one("Transforms")?.children().filter(Node::is_element).collect(),
        None => Vec::new(),
    };
    let names: Vec<&str> = steps.iter().map(|step| algorithm(*step)).collect();
    let has_content = |step: &Node<'_, '_>| {
        step.children().any(|node| node.is_element() && !is(node, EXCLUSIVE, "InclusiveNamespaces"))
    };
    if names != [ENVELOPED, EXCLUSIVE] || steps.iter().any(has_content) {
        return Err(Rejection::new(Cause::WrongTransforms)
            .expected(format!("{ENVELOPED}, {EXCLUSIVE}"))
            .received(names.join(", ")));
    }
    let digest = algorithm(one("DigestMethod")?);
    if !DIGESTS.contains(&digest) {
        return Err(Rejection::new(Cause::WeakAlgorithm).expected("SHA-256 or stronger").received(digest));
    }
    Ok(())
}

fn check_foreign(response: Node<'_, '_>) -> Result<(), Rejection> {
    let includes =
        |node: Node<'_, '_>| node.tag_name().namespace().is_some_and(|uri| XINCLUDE.contains(&uri));
    match response.descendants().find(|node| node.is_element() && includes(*node)) {
        Some(found) => Err(Rejection::new(Cause::Xinclude).received(name_of(found))),
        None => Ok(()),
    }
}

fn is_foreign_to_signatures(node: Node<'_, '_>) -> bool {
    !matches!(node.tag_name().namespace(), Some(DSIG | EXCLUSIVE | "http://www.w3.org/2009/xmldsig11#"))
}

fn algorithm<'a>(node: Node<'a, '_>) -> &'a str {
    node.attribute("Algorithm").unwrap_or_default()
}

/// A name without a colon, as ids are. It cannot be read as an XPointer or any other expression.
fn is_ncname(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.'))
}

/// Whether the node is that element.
pub(super) fn is(node: Node<'_, '_>, namespace: &str, name: &str) -> bool {
    node.is_element() && node.has_tag_name((namespace, name))
}

/// The child elements with that name.
pub(super) fn children<'a, 'input: 'a>(
    node: Node<'a, 'input>,
    namespace: &'static str,
    name: &'static str,
) -> impl Iterator<Item = Node<'a, 'input>> {
    node.children().filter(move |child| is(*child, namespace, name))
}

/// The only child element with that name.
pub(super) fn only<'a, 'input>(
    node: Node<'a, 'input>,
    namespace: &'static str,
    name: &'static str,
    missing: Cause,
    several: Cause,
) -> Result<Node<'a, 'input>, Rejection> {
    let mut found = children(node, namespace, name);
    match (found.next(), found.next()) {
        (Some(one), None) => Ok(one),
        (None, _) => Err(Rejection::new(missing).expected(format!("one {name}")).received("none")),
        (Some(_), Some(_)) => {
            Err(Rejection::new(several).expected(format!("one {name}")).received("several"))
        }
    }
}

/// All text inside an element, trimmed.
pub(super) fn text_of(node: Node<'_, '_>) -> String {
    let whole: String = node.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect();
    whole.trim().to_owned()
}

fn local<'a>(node: Node<'a, '_>) -> &'a str {
    if node.is_element() { node.tag_name().name() } else { "" }
}

fn name_of(node: Node<'_, '_>) -> String {
    match node.tag_name().namespace() {
        Some(namespace) => format!("{{{namespace}}}{}", node.tag_name().name()),
        None => node.tag_name().name().to_owned(),
    }
}
