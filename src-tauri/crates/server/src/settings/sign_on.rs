//! Single sign-on: what the environment says of it, and where new people belong.

use super::origin::{Origin, parse, wrong};
use super::{Definition, SettingsError};

pub const DEPLOYMENT: Definition = Definition {
    name: "deployment",
    environment: "QUARTERDECK_DEPLOYMENT",
    default: Some("self-hosted"),
    meaning: "Where new people belong: self-hosted (all in one tenant) or hosted (by the domain of their address, in the \
              tenants' allowed_domains)",
    is_secret: false,
};

pub const LICENSE_KEY: Definition = Definition {
    name: "license_key",
    environment: "LICENSE_KEY",
    default: None,
    meaning: "The license. Where it is a JWT, its `tenant` names the tenant of new people",
    is_secret: true,
};

pub const LICENSE_TENANT: Definition = Definition {
    name: "license_tenant",
    environment: "LICENSE_TENANT",
    default: None,
    meaning: "Tenant of new people, where the license names none. Without it, the tenant of the first start",
    is_secret: false,
};

/// One of single sign-on: read by `auth`, which says what it means and what it is by default. Saved values override it.
const fn sign_on(name: &'static str, environment: &'static str, meaning: &'static str) -> Definition {
    Definition { name, environment, default: None, meaning, is_secret: false }
}

/// Those of the contract, which saved values override.
const OF_CONTRACT: &[&Definition] = &[
    &sign_on(
        "saml_enabled",
        "SAML_ENABLED",
        "Whether people can sign in through an identity provider: true or false",
    ),
    &sign_on("saml_entry_point", "SAML_ENTRY_POINT", "Sign-on address of the identity provider"),
    &sign_on("saml_issuer", "SAML_ISSUER", "Entity id of the identity provider"),
    &sign_on(
        "saml_cert",
        "SAML_CERT",
        "Certificates the identity provider signs with, with or without PEM lines",
    ),
    &sign_on(
        "saml_audience",
        "SAML_AUDIENCE",
        "Entity id of this service, as registered at the identity provider",
    ),
    &sign_on("appauth_url", "APPAUTH_URL", "Address of this service, as browsers reach it"),
    &sign_on("saml_group_mapping", "SAML_GROUP_MAPPING", "Which group gives which role: a JSON object"),
    &sign_on(
        "saml_sync_roles_on_login",
        "SAML_SYNC_ROLES_ON_LOGIN",
        "Whether roles follow the groups at every sign-in",
    ),
    &sign_on(
        "saml_remove_old_roles",
        "SAML_REMOVE_OLD_ROLES",
        "Whether roles no group gives any more are taken away",
    ),
    &sign_on(
        "saml_include_unmapped_groups",
        "SAML_INCLUDE_UNMAPPED_GROUPS",
        "Whether groups missing from the mapping count as roles of their own name",
    ),
    &sign_on(
        "auth_default_role",
        "AUTH_DEFAULT_ROLE",
        "Role of new people: tenant_admin or tenant_admin_readonly",
    ),
];

/// Not among those that can be saved on a page: how far this machine reaches is decided by whoever runs it.
pub const METADATA_ALLOW_PRIVATE: Definition = Definition {
    name: "saml_metadata_allow_private",
    environment: "SAML_METADATA_ALLOW_PRIVATE",
    default: Some("false"),
    meaning: "Whether a provider's metadata may be fetched from addresses of this machine and of private networks: true \
              or false",
    is_secret: false,
};

/// In the order people are shown them.
pub(super) fn all() -> Vec<&'static Definition> {
    [&[&DEPLOYMENT, &LICENSE_KEY, &LICENSE_TENANT], OF_CONTRACT, &[&METADATA_ALLOW_PRIVATE]].concat()
}

/// Single sign-on as it was set when the service started.
#[derive(Debug, Clone)]
pub struct SignOn {
    /// By the names of the contract; only what was set.
    pub given: auth::saml::settings::Given,
    pub deployment: auth::provision::Deployment,
    /// Where the tenant of new people comes from, for people.
    pub tenant_from: &'static str,
    /// Whether metadata may be fetched from inner addresses.
    pub metadata_allow_private: bool,
}

impl SignOn {
    pub(super) fn read(of: &dyn Fn(&Definition) -> Origin) -> Result<Self, SettingsError> {
        let value = |definition| of(definition).value.filter(|value| !value.is_empty());
        let given = OF_CONTRACT
            .iter()
            .filter_map(|definition| Some((definition.environment.to_owned(), value(definition)?)));
        let from_license = value(&LICENSE_KEY).and_then(|key| auth::saml::license::tenant_of(&key));
        let (deployment, tenant_from) = match of(&DEPLOYMENT).value.as_deref() {
            Some("hosted") => (auth::provision::Deployment::Hosted, "allowed_domains"),
            Some("self-hosted") => {
                let (tenant, from) = match (from_license, value(&LICENSE_TENANT)) {
                    (Some(tenant), _) => (Some(tenant), "license"),
                    (None, Some(tenant)) => (Some(tenant), "setting"),
                    (None, None) => (None, "first tenant"),
                };
                (auth::provision::Deployment::SelfHosted { tenant }, from)
            }
            _ => return Err(wrong(&of(&DEPLOYMENT), "self-hosted or hosted")),
        };
        let metadata_allow_private = parse(&of(&METADATA_ALLOW_PRIVATE), "true or false")?;
        Ok(Self { given: given.collect(), deployment, tenant_from, metadata_allow_private })
    }
}
