//! Who asks: the person or the house itself, the tenant they act in, and their roles.

use uuid::Uuid;

/// A role of the interface (semantics §4). The order is the order of preference for the default role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    TenantAdmin,
    TenantAdminReadonly,
    AccountAdmin,
    AccountAdminReadonly,
    NamespaceAdmin,
    NamespaceAdminReadonly,
    /// Marker of a person without any role: signed in, sees nothing.
    TenantUsage,
}

impl Role {
    /// Every role, strongest first.
    pub const ALL: [Self; 7] = [
        Self::TenantAdmin,
        Self::TenantAdminReadonly,
        Self::AccountAdmin,
        Self::AccountAdminReadonly,
        Self::NamespaceAdmin,
        Self::NamespaceAdminReadonly,
        Self::TenantUsage,
    ];

    /// The name the interface uses, such as `tenant_admin`.
    pub fn name(self) -> &'static str {
        match self {
            Self::TenantAdmin => "tenant_admin",
            Self::TenantAdminReadonly => "tenant_admin_readonly",
            Self::AccountAdmin => "account_admin",
            Self::AccountAdminReadonly => "account_admin_readonly",
            Self::NamespaceAdmin => "k8s_namespace_admin",
            Self::NamespaceAdminReadonly => "k8s_namespace_admin_readonly",
            Self::TenantUsage => "tenant_usage",
        }
    }

    /// The role of that name, if there is one.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}

/// Which rows a caller can meet at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Rows of this tenant, and rows that belong to nobody (lookups).
    Tenant(Uuid),
    /// Every row: the service's own code before it knows who asks (sign-in), and jobs over all tenants.
    House,
}

/// Who asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    pub scope: Scope,
    /// The person; `None` for the house.
    pub user: Option<Uuid>,
    /// Sorted, strongest first.
    pub roles: Vec<Role>,
}

impl Caller {
    /// A person signed in to one tenant.
    pub fn person(user: Uuid, tenant: Uuid, mut roles: Vec<Role>) -> Self {
        roles.sort_unstable();
        roles.dedup();
        Self { scope: Scope::Tenant(tenant), user: Some(user), roles }
    }

    /// The service itself, unrestricted.
    pub fn house() -> Self {
        Self { scope: Scope::House, user: None, roles: Vec::new() }
    }

    /// The service itself, working for one tenant (an import from the command line, a job).
    pub fn house_for(tenant: Uuid) -> Self {
        Self { scope: Scope::Tenant(tenant), user: None, roles: vec![Role::TenantAdmin] }
    }

    /// The tenant every row must belong to; `None` for the house.
    pub fn tenant(&self) -> Option<Uuid> {
        match self.scope {
            Scope::Tenant(tenant) => Some(tenant),
            Scope::House => None,
        }
    }

    /// Whether the caller may see the tenant's rows as a whole.
    pub fn reads_tenant(&self) -> bool {
        self.scope == Scope::House
            || self.roles.iter().any(|role| matches!(role, Role::TenantAdmin | Role::TenantAdminReadonly))
    }

    /// Whether the caller may change the tenant's rows.
    pub fn writes_tenant(&self) -> bool {
        self.scope == Scope::House || self.roles.contains(&Role::TenantAdmin)
    }
}
