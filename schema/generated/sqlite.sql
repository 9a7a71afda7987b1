CREATE TABLE "agent" (
  "id" BLOB NOT NULL,
  "tenant" BLOB NOT NULL,
  "cloud_account_id" BLOB NOT NULL,
  "access_key" TEXT,
  "access_secret" TEXT,
  "access_secret_v2" TEXT,
  "connection_status" TEXT,
  "k8s_provider" TEXT,
  "k8s_version" TEXT,
  "last_connected_at" INTEGER,
  "last_synced_at" INTEGER,
  "status" TEXT NOT NULL,
  "status_message" TEXT,
  "type" TEXT,
  "version" TEXT,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant") REFERENCES "tenant" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("cloud_account_id") REFERENCES "cloud_accounts" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "agent_access_key" ON "agent" ("access_key");

CREATE UNIQUE INDEX "agent_tenant_account_type" ON "agent" ("tenant", "cloud_account_id", "type");

CREATE TABLE "agent_audit_log" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB,
  "cloud_account_id" BLOB,
  "agent_id" BLOB,
  "client_ip" TEXT NOT NULL,
  "headers" TEXT NOT NULL,
  "method" TEXT,
  "status_code" INTEGER NOT NULL,
  "time_taken" INTEGER,
  "url" TEXT NOT NULL,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  PRIMARY KEY ("id")
) STRICT;

CREATE INDEX "agent_audit_log_tenant_id_created_at_index" ON "agent_audit_log" ("tenant_id", "created_at");

CREATE TABLE "agent_playbook" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB,
  "cloud_account_id" BLOB,
  "action_params" TEXT,
  "alert_name" TEXT,
  "processor" TEXT DEFAULT 'nb_agent',
  "source" TEXT DEFAULT 'agent',
  "trigger_params" TEXT,
  "created_at" INTEGER,
  "updated_at" INTEGER,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("processor") REFERENCES "agent_playbook_processor" ("value") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("source") REFERENCES "agent_playbook_source" ("value") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "agent_playbook_tenant_id_cloud_account_id_alert_name_key" ON "agent_playbook" ("tenant_id", "cloud_account_id", "alert_name");

CREATE TABLE "agent_playbook_action" (
  "name" TEXT NOT NULL,
  "action_name" TEXT,
  "category" TEXT DEFAULT 'All',
  "description" TEXT,
  "display_name" TEXT NOT NULL,
  "execution_mode" TEXT,
  "params" TEXT,
  "source" TEXT DEFAULT 'prometheus',
  PRIMARY KEY ("name")
) STRICT;

CREATE TABLE "agent_playbook_processor" (
  "name" TEXT NOT NULL,
  "value" TEXT NOT NULL,
  PRIMARY KEY ("name")
) STRICT;

CREATE UNIQUE INDEX "agent_playbook_processor_value_key" ON "agent_playbook_processor" ("value");

CREATE TABLE "agent_playbook_source" (
  "value" TEXT NOT NULL,
  PRIMARY KEY ("value")
) STRICT;

CREATE TABLE "agent_playbook_trigger" (
  "name" TEXT NOT NULL,
  "params" TEXT,
  PRIMARY KEY ("name")
) STRICT;

CREATE TABLE "agent_task" (
  "id" BLOB NOT NULL,
  "tenant" BLOB NOT NULL,
  "cloud_account_id" BLOB NOT NULL,
  "action" TEXT NOT NULL,
  "agent_id" BLOB,
  "payload" TEXT NOT NULL,
  "resoruce_id" BLOB,
  "response" TEXT,
  "source" TEXT,
  "source_id" BLOB,
  "status" TEXT,
  "created_at" INTEGER NOT NULL,
  "created_by" BLOB,
  "updated_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("cloud_account_id") REFERENCES "cloud_accounts" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("agent_id") REFERENCES "agent" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "agent_task_tenant_created_at_index" ON "agent_task" ("tenant", "created_at");

CREATE TABLE "allocation_rule" (
  "id" BLOB NOT NULL,
  "tenant" BLOB NOT NULL,
  "name" TEXT NOT NULL,
  "position" INTEGER NOT NULL DEFAULT 1,
  "scope" TEXT NOT NULL,
  "method" TEXT NOT NULL DEFAULT 'even',
  "target" TEXT NOT NULL DEFAULT 'tags.team',
  "shares" TEXT NOT NULL DEFAULT '{}',
  "basis" TEXT NOT NULL DEFAULT '{}',
  "number_name" TEXT,
  "is_active" INTEGER NOT NULL DEFAULT 1 CHECK ("is_active" IN (0, 1)),
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "allocation_rule_tenant_name_key" ON "allocation_rule" ("tenant", "name");

CREATE TABLE "allocated_cost" (
  "id" BLOB NOT NULL,
  "tenant" BLOB NOT NULL,
  "rule_id" BLOB NOT NULL,
  "date" INTEGER NOT NULL,
  "currency" TEXT NOT NULL DEFAULT '',
  "target" TEXT NOT NULL DEFAULT '',
  "source_amount" TEXT COLLATE DECIMAL NOT NULL,
  "weight" TEXT COLLATE DECIMAL NOT NULL,
  "weight_total" TEXT COLLATE DECIMAL NOT NULL,
  "amount" TEXT COLLATE DECIMAL NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("rule_id") REFERENCES "allocation_rule" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "allocated_cost_rule_day_target_key" ON "allocated_cost" ("rule_id", "date", "currency", "target");

CREATE INDEX "allocated_cost_tenant_date_index" ON "allocated_cost" ("tenant", "date");

CREATE TABLE "business_number" (
  "id" BLOB NOT NULL,
  "tenant" BLOB NOT NULL,
  "name" TEXT NOT NULL,
  "group" TEXT NOT NULL DEFAULT '',
  "date" INTEGER NOT NULL,
  "value" TEXT COLLATE DECIMAL NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "business_number_name_group_date_key" ON "business_number" ("tenant", "name", "group", "date");

CREATE INDEX "business_number_tenant_name_date_index" ON "business_number" ("tenant", "name", "date");

CREATE TABLE "virtual_tag" (
  "id" BLOB NOT NULL,
  "tenant" BLOB NOT NULL,
  "key" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "rules" TEXT NOT NULL DEFAULT '[]',
  "other_value" TEXT,
  "position" INTEGER NOT NULL DEFAULT 1,
  "is_active" INTEGER NOT NULL DEFAULT 1 CHECK ("is_active" IN (0, 1)),
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "virtual_tag_tenant_key_key" ON "virtual_tag" ("tenant", "key");

CREATE TABLE "virtual_tag_key" (
  "id" BLOB NOT NULL,
  "tenant" BLOB NOT NULL,
  "key" TEXT NOT NULL,
  "written" TEXT NOT NULL,
  "version" BLOB,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "virtual_tag_key_tenant_key_key" ON "virtual_tag_key" ("tenant", "key");

CREATE TABLE "anomaly" (
  "id" BLOB NOT NULL,
  "tenant" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "anomaly_type" TEXT NOT NULL,
  "config_id" BLOB,
  "current_value" TEXT COLLATE DECIMAL NOT NULL,
  "evaluated_at" INTEGER NOT NULL,
  "is_anomaly" INTEGER NOT NULL CHECK ("is_anomaly" IN (0, 1)),
  "name" TEXT NOT NULL,
  "namespace" TEXT,
  "pod_name" TEXT,
  "reference_value" TEXT NOT NULL,
  "training_end_time" INTEGER,
  "scope" TEXT,
  "currency" TEXT,
  "started_on" INTEGER,
  "ended_on" INTEGER,
  "state" TEXT,
  "impact" TEXT COLLATE DECIMAL,
  "rule_version" TEXT,
  "feedback" TEXT,
  "import_id" BLOB,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("import_id") REFERENCES "imports" ("id") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "anomaly_import_id_index" ON "anomaly" ("import_id");

CREATE INDEX "anomaly_tenant_account_id_evaluated_at_index" ON "anomaly" ("tenant", "account_id", "evaluated_at");

CREATE INDEX "anomaly_list_evaluated_at" ON "anomaly" ("tenant", "evaluated_at", "account_id", "anomaly_type", "state");

CREATE TABLE "anomaly_feedback" (
  "id" BLOB NOT NULL,
  "tenant" BLOB NOT NULL,
  "anomaly_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "scope" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "currency" TEXT NOT NULL,
  "started_on" INTEGER NOT NULL,
  "verdict" TEXT NOT NULL,
  "expected_until" INTEGER,
  "note" TEXT,
  "created_at" INTEGER NOT NULL,
  "created_by" BLOB NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("created_by") REFERENCES "users" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "anomaly_feedback_tenant_anomaly_id_index" ON "anomaly_feedback" ("tenant", "anomaly_id");

CREATE TABLE "anomaly_change_operator" (
  "value" TEXT NOT NULL,
  "comment" TEXT,
  PRIMARY KEY ("value")
) STRICT;

CREATE TABLE "anomaly_config" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "cloud_account_id" BLOB NOT NULL,
  "anomaly_type" TEXT NOT NULL,
  "buffer_percentage" TEXT COLLATE DECIMAL NOT NULL DEFAULT '20',
  "change_operator" TEXT NOT NULL,
  "reference_period" TEXT NOT NULL DEFAULT '1w',
  "reference_unit" TEXT NOT NULL DEFAULT 'P99',
  "type" TEXT NOT NULL DEFAULT 'Metric',
  "enabled" INTEGER NOT NULL DEFAULT 1 CHECK ("enabled" IN (0, 1)),
  "created_at" INTEGER NOT NULL,
  "created_by" BLOB NOT NULL,
  "updated_at" INTEGER NOT NULL,
  "updated_by" BLOB NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("anomaly_type") REFERENCES "anomaly_type" ("value") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("change_operator") REFERENCES "anomaly_change_operator" ("value") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("type") REFERENCES "anomaly_config_type" ("value") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE "anomaly_config_type" (
  "value" TEXT NOT NULL,
  "comment" TEXT,
  PRIMARY KEY ("value")
) STRICT;

CREATE TABLE "anomaly_type" (
  "value" TEXT NOT NULL,
  "comment" TEXT,
  PRIMARY KEY ("value")
) STRICT;

CREATE TABLE "llm_agent" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "name" TEXT COLLATE NOCASE NOT NULL,
  "description" TEXT NOT NULL,
  "config" TEXT,
  "status" TEXT NOT NULL DEFAULT 'enabled',
  "executor_type" TEXT NOT NULL DEFAULT 'custom',
  "system_prompt" TEXT NOT NULL,
  "system_prompt_variables" TEXT DEFAULT '[]',
  "tools" TEXT DEFAULT '[]',
  "created_at" INTEGER NOT NULL,
  "created_by" BLOB,
  "updated_at" INTEGER NOT NULL,
  "updated_by" BLOB,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "llm_agent_account_id_name_key" ON "llm_agent" ("account_id", "name");

CREATE TABLE "llm_agent_extension" (
  "agent_id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "prompt" TEXT,
  "tools" TEXT DEFAULT '[]',
  "created_at" INTEGER NOT NULL,
  "created_by" BLOB,
  "updated_at" INTEGER NOT NULL,
  "updated_by" BLOB,
  PRIMARY KEY ("agent_id"),
  FOREIGN KEY ("agent_id") REFERENCES "llm_agent" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE "llm_tool" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "name" TEXT COLLATE NOCASE NOT NULL,
  "description" TEXT NOT NULL,
  "config" TEXT,
  "executor_type" TEXT NOT NULL,
  "runbook_action_id" TEXT,
  "schema" TEXT,
  "status" TEXT NOT NULL DEFAULT 'enabled',
  "created_at" INTEGER NOT NULL,
  "created_by" BLOB,
  "updated_at" INTEGER NOT NULL,
  "updated_by" BLOB,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "llm_tool_account_id_name_key" ON "llm_tool" ("account_id", "name");

CREATE TABLE "llm_function" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "name" TEXT COLLATE NOCASE NOT NULL,
  "description" TEXT NOT NULL,
  "prompt" TEXT NOT NULL,
  "status" TEXT NOT NULL DEFAULT 'enabled',
  "variables" TEXT DEFAULT '[]',
  "variable_defaults" TEXT,
  "version" INTEGER NOT NULL DEFAULT 1,
  "created_at" INTEGER NOT NULL,
  "created_by" BLOB,
  "updated_at" INTEGER NOT NULL,
  "updated_by" BLOB,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "llm_function_account_id_name_key" ON "llm_function" ("account_id", "name");

CREATE TABLE "llm_usage" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "conversation_id" BLOB,
  "message_id" BLOB,
  "source" TEXT NOT NULL,
  "provider" TEXT NOT NULL,
  "model" TEXT NOT NULL,
  "input_tokens" INTEGER NOT NULL DEFAULT 0,
  "cached_input_tokens" INTEGER NOT NULL DEFAULT 0,
  "cache_creation_tokens" INTEGER NOT NULL DEFAULT 0,
  "output_tokens" INTEGER NOT NULL DEFAULT 0,
  "thinking_tokens" INTEGER NOT NULL DEFAULT 0,
  "cache_token_hours" INTEGER NOT NULL DEFAULT 0,
  "created_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "llm_usage_tenant_id_created_at_index" ON "llm_usage" ("tenant_id", "created_at");

CREATE INDEX "llm_usage_conversation_id_index" ON "llm_usage" ("conversation_id");

CREATE TABLE "llm_price" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "provider" TEXT NOT NULL,
  "model" TEXT NOT NULL,
  "input" TEXT COLLATE DECIMAL NOT NULL,
  "cached_input" TEXT COLLATE DECIMAL,
  "cache_creation" TEXT COLLATE DECIMAL,
  "output" TEXT COLLATE DECIMAL NOT NULL,
  "context_threshold" INTEGER,
  "above_input" TEXT COLLATE DECIMAL,
  "above_cached_input" TEXT COLLATE DECIMAL,
  "above_cache_creation" TEXT COLLATE DECIMAL,
  "above_output" TEXT COLLATE DECIMAL,
  "cache_storage_per_hour" TEXT COLLATE DECIMAL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "llm_price_tenant_id_provider_model_key" ON "llm_price" ("tenant_id", "provider", "model");

CREATE TABLE "llm_budget" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "entity_type" TEXT NOT NULL,
  "entity_id" BLOB NOT NULL,
  "module" TEXT NOT NULL,
  "budget_disabled" INTEGER NOT NULL DEFAULT 0 CHECK ("budget_disabled" IN (0, 1)),
  "monthly_cost_limit" TEXT COLLATE DECIMAL,
  "monthly_cost_enabled" INTEGER NOT NULL DEFAULT 1 CHECK ("monthly_cost_enabled" IN (0, 1)),
  "monthly_count_limit" INTEGER,
  "monthly_count_enabled" INTEGER NOT NULL DEFAULT 1 CHECK ("monthly_count_enabled" IN (0, 1)),
  "daily_cost_limit" TEXT COLLATE DECIMAL,
  "daily_cost_enabled" INTEGER NOT NULL DEFAULT 1 CHECK ("daily_cost_enabled" IN (0, 1)),
  "daily_count_limit" INTEGER,
  "daily_count_enabled" INTEGER NOT NULL DEFAULT 1 CHECK ("daily_count_enabled" IN (0, 1)),
  "created_at" INTEGER NOT NULL,
  "created_by" BLOB,
  "updated_at" INTEGER NOT NULL,
  "updated_by" BLOB,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "llm_budget_entity_key" ON "llm_budget" ("tenant_id", "entity_type", "entity_id", "module");

CREATE TABLE "llm_ledger" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "user_id" BLOB,
  "conversation_id" BLOB,
  "message_id" BLOB,
  "provider" TEXT NOT NULL,
  "model" TEXT NOT NULL,
  "host" TEXT NOT NULL,
  "left_machine" INTEGER NOT NULL CHECK ("left_machine" IN (0, 1)),
  "size_bytes" INTEGER NOT NULL,
  "replaced_names" INTEGER NOT NULL,
  "status" TEXT NOT NULL,
  "status_reason" TEXT,
  "sent_at" INTEGER NOT NULL,
  "input_tokens" INTEGER,
  "output_tokens" INTEGER,
  "cost" TEXT COLLATE DECIMAL,
  "payload" TEXT NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "llm_ledger_account_id_sent_at_index" ON "llm_ledger" ("account_id", "sent_at");

CREATE INDEX "llm_ledger_conversation_id_index" ON "llm_ledger" ("conversation_id");

CREATE INDEX "llm_ledger_sent_at_index" ON "llm_ledger" ("sent_at");

CREATE TABLE "llm_alias" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "kind" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "token" TEXT NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "llm_alias_tenant_id_name_key" ON "llm_alias" ("tenant_id", "name");

CREATE TABLE "auto_optimize_resource_map" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "auto_optimize_id" BLOB NOT NULL,
  "auto_optimize_type" TEXT NOT NULL,
  "resource_identifier" TEXT NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("auto_optimize_id") REFERENCES "auto_pilot" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "auto_optimize_resource_map_auto_optimize_id_index" ON "auto_optimize_resource_map" ("auto_optimize_id");

CREATE TABLE "auto_pilot" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "attributes" TEXT NOT NULL DEFAULT '{}',
  "category" TEXT NOT NULL,
  "end_at" INTEGER,
  "execution_status" TEXT,
  "last_executed_time" INTEGER,
  "last_schedule_time" INTEGER,
  "name" TEXT NOT NULL,
  "next_schedule_time" INTEGER,
  "notification" TEXT,
  "rule" TEXT NOT NULL,
  "schedule_time" TEXT,
  "source" TEXT,
  "start_at" INTEGER NOT NULL,
  "status" TEXT NOT NULL DEFAULT 'Active',
  "description" TEXT,
  "trigger_type" TEXT,
  "created_by" BLOB NOT NULL,
  "creation_date" INTEGER NOT NULL,
  "update_date" INTEGER NOT NULL,
  "update_by" BLOB,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("execution_status") REFERENCES "auto_pilot_execution_status" ("value") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("status") REFERENCES "auto_pilot_status" ("value") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("created_by") REFERENCES "users" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("update_by") REFERENCES "users" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE "auto_pilot_approval_policy" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "policy_attributes" TEXT NOT NULL DEFAULT '{}',
  "approval_type" TEXT,
  "status" TEXT,
  "created_at" INTEGER NOT NULL,
  "created_by" BLOB NOT NULL,
  "updated_at" INTEGER,
  "updated_by" BLOB,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("created_by") REFERENCES "users" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("updated_by") REFERENCES "users" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "auto_pilot_approval_policy_tenant_id_account_id_key" ON "auto_pilot_approval_policy" ("tenant_id", "account_id");

CREATE TABLE "auto_pilot_approval_status" (
  "status" TEXT NOT NULL,
  "description" TEXT,
  PRIMARY KEY ("status")
) STRICT;

CREATE TABLE "auto_pilot_approvals" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "attributes" TEXT NOT NULL,
  "auto_pilot_type" TEXT NOT NULL,
  "autopilot_id" BLOB NOT NULL,
  "policy_id" BLOB NOT NULL,
  "reviewer_comments" TEXT,
  "reviewer_id" BLOB NOT NULL,
  "status" TEXT NOT NULL,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("policy_id") REFERENCES "auto_pilot_approval_policy" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("reviewer_id") REFERENCES "users" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("status") REFERENCES "auto_pilot_approval_status" ("status") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "auto_pilot_approvals_autopilot_id_reviewer_id_account_id_tenant" ON "auto_pilot_approvals" ("autopilot_id", "reviewer_id", "account_id", "tenant_id");

CREATE TABLE "auto_pilot_category" (
  "value" TEXT NOT NULL,
  "description" TEXT NOT NULL,
  PRIMARY KEY ("value")
) STRICT;

CREATE TABLE "auto_pilot_execution_status" (
  "value" TEXT NOT NULL,
  "description" TEXT NOT NULL,
  PRIMARY KEY ("value")
) STRICT;

CREATE TABLE "auto_pilot_reviewee" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "policy_id" BLOB NOT NULL,
  "user_id" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("policy_id") REFERENCES "auto_pilot_approval_policy" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "auto_pilot_reviewee_policy_id_user_id_key" ON "auto_pilot_reviewee" ("policy_id", "user_id");

CREATE TABLE "auto_pilot_reviewers" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "policy_id" BLOB NOT NULL,
  "user_id" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("policy_id") REFERENCES "auto_pilot_approval_policy" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "auto_pilot_reviewers_policy_id_user_id_key" ON "auto_pilot_reviewers" ("policy_id", "user_id");

CREATE TABLE "auto_pilot_status" (
  "value" TEXT NOT NULL,
  "description" TEXT NOT NULL,
  PRIMARY KEY ("value")
) STRICT;

CREATE TABLE "auto_pilot_task" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "attributes" TEXT NOT NULL DEFAULT '{}',
  "auto_pilot_id" BLOB NOT NULL,
  "command" TEXT,
  "error" TEXT,
  "meta" TEXT NOT NULL DEFAULT '{}',
  "name" TEXT NOT NULL,
  "reason" TEXT,
  "recommendation_id" BLOB,
  "resource_filter" TEXT DEFAULT '{}',
  "scheduled_time" INTEGER NOT NULL,
  "skipped_by" BLOB,
  "status" TEXT NOT NULL DEFAULT 'Scheduled',
  "task_id" BLOB,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("auto_pilot_id") REFERENCES "auto_pilot" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("status") REFERENCES "auto_pilot_task_status" ("value") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "scheduled_task_task_id_schedule_id_key" ON "auto_pilot_task" ("task_id", "auto_pilot_id");

CREATE INDEX "auto_pilot_task_tenant_id_scheduled_time_index" ON "auto_pilot_task" ("tenant_id", "scheduled_time");

CREATE TABLE "auto_pilot_task_status" (
  "value" TEXT NOT NULL,
  "description" TEXT,
  PRIMARY KEY ("value")
) STRICT;

CREATE TABLE "auto_playbook" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "attributes" TEXT NOT NULL DEFAULT '{}',
  "end_at" INTEGER,
  "execution_status" TEXT NOT NULL,
  "last_executed_time" INTEGER,
  "last_schedule_time" INTEGER,
  "name" TEXT NOT NULL,
  "notification" TEXT NOT NULL DEFAULT '{}',
  "resource_filter" TEXT NOT NULL DEFAULT '{}',
  "start_at" INTEGER NOT NULL,
  "status" TEXT NOT NULL,
  "tasks" TEXT NOT NULL DEFAULT '[]',
  "trigger" TEXT NOT NULL DEFAULT '{}',
  "created_at" INTEGER NOT NULL,
  "created_by" BLOB,
  "update_at" INTEGER NOT NULL,
  "updated_by" BLOB,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("status") REFERENCES "auto_playbook_status" ("value") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("created_by") REFERENCES "users" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("updated_by") REFERENCES "users" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "auto_playbook_tenant_id_account_id_name_key" ON "auto_playbook" ("tenant_id", "account_id", "name");

CREATE TABLE "auto_playbook_actions" (
  "id" BLOB NOT NULL,
  "Source" TEXT NOT NULL,
  "category" TEXT NOT NULL,
  "config" TEXT NOT NULL DEFAULT '{}',
  "description" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  PRIMARY KEY ("id")
) STRICT;

CREATE UNIQUE INDEX "auto_playbook_actions_name_key" ON "auto_playbook_actions" ("name");

CREATE TABLE "auto_playbook_execution_status" (
  "values" TEXT NOT NULL,
  "description" TEXT NOT NULL,
  PRIMARY KEY ("values")
) STRICT;

CREATE TABLE "auto_playbook_executions" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "attribute" TEXT NOT NULL DEFAULT '{}',
  "auto_playbook_id" BLOB NOT NULL,
  "meta" TEXT DEFAULT '{}',
  "scheduled_at" INTEGER NOT NULL,
  "skipped_by" BLOB,
  "status" TEXT NOT NULL DEFAULT 'in_progress',
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("auto_playbook_id") REFERENCES "auto_playbook" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("skipped_by") REFERENCES "users" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "auto_playbook_executions_auto_playbook_id_index" ON "auto_playbook_executions" ("auto_playbook_id");

CREATE TABLE "auto_playbook_status" (
  "value" TEXT NOT NULL,
  "description" TEXT NOT NULL,
  PRIMARY KEY ("value")
) STRICT;

CREATE TABLE "auto_playbook_task" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "action_id" BLOB,
  "action_type" TEXT NOT NULL DEFAULT 'agent_task',
  "attributes" TEXT NOT NULL DEFAULT '{}',
  "auto_playbook_id" BLOB NOT NULL,
  "error" TEXT,
  "execution_id" BLOB,
  "meta_data" TEXT NOT NULL DEFAULT '{}',
  "name" TEXT NOT NULL,
  "reason" TEXT,
  "resource" TEXT DEFAULT '{}',
  "result" TEXT,
  "scheduled_time" INTEGER NOT NULL,
  "status" TEXT NOT NULL,
  "task_type" TEXT NOT NULL,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("auto_playbook_id") REFERENCES "auto_playbook" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("execution_id") REFERENCES "auto_playbook_executions" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("status") REFERENCES "auto_playbook_task_status" ("value") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "auto_playbook_task_auto_playbook_id_index" ON "auto_playbook_task" ("auto_playbook_id");

CREATE INDEX "auto_playbook_task_execution_id_index" ON "auto_playbook_task" ("execution_id");

CREATE TABLE "auto_playbook_task_status" (
  "value" TEXT NOT NULL,
  "description" TEXT,
  PRIMARY KEY ("value")
) STRICT;

CREATE TABLE "autopilot_attributes" (
  "id" BLOB NOT NULL,
  "key" TEXT NOT NULL,
  "value" TEXT NOT NULL,
  PRIMARY KEY ("id")
) STRICT;

CREATE UNIQUE INDEX "autopilot_attributes_key_key" ON "autopilot_attributes" ("key");

CREATE TABLE "runbook_task_output" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "output" BLOB NOT NULL,
  "runbook_id" BLOB NOT NULL,
  "task_id" BLOB NOT NULL,
  PRIMARY KEY ("id")
) STRICT;

CREATE TABLE "tickets" (
  "id" BLOB NOT NULL,
  "tenant" BLOB NOT NULL,
  "account_id" BLOB,
  "assignee" TEXT,
  "description" TEXT,
  "error_message" TEXT,
  "integration_id" BLOB NOT NULL,
  "is_new" INTEGER DEFAULT 0 CHECK ("is_new" IN (0, 1)),
  "platform" TEXT NOT NULL,
  "project_key" TEXT NOT NULL DEFAULT 'DESK',
  "reference_id" TEXT NOT NULL,
  "reporter" TEXT,
  "severity" TEXT,
  "source" TEXT,
  "status" TEXT,
  "tags" TEXT,
  "ticket_id" TEXT NOT NULL,
  "ticket_type" TEXT NOT NULL,
  "title" TEXT NOT NULL,
  "url" TEXT,
  "created_at" INTEGER NOT NULL,
  "created_by" BLOB,
  "updated_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant") REFERENCES "tenant" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "tickets_tenant_created_at_index" ON "tickets" ("tenant", "created_at");

CREATE TABLE "ticket_sending" (
  "ticket" BLOB NOT NULL,
  "tenant" BLOB NOT NULL,
  "integration" BLOB NOT NULL,
  "tries" INTEGER NOT NULL DEFAULT 0,
  "due_at" INTEGER NOT NULL,
  "claim" BLOB,
  "opened_at" INTEGER NOT NULL,
  PRIMARY KEY ("ticket"),
  FOREIGN KEY ("ticket") REFERENCES "tickets" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("tenant") REFERENCES "tenant" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "ticket_sending_due_at_index" ON "ticket_sending" ("due_at");

CREATE TABLE "jira_configurations" (
  "id" BLOB NOT NULL,
  "tenant" BLOB NOT NULL,
  "auth_type" TEXT NOT NULL,
  "is_active" INTEGER NOT NULL DEFAULT 1 CHECK ("is_active" IN (0, 1)),
  "last_connected" INTEGER,
  "name" TEXT NOT NULL,
  "password" TEXT NOT NULL,
  "priorities" TEXT,
  "projects" TEXT,
  "status" TEXT,
  "tool" TEXT NOT NULL,
  "url" TEXT NOT NULL,
  "username" TEXT NOT NULL,
  "users" TEXT,
  "created_at" INTEGER NOT NULL,
  "created_by" BLOB NOT NULL,
  "updated_at" INTEGER NOT NULL,
  "updated_by" BLOB,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant") REFERENCES "tenant" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE "budget" (
  "id" BLOB NOT NULL,
  "tenant" BLOB NOT NULL,
  "name" TEXT NOT NULL,
  "scope" TEXT NOT NULL DEFAULT '{}',
  "amount" TEXT COLLATE DECIMAL NOT NULL,
  "currency" TEXT NOT NULL DEFAULT 'USD',
  "period" TEXT NOT NULL DEFAULT 'month',
  "thresholds" TEXT NOT NULL DEFAULT '[50,80,100]',
  "owner" BLOB,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("period") REFERENCES "budget_period_type" ("value") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("owner") REFERENCES "users" ("id") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "budget_tenant_name_key" ON "budget" ("tenant", "name");

CREATE TABLE "budget_period_type" (
  "value" TEXT NOT NULL,
  "description" TEXT NOT NULL,
  PRIMARY KEY ("value")
) STRICT;

CREATE TABLE "active_resources" (
  "tenant_id" BLOB NOT NULL,
  "cloud_account_id" BLOB NOT NULL,
  "external_resource_id" TEXT NOT NULL,
  "resource_type" TEXT NOT NULL,
  "resourse_id" TEXT NOT NULL,
  "updated_at" INTEGER NOT NULL,
  PRIMARY KEY ("tenant_id", "cloud_account_id", "external_resource_id", "resource_type")
) STRICT;

CREATE TABLE "cloud_account_attrs" (
  "id" BLOB NOT NULL,
  "cloud_account_id" BLOB NOT NULL,
  "name" TEXT NOT NULL,
  "value" TEXT,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("cloud_account_id") REFERENCES "cloud_accounts" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "cloud_account_attrs_cloud_account_id_name_key" ON "cloud_account_attrs" ("cloud_account_id", "name");

CREATE TABLE "cloud_account_onboarding_errors" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_name" TEXT NOT NULL,
  "config" TEXT NOT NULL,
  "error_message" TEXT,
  "created_at" INTEGER NOT NULL,
  "created_by" BLOB NOT NULL,
  PRIMARY KEY ("id")
) STRICT;

CREATE TABLE "cloud_account_score" (
  "id" BLOB NOT NULL,
  "tenant" BLOB NOT NULL,
  "cloud_account_id" BLOB NOT NULL,
  "description" TEXT,
  "score" INTEGER NOT NULL DEFAULT 0,
  "source" TEXT,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("cloud_account_id") REFERENCES "cloud_accounts" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "cloud_account_score_tenant_cloud_account_id_source_key" ON "cloud_account_score" ("tenant", "cloud_account_id", "source");

CREATE TABLE "cloud_account_status_type" (
  "value" TEXT NOT NULL,
  "decription" TEXT NOT NULL,
  PRIMARY KEY ("value")
) STRICT;

CREATE TABLE "cloud_account_sync_status_type" (
  "value" TEXT NOT NULL,
  PRIMARY KEY ("value")
) STRICT;

CREATE TABLE "cloud_accounts" (
  "id" BLOB NOT NULL,
  "tenant" BLOB,
  "access_key" TEXT,
  "access_secret" TEXT,
  "access_secret_v2" TEXT,
  "account_access" TEXT,
  "account_env" TEXT NOT NULL DEFAULT 'non_prod',
  "account_name" TEXT NOT NULL,
  "account_number" TEXT,
  "account_purpose" TEXT,
  "account_type" TEXT NOT NULL,
  "account_url" TEXT,
  "agent_access_key" TEXT,
  "agent_access_secret" TEXT,
  "agent_synced_at" INTEGER,
  "assume_role" TEXT,
  "billing_source" TEXT,
  "budget" TEXT COLLATE DECIMAL DEFAULT '0',
  "cloud_provider" TEXT,
  "data" TEXT,
  "etl_attempt" INTEGER NOT NULL DEFAULT 0,
  "external_id" TEXT,
  "parent_account_id" BLOB,
  "region" TEXT,
  "start_date" INTEGER,
  "status" TEXT NOT NULL DEFAULT 'active',
  "sync_status" TEXT,
  "sync_status_message" TEXT,
  "synced_at" INTEGER,
  "created_at" INTEGER NOT NULL,
  "created_by" BLOB NOT NULL,
  "updated_at" INTEGER NOT NULL,
  "updated_by" BLOB NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("cloud_provider") REFERENCES "cloud_provider_type" ("value") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("status") REFERENCES "cloud_account_status_type" ("value") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("sync_status") REFERENCES "cloud_account_sync_status_type" ("value") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("created_by") REFERENCES "users" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("updated_by") REFERENCES "users" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "cloud_accounts_tenant_account_name_key" ON "cloud_accounts" ("tenant", "account_name");

CREATE TABLE "cloud_api_permission_errors" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "cloud_account_id" BLOB NOT NULL,
  "account_number" TEXT NOT NULL,
  "api_operation" TEXT NOT NULL,
  "cloud_provider" TEXT NOT NULL,
  "error_code" TEXT NOT NULL,
  "error_message" TEXT,
  "first_seen_at" INTEGER NOT NULL,
  "is_resolved" INTEGER NOT NULL DEFAULT 0 CHECK ("is_resolved" IN (0, 1)),
  "last_seen_at" INTEGER NOT NULL,
  "occurrence_count" INTEGER NOT NULL DEFAULT 1,
  "region" TEXT NOT NULL DEFAULT '',
  "resolved_at" INTEGER,
  "service_name" TEXT NOT NULL,
  "wrapper_method" TEXT NOT NULL DEFAULT '',
  PRIMARY KEY ("id")
) STRICT;

CREATE UNIQUE INDEX "cloud_api_permission_errors_tenant_id_cloud_account_id_serv_key" ON "cloud_api_permission_errors" ("tenant_id", "cloud_account_id", "service_name", "api_operation", "error_code", "region");

CREATE TABLE "cloud_provider_type" (
  "value" TEXT NOT NULL,
  "comment" TEXT NOT NULL,
  PRIMARY KEY ("value")
) STRICT;

CREATE TABLE "cloud_resource_attributes" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "labels" TEXT DEFAULT '{}',
  "last_seen_at" INTEGER,
  "name" TEXT NOT NULL,
  "resource_id" BLOB NOT NULL,
  "value" TEXT,
  "created_at" INTEGER,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("resource_id") REFERENCES "cloud_resourses" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "cloudresourceattributes_resourceid_source" ON "cloud_resource_attributes" ("resource_id", "name");

CREATE TABLE "cloud_resource_details" (
  "id" BLOB NOT NULL,
  "architecture" TEXT,
  "attributes" TEXT,
  "cloud_provider" TEXT NOT NULL,
  "current_generation" INTEGER DEFAULT 1 CHECK ("current_generation" IN (0, 1)),
  "database_engine" TEXT NOT NULL DEFAULT '',
  "deployment_option" TEXT NOT NULL DEFAULT '',
  "gpu_count" INTEGER DEFAULT 0,
  "network_performance" TEXT,
  "operating_system" TEXT,
  "price_unit" TEXT NOT NULL DEFAULT 'hourly',
  "pricing_model" TEXT NOT NULL DEFAULT 'on_demand',
  "resource_capacity" TEXT NOT NULL DEFAULT '{}',
  "resource_cost" TEXT COLLATE DECIMAL NOT NULL DEFAULT '0',
  "resource_region" TEXT,
  "resource_type" TEXT NOT NULL,
  "service_name" TEXT NOT NULL,
  "service_type" TEXT NOT NULL,
  "spot_pricing" TEXT,
  "storage_type" TEXT,
  "tenancy" TEXT,
  "created_at" INTEGER,
  "updated_at" INTEGER,
  PRIMARY KEY ("id")
) STRICT;

CREATE UNIQUE INDEX "cloud_resource_details_unique_key" ON "cloud_resource_details" ("cloud_provider", "service_name", "service_type", "resource_type", "resource_region", "pricing_model", "database_engine", "deployment_option");

CREATE TABLE "cloud_resource_metrics" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB,
  "cloud_account_id" BLOB,
  "cloud_resource_id" BLOB NOT NULL,
  "metric" TEXT NOT NULL,
  "metric_type" TEXT NOT NULL,
  "tags" TEXT NOT NULL,
  "timestamp" INTEGER NOT NULL,
  "value" REAL NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("cloud_account_id") REFERENCES "cloud_accounts" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("cloud_resource_id") REFERENCES "cloud_resourses" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "cloud_resource_metrics_cloud_resource_id_metric_timestamp_key" ON "cloud_resource_metrics" ("cloud_resource_id", "metric", "timestamp");

CREATE INDEX "cloud_resource_metrics_tenant_id_cloud_account_id_timestamp_index" ON "cloud_resource_metrics" ("tenant_id", "cloud_account_id", "timestamp");

CREATE TABLE "cloud_resource_status_type" (
  "value" TEXT NOT NULL,
  PRIMARY KEY ("value")
) STRICT;

CREATE TABLE "cloud_resourses" (
  "id" BLOB NOT NULL,
  "tenant" BLOB NOT NULL,
  "account" BLOB NOT NULL,
  "arn" TEXT,
  "cloud_provider" TEXT NOT NULL,
  "external_resource_id" TEXT,
  "first_seen" INTEGER,
  "is_active" INTEGER CHECK ("is_active" IN (0, 1)),
  "last_seen" INTEGER,
  "meta" TEXT,
  "name" TEXT,
  "region" TEXT NOT NULL,
  "resourse_created_on" INTEGER,
  "resourse_id" TEXT,
  "service_name" TEXT,
  "status" TEXT DEFAULT 'Active',
  "tags" TEXT,
  "type" TEXT,
  "created_at" INTEGER NOT NULL,
  "created_by" BLOB,
  "updated_at" INTEGER NOT NULL,
  "updated_by" BLOB,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account") REFERENCES "cloud_accounts" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("cloud_provider") REFERENCES "cloud_provider_type" ("value") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("status") REFERENCES "cloud_resource_status_type" ("value") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("created_by") REFERENCES "users" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("updated_by") REFERENCES "users" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "cloud_resourses_account_external_resource_id_key" ON "cloud_resourses" ("account", "external_resource_id");

CREATE UNIQUE INDEX "cloud_resourses_account_resourse_service_type_region_key" ON "cloud_resourses" ("account", "resourse_id", "type", "region", "service_name");

CREATE INDEX "cloud_resourses_tenant_service_name_index" ON "cloud_resourses" ("tenant", "service_name");

CREATE TABLE "dw_queries" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "bill" TEXT COLLATE DECIMAL NOT NULL DEFAULT '0',
  "bill_interval_from" INTEGER,
  "bill_interval_to" INTEGER,
  "bill_total_duration_micro" TEXT COLLATE DECIMAL,
  "bytes_scanned" TEXT COLLATE DECIMAL,
  "bytes_spilled_locally" TEXT COLLATE DECIMAL,
  "bytes_spilled_remotely" TEXT COLLATE DECIMAL,
  "database_name" TEXT,
  "db_username" TEXT NOT NULL,
  "partitions_scanned" TEXT COLLATE DECIMAL,
  "query_ended_at" INTEGER,
  "query_error_message" TEXT,
  "query_exec_duration_micro" TEXT COLLATE DECIMAL,
  "query_id" TEXT,
  "query_md5" TEXT,
  "query_normalized" TEXT,
  "query_normalized_md5" TEXT,
  "query_planning_duration_micro" TEXT COLLATE DECIMAL NOT NULL DEFAULT '0',
  "query_queue_duration_micro" INTEGER DEFAULT 0,
  "query_remote_ip" TEXT,
  "query_result_cache_hit" INTEGER DEFAULT 0 CHECK ("query_result_cache_hit" IN (0, 1)),
  "query_returned_bytes" TEXT COLLATE DECIMAL,
  "query_returned_rows" TEXT COLLATE DECIMAL DEFAULT '0',
  "query_session_id" TEXT,
  "query_started_at" INTEGER,
  "query_status" TEXT,
  "query_text" TEXT NOT NULL,
  "query_transaction_id" TEXT,
  "query_type" TEXT NOT NULL,
  "query_usage_limit" TEXT,
  "queue_overload_time" TEXT COLLATE DECIMAL,
  "queue_provision_time" TEXT COLLATE DECIMAL,
  "queue_repair_time" TEXT COLLATE DECIMAL,
  "resource_id" BLOB,
  "rpu" REAL NOT NULL DEFAULT 0.0,
  "table_names" TEXT,
  "tags" TEXT NOT NULL DEFAULT '{}',
  "transaction_block_time" TEXT COLLATE DECIMAL,
  "created_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "dw_queries_account_id_query_started_at_index" ON "dw_queries" ("account_id", "query_started_at");

CREATE TABLE "billing" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "amount_due" TEXT COLLATE DECIMAL NOT NULL DEFAULT '0',
  "last_billed_amount" TEXT COLLATE DECIMAL NOT NULL DEFAULT '0',
  "last_billed_date" INTEGER,
  "tier" TEXT,
  "total_paid" TEXT COLLATE DECIMAL NOT NULL DEFAULT '0',
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE "billing_usage_cost" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB,
  "billing_date" INTEGER NOT NULL,
  "cost_per_unit" TEXT COLLATE DECIMAL NOT NULL DEFAULT '0',
  "name" TEXT NOT NULL,
  "service_name" TEXT NOT NULL,
  "total_cost" TEXT COLLATE DECIMAL NOT NULL DEFAULT '0',
  "units" INTEGER NOT NULL,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "tenant_id_billing_date_service_name_name_account_id_index" ON "billing_usage_cost" ("tenant_id", "billing_date", "service_name", "name", "account_id");

CREATE TABLE "businessunit_funding" (
  "id" BLOB NOT NULL,
  "tenant" BLOB NOT NULL,
  "amount" TEXT COLLATE DECIMAL NOT NULL DEFAULT '0',
  "business_unit" BLOB NOT NULL,
  "end_date" INTEGER,
  "funding_source" BLOB NOT NULL,
  "planned_amount" TEXT COLLATE DECIMAL NOT NULL DEFAULT '0',
  "start_date" INTEGER,
  "created_at" INTEGER NOT NULL,
  "created_by" BLOB NOT NULL,
  "updated_at" INTEGER NOT NULL,
  "updated_by" BLOB NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant") REFERENCES "tenant" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("business_unit") REFERENCES "business_unit" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("funding_source") REFERENCES "funding_sources" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("created_by") REFERENCES "users" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("updated_by") REFERENCES "users" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "businessunit_funding_sources_funding_source_business_unit_t_key" ON "businessunit_funding" ("funding_source", "business_unit", "tenant");

CREATE TABLE "funding_sources" (
  "id" BLOB NOT NULL,
  "tenant" BLOB NOT NULL,
  "amount" TEXT COLLATE DECIMAL NOT NULL DEFAULT '0',
  "description" TEXT NOT NULL,
  "end_date" INTEGER NOT NULL,
  "name" TEXT COLLATE NOCASE NOT NULL,
  "owners" BLOB NOT NULL,
  "planned_amount" TEXT COLLATE DECIMAL DEFAULT '0',
  "start_date" INTEGER NOT NULL,
  "user_groups" BLOB,
  "created_at" INTEGER NOT NULL,
  "created_by" BLOB NOT NULL,
  "updated_at" INTEGER,
  "updated_by" BLOB NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("user_groups") REFERENCES "user_groups" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("created_by") REFERENCES "users" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("updated_by") REFERENCES "users" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "funding_sources_tenant_name_key" ON "funding_sources" ("tenant", "name");

CREATE TABLE "spends" (
  "id" BLOB NOT NULL,
  "tenant" BLOB NOT NULL,
  "cloud_account" BLOB NOT NULL,
  "amount" TEXT COLLATE DECIMAL NOT NULL,
  "business_unit" BLOB,
  "cloud_resource_id" BLOB,
  "date" INTEGER NOT NULL,
  "exclude_aggregate" INTEGER DEFAULT 0 CHECK ("exclude_aggregate" IN (0, 1)),
  "import_id" BLOB,
  "source_line" INTEGER,
  "period_end" INTEGER,
  "effective_cost" TEXT COLLATE DECIMAL,
  "list_cost" TEXT COLLATE DECIMAL,
  "contracted_cost" TEXT COLLATE DECIMAL,
  "service_name" TEXT,
  "region" TEXT,
  "pricing_quantity" TEXT COLLATE DECIMAL,
  "consumed_quantity" TEXT COLLATE DECIMAL,
  "#labels" ANY DEFAULT NULL /* (tags) */,
  "#offer" ANY DEFAULT x'0303555344' /* (unit, billing_period_start, billing_period_end, billing_account_id, provider_name, publisher_name, service_category, service_subcategory, region_name, availability_zone, charge_category, charge_class, charge_frequency, charge_description, pricing_category, pricing_unit, consumed_unit, sku_id, sku_price_id, sku_meter, invoice_id, invoice_issuer_name, commitment_discount_id, commitment_discount_name, commitment_discount_type, commitment_discount_category, commitment_discount_status) */,
  "#further" ANY DEFAULT NULL /* (details) */,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("cloud_account") REFERENCES "cloud_accounts" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("business_unit") REFERENCES "business_unit" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("cloud_resource_id") REFERENCES "cloud_resourses" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("import_id") REFERENCES "imports" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "spends_tenant_cloud_account_cloud_resource_id_date_key" ON "spends" ("tenant", "cloud_account", "cloud_resource_id", "date") WHERE "import_id" IS NULL;

CREATE INDEX "spends_cloud_resource_id_index" ON "spends" ("cloud_resource_id");

CREATE INDEX "spends_import_id_index" ON "spends" ("import_id");

CREATE INDEX "spends_cloud_account_date_index" ON "spends" ("cloud_account", "date");

CREATE INDEX "spends_list_date" ON "spends" ("tenant", "date", "service_name", "region");

CREATE TABLE "spends_resource_group_type" (
  "value" TEXT NOT NULL,
  "description" TEXT NOT NULL,
  "cloud_provider" TEXT NOT NULL,
  PRIMARY KEY ("value"),
  FOREIGN KEY ("cloud_provider") REFERENCES "cloud_provider_type" ("value") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE "business_unit" (
  "id" BLOB NOT NULL,
  "tenant" BLOB NOT NULL,
  "description" TEXT NOT NULL,
  "name" TEXT COLLATE NOCASE NOT NULL,
  "parent_business_unit" BLOB,
  "created_at" INTEGER NOT NULL,
  "created_by" BLOB NOT NULL,
  "updated_at" INTEGER NOT NULL,
  "updated_by" BLOB NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant") REFERENCES "tenant" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE "projects" (
  "id" BLOB NOT NULL,
  "tenant" BLOB NOT NULL,
  "approved_by" BLOB,
  "billable" INTEGER DEFAULT 0 CHECK ("billable" IN (0, 1)),
  "business_unit" BLOB NOT NULL,
  "category" TEXT DEFAULT 'Internal',
  "description" TEXT NOT NULL,
  "ended_at" INTEGER,
  "expected_revenue" TEXT COLLATE DECIMAL DEFAULT '0',
  "it_manager" BLOB,
  "name" TEXT COLLATE NOCASE NOT NULL,
  "project_manager" BLOB,
  "started_at" INTEGER,
  "created_at" INTEGER NOT NULL,
  "created_by" BLOB NOT NULL,
  "updated_at" INTEGER NOT NULL,
  "updated_by" BLOB NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant") REFERENCES "tenant" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("business_unit") REFERENCES "business_unit" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE "project_accounts" (
  "id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "allocation_end" INTEGER,
  "allocation_pct" REAL DEFAULT 100.0,
  "allocation_start" INTEGER,
  "budget" TEXT COLLATE DECIMAL DEFAULT '0',
  "project_id" BLOB NOT NULL,
  "created_at" INTEGER,
  "created_by" BLOB,
  "updated_at" INTEGER,
  "updated_by" BLOB,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("project_id") REFERENCES "projects" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE "project_cloud_resources" (
  "id" BLOB NOT NULL,
  "allocation_end" INTEGER,
  "allocation_pct" REAL NOT NULL DEFAULT 100.0,
  "allocation_start" INTEGER NOT NULL,
  "budget" TEXT COLLATE DECIMAL DEFAULT '0',
  "cloud_resource_id" BLOB NOT NULL,
  "project_account_id" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  "created_by" BLOB,
  "updated_at" INTEGER NOT NULL,
  "updated_by" BLOB,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("cloud_resource_id") REFERENCES "cloud_resourses" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("project_account_id") REFERENCES "project_accounts" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE "project_fundings" (
  "id" BLOB NOT NULL,
  "amount" TEXT COLLATE DECIMAL DEFAULT '0',
  "businessunit_funding" BLOB NOT NULL,
  "end_date" INTEGER,
  "planned_amount" TEXT COLLATE DECIMAL DEFAULT '0',
  "project" BLOB NOT NULL,
  "start_date" INTEGER,
  "created_at" INTEGER NOT NULL,
  "created_by" BLOB NOT NULL,
  "updated_at" INTEGER NOT NULL,
  "updated_by" BLOB NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("businessunit_funding") REFERENCES "businessunit_funding" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("project") REFERENCES "projects" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE "event_bulk_operations" (
  "id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "classification_id" BLOB,
  "completed_at" INTEGER,
  "error_message" TEXT,
  "fingerprint" TEXT,
  "operation_type" TEXT NOT NULL,
  "processed_events" INTEGER DEFAULT 0,
  "rule_id" BLOB,
  "status" TEXT DEFAULT 'queued',
  "target_status" TEXT NOT NULL,
  "total_events" INTEGER,
  "created_at" INTEGER,
  "created_by" BLOB,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("classification_id") REFERENCES "event_classification" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("rule_id") REFERENCES "event_triage_rules" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE "event_classification" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "cloud_account_id" BLOB NOT NULL,
  "apply_scope" TEXT DEFAULT 'this_event',
  "apply_until" INTEGER,
  "classification" TEXT NOT NULL,
  "classified_at" INTEGER,
  "classified_by" BLOB NOT NULL,
  "corrected_priority" TEXT,
  "event_id" BLOB NOT NULL,
  "feature_snapshot" TEXT,
  "linked_event_id" BLOB,
  "original_priority" TEXT,
  "original_score" INTEGER,
  "priority_direction" TEXT,
  "reason_code" TEXT NOT NULL,
  "reason_text" TEXT,
  "rule_id" BLOB,
  "created_at" INTEGER,
  "updated_at" INTEGER,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("event_id") REFERENCES "events" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("linked_event_id") REFERENCES "events" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("rule_id") REFERENCES "event_triage_rules" ("id") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "event_classification_event_id_cloud_account_id_key" ON "event_classification" ("event_id", "cloud_account_id");

CREATE TABLE "event_correlations" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB,
  "cloud_account_id" BLOB NOT NULL,
  "correlation_reason" TEXT NOT NULL,
  "correlation_score" TEXT COLLATE DECIMAL NOT NULL,
  "correlation_type" TEXT NOT NULL,
  "dependency_distance" INTEGER NOT NULL,
  "event_id" BLOB NOT NULL,
  "related_event_id" BLOB NOT NULL,
  "time_offset_minutes" INTEGER NOT NULL,
  "created_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("event_id") REFERENCES "events" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("related_event_id") REFERENCES "events" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "event_correlations_related_event_id_event_id_cloud_account_id_k" ON "event_correlations" ("event_id", "related_event_id", "cloud_account_id");

CREATE TABLE "event_duplicates" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "cloud_account_id" BLOB NOT NULL,
  "absolute_first_seen_at" INTEGER,
  "event_id" BLOB NOT NULL,
  "fingerprint" TEXT NOT NULL,
  "first_event_id" BLOB NOT NULL,
  "occurrence_number" INTEGER NOT NULL,
  "previous_event_id" BLOB NOT NULL,
  "time_since_first_seconds" INTEGER NOT NULL,
  "time_since_previous_seconds" INTEGER NOT NULL,
  "created_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("event_id") REFERENCES "events" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("first_event_id") REFERENCES "events" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("previous_event_id") REFERENCES "events" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "event_duplicates_event_id_cloud_account_id_key" ON "event_duplicates" ("event_id", "cloud_account_id");

CREATE INDEX "event_duplicates_cloud_account_id_fingerprint_index" ON "event_duplicates" ("cloud_account_id", "fingerprint");

CREATE TABLE "event_history" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "cloud_account_id" BLOB NOT NULL,
  "change_reason" TEXT NOT NULL,
  "change_type" TEXT NOT NULL,
  "changed_at" INTEGER NOT NULL,
  "changed_by" BLOB,
  "event_id" BLOB NOT NULL,
  "metadata" TEXT,
  "new_value" TEXT NOT NULL,
  "old_value" TEXT,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("event_id") REFERENCES "events" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "event_history_event_id_index" ON "event_history" ("event_id");

CREATE TABLE "event_incoming_webhooks" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "event_created_at" INTEGER NOT NULL,
  "event_description" TEXT,
  "event_id" TEXT NOT NULL,
  "event_priority" TEXT,
  "event_status" TEXT,
  "event_title" TEXT NOT NULL,
  "event_type" TEXT NOT NULL,
  "event_url" TEXT,
  "integration_id" BLOB NOT NULL,
  "integration_type" TEXT NOT NULL,
  "raw" TEXT,
  "webhook_id" TEXT NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE "webhook_receiver" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "name" TEXT NOT NULL,
  "token_hash" TEXT NOT NULL,
  "received" INTEGER NOT NULL DEFAULT 0,
  "received_at" INTEGER,
  "last_error" TEXT,
  "minute_count" INTEGER NOT NULL DEFAULT 0,
  "minute_started_at" INTEGER,
  "created_at" INTEGER NOT NULL,
  "created_by" BLOB,
  "revoked_at" INTEGER,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("created_by") REFERENCES "users" ("id") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "webhook_receiver_token_hash_key" ON "webhook_receiver" ("token_hash");

CREATE UNIQUE INDEX "webhook_receiver_tenant_id_name_key" ON "webhook_receiver" ("tenant_id", "name");

CREATE TABLE "event_log_analysis" (
  "id" BLOB NOT NULL,
  "cloud_account_id" BLOB,
  "analysis" TEXT,
  "analysis_type" TEXT NOT NULL DEFAULT 'log_analysis',
  "event_aggregation_key" TEXT,
  "event_fingerprint" TEXT,
  "event_id" BLOB NOT NULL,
  "recorded_at" INTEGER NOT NULL,
  "status" TEXT NOT NULL DEFAULT 'COMPLETED',
  "status_reason" TEXT,
  "summary" TEXT,
  "updated_at" INTEGER,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("event_id") REFERENCES "events" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("status") REFERENCES "event_log_analysis_status" ("value") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "event_log_analysis_event_fingerprint_cloud_account_id_event_agg" ON "event_log_analysis" ("event_fingerprint", "cloud_account_id", "event_aggregation_key", "analysis_type");

CREATE UNIQUE INDEX "event_log_analysis_event_id_analysis_type_key" ON "event_log_analysis" ("event_id", "analysis_type");

CREATE TABLE "event_log_analysis_status" (
  "value" TEXT NOT NULL,
  "description" TEXT,
  PRIMARY KEY ("value")
) STRICT;

CREATE TABLE "event_resolution" (
  "id" BLOB NOT NULL,
  "data" TEXT,
  "event_id" BLOB NOT NULL,
  "resolver_id" TEXT NOT NULL,
  "resolver_type" TEXT NOT NULL,
  "status" TEXT NOT NULL,
  "status_message" TEXT,
  "type" TEXT NOT NULL,
  "type_reference_id" TEXT NOT NULL,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  PRIMARY KEY ("id")
) STRICT;

CREATE INDEX "event_resolution_event_id_index" ON "event_resolution" ("event_id");

CREATE TABLE "event_rule_severity" (
  "value" TEXT NOT NULL,
  PRIMARY KEY ("value")
) STRICT;

CREATE TABLE "event_rule_source" (
  "value" TEXT NOT NULL,
  PRIMARY KEY ("value")
) STRICT;

CREATE TABLE "event_rules" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "alert" TEXT NOT NULL,
  "annotations" TEXT NOT NULL,
  "category" TEXT NOT NULL,
  "duration" TEXT,
  "enabled" INTEGER NOT NULL CHECK ("enabled" IN (0, 1)),
  "expr" TEXT NOT NULL,
  "group" TEXT,
  "is_editable" INTEGER DEFAULT 1 CHECK ("is_editable" IN (0, 1)),
  "labels" TEXT NOT NULL,
  "name" TEXT,
  "namespace" TEXT,
  "severity" TEXT NOT NULL,
  "source" TEXT NOT NULL,
  "created_at" INTEGER NOT NULL,
  "created_by" BLOB,
  "updated_at" INTEGER NOT NULL,
  "updated_by" BLOB,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("severity") REFERENCES "event_rule_severity" ("value") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("source") REFERENCES "event_rule_source" ("value") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "event_rules_account_id_tenant_id_alert_key" ON "event_rules" ("account_id", "tenant_id", "alert");

CREATE TABLE "event_severity" (
  "value" TEXT NOT NULL,
  PRIMARY KEY ("value")
) STRICT;

CREATE TABLE "event_source" (
  "value" TEXT NOT NULL,
  PRIMARY KEY ("value")
) STRICT;

CREATE TABLE "event_status" (
  "value" TEXT NOT NULL,
  PRIMARY KEY ("value")
) STRICT;

CREATE TABLE "event_triage_rules" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB,
  "account_id" BLOB,
  "action" TEXT NOT NULL,
  "action_value" TEXT,
  "can_override" INTEGER DEFAULT 1 CHECK ("can_override" IN (0, 1)),
  "description" TEXT,
  "effective_from" INTEGER,
  "effective_until" INTEGER,
  "enabled" INTEGER DEFAULT 1 CHECK ("enabled" IN (0, 1)),
  "is_editable" INTEGER DEFAULT 1 CHECK ("is_editable" IN (0, 1)),
  "last_matched_at" INTEGER,
  "match_alertname" TEXT,
  "match_count" INTEGER DEFAULT 0,
  "match_finding_type" TEXT,
  "match_fingerprint" TEXT,
  "match_labels" TEXT,
  "match_namespace" TEXT,
  "match_occurrence_greater_than" INTEGER,
  "match_priority" TEXT,
  "match_service" TEXT,
  "match_source" TEXT,
  "name" TEXT,
  "override_rule_id" BLOB,
  "priority" INTEGER DEFAULT 100,
  "reason" TEXT,
  "rule_type" TEXT NOT NULL,
  "created_at" INTEGER,
  "created_by" BLOB,
  "updated_at" INTEGER,
  "updated_by" BLOB,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("override_rule_id") REFERENCES "event_triage_rules" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE "events" (
  "id" BLOB NOT NULL,
  "tenant" BLOB NOT NULL,
  "cloud_account_id" BLOB,
  "aggregation_key" TEXT NOT NULL,
  "category" TEXT,
  "cloud_resource_id" BLOB,
  "cluster" TEXT NOT NULL,
  "computed_priority" TEXT,
  "computed_score" INTEGER,
  "description" TEXT,
  "ends_at" INTEGER,
  "evidences" TEXT NOT NULL,
  "failure" TEXT,
  "finding_id" TEXT NOT NULL,
  "finding_type" TEXT NOT NULL,
  "fingerprint" TEXT,
  "labels" TEXT,
  "nb_status" TEXT DEFAULT 'OPEN',
  "nb_status_changed_at" INTEGER,
  "nb_status_changed_by" BLOB,
  "principal" TEXT,
  "priority" TEXT NOT NULL,
  "score_confidence" TEXT COLLATE DECIMAL,
  "score_factors" TEXT,
  "service_key" TEXT,
  "snoozed_until" INTEGER,
  "source" TEXT,
  "starts_at" INTEGER,
  "status" TEXT,
  "subject_name" TEXT NOT NULL,
  "subject_namespace" TEXT,
  "subject_node" TEXT,
  "subject_owner" TEXT,
  "subject_owner_kind" TEXT,
  "subject_type" TEXT,
  "title" TEXT NOT NULL,
  "urgency" TEXT NOT NULL DEFAULT 'LOW',
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant") REFERENCES "tenant" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("cloud_account_id") REFERENCES "cloud_accounts" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("priority") REFERENCES "event_severity" ("value") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("source") REFERENCES "event_source" ("value") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("status") REFERENCES "event_status" ("value") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("urgency") REFERENCES "event_severity" ("value") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "events_cloudaccount_findingid" ON "events" ("tenant", "cloud_account_id", "finding_id");

CREATE INDEX "events_cloud_account_id_starts_at_index" ON "events" ("cloud_account_id", "starts_at");

CREATE INDEX "events_tenant_fingerprint_index" ON "events" ("tenant", "fingerprint");

CREATE INDEX "events_snoozed_until_index" ON "events" ("snoozed_until");

CREATE INDEX "events_tenant_updated_at_index" ON "events" ("tenant", "updated_at");

CREATE INDEX "events_list_starts_at" ON "events" ("tenant", "starts_at", "status", "priority", "nb_status", "subject_namespace", "cloud_account_id");

CREATE INDEX "events_list_status_priority_starts_at" ON "events" ("tenant", "status", "priority", "starts_at", "nb_status");

CREATE INDEX "events_list_subject_namespace_status_starts_at" ON "events" ("tenant", "subject_namespace", "status", "starts_at", "priority");

CREATE TABLE "insight" (
  "id" BLOB NOT NULL,
  "tenant" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "applications" TEXT,
  "resource_id" BLOB,
  "rule" TEXT,
  "severity" TEXT,
  "source" TEXT NOT NULL,
  "status" TEXT NOT NULL,
  "title" TEXT NOT NULL,
  "type" TEXT NOT NULL,
  "unique_id" TEXT NOT NULL,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("severity") REFERENCES "insight_severity" ("value") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "insight_tenant_account_id_unique_id_key" ON "insight" ("tenant", "account_id", "unique_id");

CREATE TABLE "insight_severity" (
  "value" TEXT NOT NULL,
  "comment" TEXT NOT NULL,
  PRIMARY KEY ("value")
) STRICT;

CREATE TABLE "knowledge_base" (
  "id" BLOB NOT NULL,
  "description" TEXT NOT NULL,
  "diagnosis" TEXT NOT NULL,
  "impact" TEXT NOT NULL,
  "mitigation" TEXT NOT NULL,
  "rule_name" TEXT NOT NULL,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  PRIMARY KEY ("id")
) STRICT;

CREATE UNIQUE INDEX "knowledge_base_rule_name_key" ON "knowledge_base" ("rule_name");

CREATE TABLE "knowledge_graph_edge" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "cloud_account_id" BLOB NOT NULL,
  "destination_node_id" BLOB NOT NULL,
  "level" TEXT NOT NULL DEFAULT 'Account',
  "properties" TEXT NOT NULL,
  "relationship_type" TEXT NOT NULL,
  "source_node_id" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  PRIMARY KEY ("id")
) STRICT;

CREATE UNIQUE INDEX "knowledge_graph_edge_source_node_id_destination_node_id_relatio" ON "knowledge_graph_edge" ("source_node_id", "destination_node_id", "relationship_type", "cloud_account_id", "tenant_id");

CREATE INDEX "knowledge_graph_edge_destination_node_id_index" ON "knowledge_graph_edge" ("destination_node_id");

CREATE TABLE "knowledge_graph_metadata" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "cloud_account_id" BLOB NOT NULL,
  "additional_properties" TEXT,
  "attribute_key" TEXT NOT NULL,
  "attribute_type" TEXT NOT NULL,
  "attribute_value" TEXT NOT NULL,
  "last_sync_at" INTEGER,
  PRIMARY KEY ("id")
) STRICT;

CREATE INDEX "knowledge_graph_metadata_tenant_id_attribute_key_index" ON "knowledge_graph_metadata" ("tenant_id", "attribute_key");

CREATE TABLE "knowledge_graph_node" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "cloud_account_id" BLOB NOT NULL,
  "is_active" INTEGER NOT NULL DEFAULT 1 CHECK ("is_active" IN (0, 1)),
  "labels" TEXT NOT NULL DEFAULT '{}',
  "last_sync_version" TEXT COLLATE DECIMAL NOT NULL DEFAULT '0',
  "level" TEXT NOT NULL DEFAULT 'Account',
  "node_type" TEXT,
  "properties" TEXT NOT NULL,
  "query_attributes" TEXT NOT NULL DEFAULT '{}',
  "unique_key" TEXT NOT NULL,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  PRIMARY KEY ("id")
) STRICT;

CREATE UNIQUE INDEX "knowledge_graph_node_unique_key_cloud_account_id_tenant_id_key" ON "knowledge_graph_node" ("unique_key", "cloud_account_id", "tenant_id");

CREATE TABLE "llm_conversations" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "context" TEXT,
  "llm_model" TEXT,
  "llm_provider" TEXT,
  "session_id" TEXT,
  "source" TEXT,
  "status" TEXT NOT NULL,
  "title" TEXT,
  "user_id" BLOB,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "llm_conversations_tenant_id_user_id_index" ON "llm_conversations" ("tenant_id", "user_id");

CREATE TABLE "llm_conversation_saved" (
  "id" BLOB NOT NULL,
  "conversation_id" BLOB NOT NULL,
  "user_id" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("conversation_id") REFERENCES "llm_conversations" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE "llm_message" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "conversation_id" BLOB NOT NULL,
  "user_id" BLOB NOT NULL,
  "sender" TEXT NOT NULL,
  "status" TEXT NOT NULL,
  "status_reason" TEXT,
  "created_at" INTEGER NOT NULL,
  "unproved" TEXT,
  "text" TEXT NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("conversation_id") REFERENCES "llm_conversations" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "llm_message_conversation_id_created_at_index" ON "llm_message" ("conversation_id", "created_at");

CREATE TABLE "llm_feedback" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "user_id" BLOB NOT NULL,
  "conversation_id" BLOB,
  "session_id" TEXT,
  "module" TEXT NOT NULL,
  "question" TEXT NOT NULL,
  "llm_response" TEXT NOT NULL,
  "useful" INTEGER NOT NULL CHECK ("useful" IN (0, 1)),
  "additional_notes" TEXT NOT NULL,
  "user_corrected_response" TEXT NOT NULL,
  "created_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE "llm_memory" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "conversation_id" BLOB,
  "message_id" BLOB,
  "memory_type" TEXT,
  "created_at" INTEGER NOT NULL,
  "content" TEXT,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "llm_memory_account_id_created_at_index" ON "llm_memory" ("account_id", "created_at");

CREATE TABLE "llm_tool_call" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "conversation_id" BLOB NOT NULL,
  "message_id" BLOB NOT NULL,
  "number" INTEGER NOT NULL,
  "tool_name" TEXT NOT NULL,
  "title" TEXT NOT NULL,
  "parameters" TEXT,
  "evidence" TEXT,
  "status" TEXT NOT NULL,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  "response" TEXT NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("conversation_id") REFERENCES "llm_conversations" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "llm_tool_call_conversation_id_created_at_index" ON "llm_tool_call" ("conversation_id", "created_at");

CREATE TABLE "llm_reference" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "agent_id" TEXT,
  "conversation_id" BLOB,
  "message_id" BLOB,
  "reference_id" TEXT,
  "type" TEXT,
  "created_at" INTEGER NOT NULL,
  "content" TEXT,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "llm_reference_account_id_created_at_index" ON "llm_reference" ("account_id", "created_at");

CREATE TABLE "llm_knowledgebase" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "name" TEXT COLLATE NOCASE NOT NULL,
  "description" TEXT,
  "kb_type" TEXT NOT NULL DEFAULT 'manual',
  "kb_source" TEXT,
  "integration_id" BLOB,
  "status" TEXT NOT NULL DEFAULT 'active',
  "status_reason" TEXT,
  "passages" INTEGER NOT NULL DEFAULT 0,
  "embedded_by" TEXT,
  "data_filename" TEXT NOT NULL,
  "data_format" TEXT NOT NULL,
  "data_size_bytes" INTEGER NOT NULL,
  "created_at" INTEGER NOT NULL,
  "created_by" BLOB,
  "updated_at" INTEGER NOT NULL,
  "updated_by" BLOB,
  "data" TEXT NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "llm_knowledgebase_account_id_name_key" ON "llm_knowledgebase" ("account_id", "name");

CREATE TABLE "llm_passage" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "kb_id" BLOB NOT NULL,
  "number" INTEGER NOT NULL,
  "place" TEXT NOT NULL,
  "text" TEXT NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("kb_id") REFERENCES "llm_knowledgebase" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "llm_passage_kb_id_number_index" ON "llm_passage" ("kb_id", "number");

CREATE TABLE "llm_knowledgebase_agent" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "kb_id" BLOB NOT NULL,
  "agent_id" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  "created_by" BLOB,
  "updated_at" INTEGER NOT NULL,
  "updated_by" BLOB,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("kb_id") REFERENCES "llm_knowledgebase" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("agent_id") REFERENCES "llm_agent" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "llm_knowledgebase_agent_kb_id_agent_id_key" ON "llm_knowledgebase_agent" ("kb_id", "agent_id");

CREATE INDEX "llm_knowledgebase_agent_agent_id_index" ON "llm_knowledgebase_agent" ("agent_id");

CREATE TABLE "llm_global_context" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "name" TEXT COLLATE NOCASE NOT NULL,
  "description" TEXT,
  "status" TEXT NOT NULL DEFAULT 'active',
  "data_filename" TEXT NOT NULL,
  "data_format" TEXT NOT NULL,
  "data_size_bytes" INTEGER NOT NULL,
  "created_at" INTEGER NOT NULL,
  "created_by" BLOB,
  "updated_at" INTEGER NOT NULL,
  "updated_by" BLOB,
  "data" TEXT NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "llm_global_context_account_id_name_key" ON "llm_global_context" ("account_id", "name");

CREATE TABLE "k8s_namespaces" (
  "tenant_id" TEXT NOT NULL,
  "cloud_account_id" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "creation_time" INTEGER,
  "is_active" INTEGER NOT NULL CHECK ("is_active" IN (0, 1)),
  "pod_count" INTEGER,
  "workload_count" INTEGER,
  "updated_at" INTEGER,
  PRIMARY KEY ("tenant_id", "cloud_account_id", "name")
) STRICT;

CREATE TABLE "k8s_nodes" (
  "tenant_id" BLOB NOT NULL,
  "cloud_account_id" BLOB NOT NULL,
  "cloud_resource_id" BLOB NOT NULL,
  "conditions" TEXT,
  "cost" TEXT COLLATE DECIMAL,
  "cpu_allocatable" REAL NOT NULL,
  "cpu_capacity" REAL NOT NULL,
  "cpu_limits" REAL,
  "external_ip" TEXT,
  "internal_ip" TEXT,
  "is_active" INTEGER NOT NULL CHECK ("is_active" IN (0, 1)),
  "labels" TEXT,
  "memory_allocatable" INTEGER NOT NULL,
  "memory_capacity" INTEGER NOT NULL,
  "memory_limits" INTEGER,
  "meta" TEXT,
  "name" TEXT NOT NULL,
  "node_creation_time" INTEGER,
  "node_flavor" TEXT,
  "node_region" TEXT,
  "node_type" TEXT,
  "node_zone" TEXT,
  "taints" TEXT,
  "updated_at" INTEGER,
  PRIMARY KEY ("tenant_id", "cloud_account_id", "cloud_resource_id"),
  FOREIGN KEY ("cloud_account_id") REFERENCES "cloud_accounts" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE "k8s_pods" (
  "tenant_id" BLOB NOT NULL,
  "cloud_account_id" BLOB NOT NULL,
  "cloud_resource_id" BLOB NOT NULL,
  "creation_time" INTEGER,
  "external_id" TEXT NOT NULL,
  "is_active" INTEGER NOT NULL CHECK ("is_active" IN (0, 1)),
  "labels" TEXT,
  "last_seen" INTEGER NOT NULL,
  "meta" TEXT,
  "name" TEXT NOT NULL,
  "namespace" TEXT NOT NULL,
  "node_name" TEXT,
  "restart_count" TEXT,
  "status" TEXT NOT NULL,
  "workload_name" TEXT,
  "workload_type" TEXT,
  "updated_at" INTEGER,
  PRIMARY KEY ("tenant_id", "cloud_account_id", "cloud_resource_id"),
  FOREIGN KEY ("cloud_account_id") REFERENCES "cloud_accounts" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "k8s_pods_tenant_id_cloud_resource_id_cloud_account_id_key" ON "k8s_pods" ("tenant_id", "cloud_resource_id", "cloud_account_id");

CREATE INDEX "k8s_pods_tenant_id_namespace_index" ON "k8s_pods" ("tenant_id", "namespace");

CREATE TABLE "k8s_workloads" (
  "tenant_id" BLOB NOT NULL,
  "cloud_account_id" BLOB NOT NULL,
  "cloud_resource_id" BLOB NOT NULL,
  "creation_time" INTEGER,
  "external_id" TEXT NOT NULL,
  "is_active" INTEGER NOT NULL CHECK ("is_active" IN (0, 1)),
  "kind" TEXT NOT NULL,
  "labels" TEXT NOT NULL,
  "last_seen" INTEGER NOT NULL,
  "meta" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "namespace" TEXT NOT NULL,
  "ready_pods" INTEGER NOT NULL,
  "total_pods" INTEGER NOT NULL,
  "id" BLOB NOT NULL,
  "status" TEXT,
  "cpu_request" REAL,
  "cpu_limit" REAL,
  "memory_request" REAL,
  "memory_limit" REAL,
  "updated_at" INTEGER,
  PRIMARY KEY ("tenant_id", "cloud_account_id", "cloud_resource_id")
) STRICT;

CREATE UNIQUE INDEX "k8s_workloads_cloud_account_id_namespace_name_kind_key" ON "k8s_workloads" ("cloud_account_id", "kind", "namespace", "name");

CREATE TABLE "k8s_changes" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "cloud_account_id" BLOB NOT NULL,
  "cloud_resource_id" BLOB NOT NULL,
  "import_id" BLOB NOT NULL,
  "change" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "namespace" TEXT,
  "name" TEXT NOT NULL,
  "observed_at" INTEGER NOT NULL,
  "previous_at" INTEGER NOT NULL,
  "fields" TEXT NOT NULL DEFAULT '[]',
  "field_count" INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("cloud_account_id") REFERENCES "cloud_accounts" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "k8s_changes_tenant_id_cloud_account_id_observed_at_index" ON "k8s_changes" ("tenant_id", "cloud_account_id", "observed_at");

CREATE INDEX "k8s_changes_cloud_resource_id_index" ON "k8s_changes" ("cloud_resource_id");

CREATE TABLE "k8s_release" (
  "name" TEXT NOT NULL,
  "version" TEXT NOT NULL,
  "release_date" TEXT NOT NULL,
  PRIMARY KEY ("name")
) STRICT;

CREATE TABLE "logs" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "timestamp" INTEGER NOT NULL,
  "severity" TEXT NOT NULL DEFAULT 'info',
  "message" TEXT NOT NULL,
  "labels" TEXT NOT NULL DEFAULT '{}',
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "logs_tenant_id_account_id_timestamp_index" ON "logs" ("tenant_id", "account_id", "timestamp");

CREATE TABLE "model_file" (
  "name" TEXT NOT NULL,
  "sha256" TEXT NOT NULL,
  "size_bytes" INTEGER NOT NULL,
  "trust" TEXT NOT NULL,
  "told_by" TEXT NOT NULL,
  "source" TEXT NOT NULL,
  "origin" TEXT NOT NULL,
  "installed_at" INTEGER NOT NULL,
  "checked_at" INTEGER NOT NULL,
  PRIMARY KEY ("name")
) STRICT;

CREATE INDEX "model_file_sha256_index" ON "model_file" ("sha256");

CREATE TABLE "model_download" (
  "name" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  "record" TEXT NOT NULL,
  "updated_at" INTEGER NOT NULL,
  PRIMARY KEY ("name")
) STRICT;

CREATE TABLE "model_provider" (
  "id" TEXT NOT NULL,
  "kind" TEXT,
  "name" TEXT,
  "position" INTEGER NOT NULL DEFAULT 0,
  "is_on" INTEGER CHECK ("is_on" IN (0, 1)),
  "may_leave" INTEGER CHECK ("may_leave" IN (0, 1)),
  "chat_model" TEXT,
  "small_model" TEXT,
  "embeddings_model" TEXT,
  "values" TEXT NOT NULL DEFAULT '{}',
  "sealed" TEXT NOT NULL DEFAULT '{}',
  "test" TEXT,
  "updated_at" INTEGER NOT NULL,
  "updated_by" TEXT NOT NULL DEFAULT '',
  PRIMARY KEY ("id")
) STRICT;

CREATE TABLE "model_override" (
  "scope" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "provider" TEXT NOT NULL,
  "model" TEXT NOT NULL,
  PRIMARY KEY ("scope", "name")
) STRICT;

CREATE TABLE "notice" (
  "id" BLOB NOT NULL,
  "tenant" BLOB NOT NULL,
  "subject" TEXT NOT NULL,
  "key" TEXT NOT NULL,
  "severity" TEXT NOT NULL,
  "title" TEXT NOT NULL,
  "text" TEXT NOT NULL DEFAULT '',
  "link" TEXT,
  "raised_at" INTEGER NOT NULL,
  "ended_at" INTEGER,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "notice_tenant_key_key" ON "notice" ("tenant", "key");

CREATE INDEX "notice_tenant_raised_at_index" ON "notice" ("tenant", "raised_at");

CREATE TABLE "notice_delivery" (
  "id" BLOB NOT NULL,
  "tenant" BLOB NOT NULL,
  "notice_id" BLOB NOT NULL,
  "channel_id" BLOB NOT NULL,
  "state" TEXT NOT NULL DEFAULT 'waiting',
  "recipients" TEXT NOT NULL DEFAULT '[]',
  "reply_to" TEXT,
  "is_urgent" INTEGER NOT NULL DEFAULT 0 CHECK ("is_urgent" IN (0, 1)),
  "due_at" INTEGER NOT NULL,
  "tries" INTEGER NOT NULL DEFAULT 0,
  "claim" BLOB,
  "created_at" INTEGER NOT NULL,
  "sent_at" INTEGER,
  "error" TEXT,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("notice_id") REFERENCES "notice" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("channel_id") REFERENCES "notice_channel" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "notice_delivery_notice_channel_key" ON "notice_delivery" ("notice_id", "channel_id");

CREATE INDEX "notice_delivery_state_due_at_index" ON "notice_delivery" ("state", "due_at");

CREATE INDEX "notice_delivery_channel_id_index" ON "notice_delivery" ("channel_id");

CREATE TABLE "notice_channel" (
  "id" BLOB NOT NULL,
  "tenant" BLOB NOT NULL,
  "name" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "target" TEXT NOT NULL,
  "settings" TEXT NOT NULL DEFAULT '{}',
  "secret" TEXT NOT NULL,
  "is_active" INTEGER NOT NULL DEFAULT 1 CHECK ("is_active" IN (0, 1)),
  "subjects" TEXT NOT NULL DEFAULT '["budget","anomaly","finding","stale"]',
  "quiet_from" TEXT,
  "quiet_until" TEXT,
  "last_sent_at" INTEGER,
  "last_error" TEXT,
  "removed_at" INTEGER,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "notice_channel_tenant_name_index" ON "notice_channel" ("tenant", "name");

CREATE TABLE "notice_window" (
  "id" BLOB NOT NULL,
  "tenant" BLOB NOT NULL,
  "name" TEXT NOT NULL,
  "days" TEXT NOT NULL DEFAULT '[6]',
  "starts_at" TEXT NOT NULL DEFAULT '00:00',
  "minutes" INTEGER NOT NULL DEFAULT 60,
  "is_active" INTEGER NOT NULL DEFAULT 1 CHECK ("is_active" IN (0, 1)),
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE "recommendation" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "cloud_account_id" BLOB NOT NULL,
  "account_object_id" TEXT,
  "category" TEXT DEFAULT 'RightSizing',
  "dismissed_reason" TEXT,
  "dismissed_until" INTEGER,
  "closed_at" INTEGER,
  "closed_bill_until" INTEGER,
  "closing_data_until" INTEGER,
  "status_before_closing" TEXT,
  "note_before_closing" TEXT,
  "estimated_savings" TEXT COLLATE DECIMAL DEFAULT '0',
  "is_dismissed" INTEGER NOT NULL DEFAULT 0 CHECK ("is_dismissed" IN (0, 1)),
  "note" TEXT,
  "recommendation" TEXT NOT NULL,
  "recommendation_action" TEXT NOT NULL,
  "resource_id" BLOB,
  "rule_name" TEXT,
  "rule_version" TEXT,
  "severity" TEXT DEFAULT 'Medium',
  "status" TEXT DEFAULT 'Open',
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  "updated_by" BLOB,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("cloud_account_id") REFERENCES "cloud_accounts" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("category") REFERENCES "recommendation_category_type" ("value") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("recommendation_action") REFERENCES "recommendation_action_type" ("value") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("resource_id") REFERENCES "cloud_resourses" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("severity") REFERENCES "recommendation_severity_type" ("value") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("status") REFERENCES "recommendation_status_type" ("value") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("updated_by") REFERENCES "users" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "recommendation_account_object_id_resource_id_cloud_account_id_r" ON "recommendation" ("cloud_account_id", "rule_name", "resource_id", "category", "account_object_id");

CREATE INDEX "recommendation_resource_id_index" ON "recommendation" ("resource_id");

CREATE INDEX "recommendation_tenant_id_status_category_index" ON "recommendation" ("tenant_id", "status", "category");

CREATE INDEX "recommendation_tenant_id_status_severity_index" ON "recommendation" ("tenant_id", "status", "severity");

CREATE INDEX "recommendation_list_created_at" ON "recommendation" ("tenant_id", "created_at", "status", "severity", "category", "cloud_account_id");

CREATE INDEX "recommendation_list_cloud_account_id_status_created_at" ON "recommendation" ("tenant_id", "cloud_account_id", "status", "created_at", "estimated_savings");

CREATE INDEX "recommendation_list_status_estimated_savings" ON "recommendation" ("tenant_id", "status", "estimated_savings", "severity", "category", "cloud_account_id");

CREATE TABLE "recommendation_action_type" (
  "value" TEXT NOT NULL,
  PRIMARY KEY ("value")
) STRICT;

CREATE TABLE "recommendation_category_type" (
  "value" TEXT NOT NULL,
  PRIMARY KEY ("value")
) STRICT;

CREATE TABLE "recommendation_resolution" (
  "id" BLOB NOT NULL,
  "data" TEXT,
  "recommendation_id" BLOB NOT NULL,
  "resolver_id" TEXT NOT NULL,
  "resolver_type" TEXT NOT NULL,
  "status" TEXT NOT NULL,
  "status_message" TEXT,
  "type" TEXT NOT NULL,
  "type_reference_id" TEXT NOT NULL,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("recommendation_id") REFERENCES "recommendation" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "recommendation_resolution_recommendation_id_index" ON "recommendation_resolution" ("recommendation_id");

CREATE TABLE "recommendation_watch" (
  "resolution_id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "recommendation_id" BLOB NOT NULL,
  "execution_id" BLOB,
  "ticket_id" BLOB,
  "pilot_task_id" BLOB,
  "acted_at" INTEGER,
  "verified_at" INTEGER,
  "due_at" INTEGER NOT NULL,
  PRIMARY KEY ("resolution_id"),
  FOREIGN KEY ("resolution_id") REFERENCES "recommendation_resolution" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("recommendation_id") REFERENCES "recommendation" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "recommendation_watch_recommendation_id_index" ON "recommendation_watch" ("recommendation_id");

CREATE INDEX "recommendation_watch_due_at_index" ON "recommendation_watch" ("due_at");

CREATE TABLE "recommendation_assignment" (
  "recommendation_id" BLOB NOT NULL,
  "user_id" BLOB NOT NULL,
  "assigned_by" BLOB,
  "assigned_at" INTEGER NOT NULL,
  PRIMARY KEY ("recommendation_id"),
  FOREIGN KEY ("recommendation_id") REFERENCES "recommendation" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE "recommendation_severity_type" (
  "value" TEXT NOT NULL,
  PRIMARY KEY ("value")
) STRICT;

CREATE TABLE "recommendation_status_type" (
  "value" TEXT NOT NULL,
  "description" TEXT,
  PRIMARY KEY ("value")
) STRICT;

CREATE TABLE "scheduled_report" (
  "id" BLOB NOT NULL,
  "tenant" BLOB NOT NULL,
  "name" TEXT NOT NULL,
  "kind" TEXT NOT NULL DEFAULT 'costs',
  "settings" TEXT NOT NULL DEFAULT '{}',
  "schedule" TEXT NOT NULL DEFAULT '0 7 1 * *',
  "timezone" TEXT NOT NULL DEFAULT 'UTC',
  "channel_id" BLOB,
  "recipients" TEXT NOT NULL DEFAULT '[]',
  "formats" TEXT NOT NULL DEFAULT '["pdf","csv"]',
  "is_active" INTEGER NOT NULL DEFAULT 1 CHECK ("is_active" IN (0, 1)),
  "next_due_at" INTEGER,
  "removed_at" INTEGER,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("channel_id") REFERENCES "notice_channel" ("id") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "scheduled_report_tenant_name_key" ON "scheduled_report" ("tenant", "name") WHERE "removed_at" IS NULL;

CREATE INDEX "scheduled_report_next_due_at_index" ON "scheduled_report" ("next_due_at");

CREATE TABLE "scheduled_report_run" (
  "id" BLOB NOT NULL,
  "tenant" BLOB NOT NULL,
  "report_id" BLOB NOT NULL,
  "due_at" INTEGER NOT NULL,
  "is_manual" INTEGER NOT NULL DEFAULT 0 CHECK ("is_manual" IN (0, 1)),
  "content" TEXT,
  "notice_id" BLOB,
  "error" TEXT,
  "created_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("report_id") REFERENCES "scheduled_report" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("notice_id") REFERENCES "notice" ("id") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "scheduled_report_run_report_due_key" ON "scheduled_report_run" ("report_id", "due_at");

CREATE INDEX "scheduled_report_run_notice_id_index" ON "scheduled_report_run" ("notice_id");

CREATE TABLE "saved_view" (
  "id" BLOB NOT NULL,
  "tenant" BLOB NOT NULL,
  "page" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "search" TEXT NOT NULL DEFAULT '{}',
  "created_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "saved_view_tenant_page_name_key" ON "saved_view" ("tenant", "page", "name");

CREATE TABLE "private_view" (
  "id" BLOB NOT NULL,
  "tenant" BLOB NOT NULL,
  "user_id" BLOB NOT NULL,
  "page" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "search" TEXT NOT NULL DEFAULT '{}',
  "created_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "private_view_tenant_user_page_name_key" ON "private_view" ("tenant", "user_id", "page", "name");

CREATE TABLE "default_view" (
  "id" BLOB NOT NULL,
  "tenant" BLOB NOT NULL,
  "user_id" BLOB NOT NULL,
  "page" TEXT NOT NULL,
  "view_id" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "default_view_tenant_user_page_key" ON "default_view" ("tenant", "user_id", "page");

CREATE TABLE "imports" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "file_name" TEXT NOT NULL,
  "size_bytes" INTEGER NOT NULL,
  "sha256" TEXT NOT NULL,
  "format" TEXT,
  "state" TEXT NOT NULL DEFAULT 'waiting',
  "rows_read" INTEGER NOT NULL DEFAULT 0,
  "rows_written" INTEGER NOT NULL DEFAULT 0,
  "rows_skipped" INTEGER NOT NULL DEFAULT 0,
  "period_start" INTEGER,
  "period_end" INTEGER,
  "report" TEXT NOT NULL DEFAULT '{}',
  "delivery_id" BLOB,
  "export_key" TEXT,
  "sequence" INTEGER NOT NULL DEFAULT 0,
  "created_by" BLOB,
  "created_at" INTEGER NOT NULL,
  "finished_at" INTEGER,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("created_by") REFERENCES "users" ("id") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "imports_tenant_id_sha256_index" ON "imports" ("tenant_id", "sha256");

CREATE INDEX "imports_tenant_id_export_key_index" ON "imports" ("tenant_id", "export_key");

CREATE INDEX "imports_list_created_at" ON "imports" ("tenant_id", "created_at", "state", "format");

CREATE TABLE "audit_trail" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "user_id" BLOB,
  "created_at" INTEGER NOT NULL,
  "table_name" TEXT NOT NULL,
  "row_key" TEXT NOT NULL,
  "change" TEXT NOT NULL,
  "operation" TEXT NOT NULL,
  "before" TEXT,
  "after" TEXT,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "audit_trail_tenant_id_created_at_index" ON "audit_trail" ("tenant_id", "created_at");

CREATE INDEX "audit_trail_tenant_id_table_name_created_at_index" ON "audit_trail" ("tenant_id", "table_name", "created_at");

CREATE TABLE "spend_tag_keys" (
  "tenant" BLOB NOT NULL,
  "key" TEXT NOT NULL,
  PRIMARY KEY ("tenant", "key"),
  FOREIGN KEY ("tenant") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE "spend_sources" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "import_id" BLOB NOT NULL,
  "provider_name" TEXT NOT NULL DEFAULT '',
  "billing_account_id" TEXT NOT NULL DEFAULT '',
  "cloud_account" BLOB NOT NULL,
  "billing_period_start" INTEGER NOT NULL,
  "currency" TEXT NOT NULL DEFAULT '',
  "charge_start" INTEGER NOT NULL,
  "charge_end" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("import_id") REFERENCES "imports" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("cloud_account") REFERENCES "cloud_accounts" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "spend_sources_period_key" ON "spend_sources" ("tenant_id", "billing_account_id", "billing_period_start", "currency", "provider_name", "cloud_account", "import_id");

CREATE INDEX "spend_sources_import_id_index" ON "spend_sources" ("import_id");

CREATE TABLE "spend_source_keys" (
  "source_id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "import_id" BLOB NOT NULL,
  "row_count" INTEGER NOT NULL,
  "charge_count" INTEGER NOT NULL,
  "billed_cost" TEXT COLLATE DECIMAL NOT NULL,
  "keys" TEXT NOT NULL,
  PRIMARY KEY ("source_id"),
  FOREIGN KEY ("source_id") REFERENCES "spend_sources" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("import_id") REFERENCES "imports" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "spend_source_keys_import_id_index" ON "spend_source_keys" ("import_id");

CREATE TABLE "import_mappings" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "name" TEXT NOT NULL,
  "header" TEXT NOT NULL,
  "content" TEXT NOT NULL,
  "created_by" BLOB,
  "created_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("created_by") REFERENCES "users" ("id") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "import_mappings_name_key" ON "import_mappings" ("tenant_id", "name");

CREATE INDEX "import_mappings_tenant_id_header_index" ON "import_mappings" ("tenant_id", "header");

CREATE TABLE "server" (
  "id" BLOB NOT NULL,
  "place" TEXT NOT NULL,
  "address" TEXT NOT NULL,
  "version" TEXT NOT NULL,
  "started_at" INTEGER NOT NULL,
  "heard_at" INTEGER NOT NULL,
  PRIMARY KEY ("id")
) STRICT;

CREATE TABLE "import_upload" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "user_id" BLOB NOT NULL,
  "file_name" TEXT NOT NULL,
  "location" TEXT NOT NULL,
  "size_bytes" INTEGER NOT NULL,
  "sha256" TEXT NOT NULL,
  "batch_id" BLOB,
  "batch_files" INTEGER,
  "received_at" INTEGER NOT NULL,
  "server_id" BLOB,
  "is_cancelled" INTEGER NOT NULL DEFAULT 0 CHECK ("is_cancelled" IN (0, 1)),
  "bytes_read" INTEGER NOT NULL DEFAULT 0,
  "rows_read" INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "import_upload_batch_id_index" ON "import_upload" ("batch_id");

CREATE TABLE "import_batch" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "files" INTEGER NOT NULL,
  "arrived" INTEGER NOT NULL DEFAULT 0,
  "heard_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE "findings_due" (
  "tenant_id" BLOB NOT NULL,
  "change_id" BLOB NOT NULL,
  "due_at" INTEGER NOT NULL,
  "only_events" INTEGER NOT NULL DEFAULT 0 CHECK ("only_events" IN (0, 1)),
  "only_charges" INTEGER NOT NULL DEFAULT 0 CHECK ("only_charges" IN (0, 1)),
  PRIMARY KEY ("tenant_id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE "measured_due" (
  "tenant_id" BLOB NOT NULL,
  "change_id" BLOB NOT NULL,
  PRIMARY KEY ("tenant_id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE "kept_file" (
  "sha256" TEXT NOT NULL,
  "was_packed" INTEGER NOT NULL CHECK ("was_packed" IN (0, 1)),
  "size_bytes" INTEGER,
  "kept_at" INTEGER NOT NULL,
  PRIMARY KEY ("sha256")
) STRICT;

CREATE TABLE "kept_file_piece" (
  "sha256" TEXT NOT NULL,
  "number" INTEGER NOT NULL,
  "content" TEXT NOT NULL,
  PRIMARY KEY ("sha256", "number"),
  FOREIGN KEY ("sha256") REFERENCES "kept_file" ("sha256") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE "import_changes" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "import_id" BLOB NOT NULL,
  "position" INTEGER NOT NULL,
  "kind" TEXT NOT NULL,
  "of_import" BLOB,
  "table_name" TEXT NOT NULL,
  "row_count" INTEGER NOT NULL,
  "content" TEXT NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("import_id") REFERENCES "imports" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "import_changes_of_import_index" ON "import_changes" ("of_import");

CREATE INDEX "import_changes_import_id_position_index" ON "import_changes" ("import_id", "position");

CREATE TABLE "session" (
  "id" BLOB NOT NULL,
  "token_hash" TEXT NOT NULL,
  "user_id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  "seen_at" INTEGER NOT NULL,
  "expires_at" INTEGER NOT NULL,
  "way" TEXT,
  "agent" TEXT,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "session_token_hash_key" ON "session" ("token_hash");

CREATE TABLE "one_time_code" (
  "code_hash" TEXT NOT NULL,
  "user_id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  "expires_at" INTEGER NOT NULL,
  PRIMARY KEY ("code_hash"),
  FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE "setting" (
  "name" TEXT NOT NULL,
  "value" TEXT NOT NULL,
  "updated_at" INTEGER NOT NULL,
  PRIMARY KEY ("name")
) STRICT;

CREATE TABLE "instance" (
  "id" BLOB NOT NULL,
  "name" TEXT NOT NULL,
  "colour" TEXT NOT NULL,
  "address" TEXT NOT NULL,
  "authorities" TEXT,
  "proxy" TEXT,
  "proxy_secret" TEXT,
  "plain_accepted" INTEGER NOT NULL DEFAULT 0 CHECK ("plain_accepted" IN (0, 1)),
  "keeps_copies" INTEGER NOT NULL DEFAULT 1 CHECK ("keeps_copies" IN (0, 1)),
  "kept_in" TEXT,
  "email" TEXT,
  "tenant_name" TEXT,
  "version" TEXT,
  "seen_at" INTEGER,
  "created_at" INTEGER NOT NULL,
  PRIMARY KEY ("id")
) STRICT;

CREATE TABLE "instance_copy" (
  "instance_id" BLOB NOT NULL,
  "asked_hash" TEXT NOT NULL,
  "body" TEXT NOT NULL,
  "size_bytes" INTEGER NOT NULL,
  "kept_at" INTEGER NOT NULL,
  PRIMARY KEY ("instance_id", "asked_hash"),
  FOREIGN KEY ("instance_id") REFERENCES "instance" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE "user_role_reasons" (
  "user_role_id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "by_group" TEXT,
  "granted_at" INTEGER NOT NULL,
  PRIMARY KEY ("user_role_id"),
  FOREIGN KEY ("user_role_id") REFERENCES "user_roles" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE "saml_request" (
  "id_hash" TEXT NOT NULL,
  "browser_hash" TEXT NOT NULL,
  "return_to" TEXT NOT NULL,
  "test_id" BLOB,
  "created_at" INTEGER NOT NULL,
  "expires_at" INTEGER NOT NULL,
  PRIMARY KEY ("id_hash")
) STRICT;

CREATE INDEX "saml_request_expires_at_index" ON "saml_request" ("expires_at");

CREATE TABLE "saml_outcome" (
  "code_hash" TEXT NOT NULL,
  "browser_hash" TEXT NOT NULL,
  "user_id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "return_to" TEXT NOT NULL,
  "session_ends_at" INTEGER,
  "created_at" INTEGER NOT NULL,
  "expires_at" INTEGER NOT NULL,
  PRIMARY KEY ("code_hash"),
  FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "saml_outcome_expires_at_index" ON "saml_outcome" ("expires_at");

CREATE TABLE "saml_used_assertion" (
  "id_hash" TEXT NOT NULL,
  "expires_at" INTEGER NOT NULL,
  PRIMARY KEY ("id_hash")
) STRICT;

CREATE INDEX "saml_used_assertion_expires_at_index" ON "saml_used_assertion" ("expires_at");

CREATE TABLE "saml_test" (
  "id" BLOB NOT NULL,
  "begun_by" BLOB NOT NULL,
  "given_values" TEXT NOT NULL,
  "values_hash" TEXT NOT NULL,
  "created_at" INTEGER NOT NULL,
  "finished_at" INTEGER,
  "passed" INTEGER CHECK ("passed" IN (0, 1)),
  "report" TEXT,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("begun_by") REFERENCES "users" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE "sign_in_refusal" (
  "id" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  "cause" TEXT NOT NULL,
  "message" TEXT NOT NULL,
  "expected" TEXT,
  "received" TEXT,
  "email" TEXT,
  "is_test" INTEGER NOT NULL DEFAULT 0 CHECK ("is_test" IN (0, 1)),
  PRIMARY KEY ("id")
) STRICT;

CREATE INDEX "sign_in_refusal_created_at_index" ON "sign_in_refusal" ("created_at");

CREATE TABLE "security_event" (
  "id" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  "kind" TEXT NOT NULL,
  "who" BLOB,
  "about" BLOB,
  "cause" TEXT,
  "text" TEXT NOT NULL,
  "detail" TEXT NOT NULL DEFAULT '{}',
  PRIMARY KEY ("id"),
  FOREIGN KEY ("who") REFERENCES "users" ("id") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("about") REFERENCES "users" ("id") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "security_event_created_at_index" ON "security_event" ("created_at");

CREATE TABLE "sign_in_attempts" (
  "key" TEXT NOT NULL,
  "failures" INTEGER NOT NULL,
  "last_failed_at" INTEGER NOT NULL,
  "blocked_until" INTEGER NOT NULL,
  PRIMARY KEY ("key")
) STRICT;

CREATE TABLE "device" (
  "id" BLOB NOT NULL,
  "user_id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "name" TEXT NOT NULL,
  "platform" TEXT,
  "kept_in" TEXT,
  "address" TEXT,
  "created_at" INTEGER NOT NULL,
  "seen_at" INTEGER NOT NULL,
  "expires_at" INTEGER NOT NULL,
  "revoked_at" INTEGER,
  "revoked_by" TEXT,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "device_user_id_index" ON "device" ("user_id");

CREATE INDEX "device_tenant_id_index" ON "device" ("tenant_id");

CREATE TABLE "device_token" (
  "token_hash" TEXT NOT NULL,
  "device_id" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  "used_at" INTEGER,
  PRIMARY KEY ("token_hash"),
  FOREIGN KEY ("device_id") REFERENCES "device" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "device_token_device_id_index" ON "device_token" ("device_id");

CREATE TABLE "device_code" (
  "code_hash" TEXT NOT NULL,
  "user_id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "challenge" TEXT NOT NULL,
  "redirect_uri" TEXT,
  "device_name" TEXT NOT NULL,
  "created_at" INTEGER NOT NULL,
  "expires_at" INTEGER NOT NULL,
  PRIMARY KEY ("code_hash"),
  FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "device_code_user_id_index" ON "device_code" ("user_id");

CREATE INDEX "device_code_expires_at_index" ON "device_code" ("expires_at");

CREATE TABLE "tenant_users" (
  "id" BLOB NOT NULL,
  "tenant" BLOB NOT NULL,
  "is_default" INTEGER NOT NULL DEFAULT 0 CHECK ("is_default" IN (0, 1)),
  "is_owner" INTEGER NOT NULL DEFAULT 0 CHECK ("is_owner" IN (0, 1)),
  "user_id" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  "created_by" BLOB NOT NULL,
  "updated_at" INTEGER NOT NULL,
  "updated_by" BLOB NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant") REFERENCES "tenant" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("created_by") REFERENCES "users" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("updated_by") REFERENCES "users" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "tenant_users_tenant_user_key" ON "tenant_users" ("tenant", "user_id");

CREATE INDEX "tenant_users_user_id_index" ON "tenant_users" ("user_id");

CREATE TABLE "users" (
  "id" BLOB NOT NULL,
  "display_name" TEXT NOT NULL,
  "status" TEXT NOT NULL DEFAULT 'inactive',
  "username" TEXT COLLATE NOCASE NOT NULL,
  "created_at" INTEGER NOT NULL,
  "created_by" BLOB,
  "updated_at" INTEGER NOT NULL,
  "updated_by" BLOB,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("status") REFERENCES "user_status_type" ("value") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("created_by") REFERENCES "users" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("updated_by") REFERENCES "users" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "users_username_key" ON "users" ("username");

CREATE TABLE "user_roles" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB,
  "entity_id" TEXT NOT NULL,
  "entity_type" TEXT COLLATE NOCASE NOT NULL,
  "role" TEXT COLLATE NOCASE NOT NULL,
  "user_id" BLOB NOT NULL,
  "created_at" INTEGER,
  "created_by" BLOB NOT NULL,
  "updated_at" INTEGER,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("role") REFERENCES "roles" ("value") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "user_roles_role_user_id_entity_type_entity_id_key" ON "user_roles" ("user_id", "entity_type", "entity_id", "role");

CREATE TABLE "tenant" (
  "id" BLOB NOT NULL,
  "name" TEXT COLLATE NOCASE NOT NULL,
  "type" TEXT DEFAULT 'Customer',
  "created_at" INTEGER NOT NULL,
  "created_by" BLOB NOT NULL,
  "updated_at" INTEGER NOT NULL,
  "updated_by" BLOB NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("created_by") REFERENCES "users" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("updated_by") REFERENCES "users" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "tenant_name_created_by_key" ON "tenant" ("name", "created_by");

CREATE TABLE "roles" (
  "display_name" TEXT,
  "value" TEXT COLLATE NOCASE NOT NULL,
  PRIMARY KEY ("value")
) STRICT;

CREATE TABLE "user_status_type" (
  "value" TEXT NOT NULL,
  "comment" TEXT,
  PRIMARY KEY ("value")
) STRICT;

CREATE TABLE "tenant_attrs" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "name" TEXT NOT NULL,
  "value" TEXT,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "tenant_attrs_tenant_id_name_index" ON "tenant_attrs" ("tenant_id", "name");

CREATE TABLE "businessunit_users" (
  "id" BLOB NOT NULL,
  "business_unit" BLOB NOT NULL,
  "user" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  "created_by" BLOB NOT NULL,
  "updated_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("business_unit") REFERENCES "business_unit" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("user") REFERENCES "users" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE "project_users" (
  "id" BLOB NOT NULL,
  "project" BLOB NOT NULL,
  "user" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  "created_by" BLOB NOT NULL,
  "updated_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("project") REFERENCES "projects" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("user") REFERENCES "users" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE "user_groups" (
  "id" BLOB NOT NULL,
  "tenant" BLOB NOT NULL,
  "business_unit" BLOB,
  "description" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "owner" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant") REFERENCES "tenant" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE "usergroup_users" (
  "id" BLOB NOT NULL,
  "group" BLOB NOT NULL,
  "user" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  "created_by" BLOB NOT NULL,
  "updated_at" INTEGER NOT NULL,
  "updated_by" BLOB NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("group") REFERENCES "user_groups" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("user") REFERENCES "users" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "usergroup_users_user_index" ON "usergroup_users" ("user");

CREATE TABLE "group_roles" (
  "id" BLOB NOT NULL,
  "entity_id" TEXT NOT NULL,
  "entity_type" TEXT COLLATE NOCASE NOT NULL,
  "group_id" BLOB NOT NULL,
  "role" TEXT COLLATE NOCASE NOT NULL,
  "created_at" INTEGER NOT NULL,
  "created_by" BLOB NOT NULL,
  "updated_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("group_id") REFERENCES "user_groups" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("role") REFERENCES "roles" ("value") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE "user_attrs" (
  "id" BLOB NOT NULL,
  "name" TEXT NOT NULL,
  "user" BLOB NOT NULL,
  "value" TEXT,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("user") REFERENCES "users" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "user_attrs_user_index" ON "user_attrs" ("user");

CREATE TABLE "user_auths" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB,
  "account_id" TEXT,
  "accessed_at" INTEGER,
  "avatar" TEXT,
  "credential" TEXT,
  "expires_at" INTEGER,
  "name" TEXT,
  "provider" TEXT NOT NULL,
  "provider_type" TEXT NOT NULL,
  "status" TEXT,
  "user" BLOB NOT NULL,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("user") REFERENCES "users" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "user_auths_account_id_index" ON "user_auths" ("account_id");

CREATE INDEX "user_auths_user_index" ON "user_auths" ("user");

CREATE TABLE "user_history" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "user_id" BLOB NOT NULL,
  "account_id" BLOB,
  "module" TEXT NOT NULL,
  "data" TEXT NOT NULL,
  "status" TEXT NOT NULL,
  "duration" REAL NOT NULL,
  "created_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "user_history_tenant_id_created_at_index" ON "user_history" ("tenant_id", "created_at");

CREATE TABLE "notifications" (
  "id" BLOB NOT NULL,
  "tenant" BLOB NOT NULL,
  "description" TEXT,
  "severity" TEXT NOT NULL DEFAULT 'Medium',
  "title" TEXT COLLATE NOCASE NOT NULL,
  "created_at" INTEGER NOT NULL,
  "updated_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant") REFERENCES "tenant" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE TABLE "notification_user" (
  "id" BLOB NOT NULL,
  "notification" BLOB NOT NULL,
  "status" TEXT NOT NULL,
  "user_id" BLOB NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("notification") REFERENCES "notifications" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "notification_user_user_id_index" ON "notification_user" ("user_id");

CREATE TABLE "workflow" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "name" TEXT NOT NULL,
  "status" TEXT NOT NULL DEFAULT 'PAUSED',
  "definition" TEXT NOT NULL,
  "trigger_types" TEXT NOT NULL DEFAULT '[]',
  "revision" INTEGER NOT NULL DEFAULT 1,
  "tags" TEXT NOT NULL DEFAULT '{}',
  "webhook_hash" TEXT,
  "next_due_at" INTEGER,
  "purpose" TEXT,
  "purpose_id" BLOB,
  "created_at" INTEGER NOT NULL,
  "created_by" BLOB,
  "updated_at" INTEGER NOT NULL,
  "updated_by" BLOB,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("created_by") REFERENCES "users" ("id") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("updated_by") REFERENCES "users" ("id") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "workflow_tenant_id_account_id_name_key" ON "workflow" ("tenant_id", "account_id", "name");

CREATE INDEX "workflow_next_due_at_index" ON "workflow" ("next_due_at");

CREATE TABLE "workflow_execution" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "workflow_id" BLOB NOT NULL,
  "definition" TEXT NOT NULL,
  "revision" INTEGER NOT NULL,
  "status" TEXT NOT NULL,
  "trigger_type" TEXT NOT NULL,
  "triggered_by" BLOB,
  "repeats" BLOB,
  "inputs" TEXT NOT NULL DEFAULT '{}',
  "result" TEXT,
  "error" TEXT,
  "start_time" INTEGER NOT NULL,
  "close_time" INTEGER,
  "due_at" INTEGER,
  "claim" BLOB,
  "waits_for" BLOB,
  "scheduled_for" INTEGER,
  "idempotency_key" TEXT,
  "parent_execution" BLOB,
  "parent_path" TEXT,
  "depth" INTEGER NOT NULL DEFAULT 0,
  "purpose" TEXT,
  "purpose_id" BLOB,
  "canceled_at" INTEGER,
  "cancel_reason" TEXT,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("workflow_id") REFERENCES "workflow" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("triggered_by") REFERENCES "users" ("id") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("repeats") REFERENCES "workflow_execution" ("id") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "workflow_execution_workflow_id_start_time_index" ON "workflow_execution" ("workflow_id", "start_time");

CREATE INDEX "workflow_execution_workflow_id_status_start_time_index" ON "workflow_execution" ("workflow_id", "status", "start_time");

CREATE INDEX "workflow_execution_tenant_id_account_id_start_time_index" ON "workflow_execution" ("tenant_id", "account_id", "start_time");

CREATE INDEX "workflow_execution_status_due_at_index" ON "workflow_execution" ("status", "due_at");

CREATE INDEX "workflow_execution_status_tenant_id_due_at_index" ON "workflow_execution" ("status", "tenant_id", "due_at");

CREATE INDEX "workflow_execution_claim_tenant_id_due_at_index" ON "workflow_execution" ("claim", "tenant_id", "due_at");

CREATE INDEX "workflow_execution_workflow_id_idempotency_key_index" ON "workflow_execution" ("workflow_id", "idempotency_key");

CREATE INDEX "workflow_execution_waits_for_id_index" ON "workflow_execution" ("waits_for", "id");

CREATE INDEX "workflow_execution_parent_execution_id_index" ON "workflow_execution" ("parent_execution", "id");

CREATE INDEX "workflow_execution_close_time_id_index" ON "workflow_execution" ("close_time", "id");

CREATE TABLE "workflow_execution_task" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "execution_id" BLOB NOT NULL,
  "place" INTEGER NOT NULL,
  "path" TEXT NOT NULL DEFAULT '',
  "task_id" TEXT NOT NULL,
  "task_type" TEXT NOT NULL,
  "status" TEXT NOT NULL,
  "attempt" INTEGER NOT NULL DEFAULT 0,
  "input" TEXT,
  "output" TEXT,
  "error" TEXT,
  "vars" TEXT NOT NULL DEFAULT '{}',
  "due_at" INTEGER,
  "settled" INTEGER NOT NULL DEFAULT 0,
  "start_time" INTEGER,
  "end_time" INTEGER,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("execution_id") REFERENCES "workflow_execution" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "workflow_execution_task_execution_id_place_key" ON "workflow_execution_task" ("execution_id", "place");

CREATE TABLE "workflow_state" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "workflow_id" BLOB NOT NULL,
  "key" TEXT NOT NULL,
  "value" TEXT,
  "expires_at" INTEGER,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("workflow_id") REFERENCES "workflow" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "workflow_state_workflow_id_key_key" ON "workflow_state" ("workflow_id", "key");

CREATE TABLE "workflow_wait" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "execution_id" BLOB NOT NULL,
  "path" TEXT NOT NULL,
  "task_id" TEXT NOT NULL DEFAULT '',
  "message" TEXT NOT NULL,
  "plan" TEXT,
  "plan_hash" TEXT,
  "policy" TEXT NOT NULL DEFAULT '{}',
  "default_answer" TEXT,
  "options" TEXT NOT NULL,
  "token_hash" TEXT NOT NULL,
  "due_at" INTEGER,
  "asked_at" INTEGER NOT NULL,
  "answered_at" INTEGER,
  "answer" TEXT,
  "answered_by" TEXT,
  "comments" TEXT,
  "is_taken" INTEGER NOT NULL DEFAULT 0 CHECK ("is_taken" IN (0, 1)),
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("execution_id") REFERENCES "workflow_execution" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "workflow_wait_execution_id_index" ON "workflow_wait" ("execution_id");

CREATE TABLE "workflow_vote" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "wait_id" BLOB NOT NULL,
  "user_id" BLOB NOT NULL,
  "status" TEXT NOT NULL,
  "comments" TEXT,
  "voted_at" INTEGER NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("wait_id") REFERENCES "workflow_wait" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "workflow_vote_wait_id_user_id_key" ON "workflow_vote" ("wait_id", "user_id");

CREATE TABLE "workflow_event_wait" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "account_id" BLOB NOT NULL,
  "execution_id" BLOB NOT NULL,
  "event_id" BLOB NOT NULL,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("account_id") REFERENCES "cloud_accounts" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("execution_id") REFERENCES "workflow_execution" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("event_id") REFERENCES "events" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "workflow_event_wait_execution_id_event_id_key" ON "workflow_event_wait" ("execution_id", "event_id");

CREATE INDEX "workflow_event_wait_event_id_index" ON "workflow_event_wait" ("event_id");

CREATE TABLE "workflow_secret" (
  "id" BLOB NOT NULL,
  "tenant_id" BLOB NOT NULL,
  "name" TEXT NOT NULL,
  "value" TEXT,
  "hosts" TEXT NOT NULL DEFAULT '[]',
  "created_at" INTEGER NOT NULL,
  "created_by" BLOB,
  "updated_at" INTEGER NOT NULL,
  "updated_by" BLOB,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("created_by") REFERENCES "users" ("id") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY ("updated_by") REFERENCES "users" ("id") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX "workflow_secret_tenant_id_name_key" ON "workflow_secret" ("tenant_id", "name");

CREATE TABLE "workflow_engine" (
  "id" INTEGER NOT NULL,
  "is_on" INTEGER NOT NULL CHECK ("is_on" IN (0, 1)),
  "reaches_private" INTEGER NOT NULL DEFAULT 0 CHECK ("reaches_private" IN (0, 1)),
  "private_addresses" TEXT NOT NULL DEFAULT 'none',
  "programs" TEXT NOT NULL DEFAULT '[]',
  "repository_tokens" TEXT NOT NULL DEFAULT '[]',
  "environment_names" TEXT NOT NULL DEFAULT '[]',
  "history_days" INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY ("id")
) STRICT;

CREATE VIEW "events_traced" AS
-- Events with where they stand in the series of their fingerprint, and the latest pull request that is to resolve them. Looked up column by column, not
-- joined: a listing that asks for none of them reads an index of the events alone.
SELECT
  event.id AS id,
  event.tenant AS tenant,
  event.cloud_account_id AS cloud_account_id,
  event.cloud_resource_id AS cloud_resource_id,
  event.finding_id AS finding_id,
  event.title AS title,
  event.description AS description,
  event.source AS source,
  event.aggregation_key AS aggregation_key,
  event.failure AS failure,
  event.finding_type AS finding_type,
  event.category AS category,
  event.priority AS priority,
  event.subject_type AS subject_type,
  event.subject_name AS subject_name,
  event.subject_namespace AS subject_namespace,
  event.subject_node AS subject_node,
  event.subject_owner AS subject_owner,
  COALESCE(event.subject_owner, event.subject_name, '') AS subject_owner_or_name,
  event.service_key AS service_key,
  event.cluster AS cluster,
  event.starts_at AS starts_at,
  event.ends_at AS ends_at,
  event.fingerprint AS fingerprint,
  event.evidences AS evidences,
  event.status AS status,
  event.principal AS principal,
  event.labels AS labels,
  event.urgency AS urgency,
  event.computed_score AS computed_score,
  event.computed_priority AS computed_priority,
  event.score_factors AS score_factors,
  event.score_confidence AS score_confidence,
  event.nb_status AS nb_status,
  CASE event.nb_status
    WHEN 'ACTION_REQUIRED' THEN 9 WHEN 'OPEN' THEN 8 WHEN 'SNOOZED' THEN 7 WHEN 'ACKNOWLEDGED' THEN 6
    WHEN 'INVESTIGATING' THEN 5 WHEN 'DUPLICATE' THEN 4 WHEN 'SUPPRESSED' THEN 3 WHEN 'DROPPED' THEN 2
    WHEN 'RESOLVED' THEN 1 ELSE 0
  END AS nb_status_rank,
  event.snoozed_until AS snoozed_until,
  event.nb_status_changed_at AS nb_status_changed_at,
  event.nb_status_changed_by AS nb_status_changed_by,
  event.created_at AS created_at,
  event.updated_at AS updated_at,
  (
    SELECT series.absolute_first_seen_at
    FROM event_duplicates AS series
    WHERE series.event_id = event.id AND series.cloud_account_id = event.cloud_account_id
  ) AS first_seen_at,
  (
    SELECT series.occurrence_number
    FROM event_duplicates AS series
    WHERE series.event_id = event.id AND series.cloud_account_id = event.cloud_account_id
  ) AS occurrence_number,
  (
    SELECT COALESCE(pull.data ->> 'url', pull.type_reference_id)
    FROM event_resolution AS pull
    WHERE pull.event_id = event.id AND pull.type = 'PullRequest'
    ORDER BY pull.created_at DESC, pull.id DESC
    LIMIT 1
  ) AS pr_url,
  (
    SELECT pull.data ->> 'title'
    FROM event_resolution AS pull
    WHERE pull.event_id = event.id AND pull.type = 'PullRequest'
    ORDER BY pull.created_at DESC, pull.id DESC
    LIMIT 1
  ) AS pr_title
FROM events AS event;

CREATE VIEW "k8s_account_resource_usage" AS
-- The latest measurement of every part of a cluster, added up per cluster. A figure nobody measured stays null.
-- Metric names are those of the allocation exports (OpenCost, Kubecost) that write cloud_resource_metrics.
SELECT
  measured.tenant_id AS tenant_id,
  measured.cloud_account_id AS cloud_account_id,
  SUM(CASE WHEN measured.metric = 'cpuCoreRequestAverage' THEN measured.value END) AS avg_cpu_request,
  SUM(CASE WHEN measured.metric = 'cpuCoreUsageAverage' THEN measured.value END) AS avg_cpu_usage,
  SUM(CASE WHEN measured.metric = 'networkTransferBytes' THEN measured.value END) / 1048576.0 AS avg_egress,
  SUM(CASE WHEN measured.metric = 'networkReceiveBytes' THEN measured.value END) / 1048576.0 AS avg_ingress,
  SUM(CASE WHEN measured.metric = 'ramByteRequestAverage' THEN measured.value END) / 1048576.0 AS avg_mem_request,
  SUM(CASE WHEN measured.metric = 'ramByteUsageAverage' THEN measured.value END) / 1048576.0 AS avg_mem_usage
FROM cloud_resource_metrics AS measured
WHERE measured.metric IN (
    'cpuCoreRequestAverage', 'cpuCoreUsageAverage', 'networkTransferBytes', 'networkReceiveBytes',
    'ramByteRequestAverage', 'ramByteUsageAverage'
  )
  AND NOT EXISTS (
    SELECT 1
    FROM cloud_resource_metrics AS newer
    WHERE newer.cloud_resource_id = measured.cloud_resource_id
      AND newer.metric = measured.metric
      AND newer.timestamp > measured.timestamp
  )
GROUP BY measured.tenant_id, measured.cloud_account_id;

CREATE VIEW "k8s_measurements" AS
-- Measurements with the names a cluster's parts go by. Names of the tags are those of the allocation exports.
SELECT
  measured.id AS id,
  measured.tenant_id AS tenant_id,
  measured.cloud_account_id AS cloud_account_id,
  measured.metric AS metric,
  measured.timestamp AS timestamp,
  measured.value AS value,
  measured.tags ->> 'controllerKind' AS workload_type,
  measured.tags ->> 'controller' AS workload_name,
  measured.tags ->> 'namespace' AS namespace_name,
  measured.tags ->> 'name' AS pod_name,
  measured.tags ->> 'node' AS node_name,
  measured.tags ->> 'workload_fqdn' AS workload_fqdn,
  measured.tags ->> 'pod_fqdn' AS pod_fqdn
FROM cloud_resource_metrics AS measured;

CREATE VIEW "k8s_clusters" AS
-- One row per cluster that has active nodes: what they have, and how many active workloads and pods of each kind there are.
SELECT
  node.tenant_id AS tenant_id,
  node.cloud_account_id AS cloud_account_id,
  count(*) AS node_count,
  sum(CASE WHEN lower(node.node_type) = 'spot' THEN 1 ELSE 0 END) AS node_spot_count,
  sum(node.cpu_capacity) AS node_cpu_capacity,
  sum(node.cpu_allocatable) AS node_cpu_allocatable,
  sum(node.memory_capacity) AS node_memory_capacity,
  sum(node.memory_allocatable) AS node_memory_allocatable,
  (
    SELECT json_group_object(kinds.kind, kinds.number)
    FROM (
      SELECT workload.kind AS kind, count(*) AS number
      FROM k8s_workloads AS workload
      WHERE workload.tenant_id = node.tenant_id
        AND workload.cloud_account_id = node.cloud_account_id
        AND workload.is_active
      GROUP BY workload.kind
      ORDER BY workload.kind
    ) AS kinds
  ) AS workload_type_counts,
  (
    SELECT json_group_object(states.status, states.number)
    FROM (
      SELECT pod.status AS status, count(*) AS number
      FROM k8s_pods AS pod
      WHERE pod.tenant_id = node.tenant_id
        AND pod.cloud_account_id = node.cloud_account_id
        AND pod.is_active
      GROUP BY pod.status
      ORDER BY pod.status
    ) AS states
  ) AS pod_status_counts
FROM k8s_nodes AS node
WHERE node.is_active
GROUP BY node.tenant_id, node.cloud_account_id;

CREATE VIEW "k8s_namespaces_counted" AS
-- Namespaces with the number of active pods in them. Their tenant and cluster are texts, those of pods are ids.
SELECT
  space.tenant_id AS tenant_id,
  space.cloud_account_id AS cloud_account_id,
  space.name AS name,
  space.is_active AS is_active,
  space.workload_count AS workload_count,
  (
    SELECT count(*)
    FROM k8s_pods AS pod
    WHERE pod.tenant_id = text_uuid(space.tenant_id)
      AND pod.cloud_account_id = text_uuid(space.cloud_account_id)
      AND pod.namespace = space.name
      AND pod.is_active
  ) AS pod_count,
  space.creation_time AS creation_time,
  space.updated_at AS updated_at
FROM k8s_namespaces AS space;

CREATE VIEW "k8s_workloads_watched" AS
-- Workloads with what goes wrong in them: issues that are more than DEBUG, those of pods and of applications among them, and
-- service level objectives that are not met. How many objectives there are nobody keeps.
SELECT
  workload.tenant_id AS tenant_id,
  workload.cloud_account_id AS account_id,
  account.account_name AS account_name,
  workload.namespace AS namespace,
  workload.name AS name,
  workload.cloud_resource_id AS workload_id,
  workload.ready_pods AS ready_pods,
  workload.total_pods AS total_pods,
  workload.creation_time AS creation_time,
  count(CASE WHEN issue.finding_type = 'issue' THEN 1 END) AS event_count,
  count(
    CASE
      WHEN issue.finding_type = 'issue'
        AND issue.aggregation_key IN (
          'KubePodCrashLooping', 'ReportCrashLoop', 'CPUThrottlingHigh', 'image_pull_backoff_reporter',
          'pod_oom_killer_enricher'
        ) THEN 1
    END
  ) AS pod_error_count,
  count(
    CASE
      WHEN issue.finding_type = 'issue'
        AND issue.aggregation_key IN ('HighErrorCriticalLogs', 'ApplicationAPIFailures') THEN 1
    END
  ) AS application_error_count,
  count(CASE WHEN issue.source = 'slo' AND issue.status = 'FIRING' THEN 1 END) AS failed_slo_count,
  NULL AS total_slo_count
FROM k8s_workloads AS workload
JOIN cloud_accounts AS account
  ON account.id = workload.cloud_account_id AND account.tenant = workload.tenant_id
LEFT JOIN events AS issue
  ON issue.tenant = workload.tenant_id
  AND issue.cloud_account_id = workload.cloud_account_id
  AND issue.subject_namespace = workload.namespace
  AND COALESCE(issue.subject_owner, issue.subject_name) = workload.name
  AND issue.priority <> 'DEBUG'
GROUP BY workload.tenant_id, workload.cloud_account_id, workload.cloud_resource_id, account.account_name;

CREATE VIEW "k8s_workloads_to_rightsize" AS
-- How many open recommendations to change the size of its pods a workload has.
SELECT
  workload.tenant_id AS tenant_id,
  workload.cloud_account_id AS account_id,
  workload.namespace AS namespace,
  workload.name AS workload_name,
  workload.creation_time AS creation_time,
  count(*) AS recommendation_count
FROM k8s_workloads AS workload
JOIN recommendation AS advice
  ON advice.tenant_id = workload.tenant_id
  AND advice.cloud_account_id = workload.cloud_account_id
  AND advice.resource_id = workload.cloud_resource_id
WHERE advice.status = 'Open'
  AND advice.category = 'RightSizing'
  AND advice.rule_name = 'pod_right_sizing'
GROUP BY workload.tenant_id, workload.cloud_account_id, workload.cloud_resource_id;

CREATE VIEW "recommendations_placed" AS
-- Recommendations with what they are about and where. Of those for one opportunity (the same dedupe group, else the same
-- resource, else the same object, else itself) in one category, the one that saves most is primary.
SELECT
  advice.id AS id,
  advice.tenant_id AS tenant_id,
  advice.cloud_account_id AS cloud_account_id,
  account.cloud_provider AS account_cloud_provider,
  account.account_name AS account_name,
  account.status AS account_status,
  advice.resource_id AS resource_id,
  resource.name AS resource_name,
  resource.service_name AS resource_cloud_service,
  resource.region AS resource_region,
  COALESCE(resource.meta ->> 'namespace', advice.recommendation ->> 'namespace') AS resource_k8s_namespace,
  resource.meta AS resource_meta,
  resource.type AS resource_type,
  advice.category AS category,
  advice.rule_name AS rule_name,
  advice.estimated_savings AS estimated_savings,
  advice.status AS status,
  advice.severity AS severity,
  CASE advice.severity
    WHEN 'Critical' THEN 10 WHEN 'High' THEN 8 WHEN 'Medium' THEN 5 WHEN 'Low' THEN 2 WHEN 'Info' THEN 1 ELSE 0
  END AS severity_weight,
  advice.recommendation AS recommendation,
  advice.recommendation_action AS recommendation_action,
  advice.account_object_id AS account_object_id,
  advice.note AS note,
  advice.is_dismissed AS is_dismissed,
  advice.dismissed_reason AS dismissed_reason,
  advice.updated_by AS updated_by,
  advice.created_at AS created_at,
  advice.updated_at AS updated_at,
  CASE
    row_number() OVER (
      PARTITION BY
        advice.tenant_id,
        advice.cloud_account_id,
        advice.category,
        COALESCE(
          advice.recommendation ->> 'dedupe_group', uuid_text(advice.resource_id), advice.account_object_id,
          uuid_text(advice.id)
        )
      ORDER BY advice.estimated_savings DESC NULLS LAST, advice.id
    )
    WHEN 1 THEN TRUE
    ELSE FALSE
  END AS is_primary_recommendation,
  COALESCE(CAST(advice.recommendation ->> 'deleted_version' AS REAL), 0.0) AS deleted_version,
  COALESCE(CAST(advice.recommendation ->> 'deprecated_version' AS REAL), 0.0) AS deprecated_version
FROM recommendation AS advice
JOIN cloud_accounts AS account
  ON account.id = advice.cloud_account_id AND account.tenant = advice.tenant_id
LEFT JOIN cloud_resourses AS resource
  ON resource.id = advice.resource_id AND resource.tenant = advice.tenant_id;

CREATE VIEW "recommendation_misconfigurations" AS
-- One row for each finding of a recommendation about configuration: its JSON is a list of them. The savings of a
-- recommendation count once, with the first finding of the primary one.
SELECT
  advice.id AS id,
  advice.tenant_id AS tenant_id,
  advice.cloud_account_id AS cloud_account_id,
  advice.resource_id AS resource_id,
  advice.category AS category,
  advice.rule_name AS rule_name,
  advice.status AS status,
  advice.created_at AS created_at,
  advice.updated_at AS updated_at,
  finding.value ->> 'category' AS missconfig_category,
  finding.value ->> 'message' AS missconfig_message,
  COALESCE(finding.value ->> 'kind', resource.type) AS resource_type,
  COALESCE(finding.value ->> 'namespace', resource.meta ->> 'namespace') AS resource_k8s_namespace,
  finding.value ->> 'container' AS resource_k8s_container,
  COALESCE(finding.value ->> 'name', resource.name) AS resource_name,
  advice.estimated_savings AS estimated_savings,
  advice.account_object_id AS account_object_id,
  CASE
    row_number() OVER (
      PARTITION BY
        advice.tenant_id,
        advice.cloud_account_id,
        advice.category,
        COALESCE(uuid_text(advice.resource_id), advice.account_object_id, uuid_text(advice.id))
      ORDER BY advice.estimated_savings DESC NULLS LAST, advice.id, finding.key
    )
    WHEN 1 THEN TRUE
    ELSE FALSE
  END AS is_primary_recommendation
FROM recommendation AS advice
JOIN json_each(CASE json_type(advice.recommendation) WHEN 'array' THEN advice.recommendation ELSE '[]' END) AS finding
LEFT JOIN cloud_resourses AS resource
  ON resource.id = advice.resource_id AND resource.tenant = advice.tenant_id
WHERE advice.category = 'Configuration'
  AND advice.rule_name = 'misconfigurations';

CREATE VIEW "recommendation_vulnerabilities" AS
-- Weaknesses found in images, and the workloads whose pods run them: one row for each workload, or one without.
SELECT
  advice.id AS id,
  advice.tenant_id AS tenant_id,
  advice.cloud_account_id AS cloud_account_id,
  advice.severity AS severity,
  CASE advice.severity
    WHEN 'Critical' THEN 10 WHEN 'High' THEN 8 WHEN 'Medium' THEN 5 WHEN 'Low' THEN 2 WHEN 'Info' THEN 1 ELSE 0
  END AS severity_weight,
  advice.status AS status,
  advice.recommendation ->> 'image_name' AS image,
  advice.recommendation ->> 'VulnerabilityID' AS vulnerability_id,
  COALESCE(advice.recommendation ->> 'PkgID', advice.recommendation ->> 'PkgName') AS package_id,
  advice.created_at AS created_at,
  advice.updated_at AS updated_at,
  running.workload_name IS NOT NULL AS is_active,
  running.workload_name AS workload_name,
  running.workload_type AS workload_type,
  running.namespace AS namespace,
  advice.recommendation AS recommendation
FROM recommendation AS advice
LEFT JOIN (
  SELECT DISTINCT
    pod.tenant_id AS tenant_id,
    pod.cloud_account_id AS cloud_account_id,
    pod.namespace AS namespace,
    pod.workload_name AS workload_name,
    pod.workload_type AS workload_type,
    container.value ->> 'image' AS image
  FROM k8s_pods AS pod
  JOIN json_each(COALESCE(pod.meta -> 'config' -> 'containers', '[]')) AS container
  WHERE pod.is_active
    AND pod.workload_name IS NOT NULL
) AS running
  ON running.tenant_id = advice.tenant_id
  AND running.cloud_account_id = advice.cloud_account_id
  AND running.image = advice.recommendation ->> 'image_name'
WHERE advice.rule_name = 'image_scan';

CREATE TABLE "spends#layout" ("words" TEXT NOT NULL, "epoch" INTEGER NOT NULL) STRICT;

CREATE TABLE "spends#segments" ("grain" INTEGER NOT NULL, "first_row" INTEGER NOT NULL, "last_row" INTEGER NOT NULL, "id" INTEGER NOT NULL, "rows" INTEGER NOT NULL, "earliest" INTEGER, "latest" INTEGER, "exact" INTEGER NOT NULL, "stale" INTEGER NOT NULL DEFAULT 0, PRIMARY KEY ("grain", "first_row")) STRICT, WITHOUT ROWID;

CREATE TABLE "spends#columns" ("id" INTEGER PRIMARY KEY, "data" BLOB NOT NULL) STRICT;

CREATE TABLE "spends#values" ("slot" INTEGER NOT NULL, "code" INTEGER NOT NULL, "value" BLOB NOT NULL, PRIMARY KEY ("slot", "code")) STRICT, WITHOUT ROWID;

CREATE TRIGGER "spends#deleted" AFTER DELETE ON "spends" BEGIN UPDATE "spends#segments" SET "stale" = 1 WHERE "grain" = 0 AND "first_row" = (SELECT max("first_row") FROM "spends#segments" WHERE "grain" = 0 AND "first_row" <= old.rowid) AND "last_row" >= old.rowid AND "stale" = 0; END;

CREATE TRIGGER "spends#changed" AFTER UPDATE OF "tenant", "cloud_account", "amount", "business_unit", "cloud_resource_id", "date", "exclude_aggregate", "#labels", "#offer", "import_id", "period_end", "effective_cost", "list_cost", "contracted_cost", "service_name", "region" ON "spends" BEGIN UPDATE "spends#segments" SET "stale" = 1 WHERE "grain" = 0 AND "first_row" = (SELECT max("first_row") FROM "spends#segments" WHERE "grain" = 0 AND "first_row" <= old.rowid) AND "last_row" >= old.rowid AND "stale" = 0; END;

CREATE VIRTUAL TABLE "llm_passage#words" USING fts5("text", content="llm_passage", tokenize='unicode61 remove_diacritics 2'); INSERT INTO "llm_passage#words"("llm_passage#words") VALUES ('rebuild');

CREATE VIRTUAL TABLE "llm_passage#terms" USING fts5vocab("llm_passage#words", 'row');

CREATE TABLE "llm_passage#vectors" ("of" BLOB NOT NULL, "block" INTEGER NOT NULL, "model" TEXT NOT NULL, "keys" BLOB NOT NULL, "scales" BLOB NOT NULL, "codes" BLOB NOT NULL, PRIMARY KEY ("of", "block")) STRICT;

CREATE TRIGGER "llm_passage#words insert" AFTER INSERT ON "llm_passage" BEGIN INSERT INTO "llm_passage#words"(rowid, "text") VALUES (NEW.rowid, NEW."text"); END;

CREATE TRIGGER "llm_passage#words delete" AFTER DELETE ON "llm_passage" BEGIN INSERT INTO "llm_passage#words"("llm_passage#words", rowid, "text") VALUES ('delete', OLD.rowid, OLD."text"); DELETE FROM "llm_passage#vectors" WHERE "of" = OLD."kb_id"; END;

CREATE TRIGGER "llm_passage#words update" AFTER UPDATE OF "text" ON "llm_passage" BEGIN INSERT INTO "llm_passage#words"("llm_passage#words", rowid, "text") VALUES ('delete', OLD.rowid, OLD."text"); INSERT INTO "llm_passage#words"(rowid, "text") VALUES (NEW.rowid, NEW."text"); DELETE FROM "llm_passage#vectors" WHERE "of" = OLD."kb_id"; END;

CREATE TABLE "llm_alias#mark" ("mark" BLOB NOT NULL) STRICT; INSERT INTO "llm_alias#mark" VALUES (randomblob(16));

CREATE TABLE "cloud_accounts#mark" ("mark" BLOB NOT NULL) STRICT; INSERT INTO "cloud_accounts#mark" VALUES (randomblob(16));

CREATE TABLE "cloud_resourses#mark" ("mark" BLOB NOT NULL) STRICT; INSERT INTO "cloud_resourses#mark" VALUES (randomblob(16));

CREATE TABLE "events#mark" ("mark" BLOB NOT NULL) STRICT; INSERT INTO "events#mark" VALUES (randomblob(16));

CREATE TABLE "llm_knowledgebase#mark" ("mark" BLOB NOT NULL) STRICT; INSERT INTO "llm_knowledgebase#mark" VALUES (randomblob(16));

CREATE TABLE "k8s_nodes#mark" ("mark" BLOB NOT NULL) STRICT; INSERT INTO "k8s_nodes#mark" VALUES (randomblob(16));

CREATE TABLE "k8s_pods#mark" ("mark" BLOB NOT NULL) STRICT; INSERT INTO "k8s_pods#mark" VALUES (randomblob(16));

CREATE TABLE "k8s_workloads#mark" ("mark" BLOB NOT NULL) STRICT; INSERT INTO "k8s_workloads#mark" VALUES (randomblob(16));

CREATE TABLE "tenant_users#mark" ("mark" BLOB NOT NULL) STRICT; INSERT INTO "tenant_users#mark" VALUES (randomblob(16));

CREATE TABLE "users#mark" ("mark" BLOB NOT NULL) STRICT; INSERT INTO "users#mark" VALUES (randomblob(16));

CREATE TABLE "tenant#mark" ("mark" BLOB NOT NULL) STRICT; INSERT INTO "tenant#mark" VALUES (randomblob(16));

CREATE TABLE "shared#values" ("id" INTEGER PRIMARY KEY, "cells" BLOB NOT NULL) STRICT;

CREATE TRIGGER "llm_alias#mark insert" AFTER INSERT ON "llm_alias" BEGIN UPDATE "llm_alias#mark" SET "mark" = randomblob(16); END;

CREATE TRIGGER "llm_alias#mark delete" AFTER DELETE ON "llm_alias" BEGIN UPDATE "llm_alias#mark" SET "mark" = randomblob(16); END;

CREATE TRIGGER "llm_alias#mark update" AFTER UPDATE OF "tenant_id", "name", "token" ON "llm_alias" WHEN OLD."tenant_id" IS NOT NEW."tenant_id" COLLATE BINARY OR OLD."name" IS NOT NEW."name" COLLATE BINARY OR OLD."token" IS NOT NEW."token" COLLATE BINARY BEGIN UPDATE "llm_alias#mark" SET "mark" = randomblob(16); END;

CREATE TRIGGER "cloud_accounts#mark insert" AFTER INSERT ON "cloud_accounts" BEGIN UPDATE "cloud_accounts#mark" SET "mark" = randomblob(16); END;

CREATE TRIGGER "cloud_accounts#mark delete" AFTER DELETE ON "cloud_accounts" BEGIN UPDATE "cloud_accounts#mark" SET "mark" = randomblob(16); END;

CREATE TRIGGER "cloud_accounts#mark update" AFTER UPDATE OF "tenant", "account_name", "account_number" ON "cloud_accounts" WHEN OLD."tenant" IS NOT NEW."tenant" COLLATE BINARY OR OLD."account_name" IS NOT NEW."account_name" COLLATE BINARY OR OLD."account_number" IS NOT NEW."account_number" COLLATE BINARY BEGIN UPDATE "cloud_accounts#mark" SET "mark" = randomblob(16); END;

CREATE TRIGGER "cloud_resourses#mark insert" AFTER INSERT ON "cloud_resourses" BEGIN UPDATE "cloud_resourses#mark" SET "mark" = randomblob(16); END;

CREATE TRIGGER "cloud_resourses#mark delete" AFTER DELETE ON "cloud_resourses" BEGIN UPDATE "cloud_resourses#mark" SET "mark" = randomblob(16); END;

CREATE TRIGGER "cloud_resourses#mark update" AFTER UPDATE OF "tenant", "arn", "external_resource_id", "name", "resourse_id", "service_name" ON "cloud_resourses" WHEN OLD."tenant" IS NOT NEW."tenant" COLLATE BINARY OR OLD."arn" IS NOT NEW."arn" COLLATE BINARY OR OLD."external_resource_id" IS NOT NEW."external_resource_id" COLLATE BINARY OR OLD."name" IS NOT NEW."name" COLLATE BINARY OR OLD."resourse_id" IS NOT NEW."resourse_id" COLLATE BINARY OR OLD."service_name" IS NOT NEW."service_name" COLLATE BINARY BEGIN UPDATE "cloud_resourses#mark" SET "mark" = randomblob(16); END;

CREATE TRIGGER "events#mark insert" AFTER INSERT ON "events" BEGIN UPDATE "events#mark" SET "mark" = randomblob(16); END;

CREATE TRIGGER "events#mark delete" AFTER DELETE ON "events" BEGIN UPDATE "events#mark" SET "mark" = randomblob(16); END;

CREATE TRIGGER "events#mark update" AFTER UPDATE OF "tenant", "aggregation_key", "starts_at", "subject_name", "title" ON "events" WHEN OLD."tenant" IS NOT NEW."tenant" COLLATE BINARY OR OLD."aggregation_key" IS NOT NEW."aggregation_key" COLLATE BINARY OR OLD."starts_at" IS NOT NEW."starts_at" COLLATE BINARY OR OLD."subject_name" IS NOT NEW."subject_name" COLLATE BINARY OR OLD."title" IS NOT NEW."title" COLLATE BINARY BEGIN UPDATE "events#mark" SET "mark" = randomblob(16); END;

CREATE TRIGGER "llm_knowledgebase#mark insert" AFTER INSERT ON "llm_knowledgebase" BEGIN UPDATE "llm_knowledgebase#mark" SET "mark" = randomblob(16); END;

CREATE TRIGGER "llm_knowledgebase#mark delete" AFTER DELETE ON "llm_knowledgebase" BEGIN UPDATE "llm_knowledgebase#mark" SET "mark" = randomblob(16); END;

CREATE TRIGGER "llm_knowledgebase#mark update" AFTER UPDATE OF "tenant_id", "name" ON "llm_knowledgebase" WHEN OLD."tenant_id" IS NOT NEW."tenant_id" COLLATE BINARY OR OLD."name" IS NOT NEW."name" COLLATE BINARY BEGIN UPDATE "llm_knowledgebase#mark" SET "mark" = randomblob(16); END;

CREATE TRIGGER "k8s_nodes#mark insert" AFTER INSERT ON "k8s_nodes" BEGIN UPDATE "k8s_nodes#mark" SET "mark" = randomblob(16); END;

CREATE TRIGGER "k8s_nodes#mark delete" AFTER DELETE ON "k8s_nodes" BEGIN UPDATE "k8s_nodes#mark" SET "mark" = randomblob(16); END;

CREATE TRIGGER "k8s_nodes#mark update" AFTER UPDATE OF "tenant_id", "name" ON "k8s_nodes" WHEN OLD."tenant_id" IS NOT NEW."tenant_id" COLLATE BINARY OR OLD."name" IS NOT NEW."name" COLLATE BINARY BEGIN UPDATE "k8s_nodes#mark" SET "mark" = randomblob(16); END;

CREATE TRIGGER "k8s_pods#mark insert" AFTER INSERT ON "k8s_pods" BEGIN UPDATE "k8s_pods#mark" SET "mark" = randomblob(16); END;

CREATE TRIGGER "k8s_pods#mark delete" AFTER DELETE ON "k8s_pods" BEGIN UPDATE "k8s_pods#mark" SET "mark" = randomblob(16); END;

CREATE TRIGGER "k8s_pods#mark update" AFTER UPDATE OF "tenant_id", "name" ON "k8s_pods" WHEN OLD."tenant_id" IS NOT NEW."tenant_id" COLLATE BINARY OR OLD."name" IS NOT NEW."name" COLLATE BINARY BEGIN UPDATE "k8s_pods#mark" SET "mark" = randomblob(16); END;

CREATE TRIGGER "k8s_workloads#mark insert" AFTER INSERT ON "k8s_workloads" BEGIN UPDATE "k8s_workloads#mark" SET "mark" = randomblob(16); END;

CREATE TRIGGER "k8s_workloads#mark delete" AFTER DELETE ON "k8s_workloads" BEGIN UPDATE "k8s_workloads#mark" SET "mark" = randomblob(16); END;

CREATE TRIGGER "k8s_workloads#mark update" AFTER UPDATE OF "tenant_id", "name", "namespace", "id" ON "k8s_workloads" WHEN OLD."tenant_id" IS NOT NEW."tenant_id" COLLATE BINARY OR OLD."name" IS NOT NEW."name" COLLATE BINARY OR OLD."namespace" IS NOT NEW."namespace" COLLATE BINARY OR OLD."id" IS NOT NEW."id" COLLATE BINARY BEGIN UPDATE "k8s_workloads#mark" SET "mark" = randomblob(16); END;

CREATE TRIGGER "tenant_users#mark insert" AFTER INSERT ON "tenant_users" BEGIN UPDATE "tenant_users#mark" SET "mark" = randomblob(16); END;

CREATE TRIGGER "tenant_users#mark delete" AFTER DELETE ON "tenant_users" BEGIN UPDATE "tenant_users#mark" SET "mark" = randomblob(16); END;

CREATE TRIGGER "tenant_users#mark update" AFTER UPDATE OF "tenant", "user_id" ON "tenant_users" WHEN OLD."tenant" IS NOT NEW."tenant" COLLATE BINARY OR OLD."user_id" IS NOT NEW."user_id" COLLATE BINARY BEGIN UPDATE "tenant_users#mark" SET "mark" = randomblob(16); END;

CREATE TRIGGER "users#mark insert" AFTER INSERT ON "users" BEGIN UPDATE "users#mark" SET "mark" = randomblob(16); END;

CREATE TRIGGER "users#mark delete" AFTER DELETE ON "users" BEGIN UPDATE "users#mark" SET "mark" = randomblob(16); END;

CREATE TRIGGER "users#mark update" AFTER UPDATE OF "id", "display_name", "username" ON "users" WHEN OLD."id" IS NOT NEW."id" COLLATE BINARY OR OLD."display_name" IS NOT NEW."display_name" COLLATE BINARY OR OLD."username" IS NOT NEW."username" COLLATE BINARY BEGIN UPDATE "users#mark" SET "mark" = randomblob(16); END;

CREATE TRIGGER "tenant#mark insert" AFTER INSERT ON "tenant" BEGIN UPDATE "tenant#mark" SET "mark" = randomblob(16); END;

CREATE TRIGGER "tenant#mark delete" AFTER DELETE ON "tenant" BEGIN UPDATE "tenant#mark" SET "mark" = randomblob(16); END;

CREATE TRIGGER "tenant#mark update" AFTER UPDATE OF "id", "name" ON "tenant" WHEN OLD."id" IS NOT NEW."id" COLLATE BINARY OR OLD."name" IS NOT NEW."name" COLLATE BINARY BEGIN UPDATE "tenant#mark" SET "mark" = randomblob(16); END;
