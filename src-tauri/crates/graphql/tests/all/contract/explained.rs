//! The accepted differences between the printed schema and the reference, each with its reason.

/// Position (`type.member(argument)`, with `*` and `{a,b}`) and reason. The first match applies.
pub const EXPLAINED: &[(&str, &str)] = &[
    (
        "mutation_root.{tickets_insert_one,logs_query}",
        "the contract names no type of the answer: it is the documented one, with the members the contract names",
    ),
    (
        "Seed{LogLine,TicketRow,TicketsInsertOneData,TicketsInsertOneResult}",
        "names the reference has made up",
    ),
    ("{agent,cloud_accounts}*access_key", "a secret: it can be written, never read, compared or sorted by"),
    (
        "{agent,cloud_accounts}*access_secret",
        "a secret: it can be written, never read, compared or sorted by",
    ),
    (
        "{agent,cloud_accounts}*access_secret_v2",
        "a secret: it can be written, never read, compared or sorted by",
    ),
    ("jira_configurations*.password", "a secret: it can be written, never read, compared or sorted by"),
    (
        "tenant_users*.user",
        "the contract selects `user { … }`: it is the relationship, and the scalar is `user_id` (semantics §1)",
    ),
    (
        "dw_queries*.table_names",
        "a list of texts as documented for reading; filters and writes take the list too",
    ),
    (
        "Audit*.{event_status,transaction_id}",
        "the trail has what was done, each change by itself: all of it succeeded, and nothing groups changes",
    ),
    ("DwQuer*.warehouse_name", "the table of queries names no warehouse, in the reference as here"),
    (
        "DwQueryGroupingsRowResponse.{database_name_list,db_username_list,query_remote_ip_list}",
        "a listing has lists as JSON, which a list of texts cannot say; group by the column instead",
    ),
    (
        "llm_conversation*status*",
        "an enum with its values named, where the reference has a scalar of its own",
    ),
];
