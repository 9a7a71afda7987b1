//! Approval policies: who must consent before auto-pilots of an account act.

use crate::kit::{Arguments, Look, account, person, uuid};
use catalogue::{Value as Cell, ValueRef};
use graphql::{Call, Refusal};
use serde_json::{Value, json};
use store::eq;
use uuid::Uuid;

/// Handles `create_auto_pilot_policy`.
pub(super) fn create(call: &Call<'_>) -> Result<Value, Refusal> {
    let request = Arguments(call.arguments).object("arg1");
    let account = account(call, request.needed_id("account_id")?)?;
    let existing = Look::at(call.rows, "auto_pilot_approval_policy")?.with("account_id", account)?;
    if let Some(row) = existing.first(&["id"])? {
        let message = format!(
            "the account has the policy {} already: change it with update_auto_pilot_policy",
            row["id"].as_str().unwrap_or_default()
        );
        return Err(Refusal::conflict(message));
    }
    let reviewers = people(call, request, "reviewers")?.unwrap_or_default();
    let reviewed = people(call, request, "reviewees")?.unwrap_or_default();
    let minimum = minimum(request.whole("minimum_approval").unwrap_or(1), reviewers.len())?;
    let id = Uuid::new_v4();
    call.rows.insert(
        "auto_pilot_approval_policy",
        &[
            ("id", id.into()),
            ("account_id", account.into()),
            ("policy_attributes", ValueRef::Json(&json!({ "minimum_approval": minimum }).to_string())),
            ("created_by", person(call)?.into()),
            ("updated_by", person(call)?.into()),
        ],
    )?;
    list(call, "auto_pilot_reviewers", id, account, &reviewers)?;
    list(call, "auto_pilot_reviewee", id, account, &reviewed)?;
    Ok(json!({ "id": id.to_string() }))
}

/// Handles `update_auto_pilot_policy`.
pub(super) fn update(call: &Call<'_>) -> Result<Value, Refusal> {
    let request = Arguments(call.arguments).object("arg1");
    let (id, account) = (request.needed_id("id")?, request.needed_id("account_id")?);
    let policy = needed(call, id, account)?;
    let reviewers = people(call, request, "reviewers")?;
    let reviewed = people(call, request, "reviewees")?;
    let count = match &reviewers {
        Some(reviewers) => reviewers.len(),
        None => Look::at(call.rows, "auto_pilot_reviewers")?.with("policy_id", id)?.rows(&["id"])?.len(),
    };
    let mut attributes = policy["policy_attributes"].clone();
    let before = attributes["minimum_approval"].as_i64().unwrap_or(1);
    attributes["minimum_approval"] =
        json!(minimum(request.whole("minimum_approval").unwrap_or(before), count)?);
    let set = [
        ("policy_attributes", ValueRef::Json(&attributes.to_string())),
        ("updated_by", person(call)?.into()),
        ("updated_at", ValueRef::Timestamp(call.now)),
    ];
    if call.rows.update("auto_pilot_approval_policy", &[eq("id", id)], &set)? == 0 {
        return Err(Refusal::denied());
    }
    for (table, people) in [("auto_pilot_reviewers", reviewers), ("auto_pilot_reviewee", reviewed)] {
        if let Some(people) = people {
            call.rows.delete(table, &[eq("policy_id", id)])?;
            list(call, table, id, account, &people)?;
        }
    }
    Ok(json!({ "id": id.to_string() }))
}

/// Handles `auto_pilot_approval_policy_delete`.
pub(super) fn delete(call: &Call<'_>) -> Result<Value, Refusal> {
    let request = Arguments(call.arguments).object("arg1");
    let id = request.needed_id("id")?;
    needed(call, id, request.needed_id("account_id")?)?;
    let open = waited_for(call, id)?;
    if open > 0 {
        let message = format!(
            "{open} consents are asked for under this policy: they must be answered, or their auto-pilots \
             disabled, before it can go"
        );
        return Err(Refusal::conflict(message));
    }
    for table in ["auto_pilot_approvals", "auto_pilot_reviewers", "auto_pilot_reviewee"] {
        call.rows.delete(table, &[eq("policy_id", id)])?;
    }
    if call.rows.delete("auto_pilot_approval_policy", &[eq("id", id)])? == 0 {
        return Err(Refusal::denied());
    }
    Ok(json!({ "id": id.to_string() }))
}

/// Counts the open consents under a policy whose auto-pilot is waiting for them. A disabled auto-pilot does not wait.
fn waited_for(call: &Call<'_>, policy: Uuid) -> Result<usize, Refusal> {
    let asked =
        Look::at(call.rows, "auto_pilot_approvals")?.with("policy_id", policy)?.with("status", "PENDING")?;
    let asked: Vec<Uuid> =
        asked.rows(&["autopilot_id"])?.iter().filter_map(|row| uuid(row, "autopilot_id")).collect();
    let pilots = asked.iter().map(|id| Cell::Uuid(*id)).collect();
    let waiting = Look::at(call.rows, "auto_pilot")?.one_of("id", pilots)?.with("status", "DRAFT")?;
    let waiting: Vec<Uuid> = waiting.rows(&["id"])?.iter().filter_map(|row| uuid(row, "id")).collect();
    Ok(asked.iter().filter(|pilot| waiting.contains(pilot)).count())
}

fn needed(call: &Call<'_>, id: Uuid, account: Uuid) -> Result<Value, Refusal> {
    let found =
        Look::at(call.rows, "auto_pilot_approval_policy")?.with("id", id)?.with("account_id", account)?;
    let missing = || Refusal::not_found(format!("there is no policy {id} in that account"));
    found.first(&["policy_attributes"])?.ok_or_else(missing)
}

/// Checks the required number of consents: at least one, at most the number of reviewers.
fn minimum(wanted: i64, reviewers: usize) -> Result<i64, Refusal> {
    if reviewers == 0 {
        return Err(Refusal::invalid("`reviewers` is empty: expected at least one person who gives consent"));
    }
    if usize::try_from(wanted).is_ok_and(|wanted| (1..=reviewers).contains(&wanted)) {
        return Ok(wanted);
    }
    Err(Refusal::invalid(format!(
        "`minimum_approval` is {wanted}: expected 1 to {reviewers}, the number of reviewers"
    )))
}

/// Reads a list of members of the tenant. `None` if the request does not contain it.
fn people(call: &Call<'_>, request: Arguments<'_>, name: &str) -> Result<Option<Vec<Uuid>>, Refusal> {
    let Some(list) = request.value(name).and_then(Value::as_array) else { return Ok(None) };
    let mut people = Vec::new();
    for id in list.iter().filter_map(Value::as_str).filter_map(|text| Uuid::parse_str(text).ok()) {
        if Look::at(call.rows, "tenant_users")?.with("user_id", id)?.first(&["id"])?.is_none() {
            return Err(Refusal::not_found(format!("`{name}`: {id} is no member of this tenant")));
        }
        if !people.contains(&id) {
            people.push(id);
        }
    }
    Ok(Some(people))
}

fn list(call: &Call<'_>, table: &str, policy: Uuid, account: Uuid, people: &[Uuid]) -> Result<(), Refusal> {
    for user in people {
        let row = [("policy_id", policy.into()), ("account_id", account.into()), ("user_id", (*user).into())];
        call.rows.insert(table, &row)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::minimum;

    #[test]
    fn no_more_can_be_needed_than_there_are() {
        assert_eq!(minimum(2, 2), Ok(2));
        assert!(minimum(3, 2).is_err());
        assert!(minimum(0, 2).is_err());
        assert!(minimum(1, 0).is_err());
    }
}
