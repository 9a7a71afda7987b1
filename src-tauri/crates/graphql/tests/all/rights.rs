//! Every root field for every role, over generated rows: two tenants, two accounts, two namespaces.

mod reading;
mod shown;
mod world;
mod writing;

pub use world::World;

use catalogue::{Right, Role};

/// The owners of rows: tenant, account, namespace. Some names would end a string in SQL.
const PLACES: [(u128, u128, &str); 4] =
    [(0xA, 0xA1, "shop'); --"), (0xA, 0xA1, "bank"), (0xA, 0xA2, "shop'); --"), (0xB, 0xB1, "shop'); --")];

/// A caller and their rights.
pub struct TestCaller {
    pub name: &'static str,
    pub roles: Vec<Role>,
    /// The rights over the whole tenant, over accounts, and over namespaces.
    tenant: Option<Right>,
    account: Option<(u128, Right)>,
    namespace: Option<(u128, &'static str, Right)>,
}

pub fn test_callers() -> Vec<TestCaller> {
    let nobody =
        |name, role| TestCaller { name, roles: vec![role], tenant: None, account: None, namespace: None };
    let (account, namespace) = (0xA1, PLACES[0].2);
    vec![
        TestCaller { tenant: Some(Right::Write), ..nobody("tenant_admin", Role::TenantAdmin) },
        TestCaller {
            tenant: Some(Right::Read),
            ..nobody("tenant_admin_readonly", Role::TenantAdminReadonly)
        },
        TestCaller { account: Some((account, Right::Write)), ..nobody("account_admin", Role::AccountAdmin) },
        TestCaller {
            account: Some((account, Right::Read)),
            ..nobody("account_admin_readonly", Role::AccountAdminReadonly)
        },
        TestCaller {
            namespace: Some((account, namespace, Right::Write)),
            ..nobody("namespace_admin", Role::NamespaceAdmin)
        },
        TestCaller {
            namespace: Some((account, namespace, Right::Read)),
            ..nobody("namespace_admin_readonly", Role::NamespaceAdminReadonly)
        },
        nobody("tenant_usage", Role::TenantUsage),
        TestCaller {
            roles: vec![Role::TenantAdminReadonly, Role::AccountAdmin],
            tenant: Some(Right::Read),
            account: Some((account, Right::Write)),
            ..nobody("readonly and account_admin", Role::TenantAdminReadonly)
        },
        TestCaller {
            roles: vec![Role::AccountAdminReadonly, Role::NamespaceAdmin],
            account: Some((0xA2, Right::Read)),
            namespace: Some((account, namespace, Right::Write)),
            ..nobody("an account and a namespace", Role::AccountAdminReadonly)
        },
    ]
}

fn covers(given: Right, wanted: Right) -> bool {
    given == Right::Write || wanted == Right::Read
}
