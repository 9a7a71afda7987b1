//! Roles from groups: the effect of a sign-in on a person's roles in the whole tenant, with reasons.
//!
//! Deciding is separate from applying; a preview and a dry run use the same decision.

use crate::saml::Settings;
use crate::saml::attributes::Groups;
use crate::saml::mapping::{Answer, Outcome};
use crate::secret::new_id;
use crate::user;
use catalogue::{Role, ValueRef};
use model::tables::{user_roles, users};
use model::{Filter, Read as _, User, UserRole, UserStatusType, row};
use rand::CryptoRng;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;
use store::{StoreError, Transaction, eq};
use uuid::Uuid;

/// The roles that the groups of one sign-in lead to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// Set exactly these roles.
    Sync(Vec<Answer>),
    /// Leave the roles unchanged, with the reason and the role each group would have given.
    Leave(&'static str, Vec<Answer>),
}

/// Decides from the settings, the mapping and the groups (contract, "Role synchronisation").
pub fn decide(settings: &Settings, groups: &Groups) -> Decision {
    let Ok(mapping) = settings.mapping() else {
        return Decision::Leave("SAML_GROUP_MAPPING cannot be read, so roles stay as they are.", Vec::new());
    };
    let answers = mapping.answer(&groups.values);
    if !settings.syncs_roles() {
        return Decision::Leave("SAML_SYNC_ROLES_ON_LOGIN is off, so roles stay as they are.", answers);
    }
    if groups.from.is_empty() {
        return Decision::Leave("The provider sent no group attribute, so roles stay as they are.", answers);
    }
    if mapping.rows.is_empty() && !mapping.include_unmapped {
        return Decision::Leave("No group is mapped to a role, so roles stay as they are.", answers);
    }
    Decision::Sync(answers)
}

impl Decision {
    fn answers(&self) -> &[Answer] {
        match self {
            Self::Sync(answers) | Self::Leave(_, answers) => answers,
        }
    }

    /// The wanted roles; `None` if roles stay unchanged.
    fn wanted(&self) -> Option<BTreeSet<String>> {
        match self {
            Self::Sync(answers) => Some(
                answers.iter().filter_map(|answer| answer.role).map(|role| role.name().to_owned()).collect(),
            ),
            Self::Leave(..) => None,
        }
    }
}

/// The roles after a sign-in. `held`: the roles before it. A new user holds the default role and retains it if the groups give none.
pub fn after(
    held: &BTreeSet<String>,
    wanted: Option<&BTreeSet<String>>,
    removes: bool,
    is_new: bool,
) -> BTreeSet<String> {
    match wanted {
        None => held.clone(),
        Some(wanted) if is_new && wanted.is_empty() => held.clone(),
        Some(wanted) if removes => wanted.clone(),
        Some(wanted) => held.union(wanted).cloned().collect(),
    }
}

/// A group of the person and its effect on roles.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RoleRow {
    pub group: String,
    pub role: Option<&'static str>,
    pub row: Option<usize>,
    #[schemars(extend("enum" = ["held", "new", "ignored", "near_miss", "unknown_role"]))]
    pub outcome: &'static str,
    pub why: String,
}

/// The effect of a sign-in on the user's roles.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RoleEffect {
    pub synced: bool,
    pub why_not: Option<&'static str>,
    pub rows: Vec<RoleRow>,
    pub before: BTreeSet<String>,
    pub after: BTreeSet<String>,
    pub added: BTreeSet<String>,
    pub removed: BTreeSet<String>,
    pub no_admin_would_remain: bool,
    pub notes: Vec<String>,
}

/// Computes the effect of a sign-in with these groups on roles. Changes nothing.
pub fn effect(settings: &Settings, groups: &Groups, held: &BTreeSet<String>, is_new: bool) -> RoleEffect {
    let decision = decide(settings, groups);
    let wanted = decision.wanted();
    let after = after(held, wanted.as_ref(), settings.removes_roles(), is_new);
    let rows = decision.answers().iter().map(|answer| row(answer, held)).collect();
    let mut notes: Vec<String> = groups.note.iter().cloned().collect();
    if wanted.as_ref().is_some_and(BTreeSet::is_empty) {
        notes.push(if is_new {
            "No group gives a role; who is new keeps the role of new people.".to_owned()
        } else if settings.removes_roles() {
            "No group gives a role, so every role is taken away.".to_owned()
        } else {
            "No group gives a role; roles are only added, so nothing changes.".to_owned()
        });
    }
    RoleEffect {
        synced: wanted.is_some(),
        why_not: match decision {
            Decision::Leave(why, _) => Some(why),
            Decision::Sync(_) => None,
        },
        rows,
        added: after.difference(held).cloned().collect(),
        removed: held.difference(&after).cloned().collect(),
        before: held.clone(),
        after,
        no_admin_would_remain: false,
        notes,
    }
}

fn row(answer: &Answer, held: &BTreeSet<String>) -> RoleRow {
    let is_held = answer.role.is_some_and(|role| held.contains(role.name()));
    let (outcome, more) = match answer.outcome {
        Outcome::Granted if is_held => ("held", " Already held."),
        Outcome::Granted => ("new", " New for this user."),
        Outcome::Ignored => ("ignored", ""),
        Outcome::NearMiss => ("near_miss", ""),
        Outcome::UnknownRole => ("unknown_role", ""),
    };
    RoleRow {
        group: answer.group.clone(),
        role: answer.role.map(Role::name),
        row: answer.row,
        outcome,
        why: format!("{}{more}", answer.why),
    }
}

/// The effect a sign-in with these groups would have on the roles of the user with that e-mail address, or of a new user. Changes nothing.
pub fn preview(
    rows: &Transaction<'_>,
    settings: &Settings,
    groups: &Groups,
    email: Option<&str>,
    tenant: Uuid,
) -> Result<RoleEffect, StoreError> {
    let user = match email {
        Some(email) => user::find(rows, &email.trim().to_lowercase())?,
        None => None,
    };
    let (held, is_new) = match &user {
        Some(user) => (held(rows, user.id, tenant)?, false),
        None => (settings.default_role().map(|role| role.name().to_owned()).into_iter().collect(), true),
    };
    let mut effect = effect(settings, groups, &held, is_new);
    if !effect.after.contains(Role::TenantAdmin.name()) {
        let user = user.map(|user| user.id);
        effect.no_admin_would_remain = !has_other_administrator(rows, user, tenant)?;
    }
    Ok(effect)
}

row! { struct RoleGrant from user_roles { id, role } }
row! { struct Holder from user_roles { user_id } }
row! { struct UserId from users { id } }

/// Selects roles in the whole tenant.
fn of_tenant(tenant: Uuid) -> Filter<UserRole> {
    user_roles::entity_type.eq("tenant").and(user_roles::entity_id.eq(tenant.to_string()))
}

/// The roles a user has in the whole tenant.
pub(crate) fn held(rows: &Transaction<'_>, user: Uuid, tenant: Uuid) -> Result<BTreeSet<String>, StoreError> {
    let mine = of_tenant(tenant).and(user_roles::user_id.eq(user));
    Ok(rows.query::<RoleGrant>().filter(mine).rows()?.into_iter().map(|held| held.role).collect())
}

/// Whether the tenant has an active administrator other than that user and the local administrator.
pub(crate) fn has_other_administrator(
    rows: &Transaction<'_>,
    user: Option<Uuid>,
    tenant: Uuid,
) -> Result<bool, StoreError> {
    let except = [user, user::find_administrator(rows)?];
    let administrators = of_tenant(tenant).and(user_roles::role.eq(Role::TenantAdmin.name()));
    let found = rows.query::<Holder>().filter(administrators).rows()?;
    let others = found.into_iter().map(|row| row.user_id).filter(|id| !except.contains(&Some(id.uuid())));
    let active: Filter<User> = users::id.one_of(others).and(users::status.eq(UserStatusType::Active));
    rows.query::<UserId>().filter(active).exists()
}

/// A change of a user's roles.
pub(crate) struct Change<'a> {
    pub user: Uuid,
    pub tenant: Uuid,
    pub by: Uuid,
    pub effect: &'a RoleEffect,
    /// Whether the user is new and has the default role.
    pub is_new: bool,
}

/// Applies the effect: changes only roles in the whole tenant, and records which group gave which role.
pub(crate) fn apply(
    rows: &Transaction<'_>,
    change: &Change<'_>,
    now: i64,
    rng: &mut dyn CryptoRng,
) -> Result<(), StoreError> {
    let Change { user, tenant, by, effect, is_new } = *change;
    let entity = tenant.to_string();
    let mine = of_tenant(tenant).and(user_roles::user_id.eq(user));
    for role in &effect.removed {
        let same = user_roles::role.eq(role.as_str());
        for held in rows.query::<RoleGrant>().filter(mine.clone()).filter(same).rows()? {
            rows.delete("user_role_reasons", &[eq("user_role_id", held.id)])?;
            rows.delete("user_roles", &[eq("id", held.id)])?;
        }
    }
    for role in &effect.added {
        rows.insert(
            "user_roles",
            &[
                ("id", new_id(rng).into()),
                ("user_id", user.into()),
                ("tenant_id", tenant.into()),
                ("entity_type", "tenant".into()),
                ("entity_id", entity.as_str().into()),
                ("role", role.as_str().into()),
                ("created_by", by.into()),
                ("created_at", ValueRef::Timestamp(now)),
                ("updated_at", ValueRef::Timestamp(now)),
            ],
        )?;
    }
    for held in rows.query::<RoleGrant>().filter(mine).rows()? {
        let id = held.id.uuid();
        let group =
            effect.rows.iter().find(|row| row.role == Some(held.role.as_str())).map(|row| row.group.as_str());
        if effect.synced && group.is_some() {
            reason(rows, id, tenant, group, now)?;
        } else if is_new {
            reason(rows, id, tenant, None, now)?;
        }
    }
    Ok(())
}

fn reason(
    rows: &Transaction<'_>,
    role: Uuid,
    tenant: Uuid,
    group: Option<&str>,
    now: i64,
) -> Result<(), StoreError> {
    rows.upsert(
        "user_role_reasons",
        &["user_role_id"],
        &[
            ("user_role_id", role.into()),
            ("tenant_id", tenant.into()),
            ("by_group", group.map_or(ValueRef::Null, ValueRef::Text)),
            ("granted_at", ValueRef::Timestamp(now)),
        ],
        &[],
    )
}
