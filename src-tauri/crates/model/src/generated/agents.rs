//! Tables and lookups of `schema/tables/agents.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;
use crate::lookup::lookup;
use crate::table::table;

table! {
    /// A program in a cluster or network that looks and acts for the service.
    Agent in agent by id {
        id: Id<Agent>,
        tenant: Id<Tenant>,
        cloud_account_id: Id<CloudAccount>,
        /// Public part of its key.
        access_key: Option<Secret<String>>,
        /// Secret part of its key, as older releases kept it.
        access_secret: Option<Secret<String>>,
        /// Secret part of its key.
        access_secret_v2: Option<Secret<String>>,
        /// What it reaches and what not.
        connection_status: Option<Json>,
        /// Who runs the cluster.
        k8s_provider: Option<String>,
        k8s_version: Option<String>,
        last_connected_at: Option<Timestamp>,
        last_synced_at: Option<Timestamp>,
        status: String,
        /// Why it is not connected.
        status_message: Option<String>,
        r#type: Option<String>,
        /// Its own release.
        version: Option<String>,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

table! {
    /// One request of an agent.
    AgentAuditLog in agent_audit_log by id {
        id: Id<AgentAuditLog>,
        tenant_id: Option<Uuid>,
        cloud_account_id: Option<Uuid>,
        agent_id: Option<Uuid>,
        client_ip: String,
        /// Headers of the request, keys taken out.
        headers: Json,
        method: Option<String>,
        status_code: i64,
        /// In milliseconds.
        time_taken: Option<i64>,
        url: String,
        created_at: ZonedTimestamp,
        updated_at: Timestamp,
    }
}

table! {
    /// What an agent does when an alert of that name fires.
    AgentPlaybook in agent_playbook by id {
        id: Id<AgentPlaybook>,
        tenant_id: Option<Uuid>,
        cloud_account_id: Option<Uuid>,
        /// The steps and their settings.
        action_params: Option<Json>,
        alert_name: Option<String>,
        /// Who works on it.
        processor: Option<String>,
        /// Who wrote it.
        source: Option<AgentPlaybookSource>,
        /// Which alerts.
        trigger_params: Option<Json>,
        created_at: Option<ZonedTimestamp>,
        updated_at: Option<ZonedTimestamp>,
    }
}

lookup! {
    /// A step an agent can take when an alert fires: each looks for one kind of evidence.
    AgentPlaybookAction {
        /// Memory the whole cluster asks for.
        ClusterMemoryRequestsEnricher = "cluster_memory_requests_enricher",
        /// Where more processors are promised than there are.
        CpuOvercommitedEnricher = "cpu_overcommited_enricher",
        /// Events of the deployment.
        DeploymentEventsEnricher = "deployment_events_enricher",
        /// The definition of the resource.
        GetResourceYaml = "get_resource_yaml",
        /// Events of the job.
        JobEventsEnricher = "job_events_enricher",
        /// The pod of the job.
        JobPodEnricher = "job_pod_enricher",
        /// The answer to a kubectl command.
        KubectlCommandExecutor = "kubectl_command_executor",
        /// Logs of the pod.
        LogsEnricher = "logs_enricher",
        /// Where more memory is promised than there is.
        MemoryOvercommitedEnricher = "memory_overcommited_enricher",
        /// What the node can still give.
        NodeAllocatableResourcesEnricher = "node_allocatable_resources_enricher",
        /// Use of processors on the node.
        NodeCpuEnricher = "node_cpu_enricher",
        /// What fills the disk of the node.
        NodeDiskAnalyzer = "node_disk_analyzer",
        /// Pods on the node.
        NodeRunningPodsEnricher = "node_running_pods_enricher",
        /// Conditions of the node.
        NodeStatusEnricher = "node_status_enricher",
        /// The answer to a command run in the pod.
        PodBashEnricher = "pod_bash_enricher",
        /// The pod and its containers.
        PodEnricher = "pod_enricher",
        /// Events of the pod.
        PodEventsEnricher = "pod_events_enricher",
        /// Known causes that fit the pod's state.
        PodIssueInvestigator = "pod_issue_investigator",
        /// Where the pod spends its time.
        PodProfiler = "pod_profiler",
        /// The answer to a script run beside the pod.
        PodScriptRunEnricher = "pod_script_run_enricher",
        /// Pods of the same owner.
        RelatedPods = "related_pods",
        /// Why the pod restarts again and again.
        ReportCrashLoop = "report_crash_loop",
        /// Events of the resource.
        ResourceEventsEnricher = "resource_events_enricher",
    }
}

table! {
    /// A step an agent can take when an alert fires: each looks for one kind of evidence.
    AgentPlaybookActionRow in agent_playbook_action by name {
        name: String,
        /// The step under which others group it.
        action_name: Option<String>,
        /// Where it is offered; `All` for everywhere.
        category: Option<String>,
        description: Option<String>,
        /// What people call it.
        display_name: String,
        /// How it is run.
        execution_mode: Option<String>,
        /// What it needs to know.
        params: Option<Json>,
        /// Whose alerts it is for.
        source: Option<String>,
    }
}

lookup! {
    /// Who works on a playbook of an agent.
    AgentPlaybookProcessor {
        /// The agent, where the alert fired.
        NbAgent = "nb_agent",
        /// The service, away from the cluster.
        NbServer = "nb_server",
    }
}

table! {
    /// Who works on a playbook of an agent.
    AgentPlaybookProcessorRow in agent_playbook_processor by name {
        name: String,
        /// The same as `name`: playbooks refer to it.
        value: String,
    }
}

lookup! {
    /// Who wrote a playbook of an agent.
    AgentPlaybookSource {
        /// It came with the agent.
        Agent = "agent",
        /// A person wrote it.
        User = "user",
    }
}

table! {
    /// Who wrote a playbook of an agent.
    AgentPlaybookSourceRow in agent_playbook_source by value {
        value: String,
    }
}

lookup! {
    /// What starts a playbook of an agent.
    AgentPlaybookTrigger {
        /// An alert of Prometheus fires.
        OnPrometheusAlert = "on_prometheus_alert",
    }
}

table! {
    /// What starts a playbook of an agent.
    AgentPlaybookTriggerRow in agent_playbook_trigger by name {
        name: String,
        /// What it needs to know.
        params: Option<Json>,
    }
}

table! {
    /// Something an agent is asked to do, and its answer.
    AgentTask in agent_task by id {
        id: Id<AgentTask>,
        tenant: Uuid,
        cloud_account_id: Id<CloudAccount>,
        action: String,
        agent_id: Option<Id<Agent>>,
        /// What it needs to know.
        payload: Json,
        /// What it is done to; the spelling is the interface's.
        resoruce_id: Option<Uuid>,
        /// What came back.
        response: Option<Json>,
        /// What asked for it.
        source: Option<String>,
        /// Which one.
        source_id: Option<Uuid>,
        status: Option<String>,
        created_at: ZonedTimestamp,
        created_by: Option<Uuid>,
        updated_at: ZonedTimestamp,
    }
}
