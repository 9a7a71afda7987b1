//! Tests that no document makes this machine connect to an address named in it.

use super::attacks;
use super::good_idp;
use crate::saml::check::examine;
use crate::saml::idp_metadata;
use crate::saml::kit::{self, Answer, NOW};
use std::io::ErrorKind;
use std::net::{TcpListener, TcpStream};

/// Documents with an address at every place that can have one.
fn documents(there: &str) -> Vec<String> {
    let good = Answer::good();
    let signed = good.signed(&good_idp());
    let changed = |from: &str, to: &str| {
        let document = signed.replacen(from, &to.replace("THERE", there), 1);
        assert_ne!(document, signed, "{from}");
        document
    };
    let before = |head: &str| format!("{}{signed}", head.replace("THERE", there));
    vec![
        before("<!DOCTYPE a SYSTEM \"THERE/a.dtd\">"),
        before("<!DOCTYPE a PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" \"THERE/xhtml.dtd\">"),
        before("<!DOCTYPE a [<!ENTITY % b SYSTEM \"THERE/b\"> %b;]>"),
        before("<!DOCTYPE a [<!ENTITY b SYSTEM \"THERE/b\">]>").replacen("mei@example.com", "&b;", 1),
        before("<?xml-stylesheet type=\"text/xsl\" href=\"THERE/a.xsl\"?>"),
        before("<?xml-model href=\"THERE/a.rng\"?>"),
        changed(
            "<samlp:Response ",
            "<samlp:Response xsi:schemaLocation=\"urn:oasis:names:tc:SAML:2.0:protocol THERE/a.xsd\" ",
        ),
        changed("<samlp:Response ", "<samlp:Response xsi:noNamespaceSchemaLocation=\"THERE/a.xsd\" "),
        changed("<samlp:Response ", "<samlp:Response xml:base=\"THERE/\" "),
        changed("<samlp:Response ", "<samlp:Response xmlns:there=\"THERE/namespace\" "),
        changed("Destination=\"https://console.example.com", "Destination=\"THERE"),
        changed("Recipient=\"https://console.example.com", "Recipient=\"THERE"),
        changed("<saml:Issuer>https://sso.example.com", "<saml:Issuer>THERE"),
        changed("URI=\"#_a1\"", "URI=\"THERE/a.xml\""),
        changed("URI=\"#_a1\"", "URI=\"THERE/a.xml#_a1\""),
        changed("URI=\"#_a1\"", "Type=\"http://www.w3.org/2000/09/xmldsig#Manifest\" URI=\"THERE/\""),
        changed(
            "</ds:SignatureValue>",
            "</ds:SignatureValue><ds:KeyInfo><ds:RetrievalMethod URI=\"THERE/key\"/></ds:KeyInfo>",
        ),
        changed(
            "</ds:SignatureValue>",
            "</ds:SignatureValue><ds:KeyInfo><ds:RetrievalMethod Type=\"http://www.w3.org/2000/09/xmldsig#X509Data\" URI=\"THERE/key\"/></ds:KeyInfo>",
        ),
        changed(
            "</ds:SignatureValue>",
            "</ds:SignatureValue><ds:Object><ds:Manifest><ds:Reference URI=\"THERE/a\"/></ds:Manifest></ds:Object>",
        ),
        changed(
            "<ds:Transform Algorithm=\"http://www.w3.org/2001/10/xml-exc-c14n#\"/>",
            "<ds:Transform Algorithm=\"http://www.w3.org/TR/1999/REC-xslt-19991116\"><xsl:stylesheet version=\"1.0\" xmlns:xsl=\"http://www.w3.org/1999/XSL/Transform\"><xsl:include href=\"THERE/a.xsl\"/><xsl:template match=\"/\"><xsl:copy-of select=\"document('THERE/b')\"/></xsl:template></xsl:stylesheet></ds:Transform>",
        ),
        changed(
            "<ds:Transform Algorithm=\"http://www.w3.org/2001/10/xml-exc-c14n#\"/>",
            "<ds:Transform Algorithm=\"http://www.w3.org/TR/1999/REC-xpath-19991116\"><ds:XPath>document('THERE/b')</ds:XPath></ds:Transform>",
        ),
        changed(
            "</saml:AttributeStatement>",
            "<xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\"THERE/a\"/></saml:AttributeStatement>",
        ),
        changed(
            "</samlp:Status>",
            "</samlp:Status><saml:EncryptedAssertion><xenc:EncryptedData xmlns:xenc=\"http://www.w3.org/2001/04/xmlenc#\"><xenc:CipherData><xenc:CipherReference URI=\"THERE/a\"/></xenc:CipherData></xenc:EncryptedData></saml:EncryptedAssertion>",
        ),
        changed("</samlp:Status>", "</samlp:Status><saml:AssertionURIRef>THERE/a</saml:AssertionURIRef>"),
    ]
}

#[test]
fn no_hostile_document_makes_the_service_connect_to_anybody() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let there = format!("http://{}", listener.local_addr().unwrap());
    let idp = good_idp();
    let settings = kit::settings(&idp.pem());
    let named = documents(&there);
    for document in &named {
        assert!(document.contains(&there), "{document}");
        assert!(examine(&kit::pack(document), &settings, NOW).outcome.is_err() || is_harmless(document));
        assert!(idp_metadata::parse(document, NOW).is_err());
    }
    // Those of the attack suite, with all other addresses replaced by this machine's.
    for text in attacks::texts(&idp) {
        let text = text
            .replace("http://127.0.0.1:1", &there)
            .replace("https://evil.example.com", &there)
            .replace("file:///etc", &there)
            .replace("file:///dev", &there);
        let _ = examine(&kit::pack(&text), &settings, NOW);
        let _ = idp_metadata::parse(&text, NOW);
    }
    listener.set_nonblocking(true).unwrap();
    assert_eq!(listener.accept().unwrap_err().kind(), ErrorKind::WouldBlock, "somebody connected");
    // Control: a real connection is noticed.
    let _mine = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    listener.set_nonblocking(false).unwrap();
    listener.accept().unwrap();
}

/// An address in the unsigned response around a signed assertion: it is never read.
fn is_harmless(document: &str) -> bool {
    ["chemaLocation=", "xml:base=", "xmlns:there=", "saml:AssertionURIRef"]
        .iter()
        .any(|name| document.contains(name))
}
