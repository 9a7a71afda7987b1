//! Reads e-mail address, name and groups from an assertion, in the contract's order of preference, and records which attribute each came from.

use super::assertion::Subject;
use super::cause::{Cause, Rejection};
use super::structure::{ASSERTION, children, text_of};
use roxmltree::Node;
use schemars::JsonSchema;
use serde::Serialize;

/// Names of attributes that contain groups (contract, "Assertion attributes read").
pub const GROUP_NAMES: [&str; 7] = [
    "groups",
    "Group",
    "memberOf",
    "roles",
    "Role",
    "http://schemas.xmlsoap.org/claims/Group",
    "http://schemas.microsoft.com/ws/2008/06/identity/claims/groups",
];
/// Entra ID sends these instead of groups for a person with more than about 150.
const GROUP_LINKS: [&str; 2] =
    ["http://schemas.microsoft.com/claims/groups.link", "http://schemas.microsoft.com/claims/groups.link.v2"];

/// An attribute of the SAML response, unchanged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "SamlAttribute")]
pub struct Attribute {
    pub name: String,
    pub values: Vec<String>,
}

/// A value that was read from the SAML response, and the attribute it came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "FoundValue")]
pub struct AttributeMatch {
    pub value: String,
    pub from: String,
    pub note: Option<String>,
}

/// The person's groups, and the attributes they were read from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "FoundGroups")]
pub struct Groups {
    pub values: Vec<String>,
    /// Names of the attributes. Empty if the assertion has no group attribute, as opposed to a group attribute without values.
    pub from: Vec<String>,
    pub note: Option<String>,
}

/// The attributes of the person in an assertion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Attributes {
    pub email: AttributeMatch,
    pub name: AttributeMatch,
    pub groups: Groups,
    pub received: Vec<Attribute>,
}

/// The attributes of all statements, in order. Attributes with the same name are merged.
pub fn read_all(assertion: Node<'_, '_>) -> Vec<Attribute> {
    let mut all: Vec<Attribute> = Vec::new();
    for statement in children(assertion, ASSERTION, "AttributeStatement") {
        for node in children(statement, ASSERTION, "Attribute") {
            let name = node.attribute("Name").unwrap_or_default().to_owned();
            let values =
                children(node, ASSERTION, "AttributeValue").map(text_of).filter(|text| !text.is_empty());
            match all.iter_mut().find(|known| known.name == name) {
                Some(known) => known.values.extend(values),
                None => all.push(Attribute { name, values: values.collect() }),
            }
        }
    }
    all
}

/// Finds e-mail address, name and groups in the attributes.
pub fn read(received: Vec<Attribute>, subject: &Subject) -> Result<Attributes, Rejection> {
    let email = email(&received, subject)?;
    let name = display_name(&received, &email.value);
    let groups = groups(&received);
    Ok(Attributes { email, name, groups, received })
}

fn first<'a>(received: &'a [Attribute], name: &str) -> Option<&'a str> {
    let found = received.iter().find(|attribute| attribute.name == name)?;
    found.values.first().map(String::as_str)
}

fn email(received: &[Attribute], subject: &Subject) -> Result<AttributeMatch, Rejection> {
    let mut absent = Vec::new();
    let candidates = [("email", first(received, "email")), ("mail", first(received, "mail"))];
    for (name, value) in candidates {
        match value {
            Some(value) => return Ok(found(plausible(value)?, name, &absent)),
            None => absent.push(name),
        }
    }
    if !subject.name_id.contains('@') {
        let names: Vec<&str> = received.iter().map(|attribute| attribute.name.as_str()).collect();
        let received = match names.as_slice() {
            [] => format!("no attributes, NameID {:?}", subject.name_id),
            names => format!("{}; NameID {:?}", names.join(", "), subject.name_id),
        };
        return Err(Rejection::new(Cause::NoEmail)
            .expected("email, mail or an address as NameID")
            .received(received));
    }
    Ok(found(plausible(&subject.name_id)?, "NameID", &absent))
}

fn found(value: String, from: &str, absent: &[&str]) -> AttributeMatch {
    let note = match absent {
        [] => None,
        [one] => Some(format!("{one} was absent")),
        several => Some(format!("{} were absent", several.join(" and "))),
    };
    AttributeMatch { value, from: from.to_owned(), note }
}

/// The address in lower case, if it is plausible.
fn plausible(text: &str) -> Result<String, Rejection> {
    let wrong =
        || Rejection::new(Cause::ImplausibleEmail).expected("an address like ada@example.com").received(text);
    let is_forbidden =
        |letter: char| "<>()[],;:\\\"`|".contains(letter) || letter == '\u{fffd}' || is_invisible(letter);
    if text.len() > 254 || text.chars().any(is_forbidden) {
        return Err(wrong());
    }
    crate::user::normalize_email(text).map_err(|_| wrong())
}

/// Invisible characters: addresses that look the same would name different people.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{00ad}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

fn display_name(received: &[Attribute], email: &str) -> AttributeMatch {
    for name in ["displayName", "name"] {
        if let Some(value) = first(received, name) {
            return found(value.to_owned(), name, &[]);
        }
    }
    match (first(received, "firstName"), first(received, "lastName")) {
        (None, None) => AttributeMatch {
            value: email.to_owned(),
            from: "e-mail address".to_owned(),
            note: Some("displayName, name, firstName and lastName were absent".to_owned()),
        },
        (Some(one), None) => found(one.to_owned(), "firstName", &[]),
        (None, Some(one)) => found(one.to_owned(), "lastName", &[]),
        (Some(one), Some(two)) => found(format!("{one} {two}"), "firstName and lastName", &[]),
    }
}

fn groups(received: &[Attribute]) -> Groups {
    let mut groups = Groups::default();
    for attribute in received.iter().filter(|attribute| GROUP_NAMES.contains(&attribute.name.as_str())) {
        groups.from.push(attribute.name.clone());
        for value in &attribute.values {
            if !groups.values.contains(value) {
                groups.values.push(value.clone());
            }
        }
    }
    if groups.from.is_empty() {
        let is_linked = received.iter().any(|attribute| GROUP_LINKS.contains(&attribute.name.as_str()));
        groups.note = Some(if is_linked {
            "The provider sent a link instead of groups, as Entra ID does above 150: send only groups assigned to the application".to_owned()
        } else {
            format!("The assertion has none of the attributes {}", GROUP_NAMES.join(", "))
        });
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_from(attributes: &[(&str, &[&str])], name_id: &str) -> Result<Attributes, Rejection> {
        let received = attributes
            .iter()
            .map(|(name, values)| Attribute {
                name: (*name).to_owned(),
                values: values.iter().map(|value| (*value).to_owned()).collect(),
            })
            .collect();
        read(received, &Subject { name_id: name_id.to_owned(), format: String::new(), ends_at: 0 })
    }

    #[test]
    fn the_address_is_email_then_mail_then_the_name_id() {
        let of = |attributes: &[(&str, &[&str])], id| {
            let email = read_from(attributes, id).unwrap().email;
            (email.value, email.from, email.note)
        };
        let owned = |a: &str, b: &str, c: Option<&str>| (a.to_owned(), b.to_owned(), c.map(str::to_owned));
        assert_eq!(
            of(&[("mail", &["B@x.io"]), ("email", &["A@x.io"])], "c@x.io"),
            owned("a@x.io", "email", None)
        );
        assert_eq!(of(&[("mail", &["b@x.io"])], "c@x.io"), owned("b@x.io", "mail", Some("email was absent")));
        assert_eq!(of(&[], "C@x.io"), owned("c@x.io", "NameID", Some("email and mail were absent")));
        assert_eq!(of(&[("email", &[]), ("Email", &["z@x.io"])], "c@x.io").1, "NameID");
    }

    #[test]
    fn without_an_address_the_attributes_that_came_are_named() {
        let refused = read_from(&[("uid", &["ada"]), ("cn", &["Ada"])], "ada").unwrap_err();
        assert_eq!(refused.cause, Cause::NoEmail);
        assert_eq!(refused.received.unwrap(), "uid, cn; NameID \"ada\"");
    }

    #[test]
    fn an_address_that_cannot_be_one_is_refused() {
        for wrong in [
            "ada",
            "@x.io",
            "a b@x.io",
            "a@b@c",
            "<a@x.io>",
            "a@x.io,b@x.io",
            "a@x.io\u{200b}",
            "\u{202e}a@x.io",
        ] {
            let refused = read_from(&[("email", &[wrong])], "c@x.io").unwrap_err();
            assert_eq!(refused.cause, Cause::ImplausibleEmail, "{wrong}");
        }
    }

    #[test]
    fn the_name_is_display_name_then_name_then_first_and_last() {
        let of = |attributes: &[(&str, &[&str])]| read_from(attributes, "c@x.io").unwrap().name.value;
        assert_eq!(
            of(&[("firstName", &["Mei"]), ("lastName", &["Ex"]), ("name", &["N"]), ("displayName", &["D"])]),
            "D"
        );
        assert_eq!(of(&[("firstName", &["Mei"]), ("lastName", &["Ex"]), ("name", &["N"])]), "N");
        assert_eq!(of(&[("lastName", &["Ex"]), ("firstName", &["Mei"])]), "Mei Ex");
        assert_eq!(of(&[]), "c@x.io");
    }

    #[test]
    fn groups_are_gathered_from_every_name_they_may_have() {
        for name in GROUP_NAMES {
            let groups = read_from(&[(name, &["a", "b", "a"])], "c@x.io").unwrap().groups;
            assert_eq!(
                (groups.values, groups.from),
                (vec!["a".to_owned(), "b".to_owned()], vec![name.to_owned()])
            );
        }
        let both = read_from(&[("groups", &["a"]), ("Role", &["b", "a"])], "c@x.io").unwrap().groups;
        assert_eq!(both.values, ["a", "b"]);
    }

    #[test]
    fn no_attribute_for_groups_is_told_apart_from_no_groups() {
        let none = read_from(&[("group", &["a"])], "c@x.io").unwrap().groups;
        assert!(none.from.is_empty() && none.note.unwrap().starts_with("The assertion has none of"));
        let empty = read_from(&[("groups", &[])], "c@x.io").unwrap().groups;
        assert_eq!((empty.from.len(), empty.note), (1, None));
        let linked = read_from(&[(GROUP_LINKS[0], &["https://graph"])], "c@x.io").unwrap().groups;
        assert!(linked.note.unwrap().contains("Entra ID"));
    }
}
