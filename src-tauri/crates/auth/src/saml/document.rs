//! Decodes and parses the SAML response that the browser posts.
//!
//! A scan without a parser limits what makes parsers slow and refuses what they interpret: document types, entities, processing instructions,
//! comments, CDATA. Then two strict parsers must agree that the text is well-formed: roxmltree, which also checks namespaces, and libxml2, which
//! the signature check uses.

use super::cause::{Cause, Rejection};
use base64::Engine;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use roxmltree::{Document, ParsingOptions};

/// Maximum size of a posted response, in bytes.
pub const MAX_BYTES: usize = 512 * 1024;
/// Maximum nesting of elements.
pub const MAX_DEPTH: usize = 24;
/// Maximum number of XML attributes and namespace declarations of one element.
pub const MAX_ATTRIBUTES: usize = 48;
/// Maximum number of elements of a response: two for each group, and a few hundred for the rest.
pub const MAX_ELEMENTS: usize = 10_000;

/// Maximum number of elements, texts and namespaces together.
const MAX_NODES: u32 = 80_000;

/// Line breaks and padding may vary between providers; everything else must be valid base64.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Decodes the form field `SAMLResponse` into text.
pub fn decode(field: &str) -> Result<String, Rejection> {
    if field.len() > MAX_BYTES {
        return Err(too_large(field.len(), MAX_BYTES));
    }
    let packed: Vec<u8> = field.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let bytes = BASE64
        .decode(&packed)
        .map_err(|error| Rejection::new(Cause::NotBase64).received(error.to_string()))?;
    String::from_utf8(bytes)
        .map_err(|error| Rejection::new(Cause::NotUtf8).received(error.utf8_error().to_string()))
}

/// Encodes a text for the form field.
pub fn encode(text: &str) -> String {
    BASE64.encode(text)
}

fn too_large(length: usize, longest: usize) -> Rejection {
    Rejection::new(Cause::BodyTooLarge)
        .expected(format!("at most {longest} bytes"))
        .received(format!("{length} bytes"))
}

/// Parses an unverified text.
pub fn parse(text: &str) -> Result<Document<'_>, Rejection> {
    parse_up_to(text, MAX_BYTES)
}

/// Like [`parse`], with another maximum length in bytes.
pub(super) fn parse_up_to(text: &str, longest: usize) -> Result<Document<'_>, Rejection> {
    if text.len() > longest {
        return Err(too_large(text.len(), longest));
    }
    scan(text)?;
    let document = parse_strictly(text)?;
    let strict = libxml::parser::ParserOptions {
        recover: false,
        no_net: true,
        no_error: true,
        no_warning: true,
        no_def_dtd: true,
        ..Default::default()
    };
    libxml::parser::Parser::default()
        .parse_string_with_options(text, strict)
        .map_err(|error| Rejection::new(Cause::MalformedXml).received(error.to_string()))?;
    Ok(document)
}

/// Parses an unverified text just to look something up in it.
pub(super) fn glance(text: &str) -> Option<Document<'_>> {
    scan(text).ok()?;
    parse_strictly(text).ok()
}

/// Parses a text that the scan has checked or a signature covers.
pub(super) fn parse_strictly(text: &str) -> Result<Document<'_>, Rejection> {
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MAX_NODES, ..Default::default() };
    Document::parse_with_options(text, options).map_err(|error| {
        Rejection::new(Cause::MalformedXml).expected("well-formed XML").received(error.to_string())
    })
}

/// Counts tags and refuses forbidden markup, in one pass without backtracking.
fn scan(text: &str) -> Result<(), Rejection> {
    let mut rest = skip_declaration(text)?;
    let (mut depth, mut elements) = (0_usize, 0_usize);
    while let Some(start) = rest.find('<') {
        rest = &rest[start + 1..];
        refuse_markup(rest)?;
        let tag = Tag::read(rest)
            .ok_or_else(|| Rejection::new(Cause::MalformedXml).received("a tag without an end"))?;
        rest = &rest[tag.length..];
        if tag.is_end {
            depth = depth.saturating_sub(1);
            continue;
        }
        elements += 1;
        if elements > MAX_ELEMENTS {
            return Err(
                Rejection::new(Cause::TooManyElements).expected(format!("at most {MAX_ELEMENTS} elements"))
            );
        }
        if tag.attributes > MAX_ATTRIBUTES {
            return Err(Rejection::new(Cause::TooManyAttributes)
                .expected(format!("at most {MAX_ATTRIBUTES}"))
                .received(tag.attributes.to_string()));
        }
        if !tag.is_empty {
            depth += 1;
            if depth > MAX_DEPTH {
                return Err(Rejection::new(Cause::TooDeep).expected(format!("at most {MAX_DEPTH} levels")));
            }
        }
    }
    Ok(())
}

/// The text after the XML declaration. The declaration may only state version 1.0 and UTF-8, which are assumed anyway.
fn skip_declaration(text: &str) -> Result<&str, Rejection> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Some(rest) = text.strip_prefix("<?xml").filter(|rest| rest.starts_with([' ', '\t', '\r', '\n']))
    else {
        return Ok(text);
    };
    let malformed = || Rejection::new(Cause::MalformedXml).received("an XML declaration that cannot be read");
    let (declaration, rest) = rest.split_once("?>").ok_or_else(malformed)?;
    let declaration = declaration.to_ascii_lowercase().replace('\'', "\"");
    let value = |name: &str| {
        let (_, after) = declaration.split_once(name)?;
        let after = after.trim_start().strip_prefix('=')?.trim_start().strip_prefix('"')?;
        after.split_once('"').map(|(value, _)| value.to_owned())
    };
    if value("version").as_deref() != Some("1.0") {
        return Err(malformed());
    }
    match value("encoding") {
        Some(encoding) if encoding != "utf-8" => {
            Err(Rejection::new(Cause::NotUtf8).expected("utf-8").received(encoding))
        }
        None if declaration.contains("encoding") => Err(malformed()),
        _ => Ok(rest),
    }
}

fn refuse_markup(behind: &str) -> Result<(), Rejection> {
    let cause = if behind.starts_with("!--") {
        Cause::Comment
    } else if behind.starts_with("![CDATA[") {
        Cause::Cdata
    } else if behind.starts_with('!') {
        Cause::Doctype
    } else if behind.starts_with('?') {
        Cause::ProcessingInstruction
    } else {
        return Ok(());
    };
    Err(Rejection::new(cause).received(format!("<{}", behind.chars().take(40).collect::<String>())))
}

/// One tag found by the scan.
struct Tag {
    /// Length after `<`, including `>`.
    length: usize,
    attributes: usize,
    is_end: bool,
    is_empty: bool,
}

impl Tag {
    fn read(behind: &str) -> Option<Self> {
        let mut quote = None;
        let (mut attributes, mut last) = (0, b'<');
        for (at, byte) in behind.bytes().enumerate() {
            match (quote, byte) {
                (Some(open), _) if open == byte => quote = None,
                (None, b'"' | b'\'') => quote = Some(byte),
                (None, b'=') => attributes += 1,
                (None, b'>') => {
                    let is_end = behind.starts_with('/');
                    return Some(Self { length: at + 1, attributes, is_end, is_empty: last == b'/' });
                }
                _ => {}
            }
            last = byte;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cause_of(text: &str) -> Option<Cause> {
        parse(text).err().map(|refused| refused.cause)
    }

    #[test]
    fn plain_xml_is_read() {
        assert_eq!(cause_of("<?xml version='1.0' encoding=\"UTF-8\"?>\n<a b='1'><c/>text</a>"), None);
    }

    #[test]
    fn what_parsers_interpret_is_refused_before_they_see_it() {
        for (text, cause) in [
            ("<!DOCTYPE a><a/>", Cause::Doctype),
            ("<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a>&b;</a>", Cause::Doctype),
            ("<a><!ENTITY b 'c'></a>", Cause::Doctype),
            ("<a>b<!-- c -->d</a>", Cause::Comment),
            ("<a><![CDATA[b]]></a>", Cause::Cdata),
            ("<a><?b c?></a>", Cause::ProcessingInstruction),
            ("<?xml-stylesheet href='x'?><a/>", Cause::ProcessingInstruction),
            ("<?xml version='1.0' encoding='UTF-16'?><a/>", Cause::NotUtf8),
            ("<?xml version='1.1'?><a/>", Cause::MalformedXml),
            ("<a>&nothing;</a>", Cause::MalformedXml),
        ] {
            assert_eq!(cause_of(text), Some(cause), "{text}");
        }
    }

    #[test]
    fn broken_xml_is_refused_where_a_forgiving_parser_reads_on() {
        for text in [
            "",
            "text",
            "<a>",
            "<a></b>",
            "<a/><b/>",
            "<a/>text",
            "<a b=1/>",
            "<a b='1' b='2'/>",
            "<p:a/>",
            "<a",
            "<a b='",
            "<a xmlns:p='u' xmlns:q='u' p:b='1' q:b='2'/>",
            "<a>\u{1}</a>",
            "<a b='<'/>",
            " <?xml version='1.0'?><a/>",
        ] {
            assert!(cause_of(text).is_some(), "{text}");
        }
    }

    #[test]
    fn size_is_bounded_before_anything_slow_sees_it() {
        let deep = format!("{}{}", "<a>".repeat(25), "</a>".repeat(25));
        assert_eq!(cause_of(&deep), Some(Cause::TooDeep));
        let wide: String = (0..60).map(|n| format!(" a{n}='1'")).collect();
        assert_eq!(cause_of(&format!("<a{wide}/>")), Some(Cause::TooManyAttributes));
        assert_eq!(cause_of(&format!("<a>{}</a>", "<b/>".repeat(10_001))), Some(Cause::TooManyElements));
        assert_eq!(cause_of(&format!("<a>{}</a>", "b".repeat(MAX_BYTES))), Some(Cause::BodyTooLarge));
    }

    #[test]
    fn line_breaks_in_base64_are_fine_and_nothing_else_is() {
        assert_eq!(decode("PGEv\r\n Pg==\n").unwrap(), "<a/>");
        assert_eq!(decode("PGEvPg").unwrap(), "<a/>");
        assert_eq!(decode("PGE_").unwrap_err().cause, Cause::NotBase64);
        assert_eq!(decode("/w==").unwrap_err().cause, Cause::NotUtf8);
    }
}
