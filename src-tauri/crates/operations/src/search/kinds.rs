//! What can be found, and where it stands.

/// Rows of one table that are found by their names.
pub(super) struct Source {
    pub table: &'static str,
    /// The column of the id; none where the title is one.
    pub id: Option<&'static str>,
    /// Columns of which the first that is filled is the title; all of them are searched.
    pub names: &'static [&'static str],
    /// What tells rows of one title apart: columns whose texts stand beside each other.
    pub note: &'static [&'static str],
    /// The word before the note, where the table is one of several of its kind.
    pub word: Option<&'static str>,
    pub account: Option<&'static str>,
    /// The column rows of one rank are ordered by, and whether the largest stands first.
    pub order: (&'static str, bool),
    /// The column that is empty in rows that are found at all.
    pub without: Option<&'static str>,
    /// Whether the names are kept in memory for those who read the whole tenant: a million of them is too many to read for each letter typed. The
    /// columns of names, and of the order where the largest stands first, are marked in the schema.
    pub is_kept: bool,
}

/// Every kind as the interface spells it, in the order they are answered in.
pub(super) const KINDS: &[(&str, &[Source])] = &[
    ("ACCOUNT", &[ACCOUNTS]),
    ("SERVICE", &[SERVICES]),
    ("RESOURCE", &[RESOURCES]),
    ("WORKLOAD", &[WORKLOADS, PODS, NODES, NAMESPACES]),
    ("EVENT", &[EVENTS]),
    ("RECOMMENDATION", &[RECOMMENDATIONS]),
    ("DOCUMENT", &[DOCUMENTS]),
    ("BUDGET", &[BUDGETS]),
    ("WORKFLOW", &[WORKFLOWS]),
    ("IMPORT", &[IMPORTS]),
    ("VIEW", &[VIEWS, PRIVATE_VIEWS]),
];

const ACCOUNTS: Source = Source {
    table: "cloud_accounts",
    id: Some("id"),
    names: &["account_name", "account_number"],
    note: &["account_number"],
    word: None,
    account: Some("id"),
    order: ("account_name", false),
    without: None,
    is_kept: false,
};

const SERVICES: Source = Source {
    table: "cloud_resourses",
    id: None,
    names: &["service_name"],
    note: &[],
    word: None,
    account: None,
    order: ("service_name", false),
    without: None,
    is_kept: true,
};

const RESOURCES: Source = Source {
    table: "cloud_resourses",
    id: Some("id"),
    names: &["name", "external_resource_id", "resourse_id", "arn"],
    note: &["type"],
    word: None,
    account: Some("account"),
    order: ("name", false),
    without: None,
    is_kept: true,
};

const WORKLOADS: Source = Source {
    table: "k8s_workloads",
    id: Some("id"),
    names: &["name"],
    note: &["kind", "namespace"],
    word: None,
    account: Some("cloud_account_id"),
    order: ("name", false),
    without: None,
    is_kept: true,
};

const PODS: Source = Source {
    table: "k8s_pods",
    id: Some("cloud_resource_id"),
    names: &["name"],
    note: &["namespace"],
    word: Some("Pod"),
    account: Some("cloud_account_id"),
    order: ("name", false),
    without: None,
    is_kept: true,
};

const NODES: Source = Source {
    table: "k8s_nodes",
    id: Some("cloud_resource_id"),
    names: &["name"],
    note: &["node_flavor"],
    word: Some("Node"),
    account: Some("cloud_account_id"),
    order: ("name", false),
    without: None,
    is_kept: true,
};

/// Its name is its id: it counts in its cluster.
const NAMESPACES: Source = Source {
    table: "k8s_namespaces",
    id: Some("name"),
    names: &["name"],
    note: &[],
    word: Some("Namespace"),
    account: Some("cloud_account_id"),
    order: ("name", false),
    without: None,
    is_kept: false,
};

const EVENTS: Source = Source {
    table: "events",
    id: Some("id"),
    names: &["title", "subject_name", "aggregation_key"],
    note: &["subject_name", "cluster"],
    word: None,
    account: Some("cloud_account_id"),
    order: ("starts_at", true),
    without: None,
    is_kept: true,
};

/// The view, not the table: who covers a namespace reads those of its resources.
const RECOMMENDATIONS: Source = Source {
    table: "recommendations_placed",
    id: Some("id"),
    names: &["rule_name", "resource_name", "account_object_id"],
    note: &["resource_name"],
    word: None,
    account: Some("cloud_account_id"),
    order: ("estimated_savings", true),
    without: None,
    is_kept: false,
};

const DOCUMENTS: Source = Source {
    table: "llm_knowledgebase",
    id: Some("id"),
    names: &["name", "data_filename"],
    note: &["data_filename"],
    word: None,
    account: Some("account_id"),
    order: ("name", false),
    without: None,
    is_kept: false,
};

const BUDGETS: Source = Source {
    table: "budget",
    id: Some("id"),
    names: &["name"],
    note: &["period"],
    word: None,
    account: None,
    order: ("name", false),
    without: None,
    is_kept: false,
};

/// Those of persons; what the service makes for itself is in no list.
const WORKFLOWS: Source = Source {
    table: "workflow",
    id: Some("id"),
    names: &["name"],
    note: &["status"],
    word: None,
    account: Some("account_id"),
    order: ("name", false),
    without: Some("purpose"),
    is_kept: false,
};

const IMPORTS: Source = Source {
    table: "imports",
    id: Some("id"),
    names: &["file_name"],
    note: &["format"],
    word: None,
    account: None,
    order: ("created_at", true),
    without: None,
    is_kept: false,
};

const VIEWS: Source = Source {
    table: "saved_view",
    id: Some("id"),
    names: &["name"],
    note: &["page"],
    word: None,
    account: None,
    order: ("name", false),
    without: None,
    is_kept: false,
};

/// The caller's own; the store leaves out everybody else's.
const PRIVATE_VIEWS: Source = Source { table: "private_view", ..VIEWS };
