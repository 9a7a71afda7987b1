//! From a proven e-mail address to a user: found, linked, created, or refused.

use crate::household::LOCAL_ADMINISTRATOR;
use crate::person::{default_tenant, text};
use crate::roles::{self, RoleEffect};
use crate::saml::{Cause, Refused, SamlError, Settings, Verified};
use crate::secret::new_id;
use crate::security_log::{self, Event};
use crate::user::{self, User};
use catalogue::{Role, Value, ValueRef};
use rand::CryptoRng;
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeSet;
use store::{StoreError, Transaction, eq};
use uuid::Uuid;

/// Where new people belong (contract, "New-user placement").
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deployment {
    /// All in one tenant: the license's, else the one of the first start.
    SelfHosted { tenant: Option<String> },
    /// By the domain of the address, in the tenants' `allowed_domains`.
    Hosted,
}

/// How a person was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FoundBy {
    SamlAccount,
    Email,
    New,
}

/// Whose sign-in this is, worked out without changing anything.
#[derive(Debug, Clone)]
pub struct Found {
    pub by: FoundBy,
    pub user: Option<User>,
    /// Where the sign-in leads; `None` for a tenant that is named but does not exist yet.
    pub tenant: Option<Uuid>,
    pub tenant_name: String,
    /// The person is in the tenant already.
    is_member: bool,
    /// The role a person gets by entering the tenant now.
    default_role: Option<Role>,
}

/// Who is signed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Provisioned {
    pub user: Uuid,
    pub tenant: Uuid,
}

/// Looks for the person: by the linked account, then by address, else as somebody new.
pub fn find(
    rows: &Transaction<'_>,
    settings: &Settings,
    deployment: &Deployment,
    verified: &Verified,
) -> Result<Found, SamlError> {
    let email = verified.attributes.email.value.as_str();
    if email == LOCAL_ADMINISTRATOR {
        return Err(Refused::new(Cause::LocalAccount).received(email).into());
    }
    let linked = linked(rows, verified)?;
    let (by, user) = match linked {
        Some(user) => (FoundBy::SamlAccount, Some(user)),
        None => match user::find(rows, email)? {
            Some(user) => (FoundBy::Email, Some(user)),
            None => (FoundBy::New, None),
        },
    };
    if let Some(user) = user.as_ref().filter(|user| user.status == "suspended") {
        return Err(Refused::new(Cause::Suspended)
            .expected("an active user")
            .received(format!("{} is suspended", user.email))
            .into());
    }
    let home = match &user {
        Some(user) => default_tenant(rows, user.id)?,
        None => None,
    };
    if let Some(tenant) = home {
        let tenant_name = tenant_name(rows, tenant)?;
        return Ok(Found {
            by,
            user,
            tenant: Some(tenant),
            tenant_name,
            is_member: true,
            default_role: None,
        });
    }
    let (tenant, tenant_name, default_role) = place(rows, settings, deployment, email)?;
    Ok(Found { by, user, tenant, tenant_name, is_member: false, default_role })
}

fn tenant_name(rows: &Transaction<'_>, tenant: Uuid) -> Result<String, StoreError> {
    Ok(rows
        .select("tenant", &["name"], &[eq("id", tenant)])?
        .first()
        .map(|row| text(&row[0]))
        .unwrap_or_default())
}

/// The user whose linked account this is, at this provider.
fn linked(rows: &Transaction<'_>, verified: &Verified) -> Result<Option<User>, StoreError> {
    let Some(account) = verified.account() else { return Ok(None) };
    let conditions =
        [eq("account_id", account), eq("provider", "saml"), eq("name", verified.issuer.as_str())];
    let Some(id) =
        rows.select("user_auths", &["user"], &conditions)?.first().and_then(|row| row[0].as_uuid())
    else {
        return Ok(None);
    };
    let found = rows.select("users", &["username", "display_name", "status"], &[eq("id", id)])?;
    Ok(found.first().map(|row| User {
        id,
        email: text(&row[0]).to_lowercase(),
        name: text(&row[1]),
        status: text(&row[2]),
    }))
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
            let Some((tenant, name)) = tenant_of_domain(rows, domain)? else {
                return Err(Refused::new(Cause::NoTenantForDomain)
                    .expected("a domain in a tenant's allowed_domains")
                    .received(domain)
                    .into());
            };
            let role = attribute(rows, tenant, "auth_default_role")?;
            let role = match role {
                Some(role) => user::tenant_role(role.trim()).ok(),
                None => Some(Role::TenantAdminReadonly),
            };
            Ok((Some(tenant), name, role))
        }
    }
}

/// The tenant of that name, else the one of the first start.
fn home(rows: &Transaction<'_>, name: Option<&str>) -> Result<(Option<Uuid>, String), StoreError> {
    let tenants = tenants(rows)?;
    let Some(name) = name else {
        let first = match crate::household::find_administrator(rows)? {
            Some(administrator) => default_tenant(rows, administrator)?,
            None => None,
        };
        let found = tenants.iter().find(|(id, _)| Some(*id) == first).or_else(|| tenants.first());
        return Ok(found.map_or((None, crate::household::FIRST_TENANT.to_owned()), |(id, name)| {
            (Some(*id), name.clone())
        }));
    };
    let known = tenants.into_iter().find(|(_, known)| known.to_lowercase() == name.trim().to_lowercase());
    Ok(known.map_or_else(|| (None, name.trim().to_owned()), |(id, name)| (Some(id), name)))
}

/// Where new people of a self-hosted service belong, for people.
pub fn home_name(rows: &Transaction<'_>, name: Option<&str>) -> Result<String, StoreError> {
    Ok(home(rows, name)?.1)
}

/// Every tenant, oldest first.
fn tenants(rows: &Transaction<'_>) -> Result<Vec<(Uuid, String)>, StoreError> {
    let mut found = rows.select("tenant", &["created_at", "id", "name"], &[])?;
    found.sort_by_key(|row| (row[0].as_int(), row[1].as_uuid()));
    Ok(found.into_iter().filter_map(|row| Some((row[1].as_uuid()?, text(&row[2])))).collect())
}

/// The first tenant, by age, whose `allowed_domains` names the domain; capital letters do not matter.
fn tenant_of_domain(rows: &Transaction<'_>, domain: &str) -> Result<Option<(Uuid, String)>, StoreError> {
    for (tenant, name) in tenants(rows)? {
        let Some(domains) = attribute(rows, tenant, "allowed_domains")? else { continue };
        // What is no list of domains allows none.
        let domains: Vec<String> = serde_json::from_str(&domains).unwrap_or_default();
        if domains.iter().any(|allowed| allowed.trim().to_lowercase() == domain.to_lowercase()) {
            return Ok(Some((tenant, name)));
        }
    }
    Ok(None)
}

fn attribute(rows: &Transaction<'_>, tenant: Uuid, name: &str) -> Result<Option<String>, StoreError> {
    let mut found =
        rows.select("tenant_attrs", &["created_at", "value"], &[eq("tenant_id", tenant), eq("name", name)])?;
    found.sort_by_key(|row| row[0].as_int());
    Ok(found.into_iter().find(|row| row[1] != Value::Null).map(|row| text(&row[1])))
}

impl Found {
    /// What the sign-in does to the person's roles.
    pub fn role_effect(
        &self,
        rows: &Transaction<'_>,
        settings: &Settings,
        verified: &Verified,
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
        // The role of new people is part of what the sign-in gives.
        effect.added = effect.after.difference(&before).cloned().collect();
        effect.removed = before.difference(&effect.after).cloned().collect();
        effect.before = before;
        if let Some(tenant) = self.tenant {
            let user = self.user.as_ref().map(|user| user.id);
            let admin = Role::TenantAdmin.name();
            effect.no_admin_would_remain =
                !effect.after.contains(admin) && roles::other_administrators(rows, user, tenant)? == 0;
        }
        Ok(effect)
    }

    /// Makes it so: creates, links, activates, joins, and sets roles.
    pub fn provision(
        &self,
        rows: &Transaction<'_>,
        settings: &Settings,
        verified: &Verified,
        now: i64,
        rng: &mut dyn CryptoRng,
    ) -> Result<Provisioned, SamlError> {
        let email = &verified.attributes.email.value;
        let effect = self.role_effect(rows, settings, verified)?;
        let tenant = match self.tenant {
            Some(tenant) => tenant,
            None => {
                crate::household::create(rows, &self.tenant_name, now, rng).map_err(SamlError::account)?.id
            }
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
            let by = crate::household::find_administrator(rows)?.unwrap_or(user);
            user::join(rows, user, tenant, by, false, now, rng)?;
        }
        link(rows, user, tenant, verified, now, rng)?;
        let by = crate::household::find_administrator(rows)?.unwrap_or(user);
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
        Ok(Provisioned { user, tenant })
    }

    /// Who has not signed in before is active from now on; the name follows the provider.
    fn refresh(
        &self,
        rows: &Transaction<'_>,
        user: Uuid,
        verified: &Verified,
        now: i64,
    ) -> Result<(), StoreError> {
        let Some(known) = &self.user else { return Ok(()) };
        let mut set: Vec<(&str, ValueRef<'_>)> = Vec::new();
        if known.status == "inactive" {
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

/// Remembers the account at the provider as this user's, or that it was used.
fn link(
    rows: &Transaction<'_>,
    user: Uuid,
    tenant: Uuid,
    verified: &Verified,
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
