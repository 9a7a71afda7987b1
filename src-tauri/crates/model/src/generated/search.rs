//! Tables and lookups of `schema/tables/search.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

use crate::lookup::lookup;

lookup! {
    /// What can be found.
    SearchKind {
        /// A cloud account, by its name or number.
        Account = "ACCOUNT",
        /// A service of a provider. Its name is its id.
        Service = "SERVICE",
        /// A resource, by its name or the provider's ids.
        Resource = "RESOURCE",
        /// A workload, pod, node or namespace of a cluster, by its name.
        Workload = "WORKLOAD",
        /// An event, by its title, its subject or its kind.
        Event = "EVENT",
        /// A recommendation, by its rule or what it is about.
        Recommendation = "RECOMMENDATION",
        /// A document of a knowledge base, by its name or the name of its file.
        Document = "DOCUMENT",
        /// A budget, by its name.
        Budget = "BUDGET",
        /// A workflow, by its name.
        Workflow = "WORKFLOW",
        /// A file that was imported, by its name.
        Import = "IMPORT",
        /// A saved view of everyone or of the caller, by its name; the note is its page.
        View = "VIEW",
    }
}
