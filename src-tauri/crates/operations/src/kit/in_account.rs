//! Access to one account of the tenant, for operations of the assistant.
//!
//! The caller's right is checked once; then the operation acts as the service for the tenant, because agents' data belongs to the whole account
//! and not to one of its namespaces, and budgets count the use of all users. Every condition on rows includes the account.

pub(crate) use crate::kit::values::{Object, decimal, decoded_list, id, object};

use catalogue::{Caller, Right};
use graphql::{Call, Refusal};
use model::tables::tenant_attrs;
use model::{Read as _, row};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::{Condition, Transaction, eq};
use uuid::Uuid;

/// An account that the caller may use, and the rows of its tenant.
pub(crate) struct Place<'a> {
    pub rows: Transaction<'a>,
    pub tenant: Uuid,
    pub account: Uuid,
    /// The calling user; `None` for the service itself.
    pub person: Option<Uuid>,
    /// µs since 1970 UTC.
    pub now: i64,
}

/// Runs `work` in the account with that id if the caller has the right. For reading, access to one namespace of the account suffices.
pub(crate) fn within<T>(
    call: &Call<'_>,
    right: Right,
    account: &str,
    work: impl FnOnce(&Place<'_>) -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    place_of(call.caller, call.rows, right, account, work)
}

/// Like [`within`], for code outside a request: `caller` and `rows` are passed in.
pub(crate) fn place_of<T>(
    caller: &Caller,
    rows: &Transaction<'_>,
    right: Right,
    account: &str,
    work: impl FnOnce(&Place<'_>) -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    let tenant = caller.tenant().ok_or_else(Refusal::denied)?;
    let account = id("account_id", account)?;
    let system = Caller::system_for(tenant);
    let now = rows.now();
    let rows = rows.as_caller(&system);
    let is_there = rows.count("cloud_accounts", &[eq("id", account)])? > 0;
    if !is_there || !covers(caller, Right::Read, account) {
        return Err(Refusal::not_found(format!("there is no account {account} that you may see")));
    }
    if !covers(caller, right, account) {
        let message = format!("your roles let you read account {account}, not change it");
        return Err(Refusal::new("permission-error", message));
    }
    work(&Place { rows, tenant, account, person: caller.user, now })
}

fn covers(caller: &Caller, right: Right, account: Uuid) -> bool {
    let whole = match right {
        Right::Read => caller.reads_tenant(),
        Right::Write => caller.writes_tenant(),
    };
    let places = caller.accounts(right);
    let by_namespace = || places.namespaces.iter().any(|(of, _)| *of == account);
    whole || places.accounts.contains(&account) || right == Right::Read && by_namespace()
}

row! { struct PersonName from users { display_name } }
row! { struct Attribute from tenant_attrs { value } }

/// A tenant attribute.
pub(crate) fn tenant_attribute(rows: &Transaction<'_>, name: &str) -> Result<Option<String>, Refusal> {
    let found = rows.query::<Attribute>().filter(tenant_attrs::name.eq(name)).first()?;
    Ok(found.and_then(|attribute| attribute.value))
}

impl Place<'_> {
    /// The rows of the account that meet all conditions, in no particular order.
    pub fn objects(
        &self,
        table: &str,
        columns: &[&str],
        conditions: &[Condition<'_>],
    ) -> Result<Vec<Object>, Refusal> {
        let mut all = vec![eq("account_id", self.account)];
        all.extend_from_slice(conditions);
        let rows = self.rows.select(table, columns, &all)?;
        Ok(rows.into_iter().map(|row| object(columns, row)).collect())
    }

    /// The account's row with that id. `noun` names it in the refusal.
    pub fn object(&self, table: &str, columns: &[&str], noun: &str, id: Uuid) -> Result<Object, Refusal> {
        let found = self.objects(table, columns, &[eq("id", id)])?.pop();
        found
            .ok_or_else(|| Refusal::not_found(format!("there is no {noun} {id} in account {}", self.account)))
    }

    /// Refuses a name that another row of the account has; case is ignored.
    pub fn check_free(&self, table: &str, noun: &str, name: &str, own: Option<Uuid>) -> Result<(), Refusal> {
        let own = own.map(|id| Value::from(id.to_string()));
        let others = self.objects(table, &["id"], &[eq("name", name)])?;
        if others.iter().all(|other| other.get("id") == own.as_ref()) {
            return Ok(());
        }
        let message = format!("the name {name:?} is taken by another {noun} of this account; choose another");
        Err(Refusal::new("constraint-violation", message))
    }

    /// The display name of a user of the tenant; the id if the user is unknown.
    pub fn person_name(&self, id: Uuid) -> Result<String, Refusal> {
        let found = self.rows.find::<PersonName>(id)?;
        Ok(found.map_or_else(|| id.to_string(), |person| person.display_name))
    }
}

/// An argument of the call as `T`. Arguments are validated, so this fails only if the declaration differs from `T`.
pub(crate) fn argument<'a, T: Deserialize<'a>>(call: &'a Call<'_>, name: &str) -> Result<T, Refusal> {
    let value = call.arguments.get(name).unwrap_or(&Value::Null);
    T::deserialize(value).map_err(|error| Refusal::invalid(format!("{}({name}): {error}", call.name)))
}

/// JSON text for a column; null counts as absent.
pub(crate) fn optional_json(value: Option<&Value>) -> Option<String> {
    value.filter(|value| !value.is_null()).map(Value::to_string)
}

/// The text without surrounding spaces; refused if it is empty.
pub(crate) fn filled<'a>(name: &str, text: &'a str) -> Result<&'a str, Refusal> {
    match text.trim() {
        "" => Err(Refusal::invalid(format!("{name} is empty: expected a text"))),
        text => Ok(text),
    }
}

/// The word, if it is one of the known ones; otherwise refused.
pub(crate) fn one_of_words<'a>(name: &str, word: &'a str, known: &[&str]) -> Result<&'a str, Refusal> {
    if known.contains(&word) {
        return Ok(word);
    }
    Err(Refusal::invalid(format!("{name} is {word:?}: expected {}", listed(known))))
}

/// `a, b or c`
pub(crate) fn listed(words: &[&str]) -> String {
    match words {
        [] => "nothing".to_owned(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

/// The envelope of a response.
#[derive(Serialize)]
pub(crate) struct Data<T> {
    data: T,
    errors: [(); 0],
}

pub(crate) fn data<T>(data: T) -> Data<T> {
    Data { data, errors: [] }
}

/// The envelope of a response without a list of errors.
#[derive(Serialize)]
pub(crate) struct DataOnly<T> {
    pub data: T,
}

/// The response for a deleted row.
#[derive(Serialize)]
pub(crate) struct Removal {
    pub id: Uuid,
    pub success: bool,
}

/// The response of an operation without a result.
#[derive(Serialize)]
pub(crate) struct Success {
    pub success: bool,
}

/// A list as the text of a JSON column.
pub(crate) fn list_text(list: &[String]) -> String {
    Value::from(list).to_string()
}

/// Sorts objects by a text field (ignoring case), then by id, so that the order is deterministic.
pub(crate) fn sort_by_text(objects: &mut [Object], name: &str) {
    let text =
        |object: &Object, name: &str| object.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    objects.sort_by_cached_key(|object| (text(object, name).to_lowercase(), text(object, "id")));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_word_is_refused_with_the_known_ones() {
        let refused = one_of_words("status", "on", &["enabled", "disabled", "draft"]).unwrap_err();
        assert_eq!(refused.message, "status is \"on\": expected enabled, disabled or draft");
    }
}
