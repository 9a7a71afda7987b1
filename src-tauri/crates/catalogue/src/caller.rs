//! Who asks: the person or the house itself, the tenant they act in, their roles, and the parts of the tenant these cover.

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Rows of this tenant, and rows that belong to nobody (lookups).
    Tenant(Uuid),
    /// Every row: the service's own code before it knows who asks (sign-in), and jobs over all tenants.
    House,
}

/// What a caller wants to do with a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Right {
    Read,
    Write,
}

/// How far a right reaches, narrowest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reach {
    /// Lookups, the own tenant's row, and the person's own rows.
    Own,
    /// Also rows of some namespaces.
    Namespaces,
    /// Also rows of some accounts.
    Accounts,
    /// The tenant.
    Tenant,
    /// Everything.
    House,
}

/// Accounts and namespaces of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Places {
    pub accounts: Vec<Uuid>,
    /// A namespace's name means nothing without its account.
    pub namespaces: Vec<(Uuid, String)>,
}

impl Places {
    fn tidy(&mut self) {
        self.accounts.sort_unstable();
        self.accounts.dedup();
        let accounts = &self.accounts;
        self.namespaces.retain(|(account, _)| accounts.binary_search(account).is_err());
        self.namespaces.sort_unstable();
        self.namespaces.dedup();
    }

    /// The same with every account that has one of the namespaces.
    #[must_use]
    pub fn with_accounts_of_namespaces(&self) -> Self {
        let mut places = self.clone();
        places.accounts.extend(self.namespaces.iter().map(|(account, _)| *account));
        places.tidy();
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

/// Who asks.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Caller {
    pub scope: Scope,
    /// The person; `None` for the house.
    pub user: Option<Uuid>,
    /// Sorted, strongest first.
    pub roles: Vec<Role>,
    readable: Places,
    writable: Places,
}

impl Caller {
    /// A person signed in to one tenant. Roles over accounts and namespaces open nothing until [`Self::with_places`]
    /// says over which.
    pub fn person(user: Uuid, tenant: Uuid, mut roles: Vec<Role>) -> Self {
        roles.sort_unstable();
        roles.dedup();
        Self { scope: Scope::Tenant(tenant), user: Some(user), roles, ..Self::house() }
    }

    /// The service itself, unrestricted.
    pub fn house() -> Self {
        Self {
            scope: Scope::House,
            user: None,
            roles: Vec::new(),
            readable: Places::default(),
            writable: Places::default(),
        }
    }

    /// The service itself, working for one tenant (an import from the command line, a job).
    pub fn house_for(tenant: Uuid) -> Self {
        Self { scope: Scope::Tenant(tenant), roles: vec![Role::TenantAdmin], ..Self::house() }
    }

    /// The same caller with the parts of the tenant it may read, and those it may change (and read).
    #[must_use]
    pub fn with_places(self, mut readable: Places, mut writable: Places) -> Self {
        readable.accounts.extend(&writable.accounts);
        readable.namespaces.extend(writable.namespaces.iter().cloned());
        readable.tidy();
        writable.tidy();
        Self { readable, writable, ..self }
    }

    /// The tenant every row must belong to; `None` for the house.
    pub fn tenant(&self) -> Option<Uuid> {
        match self.scope {
            Scope::Tenant(tenant) => Some(tenant),
            Scope::House => None,
        }
    }

    /// The parts of the tenant a right covers for who has no role over the whole.
    pub fn places(&self, right: Right) -> &Places {
        match right {
            Right::Read => &self.readable,
            Right::Write => &self.writable,
        }
    }

    /// How far a right of the caller reaches.
    pub fn reach(&self, right: Right) -> Reach {
        let whole: &[Role] = match right {
            Right::Read => &[Role::TenantAdmin, Role::TenantAdminReadonly],
            Right::Write => &[Role::TenantAdmin],
        };
        if self.scope == Scope::House {
            Reach::House
        } else if self.roles.iter().any(|role| whole.contains(role)) {
            Reach::Tenant
        } else {
            self.places(right).reach()
        }
    }

    /// Whether the caller may see the tenant's rows as a whole.
    pub fn reads_tenant(&self) -> bool {
        self.reach(Right::Read) >= Reach::Tenant
    }

    /// Whether the caller may change the tenant's rows.
    pub fn writes_tenant(&self) -> bool {
        self.reach(Right::Write) >= Reach::Tenant
    }
}
