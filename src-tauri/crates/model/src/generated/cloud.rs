//! Tables and lookups of `schema/tables/cloud.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;
use crate::lookup::lookup;
use crate::table::table;

table! {
    /// What an account had when it was last looked through; used to find what has gone since.
    ActiveResource in active_resources {
        tenant_id: Uuid,
        cloud_account_id: Uuid,
        /// The provider's full id.
        external_resource_id: String,
        resource_type: String,
        /// The provider's short id.
        resourse_id: String,
        updated_at: Timestamp,
    }
}

table! {
    /// A named setting of an account.
    CloudAccountAttr in cloud_account_attrs by id {
        id: Id<CloudAccountAttr>,
        cloud_account_id: Id<CloudAccount>,
        name: String,
        value: Option<String>,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

table! {
    /// An attempt to connect an account that failed.
    CloudAccountOnboardingError in cloud_account_onboarding_errors by id {
        id: Id<CloudAccountOnboardingError>,
        tenant_id: Uuid,
        account_name: String,
        /// The settings that were tried, keys taken out.
        config: String,
        error_message: Option<String>,
        created_at: Timestamp,
        created_by: Uuid,
    }
}

table! {
    /// How well an account is kept, 0 to 100, by one measure.
    CloudAccountScore in cloud_account_score by id {
        id: Id<CloudAccountScore>,
        tenant: Uuid,
        cloud_account_id: Id<CloudAccount>,
        /// What the score rests on.
        description: Option<String>,
        score: i64,
        /// The measure.
        source: Option<String>,
        created_at: Timestamp,
        updated_at: Option<Timestamp>,
    }
}

lookup! {
    /// Whether an account is in use.
    CloudAccountStatusType {
        /// It is looked at.
        Active = "active",
        /// A person has switched it off.
        Disabled = "disabled",
        /// It is known but not connected.
        Inactive = "inactive",
    }
}

table! {
    /// Whether an account is in use.
    CloudAccountStatusTypeRow in cloud_account_status_type by value {
        value: String,
        decription: String,
    }
}

lookup! {
    /// How the latest look through an account went.
    CloudAccountSyncStatusType {
        /// Done.
        Completed = "Completed",
        /// It failed; the account says why.
        Error = "Error",
        /// It will begin.
        Queued = "Queued",
        /// It goes on.
        Running = "Running",
    }
}

table! {
    /// How the latest look through an account went.
    CloudAccountSyncStatusTypeRow in cloud_account_sync_status_type by value {
        value: String,
    }
}

table! {
    /// An account, subscription, project or cluster that costs money: what spends, resources and events belong to.
    CloudAccount in cloud_accounts by id {
        id: Id<CloudAccount>,
        tenant: Option<Id<Tenant>>,
        /// Public part of the key to it.
        access_key: Option<Secret<String>>,
        /// Secret part of the key to it, as older releases kept it.
        access_secret: Option<Secret<String>>,
        /// Secret part of the key to it.
        access_secret_v2: Option<Secret<String>>,
        /// `readonly` when nothing may be changed in it.
        account_access: Option<String>,
        /// Whether real users depend on it.
        account_env: AccountEnvType,
        /// What people call it; unique in the tenant.
        account_name: String,
        /// The provider's own number of it.
        account_number: Option<String>,
        /// What it is for.
        account_purpose: Option<String>,
        /// What it is at its provider: an account, a cluster, a database.
        account_type: String,
        /// Where to reach its interface.
        account_url: Option<String>,
        /// Public part of the key its agent uses.
        agent_access_key: Option<Secret<String>>,
        /// Secret part of the key its agent uses.
        agent_access_secret: Option<Secret<String>>,
        /// When its agent last delivered.
        agent_synced_at: Option<Timestamp>,
        /// The role to take on in it.
        assume_role: Option<String>,
        /// Where its cost comes from.
        billing_source: Option<String>,
        /// What it may spend in a month; 0 means no limit is set.
        budget: Option<Decimal>,
        cloud_provider: Option<CloudProviderType>,
        /// What else its provider needs.
        data: Option<Json>,
        /// Failed looks through it in a row.
        etl_attempt: i64,
        /// The word that must be given along when taking on the role.
        external_id: Option<String>,
        /// The account it is billed through.
        parent_account_id: Option<Uuid>,
        /// The region it is managed from.
        region: Option<String>,
        /// Cost is kept from here on.
        start_date: Option<Timestamp>,
        status: CloudAccountStatusType,
        sync_status: Option<CloudAccountSyncStatusType>,
        /// Why the latest look failed.
        sync_status_message: Option<String>,
        /// When it was last looked through.
        synced_at: Option<Timestamp>,
        created_at: Timestamp,
        created_by: Id<User>,
        updated_at: Timestamp,
        updated_by: Id<User>,
    }
}

table! {
    /// A call to a provider that was refused for lack of rights.
    CloudApiPermissionError in cloud_api_permission_errors by id {
        id: Id<CloudApiPermissionError>,
        tenant_id: Uuid,
        cloud_account_id: Uuid,
        account_number: String,
        /// The call.
        api_operation: String,
        cloud_provider: String,
        /// The provider's code.
        error_code: String,
        error_message: Option<String>,
        first_seen_at: ZonedTimestamp,
        /// Whether the call has worked since.
        is_resolved: bool,
        last_seen_at: ZonedTimestamp,
        /// How often it was refused.
        occurrence_count: i64,
        region: String,
        resolved_at: Option<ZonedTimestamp>,
        service_name: String,
        /// The step of ours that made the call.
        wrapper_method: String,
    }
}

lookup! {
    /// Who an account is with.
    CloudProviderType {
        /// Amazon Web Services.
        Aws = "AWS",
        /// Microsoft Azure.
        Azure = "Azure",
        /// Google Cloud.
        Gcp = "GCP",
        /// GitHub.
        Github = "Github",
        /// Jira, for its issues.
        Jira = "Jira",
        /// A Kubernetes cluster, wherever it runs.
        K8s = "K8s",
        /// New Relic.
        NewRelic = "NewRelic",
        /// OpenAI.
        OpenAi = "OpenAi",
        /// Anybody else; the name stands in `account_type`.
        Other = "Other",
        /// A PostgreSQL database.
        Postgres = "Postgres",
        /// Slack, for its messages.
        Slack = "Slack",
        /// Snowflake.
        Snowflake = "Snowflake",
        /// Oracle Cloud.
        Oci = "OCI",
        /// Alibaba Cloud.
        Alibaba = "Alibaba",
    }
}

table! {
    /// Who an account is with.
    CloudProviderTypeRow in cloud_provider_type by value {
        value: String,
        comment: String,
    }
}

table! {
    /// A named fact about a resource.
    CloudResourceAttribute in cloud_resource_attributes by id {
        id: Id<CloudResourceAttribute>,
        tenant_id: Id<Tenant>,
        account_id: Uuid,
        /// What tells this value from others of the same name.
        labels: Option<Json>,
        last_seen_at: Option<Timestamp>,
        name: String,
        resource_id: Id<CloudResourse>,
        value: Option<String>,
        created_at: Option<Timestamp>,
    }
}

table! {
    /// What a provider offers and what it costs: one type of machine, disk or service in one region.
    CloudResourceDetail in cloud_resource_details by id {
        id: Id<CloudResourceDetail>,
        architecture: Option<String>,
        /// What else the price list says.
        attributes: Option<Json>,
        cloud_provider: String,
        /// Whether the provider still recommends it.
        current_generation: Option<bool>,
        database_engine: String,
        deployment_option: String,
        gpu_count: Option<i64>,
        network_performance: Option<String>,
        operating_system: Option<String>,
        /// What the price is for, such as `hourly`.
        price_unit: String,
        /// How it is bought, such as `on_demand`.
        pricing_model: String,
        /// What one gets: processors, memory, disk.
        resource_capacity: Json,
        /// Price of one unit.
        resource_cost: Decimal,
        resource_region: Option<String>,
        resource_type: String,
        service_name: String,
        service_type: String,
        /// What it costs while spare capacity lasts.
        spot_pricing: Option<Json>,
        storage_type: Option<String>,
        /// Shared or of one's own.
        tenancy: Option<String>,
        created_at: Option<ZonedTimestamp>,
        updated_at: Option<ZonedTimestamp>,
    }
}

table! {
    /// One measurement of one resource.
    CloudResourceMetric in cloud_resource_metrics by id {
        id: Id<CloudResourceMetric>,
        tenant_id: Option<Id<Tenant>>,
        cloud_account_id: Option<Id<CloudAccount>>,
        cloud_resource_id: Id<CloudResourse>,
        /// What was measured.
        metric: String,
        /// How it was summed up over time, such as an average.
        metric_type: String,
        /// What tells this series from others of the same metric.
        tags: Json,
        /// When.
        timestamp: Timestamp,
        value: f64,
    }
}

lookup! {
    /// Whether a resource is there.
    CloudResourceStatusType {
        /// It is there and in use.
        Active = "Active",
        /// It is gone.
        Deleted = "Deleted",
        /// It is there but stopped.
        Inactive = "Inactive",
        /// The provider does not say.
        Unknown = "Unknown",
    }
}

table! {
    /// Whether a resource is there.
    CloudResourceStatusTypeRow in cloud_resource_status_type by value {
        value: String,
    }
}

table! {
    /// Something in an account that costs money or can break: a machine, a disk, a bucket, a cluster. The spelling is the interface's.
    CloudResourse in cloud_resourses by id {
        id: Id<CloudResourse>,
        tenant: Id<Tenant>,
        account: Id<CloudAccount>,
        /// The Amazon resource name, for resources of AWS.
        arn: Option<String>,
        cloud_provider: CloudProviderType,
        /// The provider's full id; unique in the account.
        external_resource_id: Option<String>,
        /// When it was first met.
        first_seen: Option<Timestamp>,
        /// Whether it was there at the latest look.
        is_active: Option<bool>,
        /// When it was last met.
        last_seen: Option<Timestamp>,
        /// What else its provider says of it.
        meta: Option<Json>,
        name: Option<String>,
        region: String,
        /// When its provider says it was made.
        resourse_created_on: Option<Timestamp>,
        /// The provider's short id.
        resourse_id: Option<String>,
        service_name: Option<String>,
        status: Option<CloudResourceStatusType>,
        /// Labels it carries, an object of texts.
        tags: Option<Json>,
        /// What it is, as its provider spells it.
        r#type: Option<String>,
        created_at: Timestamp,
        created_by: Option<Id<User>>,
        updated_at: Timestamp,
        updated_by: Option<Id<User>>,
    }
}

table! {
    /// One query of a data warehouse and what it cost.
    DwQuery in dw_queries by id {
        id: Id<DwQuery>,
        tenant_id: Id<Tenant>,
        /// The warehouse.
        account_id: Uuid,
        /// What it cost.
        bill: Decimal,
        /// Start of the interval the cost was taken from.
        bill_interval_from: Option<Timestamp>,
        /// End of the interval the cost was taken from.
        bill_interval_to: Option<Timestamp>,
        bill_total_duration_micro: Option<Decimal>,
        bytes_scanned: Option<Decimal>,
        bytes_spilled_locally: Option<Decimal>,
        bytes_spilled_remotely: Option<Decimal>,
        database_name: Option<String>,
        db_username: String,
        partitions_scanned: Option<Decimal>,
        query_ended_at: Option<Timestamp>,
        query_error_message: Option<String>,
        query_exec_duration_micro: Option<Decimal>,
        query_id: Option<String>,
        /// Same text, same hash.
        query_md5: Option<String>,
        /// The query with its values taken out.
        query_normalized: Option<String>,
        /// Same shape, same hash.
        query_normalized_md5: Option<String>,
        query_planning_duration_micro: Decimal,
        query_queue_duration_micro: Option<i64>,
        query_remote_ip: Option<String>,
        query_result_cache_hit: Option<bool>,
        query_returned_bytes: Option<Decimal>,
        query_returned_rows: Option<Decimal>,
        query_session_id: Option<String>,
        query_started_at: Option<Timestamp>,
        query_status: Option<String>,
        query_text: String,
        query_transaction_id: Option<String>,
        query_type: String,
        query_usage_limit: Option<String>,
        queue_overload_time: Option<Decimal>,
        queue_provision_time: Option<Decimal>,
        queue_repair_time: Option<Decimal>,
        resource_id: Option<Uuid>,
        /// Processing units it used.
        rpu: f64,
        /// Tables it read.
        table_names: Option<Vec<String>>,
        tags: Json,
        transaction_block_time: Option<Decimal>,
        created_at: Timestamp,
    }
}

lookup! {
    /// Whether real users depend on an account.
    AccountEnvType {
        /// They do.
        Prod = "prod",
        /// They do not.
        NonProd = "non_prod",
    }
}
