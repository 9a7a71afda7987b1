//! What follows from the catalogue.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

mod agents;
mod allocation;
mod anomalies;
mod assistant;
mod automation;
mod budgets;
mod cloud;
mod cost;
mod events;
mod inventory;
mod knowledge;
mod kubernetes;
mod logs;
mod models;
mod notices;
#[allow(clippy::pub_underscore_fields, reason = "operators of conditions begin so")]
pub mod operations;
mod recommendations;
mod reports;
mod requests;
mod saved_views;
mod search;
mod service;
mod sign_in;
mod spending;
mod users;
mod workflows;

/// A struct for the rows of each table.
pub mod rows {
    pub use super::agents::{
        Agent, AgentAuditLog, AgentPlaybook, AgentPlaybookActionRow, AgentPlaybookProcessorRow,
        AgentPlaybookSourceRow, AgentPlaybookTriggerRow, AgentTask,
    };
    pub use super::allocation::{AllocatedCost, AllocationRule, BusinessNumber, VirtualTag, VirtualTagKey};
    pub use super::anomalies::{
        Anomaly, AnomalyChangeOperatorRow, AnomalyConfig, AnomalyConfigTypeRow, AnomalyFeedback,
        AnomalyTypeRow,
    };
    pub use super::assistant::{
        LlmAgent, LlmAgentExtension, LlmAlias, LlmBudget, LlmFunction, LlmLedger, LlmPrice, LlmTool, LlmUsage,
    };
    pub use super::automation::{
        AutoOptimizeResourceMap, AutoPilot, AutoPilotApproval, AutoPilotApprovalPolicy,
        AutoPilotApprovalStatusRow, AutoPilotCategoryRow, AutoPilotExecutionStatusRow, AutoPilotReviewee,
        AutoPilotReviewer, AutoPilotStatusRow, AutoPilotTask, AutoPilotTaskStatusRow, AutoPlaybook,
        AutoPlaybookAction, AutoPlaybookExecution, AutoPlaybookExecutionStatusRow, AutoPlaybookStatusRow,
        AutoPlaybookTask, AutoPlaybookTaskStatusRow, AutopilotAttribute, JiraConfiguration,
        RunbookTaskOutput, Ticket, TicketSending,
    };
    pub use super::budgets::{Budget, BudgetPeriodTypeRow};
    pub use super::cloud::{
        ActiveResource, CloudAccount, CloudAccountAttr, CloudAccountOnboardingError, CloudAccountScore,
        CloudAccountStatusTypeRow, CloudAccountSyncStatusTypeRow, CloudApiPermissionError,
        CloudProviderTypeRow, CloudResourceAttribute, CloudResourceDetail, CloudResourceMetric,
        CloudResourceStatusTypeRow, CloudResourse, DwQuery,
    };
    pub use super::cost::{
        Billing, BillingUsageCost, BusinessUnit, BusinessunitFunding, FundingSource, Project, ProjectAccount,
        ProjectCloudResource, ProjectFunding, Spend, SpendsResourceGroupTypeRow,
    };
    pub use super::events::{
        Event, EventBulkOperation, EventClassification, EventCorrelation, EventDuplicate, EventHistory,
        EventIncomingWebhook, EventLogAnalysis, EventLogAnalysisStatusRow, EventResolution, EventRule,
        EventRuleSeverityRow, EventRuleSourceRow, EventSeverityRow, EventSourceRow, EventStatusRow,
        EventTriageRule, EventsTraced, Insight, InsightSeverityRow, WebhookReceiver,
    };
    pub use super::knowledge::{
        KnowledgeBase, KnowledgeGraphEdge, KnowledgeGraphMetadata, KnowledgeGraphNode, LlmConversation,
        LlmConversationSaved, LlmFeedback, LlmGlobalContext, LlmKnowledgebase, LlmKnowledgebaseAgent,
        LlmMemory, LlmMessage, LlmPassage, LlmReference, LlmToolCall,
    };
    pub use super::kubernetes::{
        K8sAccountResourceUsage, K8sChange, K8sCluster, K8sMeasurement, K8sNamespace, K8sNamespacesCounted,
        K8sNode, K8sPod, K8sReleaseRow, K8sWorkload, K8sWorkloadsToRightsize, K8sWorkloadsWatched,
    };
    pub use super::logs::Log;
    pub use super::models::{ModelDownload, ModelFile, ModelOverride, ModelProvider};
    pub use super::notices::{Notice, NoticeChannel, NoticeDelivery, NoticeWindow};
    pub use super::recommendations::{
        Recommendation, RecommendationActionTypeRow, RecommendationAssignment, RecommendationCategoryTypeRow,
        RecommendationMisconfiguration, RecommendationResolution, RecommendationSeverityTypeRow,
        RecommendationStatusTypeRow, RecommendationVulnerability, RecommendationWatch, RecommendationsPlaced,
    };
    pub use super::reports::{ScheduledReport, ScheduledReportRun};
    pub use super::saved_views::{DefaultView, PrivateView, SavedView};
    pub use super::service::{
        AuditTrail, FindingsDue, Import, ImportBatch, ImportChange, ImportMapping, ImportUpload, Instance,
        InstanceCopy, KeptFile, KeptFilePiece, MeasuredDue, OneTimeCode, Server, Session, Setting,
        SpendSource, SpendSourceKey, SpendTagKey,
    };
    pub use super::sign_in::{
        Device, DeviceCode, DeviceToken, SamlOutcome, SamlRequest, SamlTest, SamlUsedAssertion,
        SecurityEvent, SignInAttempt, SignInRefusal, UserRoleReason,
    };
    pub use super::users::{
        BusinessunitUser, GroupRole, Notification, NotificationUser, ProjectUser, RolesRow, Tenant,
        TenantAttr, TenantUser, User, UserAttr, UserAuth, UserGroup, UserHistory, UserRole,
        UserStatusTypeRow, UsergroupUser,
    };
    pub use super::workflows::{
        Workflow, WorkflowEngine, WorkflowEventWait, WorkflowExecution, WorkflowExecutionTask,
        WorkflowSecret, WorkflowState, WorkflowVote, WorkflowWait,
    };
}

/// An enum for each lookup.
pub mod lookups {
    pub use super::agents::{
        AgentPlaybookAction, AgentPlaybookProcessor, AgentPlaybookSource, AgentPlaybookTrigger,
    };
    pub use super::allocation::AllocationMethod;
    pub use super::anomalies::{AnomalyChangeOperator, AnomalyConfigType, AnomalyType};
    pub use super::automation::{
        AutoPilotApprovalStatus, AutoPilotCategory, AutoPilotExecutionStatus, AutoPilotStatus,
        AutoPilotTaskStatus, AutoPlaybookExecutionStatus, AutoPlaybookStatus, AutoPlaybookTaskStatus,
        TicketSourceType, TicketToolTypes,
    };
    pub use super::budgets::BudgetPeriodType;
    pub use super::cloud::{
        AccountEnvType, CloudAccountStatusType, CloudAccountSyncStatusType, CloudProviderType,
        CloudResourceStatusType,
    };
    pub use super::cost::{ProjectCategoryType, SpendsResourceGroupType};
    pub use super::events::{
        EventLogAnalysisStatus, EventRuleSeverity, EventRuleSource, EventSeverity, EventSource, EventStatus,
        InsightSeverity,
    };
    pub use super::inventory::{CloudResourcesField, CloudResourcesSort};
    pub use super::knowledge::LlmConversationStatus;
    pub use super::kubernetes::{
        K8sChangeType, K8sClusterCostKind, K8sClusterCostsPrices, K8sClusterCostsReason, K8sRelease,
    };
    pub use super::notices::{NoticeChannelKind, NoticeDeliveryState, NoticeSeverity, NoticeSubject};
    pub use super::recommendations::{
        RecommendationActionType, RecommendationCategoryType, RecommendationSeverityType,
        RecommendationStatusType,
    };
    pub use super::reports::ScheduledReportKind;
    pub use super::requests::QuerySortOrderRequest;
    pub use super::search::SearchKind;
    pub use super::spending::SpendBudgetState;
    pub use super::users::{
        AuthProviderType, AuthType, NotificationSeverityType, Roles, TenantType, UserStatusType,
    };
}

/// A module for each table, with its columns.
pub mod tables {
    pub use super::agents::{
        agent, agent_audit_log, agent_playbook, agent_playbook_action, agent_playbook_processor,
        agent_playbook_source, agent_playbook_trigger, agent_task,
    };
    pub use super::allocation::{
        allocated_cost, allocation_rule, business_number, virtual_tag, virtual_tag_key,
    };
    pub use super::anomalies::{
        anomaly, anomaly_change_operator, anomaly_config, anomaly_config_type, anomaly_feedback, anomaly_type,
    };
    pub use super::assistant::{
        llm_agent, llm_agent_extension, llm_alias, llm_budget, llm_function, llm_ledger, llm_price, llm_tool,
        llm_usage,
    };
    pub use super::automation::{
        auto_optimize_resource_map, auto_pilot, auto_pilot_approval_policy, auto_pilot_approval_status,
        auto_pilot_approvals, auto_pilot_category, auto_pilot_execution_status, auto_pilot_reviewee,
        auto_pilot_reviewers, auto_pilot_status, auto_pilot_task, auto_pilot_task_status, auto_playbook,
        auto_playbook_actions, auto_playbook_execution_status, auto_playbook_executions,
        auto_playbook_status, auto_playbook_task, auto_playbook_task_status, autopilot_attributes,
        jira_configurations, runbook_task_output, ticket_sending, tickets,
    };
    pub use super::budgets::{budget, budget_period_type};
    pub use super::cloud::{
        active_resources, cloud_account_attrs, cloud_account_onboarding_errors, cloud_account_score,
        cloud_account_status_type, cloud_account_sync_status_type, cloud_accounts,
        cloud_api_permission_errors, cloud_provider_type, cloud_resource_attributes, cloud_resource_details,
        cloud_resource_metrics, cloud_resource_status_type, cloud_resourses, dw_queries,
    };
    pub use super::cost::{
        billing, billing_usage_cost, business_unit, businessunit_funding, funding_sources, project_accounts,
        project_cloud_resources, project_fundings, projects, spends, spends_resource_group_type,
    };
    pub use super::events::{
        event_bulk_operations, event_classification, event_correlations, event_duplicates, event_history,
        event_incoming_webhooks, event_log_analysis, event_log_analysis_status, event_resolution,
        event_rule_severity, event_rule_source, event_rules, event_severity, event_source, event_status,
        event_triage_rules, events, events_traced, insight, insight_severity, webhook_receiver,
    };
    pub use super::knowledge::{
        knowledge_base, knowledge_graph_edge, knowledge_graph_metadata, knowledge_graph_node,
        llm_conversation_saved, llm_conversations, llm_feedback, llm_global_context, llm_knowledgebase,
        llm_knowledgebase_agent, llm_memory, llm_message, llm_passage, llm_reference, llm_tool_call,
    };
    pub use super::kubernetes::{
        k8s_account_resource_usage, k8s_changes, k8s_clusters, k8s_measurements, k8s_namespaces,
        k8s_namespaces_counted, k8s_nodes, k8s_pods, k8s_release, k8s_workloads, k8s_workloads_to_rightsize,
        k8s_workloads_watched,
    };
    pub use super::logs::logs;
    pub use super::models::{model_download, model_file, model_override, model_provider};
    pub use super::notices::{notice, notice_channel, notice_delivery, notice_window};
    pub use super::recommendations::{
        recommendation, recommendation_action_type, recommendation_assignment, recommendation_category_type,
        recommendation_misconfigurations, recommendation_resolution, recommendation_severity_type,
        recommendation_status_type, recommendation_vulnerabilities, recommendation_watch,
        recommendations_placed,
    };
    pub use super::reports::{scheduled_report, scheduled_report_run};
    pub use super::saved_views::{default_view, private_view, saved_view};
    pub use super::service::{
        audit_trail, findings_due, import_batch, import_changes, import_mappings, import_upload, imports,
        instance, instance_copy, kept_file, kept_file_piece, measured_due, one_time_code, server, session,
        setting, spend_source_keys, spend_sources, spend_tag_keys,
    };
    pub use super::sign_in::{
        device, device_code, device_token, saml_outcome, saml_request, saml_test, saml_used_assertion,
        security_event, sign_in_attempts, sign_in_refusal, user_role_reasons,
    };
    pub use super::users::{
        businessunit_users, group_roles, notification_user, notifications, project_users, roles, tenant,
        tenant_attrs, tenant_users, user_attrs, user_auths, user_groups, user_history, user_roles,
        user_status_type, usergroup_users, users,
    };
    pub use super::workflows::{
        workflow, workflow_engine, workflow_event_wait, workflow_execution, workflow_execution_task,
        workflow_secret, workflow_state, workflow_vote, workflow_wait,
    };
}

/// What columns hold.
mod prelude {
    pub use super::{lookups::*, rows::*};
    pub use crate::scalars::{Date, Id, Json, Secret, Timestamp, ZonedTimestamp};
    pub use catalogue::Decimal;
    pub use uuid::Uuid;
}
