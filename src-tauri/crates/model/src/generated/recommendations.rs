//! Tables and lookups of `schema/tables/recommendations.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;
use crate::lookup::lookup;
use crate::table::table;

table! {
    /// A change that would save money or make something safer or sounder.
    Recommendation in recommendation by id {
        id: Id<Recommendation>,
        tenant_id: Id<Tenant>,
        cloud_account_id: Id<CloudAccount>,
        /// What it is about, when that is no resource of the account's list: a workload, an image.
        account_object_id: Option<String>,
        /// The kind of change.
        category: Option<RecommendationCategoryType>,
        /// Why it was declined.
        dismissed_reason: Option<String>,
        /// The day until which it was declined: found again after it, it is open again. None: for good.
        dismissed_until: Option<Date>,
        /// When it was closed last.
        closed_at: Option<Timestamp>,
        /// The newest day of the bill when it was closed: what later days cost proves the saving.
        closed_bill_until: Option<Date>,
        /// How far the data went that closed it, where an import did: the newest day of the bill, or when the cluster was seen. When the newest data
        /// are older, that import was undone, and it stands as before.
        closing_data_until: Option<Timestamp>,
        /// Where it stood before an import closed it.
        status_before_closing: Option<String>,
        /// The remark that it had then.
        note_before_closing: Option<String>,
        /// Per month, in the currency the recommendation names.
        estimated_savings: Option<Decimal>,
        /// Whether a person has declined it.
        is_dismissed: bool,
        /// A remark of a person.
        note: Option<String>,
        /// The change in detail, with its options and evidence; its shape depends on the rule.
        recommendation: Json,
        /// Whether something is to be created, changed or removed.
        recommendation_action: RecommendationActionType,
        /// What it is about.
        resource_id: Option<Id<CloudResourse>>,
        /// The rule or service that made it.
        rule_name: Option<String>,
        /// The version of the rule, where it is one of our own; none for what files told.
        rule_version: Option<String>,
        /// How much it matters.
        severity: Option<RecommendationSeverityType>,
        /// Where it stands.
        status: Option<RecommendationStatusType>,
        created_at: Timestamp,
        updated_at: Timestamp,
        updated_by: Option<Id<User>>,
    }
}

lookup! {
    /// What a recommendation does to its subject.
    RecommendationActionType {
        /// Something is missing.
        Create = "Create",
        /// Something is not needed.
        Delete = "Delete",
        /// Something should be different.
        Modify = "Modify",
    }
}

table! {
    /// What a recommendation does to its subject.
    RecommendationActionTypeRow in recommendation_action_type by value {
        value: String,
    }
}

lookup! {
    /// What a recommendation is about.
    RecommendationCategoryType {
        /// A setting that is unsafe or unsound.
        Configuration = "Configuration",
        /// Money, in a way the other kinds do not cover.
        Cost = "Cost",
        /// A newer version or generation.
        InfraUpgrade = "InfraUpgrade",
        /// Work that could run on spot nodes.
        K8sSpotRecommendation = "K8sSpotRecommendation",
        /// A newer version of the cluster.
        K8sVersionUpgrade = "K8sVersionUpgrade",
        /// Something is larger or smaller than its use.
        RightSizing = "RightSizing",
        /// A weakness an attacker could use.
        Security = "Security",
    }
}

table! {
    /// What a recommendation is about.
    RecommendationCategoryTypeRow in recommendation_category_type by value {
        value: String,
    }
}

table! {
    /// An attempt to carry a recommendation out.
    RecommendationResolution in recommendation_resolution by id {
        id: Id<RecommendationResolution>,
        /// What else belongs to it.
        data: Option<Json>,
        recommendation_id: Id<Recommendation>,
        /// Which one.
        resolver_id: String,
        /// User, AutoOptimize or AutoRunbook.
        resolver_type: String,
        /// InProgress, Configuring, Success or Failed.
        status: String,
        /// Why, when it failed.
        status_message: Option<String>,
        /// PullRequest, Ticket, DeploymentChange, EventResolution or CloudResource.
        r#type: String,
        /// Which pull request, ticket, change or resource.
        type_reference_id: String,
        created_at: Timestamp,
        updated_at: Option<Timestamp>,
    }
}

table! {
    /// An attempt to carry a recommendation out, until an import shows that it was, or its time is over.
    RecommendationWatch in recommendation_watch by resolution_id {
        resolution_id: Id<RecommendationResolution>,
        tenant_id: Id<Tenant>,
        account_id: Id<CloudAccount>,
        recommendation_id: Id<Recommendation>,
        /// The run that carries it out.
        execution_id: Option<Uuid>,
        /// The ticket that asks for it.
        ticket_id: Option<Uuid>,
        /// The task of the auto-pilot that began it.
        pilot_task_id: Option<Uuid>,
        /// When it was carried out, where that is known.
        acted_at: Option<Timestamp>,
        /// When an import, or a person, closed the recommendation.
        verified_at: Option<Timestamp>,
        /// When it is given up.
        due_at: Timestamp,
    }
}

table! {
    /// Who is on a recommendation.
    RecommendationAssignment in recommendation_assignment by recommendation_id {
        recommendation_id: Id<Recommendation>,
        user_id: Id<User>,
        assigned_by: Option<Uuid>,
        assigned_at: ZonedTimestamp,
    }
}

lookup! {
    /// How much a recommendation matters.
    RecommendationSeverityType {
        /// It cannot wait.
        Critical = "Critical",
        /// It should be done soon.
        High = "High",
        /// Worth knowing.
        Info = "Info",
        /// When there is time.
        Low = "Low",
        /// It should be planned.
        Medium = "Medium",
    }
}

table! {
    /// How much a recommendation matters.
    RecommendationSeverityTypeRow in recommendation_severity_type by value {
        value: String,
    }
}

lookup! {
    /// Where a recommendation stands.
    RecommendationStatusType {
        /// Its subject is gone.
        Archive = "Archive",
        /// A person is on it.
        Assigned = "Assigned",
        /// It was carried out.
        Closed = "Closed",
        /// It was declined.
        Dismissed = "Dismissed",
        /// It is being carried out.
        InProgress = "InProgress",
        /// Nobody has taken it up.
        Open = "Open",
    }
}

table! {
    /// Where a recommendation stands.
    RecommendationStatusTypeRow in recommendation_status_type by value {
        value: String,
        description: Option<String>,
    }
}

table! {
    /// Recommendations with what they are about and where.
    RecommendationsPlaced in recommendations_placed by id {
        id: Id<RecommendationsPlaced>,
        tenant_id: Uuid,
        cloud_account_id: Uuid,
        account_cloud_provider: Option<String>,
        account_name: String,
        account_status: String,
        resource_id: Option<Uuid>,
        resource_name: Option<String>,
        resource_cloud_service: Option<String>,
        resource_region: Option<String>,
        resource_k8s_namespace: Option<String>,
        resource_meta: Option<Json>,
        resource_type: Option<String>,
        category: Option<String>,
        rule_name: Option<String>,
        estimated_savings: Option<Decimal>,
        status: Option<String>,
        severity: Option<String>,
        /// Critical 10, High 8, Medium 5, Low 2, Info 1, else 0.
        severity_weight: i64,
        recommendation: Json,
        recommendation_action: String,
        account_object_id: Option<String>,
        /// A remark of a person.
        note: Option<String>,
        /// Whether a person has declined it.
        is_dismissed: bool,
        /// Why it was declined.
        dismissed_reason: Option<String>,
        updated_by: Option<Uuid>,
        created_at: Timestamp,
        updated_at: Timestamp,
        /// Whether it saves most of those for the same opportunity.
        is_primary_recommendation: bool,
        deleted_version: f64,
        deprecated_version: f64,
    }
}

table! {
    /// Findings about configuration, one row each.
    RecommendationMisconfiguration in recommendation_misconfigurations {
        id: Uuid,
        tenant_id: Uuid,
        cloud_account_id: Uuid,
        resource_id: Option<Uuid>,
        category: Option<String>,
        rule_name: Option<String>,
        status: Option<String>,
        created_at: Timestamp,
        updated_at: Timestamp,
        missconfig_category: Option<String>,
        missconfig_message: Option<String>,
        resource_type: Option<String>,
        resource_k8s_namespace: Option<String>,
        resource_k8s_container: Option<String>,
        resource_name: Option<String>,
        estimated_savings: Option<Decimal>,
        account_object_id: Option<String>,
        is_primary_recommendation: bool,
    }
}

table! {
    /// Weaknesses in images and the workloads that run them.
    RecommendationVulnerability in recommendation_vulnerabilities {
        id: Uuid,
        tenant_id: Uuid,
        cloud_account_id: Uuid,
        severity: Option<String>,
        /// Critical 10, High 8, Medium 5, Low 2, Info 1, else 0.
        severity_weight: i64,
        status: Option<String>,
        image: Option<String>,
        vulnerability_id: Option<String>,
        package_id: Option<String>,
        created_at: Timestamp,
        updated_at: Timestamp,
        /// Whether pods that run now have the image.
        is_active: bool,
        workload_name: Option<String>,
        workload_type: Option<String>,
        namespace: Option<String>,
        recommendation: Json,
    }
}
