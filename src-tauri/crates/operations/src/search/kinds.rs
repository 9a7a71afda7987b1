//! The kinds of objects that the search covers, and their tables.

/// A table whose rows are searched by their names.
pub(super) struct Source {
    pub table: &'static str,
    /// The id column. `None` if the title itself identifies the object.
    pub id: Option<&'static str>,
    /// The columns that are searched. The first one with a value is the title.
    pub names: &'static [&'static str],
    /// Columns that distinguish rows with the same title. Their texts are joined with commas.
    pub note: &'static [&'static str],
    /// A word before the note, where several tables belong to one kind.
    pub word: Option<&'static str>,
    pub account: Option<&'static str>,
    /// The column that orders rows of the same rank, and whether the order is descending.
    pub order: (&'static str, bool),
    /// A column that must be null. Rows with a value in it are not searched.
    pub without: Option<&'static str>,
    /// Whether callers who can read the whole tenant search an in-memory copy of the names: a million rows are too
    /// many to read for each letter typed. The name columns, and a descending order column, are marked in the schema.
    pub is_cached: bool,
}

/// Every kind as the interface spells it, in the order of the response.
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
    is_cached: false,
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
    is_cached: true,
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
    is_cached: true,
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
    is_cached: true,
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
    is_cached: true,
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
    is_cached: true,
};

/// A namespace's name is its id; it is unique within its cluster.
const NAMESPACES: Source = Source {
    table: "k8s_namespaces",
    id: Some("name"),
    names: &["name"],
    note: &[],
    word: Some("Namespace"),
    account: Some("cloud_account_id"),
    order: ("name", false),
    without: None,
    is_cached: false,
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
    is_cached: true,
};

/// Reads the view instead of the table: a caller with access to a namespace can read the recommendations of its resources.
const RECOMMENDATIONS: Source = Source {
    table: "recommendations_placed",
    id: Some("id"),
    names: &["rule_name", "resource_name", "account_object_id"],
    note: &["resource_name"],
    word: None,
    account: Some("cloud_account_id"),
    order: ("estimated_savings", true),
    without: None,
    is_cached: false,
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
    is_cached: false,
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
    is_cached: false,
};

/// Workflows created by people. Those the service creates for itself are not listed.
const WORKFLOWS: Source = Source {
    table: "workflow",
    id: Some("id"),
    names: &["name"],
    note: &["status"],
    word: None,
    account: Some("account_id"),
    order: ("name", false),
    without: Some("purpose"),
    is_cached: false,
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
    is_cached: false,
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
    is_cached: false,
};

/// The caller's own views; the store excludes those of other users.
const PRIVATE_VIEWS: Source = Source { table: "private_view", ..VIEWS };
