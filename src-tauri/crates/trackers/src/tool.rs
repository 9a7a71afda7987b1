//! Kinds of trackers: names, API addresses and parameters.

use url::Url;

/// A kind of tracker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    GitHub,
    GitLab,
    Jira,
    PagerDuty,
    ServiceNow,
}

/// How requests are authenticated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Auth {
    /// HTTP Basic: a user name and a password, or an e-mail address and a token.
    Basic,
    /// A token alone.
    Token,
}

impl Auth {
    pub const ALL: [Self; 2] = [Self::Basic, Self::Token];

    /// The value of `auth_type`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Basic => "basic",
            Self::Token => "token",
        }
    }
}

impl Tool {
    pub const ALL: [Self; 5] = [Self::GitHub, Self::GitLab, Self::Jira, Self::PagerDuty, Self::ServiceNow];

    /// The value of `tool`.
    pub fn name(self) -> &'static str {
        match self {
            Self::GitHub => "github",
            Self::GitLab => "gitlab",
            Self::Jira => "jira",
            Self::PagerDuty => "pagerduty",
            Self::ServiceNow => "servicenow",
        }
    }

    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    /// Whether it supports this authentication.
    pub fn takes(self, auth: Auth) -> bool {
        auth == Auth::Token || matches!(self, Self::Jira | Self::ServiceNow)
    }

    /// The tool's term for a project, with an example.
    pub fn project(self) -> &'static str {
        match self {
            Self::GitHub => "owner/repository, such as acme/shop",
            Self::GitLab => "the path of a project, such as acme/shop, or its number",
            Self::Jira => "the key of a project, such as OPS",
            Self::PagerDuty => "the id of a service, such as PIJ90N7",
            Self::ServiceNow => "the name of a table, such as incident",
        }
    }

    /// The default project.
    pub fn usual_project(self) -> Option<&'static str> {
        (self == Self::ServiceNow).then_some("incident")
    }

    /// Checks the format of a project. The error states what was expected.
    pub fn check_project(self, project: &str) -> Result<(), String> {
        let is_word = |text: &str| {
            !text.is_empty()
                && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(letter))
        };
        let parts: Vec<&str> = project.split('/').collect();
        let is_fine = parts.iter().all(|part| is_word(part) && *part != "." && *part != "..")
            && match self {
                Self::GitHub => parts.len() == 2,
                Self::GitLab => true,
                _ => parts.len() == 1,
            };
        if is_fine { Ok(()) } else { Err(format!("expected {}", self.project())) }
    }

    /// The number of a ticket in the format of the API. The error states what was expected.
    pub fn number(self, given: &str) -> Result<String, String> {
        let given = given.trim();
        let plain = given.trim_start_matches('#');
        let is_word =
            |text: &str| !text.is_empty() && text.chars().all(|letter| letter.is_ascii_alphanumeric());
        let (is_fine, expected) = match self {
            Self::GitHub | Self::GitLab => {
                let is_number = !plain.is_empty() && plain.chars().all(|letter| letter.is_ascii_digit());
                (is_number, "the number of an issue, such as 12")
            }
            Self::Jira => {
                let parts = plain.rsplit_once('-');
                let is_key = parts.is_some_and(|(project, number)| {
                    is_word(&project.replace('_', "")) && number.parse::<u64>().is_ok()
                });
                (is_key, "the key of an issue, such as OPS-7")
            }
            Self::PagerDuty => (is_word(plain), "the id of an incident, such as Q2AIXW2LIZI1K7"),
            Self::ServiceNow => (is_word(plain), "the number of a record, such as INC0010023"),
        };
        if is_fine { Ok(plain.to_owned()) } else { Err(format!("is \"{given}\": expected {expected}")) }
    }

    /// Whether ticket numbers are only unique within a project.
    pub fn counts_by_project(self) -> bool {
        matches!(self, Self::GitHub | Self::GitLab | Self::ServiceNow)
    }

    /// The base URL of the API, derived from the address that users know. An empty address selects the default, if the tool has one. The error is a
    /// message for the user.
    pub fn base(self, typed: &str) -> Result<Url, String> {
        let expected = "expected an address such as https://tracker.example.com";
        let usual = match self {
            Self::GitHub => "https://api.github.com",
            Self::GitLab => "https://gitlab.com",
            Self::PagerDuty => "https://api.pagerduty.com",
            Self::Jira | Self::ServiceNow => "",
        };
        let typed = if typed.trim().is_empty() { usual } else { typed.trim() };
        if typed.is_empty() {
            return Err(format!("is empty: {expected}"));
        }
        let mut url = Url::parse(typed).map_err(|_| format!("is not a full URL: {expected}"))?;
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(format!("begins with {}: — {expected}", url.scheme()));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("holds a name or password; give them in the fields made for them".to_owned());
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(format!("has something behind ? or #: {expected}"));
        }
        let host = url.host_str().unwrap_or_default().to_owned();
        match self {
            Self::GitHub if host == "github.com" || host == "www.github.com" => {
                url = Url::parse(usual).map_err(|error| error.to_string())?;
            }
            // GitHub Enterprise Server has its API below a path.
            Self::GitHub if host != "api.github.com" && !url.path().contains("/api/v3") => {
                let path = format!("{}/api/v3", url.path().trim_end_matches('/'));
                url.set_path(&path);
            }
            Self::PagerDuty if host.ends_with(".pagerduty.com") => {
                let is_european = host.ends_with(".eu.pagerduty.com");
                let api = if is_european { "api.eu.pagerduty.com" } else { "api.pagerduty.com" };
                url.set_host(Some(api)).map_err(|error| error.to_string())?;
                url.set_path("");
            }
            _ => {}
        }
        if !url.path().ends_with('/') {
            let path = format!("{}/", url.path());
            url.set_path(&path);
        }
        Ok(url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interface_is_found_from_the_address_people_know() {
        for (tool, typed, base) in [
            (Tool::GitHub, "", "https://api.github.com/"),
            (Tool::GitHub, "https://github.com", "https://api.github.com/"),
            (Tool::GitHub, "https://git.example.com", "https://git.example.com/api/v3/"),
            (Tool::GitHub, "https://git.example.com/api/v3/", "https://git.example.com/api/v3/"),
            (Tool::GitLab, "", "https://gitlab.com/"),
            (Tool::GitLab, "https://example.com/gitlab", "https://example.com/gitlab/"),
            (Tool::Jira, " https://acme.atlassian.net ", "https://acme.atlassian.net/"),
            (Tool::PagerDuty, "https://acme.pagerduty.com/services", "https://api.pagerduty.com/"),
            (Tool::PagerDuty, "https://acme.eu.pagerduty.com", "https://api.eu.pagerduty.com/"),
            (Tool::ServiceNow, "https://acme.service-now.com", "https://acme.service-now.com/"),
        ] {
            assert_eq!(tool.base(typed).as_ref().map(Url::as_str), Ok(base), "{typed}");
        }
    }

    #[test]
    fn an_address_that_cannot_be_used_is_told_what_is_wrong_without_its_password() {
        for (typed, words) in [
            ("", "is empty: expected an address such as https://"),
            ("desk", "is not a full URL"),
            ("ftp://desk", "begins with ftp:"),
            ("https://me:secret@desk", "holds a name or password"),
            ("https://desk/?x=", "behind ? or #"),
        ] {
            let wrong = Tool::Jira.base(typed).unwrap_err();
            assert!(wrong.contains(words) && !wrong.contains("secret"), "{wrong}");
        }
    }

    #[test]
    fn a_number_is_what_the_tool_calls_one_and_no_path() {
        for (tool, given, number) in [
            (Tool::GitHub, "#12", Some("12")),
            (Tool::GitLab, " 7 ", Some("7")),
            (Tool::GitHub, "12/comments", None),
            (Tool::Jira, "OPS-7", Some("OPS-7")),
            (Tool::Jira, "OPS_2-7", Some("OPS_2-7")),
            (Tool::Jira, "../user", None),
            (Tool::PagerDuty, "Q000001", Some("Q000001")),
            (Tool::ServiceNow, "INC0000001^ORactive=true", None),
            (Tool::ServiceNow, "", None),
        ] {
            assert_eq!(tool.number(given).ok().as_deref(), number, "{tool:?} {given}");
        }
    }

    #[test]
    fn a_project_is_what_the_tool_calls_one() {
        for (tool, project, is_fine) in [
            (Tool::GitHub, "acme/shop", true),
            (Tool::GitHub, "shop", false),
            (Tool::GitHub, "acme/..", false),
            (Tool::GitLab, "acme/web/shop", true),
            (Tool::GitLab, "42", true),
            (Tool::Jira, "OPS", true),
            (Tool::Jira, "OPS/1", false),
            (Tool::Jira, "", false),
            (Tool::ServiceNow, "incident?x", false),
        ] {
            assert_eq!(tool.check_project(project).is_ok(), is_fine, "{project}");
        }
        assert_eq!(
            Tool::Jira.check_project("a b").unwrap_err(),
            "expected the key of a project, such as OPS"
        );
    }
}
