//! Maps groups of the identity provider to roles.

use catalogue::Role;
use serde::Serialize;
use serde_json::Value;

/// One row of `SAML_GROUP_MAPPING`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Row {
    pub group: String,
    pub role: String,
}

/// The rows of `SAML_GROUP_MAPPING` in order, and whether other groups count as the role of the same name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mapping {
    pub rows: Vec<Row>,
    /// `SAML_INCLUDE_UNMAPPED_GROUPS`.
    pub include_unmapped: bool,
}

/// The result for one group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The group grants a role.
    Granted,
    /// No row maps the group, and unmapped groups do not count.
    Ignored,
    /// No row maps the group, but one differs only in case or surrounding white space.
    NearMiss,
    /// The mapped role, or the name of an unmapped group that counts as a role, is not a role of a tenant.
    UnknownRole,
}

/// A group with its role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub group: String,
    pub role: Option<Role>,
    /// Row number, from 1.
    pub row: Option<usize>,
    pub outcome: Outcome,
    pub why: String,
}

impl Mapping {
    /// Parses the JSON object. The error contains line and column.
    pub fn parse(text: &str) -> Result<Vec<Row>, String> {
        let expected = "expected a JSON object such as {\"developers\": \"tenant_admin\"}";
        let rows: OrderedRows = serde_json::from_str(text).map_err(|error| format!("{error}; {expected}"))?;
        Ok(rows.0)
    }

    /// The role of each group. Names match exactly, including case.
    pub fn answer(&self, groups: &[String]) -> Vec<Answer> {
        groups.iter().map(|group| self.of(group)).collect()
    }

    /// The roles of all groups together, strongest first.
    pub fn roles(&self, groups: &[String]) -> Vec<Role> {
        let mut roles: Vec<Role> = self.answer(groups).into_iter().filter_map(|answer| answer.role).collect();
        roles.sort_unstable();
        roles.dedup();
        roles
    }

    fn of(&self, group: &str) -> Answer {
        let answer =
            |role, row, outcome, why: String| Answer { group: group.to_owned(), role, row, outcome, why };
        if let Some((at, row)) = self.rows.iter().enumerate().find(|(_, row)| row.group == group) {
            return match crate::user::tenant_role(&row.role) {
                Ok(role) => {
                    answer(Some(role), Some(at + 1), Outcome::Granted, format!("Mapped in row {}.", at + 1))
                }
                Err(_) => answer(
                    None,
                    Some(at + 1),
                    Outcome::UnknownRole,
                    format!("Row {} gives {:?}, which is not a role of a tenant.", at + 1, row.role),
                ),
            };
        }
        if self.include_unmapped {
            return match crate::user::tenant_role(group) {
                Ok(role) => answer(
                    Some(role),
                    None,
                    Outcome::Granted,
                    "Not mapped; unmapped groups count as roles.".to_owned(),
                ),
                Err(_) => answer(
                    None,
                    None,
                    Outcome::UnknownRole,
                    "Not mapped, and there is no role of that name for a tenant.".to_owned(),
                ),
            };
        }
        let lower = group.to_lowercase();
        let near =
            self.rows.iter().enumerate().find(|(_, row)| row.group.trim().to_lowercase() == lower.trim());
        match near {
            Some((at, row)) => {
                let what = if row.group.to_lowercase() == lower {
                    "Capital letters differ"
                } else {
                    "White space differs"
                };
                let why = format!("Row {} is “{}”. {what}, so the group is ignored.", at + 1, row.group);
                answer(None, Some(at + 1), Outcome::NearMiss, why)
            }
            None => answer(None, None, Outcome::Ignored, "Not mapped.".to_owned()),
        }
    }
}

/// An object whose keys retain their order and must be unique.
struct OrderedRows(Vec<Row>);

impl<'de> serde::Deserialize<'de> for OrderedRows {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = OrderedRows;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object from group names to role names")
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<OrderedRows, A::Error> {
                use serde::de::Error;
                let mut rows: Vec<Row> = Vec::new();
                while let Some((group, role)) = map.next_entry::<String, Value>()? {
                    let Value::String(role) = role else {
                        return Err(A::Error::custom(format!(
                            "the role of {group:?} is {role}, expected a text"
                        )));
                    };
                    if let Some(at) = rows.iter().position(|row| row.group == group) {
                        return Err(A::Error::custom(format!(
                            "{group:?} is already mapped in row {}",
                            at + 1
                        )));
                    }
                    rows.push(Row { group, role });
                }
                Ok(OrderedRows(rows))
            }
        }
        deserializer.deserialize_map(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mapping(text: &str, include_unmapped: bool) -> Mapping {
        Mapping { rows: Mapping::parse(text).unwrap(), include_unmapped }
    }

    fn told(mapping: &Mapping, group: &str) -> (Outcome, Option<Role>, String) {
        let answer = mapping.answer(&[group.to_owned()]).remove(0);
        (answer.outcome, answer.role, answer.why)
    }

    #[test]
    fn who_is_in_two_mapped_groups_gets_both_roles() {
        let mapping = mapping(r#"{"developers": "tenant_admin", "viewers": "tenant_admin_readonly"}"#, false);
        let groups = ["developers".to_owned(), "viewers".to_owned(), "others".to_owned()];
        assert_eq!(mapping.roles(&groups), [Role::TenantAdmin, Role::TenantAdminReadonly]);
    }

    #[test]
    fn names_match_exactly_and_a_near_miss_says_so() {
        let mapping = mapping(r#"{"developers": "tenant_admin"}"#, false);
        let (outcome, role, why) = told(&mapping, "Developers");
        assert_eq!((outcome, role), (Outcome::NearMiss, None));
        assert_eq!(why, "Row 1 is “developers”. Capital letters differ, so the group is ignored.");
        assert_eq!(told(&mapping, "ops").0, Outcome::Ignored);
    }

    #[test]
    fn unmapped_groups_count_as_roles_only_when_wanted_and_only_roles_of_a_tenant() {
        let closed = mapping("{}", false);
        assert_eq!(told(&closed, "tenant_admin").0, Outcome::Ignored);
        let open = mapping("{}", true);
        assert_eq!(told(&open, "tenant_admin").1, Some(Role::TenantAdmin));
        for group in ["super_admin", "account_admin", "Tenant_Admin", "ops"] {
            assert_eq!(told(&open, group).0, Outcome::UnknownRole, "{group}");
        }
    }

    #[test]
    fn a_mapping_that_cannot_be_read_says_where() {
        for (text, words) in [
            ("{", "line 1 column 1"),
            ("[]", "an object from group names"),
            (r#"{"a": 1}"#, "the role of \"a\" is 1, expected a text"),
            (r#"{"a": "x", "a": "y"}"#, "\"a\" is already mapped in row 1"),
        ] {
            let error = Mapping::parse(text).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
