//! Turns a verified SAML response into a user: finds, links or creates the user, or refuses the sign-in.

use super::roles::{self, RoleEffect};
use super::{Cause, Rejection, SamlError, Settings, VerifiedResponse};
use crate::secret::new_id;
use crate::security_log::{self, Event};
use crate::tenancy;
use crate::tenant::{self, Tenant};
use crate::user::{self, LOCAL_ADMINISTRATOR, User, find_administrator};
use catalogue::{Role, ValueRef};
use model::tables::{tenant_attrs, user_auths};
use model::{AuthType, Read as _, UserStatusType, row};
use rand::CryptoRng;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeSet;
use store::{StoreError, Transaction, eq};
use uuid::Uuid;

/// The tenant that new users join (contract, "New-user placement").
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deployment {
    /// All in one tenant: the license's, else that of the first start.
    SelfHosted { tenant: Option<String> },
    /// By the domain of the e-mail address, from the tenants' `allowed_domains`.
    Hosted,
}

/// How the user of a sign-in was identified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FoundBy {
    SamlAccount,
    Email,
    New,
}

/// The user a sign-in would use, determined without changes.
#[derive(Debug, Clone)]
pub struct ProvisionPlan {
    pub by: FoundBy,
    pub user: Option<User>,
    /// The tenant of the sign-in; `None` if it is named but does not exist yet.
    pub tenant: Option<Uuid>,
    pub tenant_name: String,
    /// Whether the user is a member of the tenant already.
    is_member: bool,
    /// The role the user gets by joining the tenant.
    default_role: Option<Role>,
}

/// The signed-in user and tenant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProvisionedUser {
    pub user: Uuid,
    pub tenant: Uuid,
}

/// Finds the user by the linked account, then by e-mail address; else plans a new user.
pub fn find(
    rows: &Transaction<'_>,
    settings: &Settings,
    deployment: &Deployment,
    verified: &VerifiedResponse,
) -> Result<ProvisionPlan, SamlError> {
    let email = verified.attributes.email.value.as_str();
    if email == LOCAL_ADMINISTRATOR {
        return Err(Rejection::new(Cause::LocalAccount).received(email).into());
    }
    let linked = linked(rows, verified)?;
    let (by, user) = match linked {
        Some(user) => (FoundBy::SamlAccount, Some(user)),
        None => match user::find(rows, email)? {
            Some(user) => (FoundBy::Email, Some(user)),
            None => (FoundBy::New, None),
        },
    };
    if let Some(user) = user.as_ref().filter(|user| user.status == UserStatusType::Suspended) {
        return Err(Rejection::new(Cause::Suspended)
            .expected("an active user")
            .received(format!("{} is suspended", user.email))
            .into());
    }
    let home = match &user {
        Some(user) => tenant::default_of(rows, user.id)?,
        None => None,
    };
    if let Some(tenant) = home {
        let tenant_name = tenant::name(rows, tenant)?.unwrap_or_default();
        return Ok(ProvisionPlan {
            by,
            user,
            tenant: Some(tenant),
            tenant_name,
            is_member: true,
            default_role: None,
        });
    }
    let (tenant, tenant_name, default_role) = place(rows, settings, deployment, email)?;
    Ok(ProvisionPlan { by, user, tenant, tenant_name, is_member: false, default_role })
}

row! { struct Account from user_auths { user } }
row! { struct Attribute from tenant_attrs { value } }

/// The user with this linked account at this provider.
fn linked(rows: &Transaction<'_>, verified: &VerifiedResponse) -> Result<Option<User>, StoreError> {
    let Some(account) = verified.account() else { return Ok(None) };
    let same = user_auths::account_id
        .eq(account)
        .and(user_auths::provider.eq(AuthType::Saml))
        .and(user_auths::name.eq(verified.issuer.as_str()));
    match rows.query::<Account>().filter(same).first()? {
        Some(account) => user::load(rows, account.user.uuid()),
        None => Ok(None),
    }
}

type Place = (Option<Uuid>, String, Option<Role>);

fn place(
    rows: &Transaction<'_>,
    settings: &Settings,
    deployment: &Deployment,
    email: &str,
) -> Result<Place, SamlError> {
    match deployment {
        Deployment::SelfHosted { tenant } => {
            let (id, name) = home(rows, tenant.as_deref())?;
            Ok((id, name, settings.default_role()))
        }
        Deployment::Hosted => {
            let domain = email.rsplit_once('@').map_or("", |(_, domain)| domain);
            let Some(tenant) = tenant_of_domain(rows, domain)? else {
                return Err(Rejection::new(Cause::NoTenantForDomain)
                    .expected("a domain in a tenant's allowed_domains")
                    .received(domain)
                    .into());
            };
            let role = attribute(rows, tenant.id, "auth_default_role")?;
            let role = match role {
                Some(role) => user::tenant_role(role.trim()).ok(),
                None => Some(Role::TenantAdminReadonly),
            };
            Ok((Some(tenant.id), tenant.name, role))
        }
    }
}

/// The tenant with that name, else that of the first start.
fn home(rows: &Transaction<'_>, name: Option<&str>) -> Result<(Option<Uuid>, String), StoreError> {
    let tenants = tenant::all(rows)?;
    let (found, otherwise) = if let Some(name) = name {
        (tenant::named(&tenants, name), name.trim())
    } else {
        let first = match find_administrator(rows)? {
            Some(administrator) => tenant::default_of(rows, administrator)?,
            None => None,
        };
        let found = tenants.iter().find(|tenant| Some(tenant.id) == first).or_else(|| tenants.first());
        (found, tenancy::FIRST_TENANT)
    };
    Ok(found.map_or_else(|| (None, otherwise.to_owned()), |found| (Some(found.id), found.name.clone())))
}

/// Name of the tenant that new users of a self-hosted service join.
pub fn home_name(rows: &Transaction<'_>, name: Option<&str>) -> Result<String, StoreError> {
    Ok(home(rows, name)?.1)
}

/// The oldest tenant whose `allowed_domains` contains the domain, ignoring case.
fn tenant_of_domain(rows: &Transaction<'_>, domain: &str) -> Result<Option<Tenant>, StoreError> {
    for tenant in tenant::all(rows)? {
        let Some(domains) = attribute(rows, tenant.id, "allowed_domains")? else { continue };
        // An invalid list allows no domain.
        let domains: Vec<String> = serde_json::from_str(&domains).unwrap_or_default();
        if domains.iter().any(|allowed| allowed.trim().to_lowercase() == domain.to_lowercase()) {
            return Ok(Some(tenant));
        }
    }
    Ok(None)
}

/// The oldest value of that attribute.
fn attribute(rows: &Transaction<'_>, tenant: Uuid, name: &str) -> Result<Option<String>, StoreError> {
    let given = rows
        .query::<Attribute>()
        .filter(tenant_attrs::tenant_id.eq(tenant))
        .filter(tenant_attrs::name.eq(name))
        .filter(tenant_attrs::value.is_not_null());
    Ok(given.order(tenant_attrs::created_at.asc()).first()?.and_then(|attribute| attribute.value))
}

impl ProvisionPlan {
    /// The effect of the sign-in on the user's roles.
    pub fn role_effect(
        &self,
        rows: &Transaction<'_>,
        settings: &Settings,
        verified: &VerifiedResponse,
    ) -> Result<RoleEffect, StoreError> {
        let mut held = match (&self.user, self.tenant) {
            (Some(user), Some(tenant)) => roles::held(rows, user.id, tenant)?,
            _ => BTreeSet::new(),
        };
        let before = held.clone();
        if !self.is_member {
            held.extend(self.default_role.map(|role| role.name().to_owned()));
        }
        let mut effect = roles::effect(settings, &verified.attributes.groups, &held, !self.is_member);
        // The default role of a new user is part of the effect.
        effect.added = effect.after.difference(&before).cloned().collect();
        effect.removed = before.difference(&effect.after).cloned().collect();
        effect.before = before;
        if let Some(tenant) = self.tenant {
            let user = self.user.as_ref().map(|user| user.id);
            let admin = Role::TenantAdmin.name();
            effect.no_admin_would_remain =
                !effect.after.contains(admin) && !roles::has_other_administrator(rows, user, tenant)?;
        }
        Ok(effect)
    }

    /// Carries out the plan: creates, links, activates and joins the user, and sets roles.
    pub fn provision(
        &self,
        rows: &Transaction<'_>,
        settings: &Settings,
        verified: &VerifiedResponse,
        now: i64,
        rng: &mut dyn CryptoRng,
    ) -> Result<ProvisionedUser, SamlError> {
        let email = &verified.attributes.email.value;
        let effect = self.role_effect(rows, settings, verified)?;
        let tenant = match self.tenant {
            Some(tenant) => tenant,
            None => tenancy::create(rows, &self.tenant_name, now, rng).map_err(SamlError::account)?.id,
        };
        let user = if let Some(user) = &self.user {
            user.id
        } else {
            let user = user::insert(rows, (email, &verified.attributes.name.value), "active", now, rng)?;
            let text = format!("{email} was created by signing in");
            log(rows, "user_created", user, text, json!({ "tenant": self.tenant_name }), now, rng)?;
            user
        };
        self.refresh(rows, user, verified, now)?;
        if !self.is_member {
            let by = find_administrator(rows)?.unwrap_or(user);
            user::join(rows, user, tenant, by, false, now, rng)?;
        }
        link(rows, user, tenant, verified, now, rng)?;
        let by = find_administrator(rows)?.unwrap_or(user);
        roles::apply(
            rows,
            &roles::Change { user, tenant, by, effect: &effect, is_new: !self.is_member },
            now,
            rng,
        )?;
        if !(effect.added.is_empty() && effect.removed.is_empty()) {
            let detail = json!({ "before": effect.before, "after": effect.after, "groups": verified.attributes.groups.values });
            let text = format!("Roles of {email} follow the groups of the sign-in");
            log(rows, "roles_changed", user, text, detail, now, rng)?;
        }
        let detail = json!({ "way": "saml", "issuer": verified.issuer });
        log(rows, "sign_in", user, format!("{email} signed in"), detail, now, rng)?;
        Ok(ProvisionedUser { user, tenant })
    }

    /// Activates a user who has not signed in before, and updates the name from the provider.
    fn refresh(
        &self,
        rows: &Transaction<'_>,
        user: Uuid,
        verified: &VerifiedResponse,
        now: i64,
    ) -> Result<(), StoreError> {
        let Some(known) = &self.user else { return Ok(()) };
        let mut set: Vec<(&str, ValueRef<'_>)> = Vec::new();
        if known.status == UserStatusType::Inactive {
            set.push(("status", "active".into()));
        }
        let name = &verified.attributes.name;
        if name.note.is_none() && name.value != known.name {
            set.push(("display_name", name.value.as_str().into()));
        }
        if !set.is_empty() {
            set.push(("updated_at", ValueRef::Timestamp(now)));
            rows.update("users", &[eq("id", user)], &set)?;
        }
        Ok(())
    }
}

/// Stores the provider's account as this user's, or updates when it was last used.
fn link(
    rows: &Transaction<'_>,
    user: Uuid,
    tenant: Uuid,
    verified: &VerifiedResponse,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> Result<(), StoreError> {
    let Some(account) = verified.account() else { return Ok(()) };
    let mine = [
        eq("account_id", account),
        eq("provider", "saml"),
        eq("name", verified.issuer.as_str()),
        eq("user", user),
    ];
    if rows.update("user_auths", &mine, &[("accessed_at", ValueRef::Timestamp(now))])? > 0 {
        return Ok(());
    }
    rows.insert(
        "user_auths",
        &[
            ("id", new_id(rng).into()),
            ("user", user.into()),
            ("tenant_id", tenant.into()),
            ("account_id", account.into()),
            ("name", verified.issuer.as_str().into()),
            ("provider", "saml".into()),
            ("provider_type", "saml".into()),
            ("status", "active".into()),
            ("accessed_at", ValueRef::Timestamp(now)),
            ("created_at", ValueRef::Timestamp(now)),
            ("updated_at", ValueRef::Timestamp(now)),
        ],
    )?;
    let text = format!("The account {account} was linked to {}", verified.attributes.email.value);
    log(rows, "account_linked", user, text, json!({ "issuer": verified.issuer }), now, rng)
}

fn log(
    rows: &Transaction<'_>,
    kind: &'static str,
    user: Uuid,
    text: String,
    detail: serde_json::Value,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> Result<(), StoreError> {
    let event = Event { kind, who: Some(user), about: Some(user), cause: None, text, detail };
    security_log::note(rows, &event, now, rng)
}
