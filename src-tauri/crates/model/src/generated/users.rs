//! Tables and lookups of `schema/tables/users.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;
use crate::lookup::lookup;
use crate::table::table;

table! {
    /// A person's membership in a tenant.
    TenantUser in tenant_users by id {
        id: Id<TenantUser>,
        tenant: Id<Tenant>,
        /// Whether the person enters this tenant first.
        is_default: bool,
        /// Whether the tenant is the person's own.
        is_owner: bool,
        /// The person. The reference calls this column `user`; the contract uses that name for the person's row.
        user_id: Id<User>,
        created_at: Timestamp,
        created_by: Id<User>,
        updated_at: Timestamp,
        updated_by: Id<User>,
    }
}

table! {
    /// A person who can sign in.
    User in users by id {
        id: Id<User>,
        display_name: String,
        /// New people are `inactive` until they first sign in.
        status: UserStatusType,
        /// The e-mail address, in lower case.
        username: String,
        created_at: Timestamp,
        created_by: Option<Id<User>>,
        updated_at: Timestamp,
        updated_by: Option<Id<User>>,
    }
}

table! {
    /// A role of a person in a tenant, an account or a namespace.
    UserRole in user_roles by id {
        id: Id<UserRole>,
        tenant_id: Option<Uuid>,
        /// The tenant's or account's id, or `<account id>:<namespace>`.
        entity_id: String,
        /// tenant, account or k8s_namespace.
        entity_type: String,
        /// What the person may do there.
        role: String,
        user_id: Id<User>,
        created_at: Option<Timestamp>,
        created_by: Uuid,
        updated_at: Option<Timestamp>,
    }
}

table! {
    /// A house of its own: people, accounts and money that nobody else sees.
    Tenant in tenant by id {
        id: Id<Tenant>,
        name: String,
        r#type: Option<TenantType>,
        created_at: Timestamp,
        created_by: Id<User>,
        updated_at: Timestamp,
        updated_by: Id<User>,
    }
}

lookup! {
    /// What a person may do.
    Roles {
        /// Everything in the accounts it is given for.
        AccountAdmin = "account_admin",
        /// See everything in the accounts it is given for.
        AccountAdminReadonly = "account_admin_readonly",
        /// Everything in the namespaces it is given for.
        K8sNamespaceAdmin = "k8s_namespace_admin",
        /// See everything in the namespaces it is given for.
        K8sNamespaceAdminReadonly = "k8s_namespace_admin_readonly",
        /// Everything in all tenants. Known to the interface, never given here.
        SuperAdmin = "super_admin",
        /// See everything in all tenants. Known to the interface, never given here.
        SuperAdminReadonly = "super_admin_readonly",
        /// Everything in the tenant.
        TenantAdmin = "tenant_admin",
        /// See everything in the tenant.
        TenantAdminReadonly = "tenant_admin_readonly",
    }
}

table! {
    /// What a person may do.
    RolesRow in roles by value {
        display_name: Option<String>,
        value: String,
    }
}

lookup! {
    /// Whether a person can sign in.
    UserStatusType {
        /// Yes.
        Active = "active",
        /// Not yet.
        Inactive = "inactive",
        /// No longer.
        Suspended = "suspended",
    }
}

table! {
    /// Whether a person can sign in.
    UserStatusTypeRow in user_status_type by value {
        value: String,
        comment: Option<String>,
    }
}

table! {
    /// A named setting of a tenant, such as the domains whose people may join.
    TenantAttr in tenant_attrs by id {
        id: Id<TenantAttr>,
        tenant_id: Id<Tenant>,
        name: String,
        value: Option<String>,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

table! {
    /// A person of a business unit.
    BusinessunitUser in businessunit_users by id {
        id: Id<BusinessunitUser>,
        business_unit: Id<BusinessUnit>,
        user: Id<User>,
        created_at: Timestamp,
        created_by: Uuid,
        updated_at: Timestamp,
    }
}

table! {
    /// A person of a project.
    ProjectUser in project_users by id {
        id: Id<ProjectUser>,
        project: Id<Project>,
        user: Id<User>,
        created_at: Timestamp,
        created_by: Uuid,
        updated_at: Timestamp,
    }
}

table! {
    /// A group of people.
    UserGroup in user_groups by id {
        id: Id<UserGroup>,
        tenant: Id<Tenant>,
        business_unit: Option<Uuid>,
        description: String,
        name: String,
        /// Who keeps the list.
        owner: Uuid,
        created_at: ZonedTimestamp,
    }
}

table! {
    /// A person of a group.
    UsergroupUser in usergroup_users by id {
        id: Id<UsergroupUser>,
        group: Id<UserGroup>,
        user: Id<User>,
        created_at: Timestamp,
        created_by: Uuid,
        updated_at: Timestamp,
        updated_by: Uuid,
    }
}

table! {
    /// A role every member of a group has.
    GroupRole in group_roles by id {
        id: Id<GroupRole>,
        /// The tenant's or account's id, or `<account id>:<namespace>`.
        entity_id: String,
        /// tenant, account or k8s_namespace.
        entity_type: String,
        group_id: Id<UserGroup>,
        role: String,
        created_at: Timestamp,
        created_by: Uuid,
        updated_at: Timestamp,
    }
}

table! {
    /// A named setting of a person.
    UserAttr in user_attrs by id {
        id: Id<UserAttr>,
        name: String,
        user: Id<User>,
        value: Option<String>,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

table! {
    /// A way a person proves who they are: a password, an identity provider, an API secret.
    UserAuth in user_auths by id {
        id: Id<UserAuth>,
        tenant_id: Option<Uuid>,
        /// The person's id at the provider.
        account_id: Option<String>,
        /// When it last let the person in.
        accessed_at: Option<Timestamp>,
        avatar: Option<String>,
        /// What proves it. For API secrets the SHA-256 of the secret in lower-case hex: the secret is random and long, so a slow hash would add nothing.
        credential: Option<Secret<String>>,
        /// It lets nobody in after.
        expires_at: Option<Timestamp>,
        /// Name the person gave an API secret.
        name: Option<String>,
        /// Who vouches for the person; `token` for API secrets.
        provider: AuthType,
        /// How.
        provider_type: AuthProviderType,
        status: Option<UserStatusType>,
        user: Id<User>,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

table! {
    /// What a person did on the pages, and how long it took them.
    UserHistory in user_history by id {
        id: Id<UserHistory>,
        tenant_id: Id<Tenant>,
        user_id: Id<User>,
        /// The account it was about, when it was about one.
        account_id: Option<Id<CloudAccount>>,
        /// The part of the product.
        module: String,
        /// What was done there.
        data: String,
        /// How it went.
        status: String,
        /// Seconds.
        duration: f64,
        created_at: Timestamp,
    }
}

table! {
    /// A message to people of a tenant.
    Notification in notifications by id {
        id: Id<Notification>,
        tenant: Id<Tenant>,
        description: Option<String>,
        severity: NotificationSeverityType,
        title: String,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

table! {
    /// A message in one person's list.
    NotificationUser in notification_user by id {
        id: Id<NotificationUser>,
        notification: Id<Notification>,
        /// Whether the person has read it.
        status: String,
        user_id: Id<User>,
    }
}

lookup! {
    /// Why a tenant exists.
    TenantType {
        /// Someone works with it.
        Customer = "Customer",
        /// To show the product.
        Demo = "Demo",
        /// To test the product.
        Qa = "QA",
    }
}

lookup! {
    /// How much a message matters.
    NotificationSeverityType {
        /// It cannot wait.
        Critical = "Critical",
        /// It should be read soon.
        High = "High",
        /// Worth knowing.
        Info = "Info",
        /// When there is time.
        Low = "Low",
        /// It should be read today.
        Medium = "Medium",
    }
}

lookup! {
    /// Who vouches for a person.
    AuthType {
        /// Auth0.
        Auth0 = "auth0",
        /// Microsoft Entra ID.
        AzureAd = "azure_ad",
        /// Microsoft Entra, for customers.
        AzureAdB2c = "azure_ad_b2c",
        /// The owner of the mailbox.
        Email = "email",
        /// Google.
        Google = "google",
        /// A directory.
        Ldap = "ldap",
        /// Okta.
        Okta = "okta",
        /// OneLogin.
        Onelogin = "onelogin",
        /// An identity provider by SAML.
        Saml = "saml",
        /// Teleport.
        Teleport = "teleport",
        /// An API secret.
        Token = "token",
    }
}

lookup! {
    /// How a person proves who they are.
    AuthProviderType {
        /// A secret only they know.
        Credentials = "credentials",
        /// A link to their mailbox.
        Email = "email",
        /// OAuth.
        Oauth = "oauth",
        /// A SAML assertion.
        Saml = "saml",
    }
}
