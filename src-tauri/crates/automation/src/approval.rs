//! Decides who may vote on an approval and how many votes are needed.

use crate::template::to_text;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The voting rules of a `core.approval` task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ApprovalPolicy {
    /// Voters by e-mail address. If empty, everybody with one of the roles.
    pub approvers: Vec<String>,
    /// Voters by role name. If this and `approvers` are empty, everybody who may change workflows of the account.
    pub roles: Vec<String>,
    /// Number of votes for the first option before it is chosen. A vote for another option decides at once.
    pub minimum: u32,
    /// Excludes the person who started the run and the author of the workflow.
    pub excludes_author: bool,
    /// Requires sign-in: the link alone is not enough.
    pub needs_sign_in: bool,
}

impl Default for ApprovalPolicy {
    fn default() -> Self {
        Self {
            approvers: Vec::new(),
            roles: Vec::new(),
            minimum: 1,
            excludes_author: false,
            needs_sign_in: false,
        }
    }
}

impl ApprovalPolicy {
    /// Reads rendered parameters.
    pub fn read(params: &Value) -> Self {
        let words = |name: &str| -> Vec<String> {
            let words: Vec<String> = match &params[name] {
                Value::Array(list) => list.iter().map(to_text).collect(),
                Value::String(text) => text.split(',').map(str::to_owned).collect(),
                _ => Vec::new(),
            };
            words.iter().map(|word| word.trim().to_owned()).filter(|word| !word.is_empty()).collect()
        };
        let flag = |name: &str| to_text(&params[name]).trim().eq_ignore_ascii_case("true");
        let minimum = to_text(&params["minimum_approvals"]).trim().parse().unwrap_or(1);
        Self {
            approvers: words("approvers").iter().map(|one| one.to_lowercase()).collect(),
            roles: words("approver_roles"),
            minimum: u32::max(minimum, 1),
            excludes_author: flag("exclude_author"),
            needs_sign_in: flag("require_sign_in"),
        }
    }

    /// Whether the voter must be identified: then the link alone is not enough.
    pub fn needs_person(&self) -> bool {
        self.needs_sign_in
            || self.minimum > 1
            || self.excludes_author
            || !self.approvers.is_empty()
            || !self.roles.is_empty()
    }

    /// Whether a person with that e-mail address and those roles may vote. `may_write`: whether the person may change workflows of the account.
    pub fn admits(&self, email: &str, roles: &[&str], may_write: bool) -> bool {
        if self.approvers.is_empty() && self.roles.is_empty() {
            return may_write;
        }
        let has_role = || self.roles.iter().any(|role| roles.contains(&role.as_str()));
        self.approvers.contains(&email.to_lowercase()) || has_role()
    }

    /// The option the votes decide, if they do. The first of `options` is the one that needs the minimum.
    pub fn decision<'v>(&self, options: &[String], votes: &[&'v str]) -> Option<&'v str> {
        let first = options.first().map(String::as_str);
        if let Some(other) = votes.iter().find(|vote| first != Some(**vote)) {
            return Some(other);
        }
        let enough = usize::try_from(self.minimum).unwrap_or(usize::MAX);
        votes.first().copied().filter(|_| votes.len() >= enough)
    }
}

#[cfg(test)]
mod tests {
    use super::ApprovalPolicy;
    use serde_json::json;

    fn options() -> Vec<String> {
        ["approve", "reject"].map(str::to_owned).to_vec()
    }

    #[test]
    fn as_many_as_the_minimum_must_agree_and_one_may_refuse() {
        let two = ApprovalPolicy::read(&json!({ "minimum_approvals": "2" }));
        assert_eq!(two.decision(&options(), &["approve"]), None);
        assert_eq!(two.decision(&options(), &["approve", "approve"]), Some("approve"));
        assert_eq!(two.decision(&options(), &["approve", "reject"]), Some("reject"));
        assert_eq!(ApprovalPolicy::default().decision(&options(), &["approve"]), Some("approve"));
    }

    #[test]
    fn voters_are_named_by_mail_or_role_else_they_may_change_workflows() {
        let named =
            ApprovalPolicy::read(&json!({ "approvers": ["Ann@x.org"], "approver_roles": "tenant_admin" }));
        assert!(named.needs_person());
        assert!(named.admits("ann@X.org", &[], false));
        assert!(named.admits("bob@x.org", &["tenant_admin"], false));
        assert!(!named.admits("bob@x.org", &["account_admin"], true));
        let open = ApprovalPolicy::default();
        assert!(
            !open.needs_person() && open.admits("", &[], true) && !open.admits("", &["tenant_admin"], false)
        );
    }
}
