//! Response types: every setting with its origin, and what follows from the settings together.

use super::warnings::{Warning, warnings};
use crate::app::App;
use crate::clock;
use crate::error::Failure;
use crate::rest::Alphabetical;
use auth::password;
use auth::saml::certificate::Details;
use auth::saml::mapping::Mapping;
use auth::saml::provision;
use auth::saml::settings::{ALL, Source};
use auth::saml::{Settings, idp_metadata, lock_out, time, trial};
use catalogue::Role;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use store::{StoreError, Transaction, eq};

/// All single sign-on settings, and the resulting configuration.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SamlSettings")]
pub struct SignOnOverview {
    values: BTreeMap<&'static str, ShownValue>,
    missing: Vec<&'static str>,
    configured: bool,
    enabled: bool,
    certificates: Vec<Details>,
    service_provider: Alphabetical<ServiceProvider>,
    mapping: Vec<ShownRow>,
    mapping_problem: Option<String>,
    placement: Alphabetical<SignInTenant>,
    roles: Vec<Alphabetical<RoleName>>,
    warnings: Vec<Warning>,
    last_test: Option<Alphabetical<LastTest>>,
    password: Alphabetical<PasswordState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<lock_out::Reason>")]
    lock_out: Option<Vec<lock_out::Reason>>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SamlSetting")]
struct ShownValue {
    value: Option<String>,
    source: Source,
    /// The source that a saved or draft value overrides. Null if none.
    #[schemars(extend("enum" = ["environment", null]))]
    overrides: Option<&'static str>,
    environment: Option<String>,
    problem: Option<String>,
    required: bool,
    default: Option<&'static str>,
    meaning: &'static str,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "MappingRow")]
struct ShownRow {
    row: usize,
    group: String,
    role: String,
    problem: Option<String>,
    people: u64,
}

/// The values to configure at the identity provider for this service.
#[derive(Serialize, JsonSchema)]
struct ServiceProvider {
    acs_url: String,
    entity_id: String,
    name_id_format: &'static str,
    sign_on_url: String,
    metadata_url: &'static str,
}

/// The tenant that new users are added to.
#[derive(Serialize, JsonSchema)]
struct SignInTenant {
    deployment: DeploymentKind,
    tenant: Option<String>,
    /// The source of this assignment.
    from: &'static str,
}

/// The deployment type of the service.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum DeploymentKind {
    SelfHosted,
    Hosted,
}

/// A role that can be assigned to a group.
#[derive(Serialize, JsonSchema)]
struct RoleName {
    name: &'static str,
    label: &'static str,
}

/// The most recent test sign-in.
#[derive(Serialize, JsonSchema)]
struct LastTest {
    id: String,
    at: String,
    /// Whether the test passed. Null while it is running.
    passed: Option<bool>,
    /// Whether the test used the values shown here.
    of_these_values: bool,
}

/// The local administrator's password.
#[derive(Serialize, JsonSchema)]
struct PasswordState {
    set: bool,
    enabled: bool,
}

pub(super) fn password_of(app: &App) -> Result<password::Local, StoreError> {
    password::local(&app.store)
}

pub(super) fn describe(
    app: &App,
    rows: &Transaction<'_>,
    settings: &Settings,
    lock_out: Option<Vec<lock_out::Reason>>,
) -> Result<SignOnOverview, Failure> {
    let now = clock::now();
    let problems = settings.problems();
    let values = ALL.iter().filter_map(|definition| {
        let entry = settings.entry(definition.name)?;
        let problem: Vec<&str> = problems
            .iter()
            .filter(|one| one.setting == definition.name)
            .map(|one| one.message.as_str())
            .collect();
        let hides = matches!(entry.source, Source::Saved | Source::Draft) && entry.environment.is_some();
        Some((
            definition.name,
            ShownValue {
                value: entry.value.clone(),
                source: entry.source,
                overrides: hides.then_some("environment"),
                environment: entry.environment.clone(),
                problem: (!problem.is_empty()).then(|| problem.join("; ")),
                required: definition.is_required,
                default: definition.default,
                meaning: definition.meaning,
            },
        ))
    });
    let (mapping, mapping_problem) = match settings.mapping() {
        Ok(mapping) => (rows_of(rows, &mapping)?, None),
        Err(problem) => (Vec::new(), Some(problem)),
    };
    let tenant = match &app.sign_on.deployment {
        provision::Deployment::Hosted => None,
        provision::Deployment::SelfHosted { tenant } => Some(provision::home_name(rows, tenant.as_deref())?),
    };
    let local = password_of(app)?;
    let certificates = settings.certificates().unwrap_or_default();
    Ok(SignOnOverview {
        values: values.collect(),
        missing: settings.missing(),
        configured: settings.verifier().is_ok(),
        enabled: settings.is_enabled(),
        warnings: warnings(app, settings, now),
        certificates: certificates.iter().map(|one| one.details(now)).collect(),
        service_provider: Alphabetical(ServiceProvider {
            acs_url: settings.acs_url(),
            entity_id: settings.entity_id(),
            name_id_format: idp_metadata::NAME_ID_FORMAT,
            sign_on_url: settings.sign_on_url(),
            metadata_url: "/api/auth/saml/metadata",
        }),
        mapping,
        mapping_problem,
        placement: Alphabetical(SignInTenant {
            deployment: if tenant.is_some() { DeploymentKind::SelfHosted } else { DeploymentKind::Hosted },
            tenant,
            from: app.sign_on.tenant_from,
        }),
        roles: vec![
            Alphabetical(RoleName { name: Role::TenantAdmin.name(), label: "Tenant admin" }),
            Alphabetical(RoleName {
                name: Role::TenantAdminReadonly.name(),
                label: "Tenant admin (read only)",
            }),
        ],
        last_test: trial::last(rows)?.map(|trial| {
            Alphabetical(LastTest {
                id: trial.id.to_string(),
                at: time::text(trial.created_at),
                passed: trial.passed,
                of_these_values: trial.values_hash == settings.deciding_hash(),
            })
        }),
        password: Alphabetical(PasswordState { set: local.is_set, enabled: local.is_enabled }),
        lock_out,
    })
}

fn rows_of(rows: &Transaction<'_>, mapping: &Mapping) -> Result<Vec<ShownRow>, StoreError> {
    let row = |(at, row): (usize, &auth::saml::mapping::Row)| {
        Ok(ShownRow {
            row: at + 1,
            group: row.group.clone(),
            role: row.role.clone(),
            problem: auth::user::tenant_role(&row.role).err().map(|error| error.to_string()),
            people: rows.count("user_role_reasons", &[eq("by_group", row.group.as_str())])?,
        })
    };
    mapping.rows.iter().enumerate().map(row).collect()
}
