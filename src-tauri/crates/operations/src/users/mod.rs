//! Users of a tenant: API tokens, membership and roles; and the settings of the tenant (semantics §3, §4, §14).

mod attributes;
mod history;
mod members;
mod roles;
mod tokens;

use crate::Function;
use crate::kit::{tenant, typed};
use crate::states::States;
use auth::AccountError;
use catalogue::Caller;
use graphql::{Call, Refusal};

pub(crate) const FIELDS: &[(&str, Function)] = &[
    ("users_list_token", typed!(tokens::list)),
    ("users_create_token", typed!(tokens::create)),
    ("users_delete_token", typed!(tokens::delete)),
    ("users_insert_one", typed!(members::insert)),
    ("users_update_status", typed!(members::update_status)),
    ("users_delete_one", typed!(members::delete)),
    ("auth_tenant_user_roles_upsert_one", typed!(roles::of_tenant)),
    ("auth_account_user_roles_upsert_one", typed!(roles::of_accounts)),
    ("auth_k8saccount_namespace_user_roles_upsert_one", typed!(roles::of_namespaces)),
    ("tenant_attribute_upsert", typed!(attributes::upsert)),
    ("user_history", typed!(history::note)),
];

const STATES: States = States {
    what: "a user",
    steps: &[
        ("active", &["inactive", "suspended"]),
        ("inactive", &["active", "suspended"]),
        ("suspended", &["active", "inactive"]),
    ],
};

/// The service itself, acting for the caller's tenant.
fn house(call: &Call<'_>) -> Result<Caller, Refusal> {
    Ok(Caller::system_for(tenant(call)?))
}

/// Converts an error for the API; hints about the command line are left out.
fn refusal(error: AccountError) -> Refusal {
    match error {
        AccountError::Store(error) => error.into(),
        AccountError::DuplicateToken { name, .. } => {
            let message =
                format!("you have an API token \"{name}\" in this tenant already: choose another name");
            Refusal::new("constraint-violation", message)
        }
        other => Refusal::invalid(other.to_string()),
    }
}
