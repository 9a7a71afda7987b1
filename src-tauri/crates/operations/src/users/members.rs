//! Members of the tenant.

use super::{STATES, house, refusal, roles};
use crate::kit::{Arguments, note, person, tenant};
use auth::tenancy::LOCAL_ADMINISTRATOR;
use auth::user;
use catalogue::{Caller, ValueRef};
use graphql::{Call, Refusal};
use model::operations::{DeleteByPkResponse, UserUpdateStatusOutput, UsersInsertOneOutput};
use model::tables::{tenant_users, user_auths};
use model::{AuthType, Read as _, row};
use serde::Serialize;
use store::eq;
use uuid::Uuid;

row! { struct TenantName from tenant { name } }
row! { struct Membership from tenant_users { user_id } }
row! {
    /// A member of the tenant.
    pub(super) struct Member from users { username, status }
}
row! { struct Token from user_auths { id, name } }

/// The audit-trail content about a user.
#[derive(Serialize)]
struct PersonLine<'a> {
    username: &'a str,
    display_name: &'a str,
    status: &'a str,
}

#[derive(Serialize)]
struct MembershipLine {
    user_id: Uuid,
}

#[derive(Serialize)]
struct TokenLine {
    name: Option<String>,
}

/// `users_insert_one`
pub(super) fn insert(call: &Call<'_>) -> Result<UsersInsertOneOutput, Refusal> {
    let request = Arguments(call.arguments).object("user");
    let (tenant, by) = (tenant(call)?, person(call)?);
    refuse_other_tenant(call, request)?;
    let email = user::normalize_email(request.needed("username")?).map_err(refusal)?;
    let role = request.text("role").filter(|role| !role.is_empty());
    let role = role.map(user::tenant_role).transpose().map_err(refusal)?;
    let name = format!("{} {}", request.text("firstname").unwrap_or_default().trim(), last_name(request));
    let name = Some(name.trim()).filter(|name| !name.is_empty()).unwrap_or(&email);
    let service = Caller::system();
    let rows = call.rows.as_caller(&service);
    let rng = &mut rand::rng();
    let known = user::find(&rows, &email)?;
    let (id, status) = if let Some(known) = &known {
        (known.id, known.status.as_str())
    } else {
        let id = user::insert(&rows, (&email, name), "inactive", call.now, rng)?;
        let shown = PersonLine { username: &email, display_name: name, status: "inactive" };
        note(call, ("users", id), "insert", &shown)?;
        (id, "inactive")
    };
    let is_member = rows.count("tenant_users", &[eq("user_id", id), eq("tenant", tenant)])? > 0;
    if !is_member {
        user::join(&rows, id, tenant, by, false, call.now, rng)?;
        note(call, ("tenant_users", id), "insert", &MembershipLine { user_id: id })?;
    }
    // An existing member already has a role here, or was deliberately left without one.
    if let Some(role) = role.filter(|_| !is_member) {
        roles::replace(call, id, ("tenant", &tenant.to_string()), Some(role.name()))?;
    }
    let message = match (known.is_some(), is_member) {
        (_, true) => format!("{email} belongs to the tenant already; nothing was changed"),
        (true, false) => format!("{email} belongs to the tenant now"),
        (false, false) => format!("{email} belongs to the tenant and is inactive until they first sign in"),
    };
    Ok(UsersInsertOneOutput {
        id: Some(id.to_string()),
        status: status.to_owned(),
        tenant_id: Some(tenant.to_string()),
        message: Some(message),
    })
}

fn last_name(request: Arguments<'_>) -> &str {
    request.text("lastname").unwrap_or_default().trim()
}

/// Users can be added only to the caller's current tenant.
fn refuse_other_tenant(call: &Call<'_>, request: Arguments<'_>) -> Result<(), Refusal> {
    let Some(wanted) = request.text("tenantname").filter(|name| !name.trim().is_empty()) else {
        return Ok(());
    };
    let name = call.rows.find::<TenantName>(tenant(call)?)?.map(|row| row.name).unwrap_or_default();
    if name.to_lowercase() == wanted.trim().to_lowercase() {
        return Ok(());
    }
    let message =
        format!("`tenantname` is \"{wanted}\": expected \"{name}\", the tenant you work in, or nothing");
    Err(Refusal::invalid(message))
}

/// `users_update_status`
pub(super) fn update_status(call: &Call<'_>) -> Result<UserUpdateStatusOutput, Refusal> {
    let request = Arguments(call.arguments).object("object");
    let id = request.needed_id("id")?;
    refuse_oneself(call, id, "change your own status")?;
    let row = member(call, id)?;
    refuse_local_administrator(&row)?;
    refuse_shared(call, id, &row.username)?;
    let to = STATES.step(row.status.as_str(), request.needed("status")?)?;
    let by = person(call)?;
    let set =
        [("status", to.into()), ("updated_by", by.into()), ("updated_at", ValueRef::Timestamp(call.now))];
    if call.rows.update("users", &[eq("id", id)], &set)? == 0 {
        return Err(Refusal::denied());
    }
    Ok(UserUpdateStatusOutput { id: id.to_string() })
}

/// `users_delete_one`: ends the user's membership in this tenant. The user's work in it stays, and so does the user in other tenants.
pub(super) fn delete(call: &Call<'_>) -> Result<DeleteByPkResponse, Refusal> {
    let id = Arguments(call.arguments).object("user").needed_id("id")?;
    refuse_oneself(call, id, "remove yourself")?;
    refuse_local_administrator(&member(call, id)?)?;
    let tenant = tenant(call)?;
    let service = Caller::system();
    let rows = call.rows.as_caller(&service);
    let tokens = [eq("user", id), eq("tenant_id", tenant), eq("provider", "token")];
    let own = user_auths::user
        .eq(id)
        .and(user_auths::tenant_id.eq(tenant))
        .and(user_auths::provider.eq(AuthType::Token));
    for token in rows.query::<Token>().filter(own).rows()? {
        note(call, ("user_auths", token.id.uuid()), "delete", &TokenLine { name: token.name })?;
    }
    rows.delete("user_auths", &tokens)?;
    rows.delete("session", &[eq("user_id", id), eq("tenant_id", tenant)])?;
    rows.delete("one_time_code", &[eq("user_id", id), eq("tenant_id", tenant)])?;
    // Membership is deleted last: without it, the store no longer finds the user's rows.
    let house = house(call)?;
    let rows = call.rows.as_caller(&house);
    rows.delete("user_roles", &[eq("user_id", id)])?;
    roles::remove_unowned(call, id)?;
    rows.delete("tenant_users", &[eq("user_id", id)])?;
    Ok(DeleteByPkResponse { id: id.to_string() })
}

/// The member of the tenant; anyone else is reported as not found.
pub(super) fn member(call: &Call<'_>, id: Uuid) -> Result<Member, Refusal> {
    let missing = || Refusal::not_found(format!("there is no member {id} in this tenant"));
    let members = call.rows.query::<Membership>().filter(tenant_users::user_id.eq(id));
    let member = members.first()?.ok_or_else(missing)?;
    call.rows.find::<Member>(member.user_id)?.ok_or_else(missing)
}

pub(super) fn refuse_oneself(call: &Call<'_>, id: Uuid, what: &str) -> Result<(), Refusal> {
    if person(call)? == id {
        let message = format!("you cannot {what}: another administrator of the tenant can");
        return Err(Refusal::new("permission-error", message));
    }
    Ok(())
}

/// Refuses to change the status of a user who belongs to several tenants: the status applies to all of them.
fn refuse_shared(call: &Call<'_>, id: Uuid, name: &str) -> Result<(), Refusal> {
    let service = Caller::system();
    if call.rows.as_caller(&service).count("tenant_users", &[eq("user_id", id)])? > 1 {
        let message = format!(
            "{name} belongs to other tenants too, and keeps the status there: end the membership here with users_delete_one"
        );
        return Err(Refusal::conflict(message));
    }
    Ok(())
}

/// Refuses to change the local administrator, who signs in through this machine, independent of tenants.
fn refuse_local_administrator(row: &Member) -> Result<(), Refusal> {
    if row.username == LOCAL_ADMINISTRATOR {
        return Err(Refusal::conflict("the local administrator belongs to this machine and stays active"));
    }
    Ok(())
}
