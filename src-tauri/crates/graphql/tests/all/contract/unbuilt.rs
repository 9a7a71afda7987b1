//! Operations that the documentation has beyond the contract and that are not implemented here, each with its reason.

/// Names (with `*` and `{a,b}`) and reason. The first match applies.
pub const UNBUILT: &[(&str, &str)] = &[
    ("traces_*", "nothing brings traces in yet"),
    (
        "{metrics_*,log_group,log_index_field,logs_get_query}",
        "asks a metrics or log provider; none can be connected yet",
    ),
    (
        "{application_*,database_performance_insights}",
        "looks into applications through an agent; there is none yet",
    ),
    (
        "{alertmanager_*,security_scan_image,runbook_action_status}",
        "acts in a cluster through an agent; there is none yet",
    ),
    (
        "{check_cluster_health,autopilot_get_autopilot_for_event,generate_node_recommendations}",
        "asks an agent in the cluster; there is none yet",
    ),
    ("{agent_token_create,nb_versions}", "agents are not part of the product yet"),
    ("upgrade_*", "plans and checks upgrades of clusters through an agent; there is none yet"),
    ("{slo_*,slo_report_observation_v2}", "objectives are measured from metrics; nothing measures them yet"),
    ("ml_get_*", "answers of a service that learns; there is none yet"),
    ("trigger_anomaly_execute", "metrics are judged after imports and when a rule changes, not for a call"),
    (
        "{aws_*,azure_eventgrid_onboard,validate_cloud_credentials}",
        "asks a cloud provider; accounts come with their bills here",
    ),
    (
        "cloud_accounts_{insert_one,delete}",
        "stores credentials of a cloud, which nothing uses yet; accounts are written through their table",
    ),
    (
        "{integrations_*,ticket_integration_create_config,tickets_get_*,ticket_get_comments,ticket_add_comment}",
        "asks a connected tracker; none can be connected yet",
    ),
    ("{notification_*,get_default_provider}", "asks a connected messenger; none can be connected yet"),
    (
        "config_{get,list,save,delete}",
        "keeps secrets under a key; secrets are settings here, and never read back",
    ),
    (
        "ai_generate_{es_dsl_query,loki_query,prometheus_query}",
        "needs a language model and a provider to ask",
    ),
    (
        "{ai_get_conversation_suggestions,ai_trigger_investigation,ai_submit_client_tool_call_response}",
        "needs a language model; see ai_generate_workflow",
    ),
    ("llm_rag_grouping_v2", "nothing is embedded yet"),
    ("recommendation_job_create", "starts a collector; recommendations come with imported files here"),
    ("workflow_trigger_task", "carries a single task out; only whole runs are carried out"),
    (
        "auto_runbook_{action_insert_one,action_delete_one,custom_action_update,publish_action}",
        "actions of playbooks come with the service and are nobody's to write",
    ),
    (
        "auth_*_group_roles_upsert_one",
        "roles come from people and from groups of the identity provider; roles of own groups would count nowhere",
    ),
    (
        "{tenant_insert_one,tenant_list_all}",
        "tenants belong to who runs the service, not to a person of one of them",
    ),
    (
        "{users_by_tenant_v2,admin_get_user_tenant_roles_v2}",
        "people and roles are read with `tenant_users { user { user_roles } }`, as the contract has it",
    ),
    (
        "resource_groupings_v2",
        "adds charges and recommendations of a resource in one row, which counts each as often as there are others; see cloud_resources_v2",
    ),
    ("check_license", "there is no license to check"),
];
