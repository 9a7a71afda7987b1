//! Settings of single sign-on: its environment variables, and the tenant of new users.

use super::origin::{Origin, parse, wrong};
use super::usual::{usual_no_proxy, usual_proxy};
use super::{Definition, Egress, SettingsError};
use outgoing::{Authorities, EgressPolicy, OutgoingSettings};

pub const DEPLOYMENT: Definition = Definition {
    name: "deployment",
    environment: "QUARTERDECK_DEPLOYMENT",
    default: Some("self-hosted"),
    meaning: "How new users are assigned to tenants: self-hosted (all to one tenant) or hosted (by e-mail domain, from the tenants' \
              allowed_domains)",
    is_secret: false,
};

pub const LICENSE_KEY: Definition = Definition {
    name: "license_key",
    environment: "LICENSE_KEY",
    default: None,
    meaning: "License key. If it is a JWT, its claim `tenant` names the tenant of new users",
    is_secret: true,
};

pub const LICENSE_TENANT: Definition = Definition {
    name: "license_tenant",
    environment: "LICENSE_TENANT",
    default: None,
    meaning: "Tenant of new users if the license does not name one. Default: the first tenant",
    is_secret: false,
};

/// A setting of single sign-on; its meaning and default are in `auth`. Saved values override it.
const fn sign_on(name: &'static str, environment: &'static str, meaning: &'static str) -> Definition {
    Definition { name, environment, default: None, meaning, is_secret: false }
}

/// The settings of the contract, and whether requests are signed. Saved values override them.
const OF_CONTRACT: &[&Definition] = &[
    &sign_on(
        "saml_enabled",
        "SAML_ENABLED",
        "Whether users can sign in through an identity provider: true or false",
    ),
    &sign_on("saml_entry_point", "SAML_ENTRY_POINT", "Single sign-on URL of the identity provider"),
    &sign_on("saml_issuer", "SAML_ISSUER", "Entity ID of the identity provider"),
    &sign_on(
        "saml_cert",
        "SAML_CERT",
        "Signing certificates of the identity provider, with or without PEM header lines",
    ),
    &sign_on(
        "saml_audience",
        "SAML_AUDIENCE",
        "Entity ID of this service, as registered at the identity provider",
    ),
    &sign_on("appauth_url", "APPAUTH_URL", "URL of this service, as browsers reach it"),
    &sign_on("saml_group_mapping", "SAML_GROUP_MAPPING", "Mapping of groups to roles: a JSON object"),
    &sign_on(
        "saml_sync_roles_on_login",
        "SAML_SYNC_ROLES_ON_LOGIN",
        "Whether every sign-in updates a user's roles from their groups",
    ),
    &sign_on(
        "saml_remove_old_roles",
        "SAML_REMOVE_OLD_ROLES",
        "Whether a sign-in removes roles that no group of the user grants any more",
    ),
    &sign_on(
        "saml_include_unmapped_groups",
        "SAML_INCLUDE_UNMAPPED_GROUPS",
        "Whether a group without a mapping grants the role of the same name",
    ),
    &sign_on(
        "auth_default_role",
        "AUTH_DEFAULT_ROLE",
        "Role of new users: tenant_admin or tenant_admin_readonly",
    ),
    &sign_on(
        "saml_sign_requests",
        "SAML_SIGN_REQUESTS",
        "Whether to sign requests to the identity provider: true or false. Default: false",
    ),
];

/// Cannot be saved on a page: the operator of this machine decides which networks it may reach.
pub const METADATA_ALLOW_PRIVATE: Definition = Definition {
    name: "saml_metadata_allow_private",
    environment: "SAML_METADATA_ALLOW_PRIVATE",
    default: Some("false"),
    meaning: "Whether identity provider metadata may be fetched from this machine and from private networks: true or false",
    is_secret: false,
};

pub const METADATA_PROXY: Definition = Definition {
    name: "saml_metadata_proxy",
    environment: "SAML_METADATA_PROXY",
    default: None,
    meaning: "HTTP proxy for fetching identity provider metadata, such as http://proxy:3128, with user name and password if required. Default: \
              HTTPS_PROXY",
    is_secret: true,
};

pub const METADATA_NO_PROXY: Definition = Definition {
    name: "saml_metadata_no_proxy",
    environment: "SAML_METADATA_NO_PROXY",
    default: None,
    meaning: "Hosts to reach without that proxy, separated by commas. Default: NO_PROXY",
    is_secret: false,
};

pub const METADATA_CA: Definition = Definition {
    name: "saml_metadata_ca",
    environment: "SAML_METADATA_CA",
    default: None,
    meaning: "Additional CA certificates (PEM text, or the path of a PEM file) to trust when fetching identity provider metadata",
    is_secret: false,
};

/// How a provider's metadata is fetched. Only the operator of this machine decides this.
const OF_METADATA: &[&Definition] =
    &[&METADATA_ALLOW_PRIVATE, &METADATA_PROXY, &METADATA_NO_PROXY, &METADATA_CA];

/// In display order.
pub(super) fn all() -> Vec<&'static Definition> {
    [&[&DEPLOYMENT, &LICENSE_KEY, &LICENSE_TENANT], OF_CONTRACT, OF_METADATA].concat()
}

fn to_metadata(
    of: &dyn Fn(&Definition) -> Origin,
    environment: &dyn Fn(&str) -> Option<String>,
    egress: &Egress,
) -> Result<OutgoingSettings, SettingsError> {
    let value = |definition| of(definition).value.filter(|value| !value.is_empty());
    let is_private_allowed = parse(&of(&METADATA_ALLOW_PRIVATE), "true or false")?;
    let own = value(&METADATA_PROXY).map(|given| outgoing::proxy(&given)).transpose();
    // A proxy configured for other programs may be of an unsupported kind; it must not prevent the start.
    let usual = || usual_proxy(environment).and_then(|given| outgoing::proxy(&given).ok());
    let authorities = value(&METADATA_CA).map(|given| Authorities::read(&given)).transpose();
    Ok(OutgoingSettings {
        egress: if is_private_allowed { EgressPolicy::anywhere() } else { egress.tenants.clone() },
        proxy: own.map_err(|error| unusable(&METADATA_PROXY, error))?.or_else(usual),
        beside_proxy: value(&METADATA_NO_PROXY).or_else(|| usual_no_proxy(environment)).unwrap_or_default(),
        authorities: authorities.map_err(|error| unusable(&METADATA_CA, error))?.unwrap_or_default(),
        ..OutgoingSettings::default()
    })
}

fn unusable(definition: &Definition, cause: impl std::error::Error + Send + Sync + 'static) -> SettingsError {
    SettingsError::Unusable { name: definition.name, cause: Box::new(cause) }
}

/// Settings of single sign-on at the start of the service.
#[derive(Debug, Clone)]
pub struct SignOn {
    /// By environment variable of the contract; only those that are set.
    pub given: auth::saml::settings::SettingValues,
    pub deployment: auth::saml::provision::Deployment,
    /// The origin of the tenant of new users, as text for people.
    pub tenant_from: &'static str,
    /// Network settings for fetching metadata by URL.
    pub to_metadata: OutgoingSettings,
}

impl SignOn {
    pub(super) fn read(
        of: &dyn Fn(&Definition) -> Origin,
        environment: &dyn Fn(&str) -> Option<String>,
        egress: &Egress,
    ) -> Result<Self, SettingsError> {
        let value = |definition| of(definition).value.filter(|value| !value.is_empty());
        let given = OF_CONTRACT
            .iter()
            .filter_map(|definition| Some((definition.environment.to_owned(), value(definition)?)));
        let from_license = value(&LICENSE_KEY).and_then(|key| auth::saml::license::tenant_of(&key));
        let (deployment, tenant_from) = match of(&DEPLOYMENT).value.as_deref() {
            Some("hosted") => (auth::saml::provision::Deployment::Hosted, "allowed_domains"),
            Some("self-hosted") => {
                let (tenant, from) = match (from_license, value(&LICENSE_TENANT)) {
                    (Some(tenant), _) => (Some(tenant), "license"),
                    (None, Some(tenant)) => (Some(tenant), "setting"),
                    (None, None) => (None, "first tenant"),
                };
                (auth::saml::provision::Deployment::SelfHosted { tenant }, from)
            }
            _ => return Err(wrong(&of(&DEPLOYMENT), "self-hosted or hosted")),
        };
        Ok(Self {
            given: given.collect(),
            deployment,
            tenant_from,
            to_metadata: to_metadata(of, environment, egress)?,
        })
    }
}
