//! Assigns and removes roles.
//!
//! Only an administrator of the tenant assigns roles, and never to themselves. Therefore the last administrator cannot lose the role: only
//! another administrator could remove it.

use super::house;
use super::members::{member, refuse_oneself};
use crate::kit::{Arguments, account, person, tenant};
use crate::states::either;
use auth::user::tenant_role;
use catalogue::{Caller, ValueRef};
use graphql::{Call, Refusal};
use serde::Serialize;
use serde_json::Value;
use store::eq;
use uuid::Uuid;

const OF_ACCOUNTS: &[&str] = &["account_admin", "account_admin_readonly"];
const OF_NAMESPACES: &[&str] = &["k8s_namespace_admin", "k8s_namespace_admin_readonly"];

/// The response of the role operations.
#[derive(Serialize)]
pub(super) struct Outcome {
    message: String,
    status: &'static str,
}

/// `auth_tenant_user_roles_upsert_one`; an empty role removes the current one.
pub(super) fn of_tenant(call: &Call<'_>) -> Result<Outcome, Refusal> {
    let request = Arguments(call.arguments).object("role");
    let user = whose(call, request)?;
    let wanted = request.text("role").unwrap_or_default().trim();
    let role = if wanted.is_empty() { None } else { Some(tenant_role(wanted).map_err(super::refusal)?) };
    replace(call, user, ("tenant", &tenant(call)?.to_string()), role.map(catalogue::Role::name))?;
    done(call, user, "1 role")
}

/// `auth_account_user_roles_upsert_one`
pub(super) fn of_accounts(call: &Call<'_>) -> Result<Outcome, Refusal> {
    let request = Arguments(call.arguments).object("role");
    let user = whose(call, request)?;
    let roles = list(request, "account_roles")?;
    for role in &roles {
        let account = account(call, Arguments(role).needed_id("account_id")?)?;
        let role = one_of(Arguments(role), OF_ACCOUNTS)?;
        replace(call, user, ("account", &account.to_string()), role)?;
    }
    done(call, user, &format!("{} roles", roles.len()))
}

/// `auth_k8saccount_namespace_user_roles_upsert_one`
pub(super) fn of_namespaces(call: &Call<'_>) -> Result<Outcome, Refusal> {
    let request = Arguments(call.arguments).object("role");
    let user = whose(call, request)?;
    let roles = list(request, "k8saccount_namespace_roles")?;
    for role in &roles {
        let account = account(call, Arguments(role).needed_id("account_id")?)?;
        let namespace = Arguments(role).needed("namespace")?.trim();
        let role = one_of(Arguments(role), OF_NAMESPACES)?;
        replace(call, user, ("k8s_namespace", &format!("{account}:{namespace}")), role)?;
    }
    done(call, user, &format!("{} roles", roles.len()))
}

/// The member whose roles are changed.
fn whose(call: &Call<'_>, request: Arguments<'_>) -> Result<Uuid, Refusal> {
    let user = request.needed_id("user_id")?;
    refuse_oneself(call, user, "change your own roles")?;
    member(call, user)?;
    Ok(user)
}

fn list<'a>(request: Arguments<'a>, name: &str) -> Result<Vec<&'a serde_json::Map<String, Value>>, Refusal> {
    let list = request.value(name).and_then(Value::as_array).into_iter().flatten();
    let list: Vec<_> = list.filter_map(Value::as_object).collect();
    if list.is_empty() {
        return Err(Refusal::invalid(format!("`{name}` is empty: expected at least one role")));
    }
    Ok(list)
}

/// The role of an entry; `None` removes the current one.
fn one_of(entry: Arguments<'_>, allowed: &[&'static str]) -> Result<Option<&'static str>, Refusal> {
    let wanted = entry.text("role").unwrap_or_default();
    if wanted.is_empty() {
        return Ok(None);
    }
    let found = allowed.iter().find(|role| **role == wanted).copied();
    let wrong =
        || Refusal::invalid(format!("`role` is \"{wanted}\": expected {}, or nothing", either(allowed)));
    found.map(Some).ok_or_else(wrong)
}

/// Replaces the roles that the user has at this place by one role, or by none.
pub(super) fn replace(
    call: &Call<'_>,
    user: Uuid,
    (kind, place): (&str, &str),
    role: Option<&str>,
) -> Result<(), Refusal> {
    let house = house(call)?;
    let rows = call.rows.as_caller(&house);
    let there = [eq("user_id", user), eq("entity_type", kind), eq("entity_id", place)];
    let held = rows.select("user_roles", &["role"], &there)?;
    let is_held = role.is_some_and(|role| held.len() == 1 && held[0][0].as_text() == Some(role));
    if is_held {
        return Ok(());
    }
    rows.delete("user_roles", &there)?;
    if kind == "tenant" {
        remove_unowned(call, user)?;
    }
    if let Some(role) = role {
        rows.insert(
            "user_roles",
            &[
                ("user_id", user.into()),
                ("entity_type", kind.into()),
                ("entity_id", place.into()),
                ("role", role.into()),
                ("created_by", person(call)?.into()),
                ("created_at", ValueRef::Timestamp(call.now)),
                ("updated_at", ValueRef::Timestamp(call.now)),
            ],
        )?;
    }
    Ok(())
}

/// Deletes the user's roles for the tenant that have no owner tenant; they are effective, too.
pub(super) fn remove_unowned(call: &Call<'_>, user: Uuid) -> Result<(), Refusal> {
    let place = tenant(call)?.to_string();
    let service = Caller::system();
    let conditions = [
        eq("user_id", user),
        eq("entity_type", "tenant"),
        eq("entity_id", place.as_str()),
        store::is_null("tenant_id"),
    ];
    call.rows.as_caller(&service).delete("user_roles", &conditions)?;
    Ok(())
}

fn done(call: &Call<'_>, user: Uuid, what: &str) -> Result<Outcome, Refusal> {
    let row = member(call, user)?;
    let what = what.strip_prefix("1 roles").map_or_else(|| what.to_owned(), |_| "1 role".to_owned());
    Ok(Outcome { status: "success", message: format!("{what} of {} written", row.username) })
}
