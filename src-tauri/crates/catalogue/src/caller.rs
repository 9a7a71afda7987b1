//! The caller of a request: a user or the service itself, with tenant, roles, and the accounts and namespaces the roles cover.

use uuid::Uuid;

/// A role of the interface (semantics §4). Variants are in order of preference for the default role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    TenantAdmin,
    TenantAdminReadonly,
    AccountAdmin,
    AccountAdminReadonly,
    NamespaceAdmin,
    NamespaceAdminReadonly,
    /// Given to a user without any other role: may sign in, sees no data.
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

    /// Finds a role by the name [`Self::name`] returns.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}

/// The rows a caller can reach at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Rows of this tenant, and rows without a tenant (lookups).
    Tenant(Uuid),
    /// Every row. Used by the service's own code before the caller is known (sign-in) and by jobs that cover all tenants.
    AllTenants,
}

/// The kind of access a caller needs to a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Right {
    Read,
    Write,
}

/// How many rows a right covers, narrowest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reach {
    /// Lookups, the row of the caller's own tenant, and the user's own rows.
    Own,
    /// [`Self::Own`], and rows of some namespaces.
    Namespaces,
    /// [`Self::Namespaces`], and rows of some accounts.
    Accounts,
    /// All rows of the tenant.
    Tenant,
    /// All rows of all tenants.
    AllTenants,
}

/// A set of accounts and of namespaces within accounts. Sorted, without duplicates.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct CallerAccounts {
    pub accounts: Vec<Uuid>,
    /// Pairs of account and namespace: a namespace name is unique only within its account.
    pub namespaces: Vec<(Uuid, String)>,
}

impl CallerAccounts {
    fn normalize(&mut self) {
        self.accounts.sort_unstable();
        self.accounts.dedup();
        let accounts = &self.accounts;
        self.namespaces.retain(|(account, _)| accounts.binary_search(account).is_err());
        self.namespaces.sort_unstable();
        self.namespaces.dedup();
    }

    /// Adds every account that has one of the namespaces to `accounts`.
    #[must_use]
    pub fn with_accounts_of_namespaces(&self) -> Self {
        let mut places = self.clone();
        places.accounts.extend(self.namespaces.iter().map(|(account, _)| *account));
        places.normalize();
        places
    }

    fn reach(&self) -> Reach {
        match (self.accounts.is_empty(), self.namespaces.is_empty()) {
            (false, _) => Reach::Accounts,
            (true, false) => Reach::Namespaces,
            (true, true) => Reach::Own,
        }
    }
}

/// The caller of a request: scope, user and roles.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Caller {
    pub scope: Scope,
    /// The signed-in user; `None` for the service itself.
    pub user: Option<Uuid>,
    /// Sorted, strongest role first.
    pub roles: Vec<Role>,
    readable: CallerAccounts,
    writable: CallerAccounts,
}

impl Caller {
    /// A user signed in to one tenant. Roles over accounts and namespaces grant nothing until [`Self::with_accounts`] sets which ones.
    pub fn user(user: Uuid, tenant: Uuid, mut roles: Vec<Role>) -> Self {
        roles.sort_unstable();
        roles.dedup();
        Self { scope: Scope::Tenant(tenant), user: Some(user), roles, ..Self::system() }
    }

    /// The service itself, without restrictions.
    pub fn system() -> Self {
        Self {
            scope: Scope::AllTenants,
            user: None,
            roles: Vec::new(),
            readable: CallerAccounts::default(),
            writable: CallerAccounts::default(),
        }
    }

    /// The service itself, working for one tenant (a command-line import, a job).
    pub fn system_for(tenant: Uuid) -> Self {
        Self { scope: Scope::Tenant(tenant), roles: vec![Role::TenantAdmin], ..Self::system() }
    }

    /// Sets the accounts and namespaces the caller may read and those it may write. Writable ones are readable too.
    #[must_use]
    pub fn with_accounts(self, mut readable: CallerAccounts, mut writable: CallerAccounts) -> Self {
        readable.accounts.extend(&writable.accounts);
        readable.namespaces.extend(writable.namespaces.iter().cloned());
        readable.normalize();
        writable.normalize();
        Self { readable, writable, ..self }
    }

    /// The tenant every row must belong to; `None` for the service itself.
    pub fn tenant(&self) -> Option<Uuid> {
        match self.scope {
            Scope::Tenant(tenant) => Some(tenant),
            Scope::AllTenants => None,
        }
    }

    /// The accounts and namespaces a right covers. Applies when no role covers the whole tenant.
    pub fn accounts(&self, right: Right) -> &CallerAccounts {
        match right {
            Right::Read => &self.readable,
            Right::Write => &self.writable,
        }
    }

    /// How far the caller's right reaches.
    pub fn reach(&self, right: Right) -> Reach {
        let whole: &[Role] = match right {
            Right::Read => &[Role::TenantAdmin, Role::TenantAdminReadonly],
            Right::Write => &[Role::TenantAdmin],
        };
        if self.scope == Scope::AllTenants {
            Reach::AllTenants
        } else if self.roles.iter().any(|role| whole.contains(role)) {
            Reach::Tenant
        } else {
            self.accounts(right).reach()
        }
    }

    /// Whether the caller may read all rows of the tenant.
    pub fn reads_tenant(&self) -> bool {
        self.reach(Right::Read) >= Reach::Tenant
    }

    /// Whether the caller may change all rows of the tenant.
    pub fn writes_tenant(&self) -> bool {
        self.reach(Right::Write) >= Reach::Tenant
    }
}
