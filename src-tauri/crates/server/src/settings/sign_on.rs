//! Settings of single sign-on: its environment variables, and the tenant of new users.

use super::origin::{Origin, parse, wrong};
use super::usual::{usual_no_proxy, usual_proxy};
use super::{Definition, Egress, SettingsError};
use outgoing::{Authorities, EgressPolicy, OutgoingSettings};

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

/// A setting of single sign-on; its meaning and default are in `auth`. Saved values override it.
const fn sign_on(name: &'static str, environment: &'static str, meaning: &'static str) -> Definition {
    Definition { name, environment, default: None, meaning, is_secret: false }
}

/// The settings of the contract, and whether requests are signed. Saved values override them.
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
    &sign_on(
        "saml_sign_requests",
        "SAML_SIGN_REQUESTS",
        "Whether requests to the identity provider are signed: true or false. Without it, false",
    ),
];

/// Cannot be saved on a page: the operator of this machine decides which networks it may reach.
pub const METADATA_ALLOW_PRIVATE: Definition = Definition {
    name: "saml_metadata_allow_private",
    environment: "SAML_METADATA_ALLOW_PRIVATE",
    default: Some("false"),
    meaning: "Whether a provider's metadata may be fetched from addresses of this machine and of private networks: true \
              or false",
    is_secret: false,
};

pub const METADATA_PROXY: Definition = Definition {
    name: "saml_metadata_proxy",
    environment: "SAML_METADATA_PROXY",
    default: None,
    meaning: "HTTP proxy on the way to a provider's metadata, such as http://proxy:3128, with name and password where it wants them. Without it, HTTPS_PROXY",
    is_secret: true,
};

pub const METADATA_NO_PROXY: Definition = Definition {
    name: "saml_metadata_no_proxy",
    environment: "SAML_METADATA_NO_PROXY",
    default: None,
    meaning: "Hosts whose metadata is fetched without that proxy, separated by commas. Without it, NO_PROXY",
    is_secret: false,
};

pub const METADATA_CA: Definition = Definition {
    name: "saml_metadata_ca",
    environment: "SAML_METADATA_CA",
    default: None,
    meaning: "Certificates (PEM) of authorities to trust on the way to a provider's metadata beside the usual ones, or a \
              file of them",
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
