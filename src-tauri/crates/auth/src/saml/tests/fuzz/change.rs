//! Random changes to a response: bytes, tags, attributes, whole elements, and parts of another response.

use super::dice::Dice;
use crate::saml::kit::{ACS, AUDIENCE, ISSUER};

/// Applies one to five changes to one of the responses.
pub fn change(originals: &[&str], dice: &mut Dice) -> Vec<u8> {
    let mut xml = dice.one_of(originals).to_owned();
    // One in a hundred stays unchanged, to test that good responses pass too.
    if dice.once_in(100) {
        return xml.into_bytes();
    }
    let other = dice.one_of(originals);
    for _ in 0..=dice.below(2).min(dice.below(5)) + usize::from(dice.once_in(4)) * 2 {
        xml = match dice.below(10) {
            0 | 1 => elements(&xml, other, dice),
            2 | 3 => tags(&xml, other, dice),
            4 | 5 => attributes(&xml, dice),
            6 | 7 => insertions(&xml, dice),
            8 => words(&xml, dice),
            _ => bytes(&xml, dice),
        };
        // Repeated copying grows the text, and cutting may leave nothing. Texts over the size limit are tested elsewhere.
        if xml.is_empty() || xml.len() > 300_000 {
            break;
        }
    }
    xml.into_bytes()
}

/// Start and end of a tag or a text.
type Piece = (usize, usize);

fn pieces(xml: &str) -> Vec<Piece> {
    let mut all = Vec::new();
    let mut at = 0;
    while at < xml.len() {
        let rest = &xml[at..];
        let length = if rest.starts_with('<') {
            rest.find('>').map_or(rest.len(), |end| end + 1)
        } else {
            rest.find('<').unwrap_or(rest.len())
        };
        all.push((at, at + length));
        at += length;
    }
    all
}

/// An element from its start tag to its end tag, if the tags match.
fn element(xml: &str, dice: &mut Dice) -> Option<Piece> {
    let pieces = pieces(xml);
    let is_start = |(from, to): &Piece| {
        let tag = &xml[*from..*to];
        tag.starts_with('<') && !tag.starts_with("</") && !tag.starts_with("<!") && !tag.starts_with("<?")
    };
    let starts: Vec<usize> = (0..pieces.len()).filter(|at| is_start(&pieces[*at])).collect();
    let first = *starts.get(dice.below(starts.len()))?;
    let mut depth = 0_i32;
    for piece @ (from, to) in &pieces[first..] {
        let tag = &xml[*from..*to];
        if tag.starts_with("</") {
            depth -= 1;
        } else if is_start(piece) && !tag.ends_with("/>") {
            depth += 1;
        }
        if depth <= 0 {
            return Some((pieces[first].0, *to));
        }
    }
    None
}

fn spliced(xml: &str, (from, to): Piece, put: &str) -> String {
    format!("{}{put}{}", &xml[..from], &xml[to..])
}

/// A random position between two pieces.
fn seam(xml: &str, dice: &mut Dice) -> usize {
    let pieces = pieces(xml);
    pieces.get(dice.below(pieces.len())).map_or(0, |piece| piece.0)
}

fn elements(xml: &str, other: &str, dice: &mut Dice) -> String {
    let Some((from, to)) = element(xml, dice) else { return xml.to_owned() };
    let whole = &xml[from..to];
    match dice.below(7) {
        0 => spliced(xml, (from, to), ""),
        1 => spliced(xml, (to, to), whole),
        2 => {
            let moved = spliced(xml, (from, to), "");
            let at = seam(&moved, dice);
            spliced(&moved, (at, at), whole)
        }
        3 => {
            let at = seam(xml, dice);
            spliced(xml, (at, at), whole)
        }
        4 => match element(other, dice) {
            Some((start, end)) => spliced(xml, (from, to), &other[start..end]),
            None => xml.to_owned(),
        },
        5 => match element(other, dice) {
            Some((start, end)) => spliced(xml, (to, to), &other[start..end]),
            None => xml.to_owned(),
        },
        _ => {
            let around = dice.one_of(&[
                "samlp:Extensions",
                "saml:Advice",
                "ds:Object",
                "saml:Assertion",
                "samlp:Response",
                "saml:AttributeValue",
                "x:y",
            ]);
            spliced(xml, (from, to), &format!("<{around} xmlns:x=\"urn:x\">{whole}</{around}>"))
        }
    }
}

fn tags(xml: &str, other: &str, dice: &mut Dice) -> String {
    let mine = pieces(xml);
    let (from, to) = mine[dice.below(mine.len())];
    match dice.below(5) {
        0 => spliced(xml, (from, to), ""),
        1 => spliced(xml, (to, to), &xml[from..to]),
        2 => {
            let theirs = pieces(other);
            let (start, end) = theirs[dice.below(theirs.len())];
            spliced(xml, (from, to), &other[start..end])
        }
        3 => spliced(xml, (from, to), &xml[from..to].to_uppercase()),
        _ => {
            let (start, end) = mine[dice.below(mine.len())];
            let (first, second) =
                if from < start { ((from, to), (start, end)) } else { ((start, end), (from, to)) };
            let swapped = spliced(xml, second, &xml[first.0..first.1]);
            spliced(&swapped, first, &xml[second.0..second.1])
        }
    }
}

const VALUES: &[&str] = &[
    "",
    "#",
    "#_a1",
    "#_a2",
    "#_r_a1",
    "_a1",
    "_a2",
    "_req1",
    "_req2",
    "2.0",
    "1.1",
    "2026-11-20T06:38:00Z",
    "2026-11-20T06:38:00.123456789Z",
    "2016-12-31T23:59:60Z",
    "9999-12-31T23:59:59Z",
    "99999999999-01-01T00:00:00Z",
    "-0001-01-01T00:00:00Z",
    "2026-11-20T06:38:00+14:00",
    "http://127.0.0.1:1/",
    "file:///dev/zero",
    "urn:oasis:names:tc:SAML:2.0:status:Success",
    "urn:oasis:names:tc:SAML:2.0:cm:bearer",
    "urn:oasis:names:tc:SAML:2.0:assertion",
    "urn:oasis:names:tc:SAML:2.0:protocol",
    "http://www.w3.org/2000/09/xmldsig#",
    "http://www.w3.org/2000/09/xmldsig#enveloped-signature",
    "http://www.w3.org/2000/09/xmldsig#hmac-sha1",
    "http://www.w3.org/2001/10/xml-exc-c14n#",
    "http://www.w3.org/2001/10/xml-exc-c14n#WithComments",
    "http://www.w3.org/TR/1999/REC-xpath-19991116",
    "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512",
    "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256",
    "http://www.w3.org/2001/04/xmlenc#sha512",
    "&#0;",
    "&lt;",
    "&x;",
    "\u{202e}\u{0}",
    "a&#10;b",
    ISSUER,
    AUDIENCE,
    ACS,
];

/// Every `name="value"`: the ranges of name and value.
fn pairs(xml: &str) -> Vec<(Piece, Piece)> {
    let mut all = Vec::new();
    for (equals, _) in xml.match_indices("=\"") {
        let name = xml[..equals].rfind([' ', '<', '"']).map_or(0, |at| at + 1);
        if let Some(length) = xml[equals + 2..].find('"') {
            all.push(((name, equals), (equals + 2, equals + 2 + length)));
        }
    }
    all
}

fn attributes(xml: &str, dice: &mut Dice) -> String {
    let pairs = pairs(xml);
    let Some((name, value)) = pairs.get(dice.below(pairs.len())).copied() else { return xml.to_owned() };
    match dice.below(6) {
        0 | 1 => spliced(xml, value, dice.one_of(VALUES)),
        2 => spliced(xml, (name.0, value.1 + 1), ""),
        3 => {
            let pair = format!(" {}", &xml[name.0..=value.1]);
            spliced(xml, (value.1 + 1, value.1 + 1), &pair)
        }
        4 => {
            let other = dice.one_of(&[
                "ID",
                "Id",
                "id",
                "xml:id",
                "xml:base",
                "xmlns",
                "xmlns:saml",
                "URI",
                "xsi:type",
                "Name",
            ]);
            spliced(xml, name, other)
        }
        _ => {
            let added = dice.one_of(&[
                " xmlns:saml=\"urn:evil\"",
                " xmlns=\"urn:oasis:names:tc:SAML:2.0:assertion\"",
                " ID=\"_a1\"",
                " xml:id=\"_a1\"",
                " xml:space=\"preserve\"",
                " xml:base=\"http://127.0.0.1:1/\"",
                " xsi:schemaLocation=\"urn:a http://127.0.0.1:1/a.xsd\"",
                " xmlns:xml=\"urn:a\"",
                " a:b=\"1\"",
            ]);
            spliced(xml, (value.1 + 1, value.1 + 1), added)
        }
    }
}

const INSERTIONS: &[&str] = &[
    "<!-- -->",
    "<!---->",
    "<!-- a -- b -->",
    "<?a b?>",
    "<?xml version=\"1.0\"?>",
    "<?xml version=\"1.0\" encoding=\"UTF-16\"?>",
    "<![CDATA[a]]>",
    "<![CDATA[</saml:Assertion>]]>",
    "<!DOCTYPE a [<!ENTITY x \"y\">]>",
    "<!DOCTYPE a SYSTEM \"http://127.0.0.1:1/a.dtd\">",
    "&x;",
    "&amp;",
    "&#x26;",
    "&#xD;",
    "&#x0;",
    "&#xFFFFFFFF;",
    "\u{feff}",
    "\u{0}",
    "\u{8}",
    "\u{85}",
    "\u{2028}",
    "\u{fffe}",
    "\r\n",
    "\t",
    " ",
    "<",
    ">",
    "]]>",
    "\"",
    "'",
    "/",
    "</",
    "<a/>",
    "<a>",
    "</a>",
    "<ds:Object/>",
    "<ds:Signature xmlns:ds=\"http://www.w3.org/2000/09/xmldsig#\"/>",
    "<saml:Assertion/>",
    "<saml:Assertion ID=\"_a1\"/>",
    "<saml:EncryptedAssertion/>",
    "<saml:EncryptedID/>",
    "<saml:Issuer>https://sso.example.com/saml2/idp</saml:Issuer>",
    "<saml:NameID>eve@evil.example</saml:NameID>",
    "<saml:Audience>https://console.example.com</saml:Audience>",
    "<saml:Attribute Name=\"email\"><saml:AttributeValue>eve@evil.example</saml:AttributeValue></saml:Attribute>",
    "<saml:OneTimeUse/>",
    "<saml:ProxyRestriction Count=\"0\"/>",
    "<xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\"file:///etc/passwd\"/>",
    "<samlp:Status/>",
    "<samlp:StatusCode Value=\"urn:oasis:names:tc:SAML:2.0:status:Responder\"/>",
];

fn insertions(xml: &str, dice: &mut Dice) -> String {
    let what = dice.one_of(INSERTIONS);
    let what = if dice.once_in(20) { what.repeat(1 + dice.below(400)) } else { what.to_owned() };
    let at = if dice.once_in(2) { seam(xml, dice) } else { letter(xml, dice) };
    spliced(xml, (at, at), &what)
}

/// Replaces meaningful words, wherever they occur.
fn words(xml: &str, dice: &mut Dice) -> String {
    let (from, to) = [
        ("saml:", "x:"),
        ("saml:", ""),
        ("samlp:", "saml:"),
        ("ds:", "dsig:"),
        ("mei@example.com", "eve@evil.example"),
        ("mei@example.com", "mei@example.com.evil.example"),
        ("developers", "admins"),
        ("_a1", "_a2"),
        ("_req1", "_req2"),
        ("Assertion", "assertion"),
        ("sha256", "sha1"),
        ("sha256", "sha512"),
        ("exc-c14n", "c14n11"),
        ("2026", "2027"),
        ("\"", "'"),
        ("><", "> <"),
        ("<", "\n<"),
        ("=", " = "),
        ("/>", "></a>"),
        ("e", "\u{435}"),
    ][dice.below(20)];
    if dice.once_in(2) { xml.replace(from, to) } else { xml.replacen(from, to, 1 + dice.below(3)) }
}

/// A random position between two characters.
fn letter(xml: &str, dice: &mut Dice) -> usize {
    let mut at = dice.below(xml.len());
    while !xml.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn bytes(xml: &str, dice: &mut Dice) -> String {
    let at = letter(xml, dice);
    let end = letter(xml, dice).max(at).min(at + 400);
    let end = (end..=xml.len()).find(|end| xml.is_char_boundary(*end)).unwrap_or(xml.len());
    match dice.below(4) {
        0 => xml[..at].to_owned(),
        1 => spliced(xml, (at, end), ""),
        2 => spliced(xml, (end, end), &xml[at..end]),
        _ => {
            let put = char::from(u8::try_from(dice.below(128)).unwrap()).to_string();
            let next = xml[at..].chars().next().map_or(0, char::len_utf8);
            spliced(xml, (at, at + next), &put)
        }
    }
}
