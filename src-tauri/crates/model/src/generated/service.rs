//! Tables and lookups of `schema/tables/service.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;
use crate::table::table;

table! {
    /// A file that was handed in, and what came of it.
    Import in imports by id {
        id: Id<Import>,
        tenant_id: Id<Tenant>,
        file_name: String,
        /// As it was handed in, packed or not.
        size_bytes: i64,
        /// Of the bytes as they were handed in, lower-case hex. The same file twice changes nothing.
        sha256: String,
        /// The format found in it; none until it is known.
        format: Option<String>,
        /// waiting, running, done, done_with_skips, unchanged, nothing_read, needs_decision, waiting_for_parts, failed or undone.
        state: String,
        rows_read: i64,
        rows_written: i64,
        /// Rows that were not understood; the report says why.
        rows_skipped: i64,
        /// Start of the first charge.
        period_start: Option<Timestamp>,
        /// End of the last charge, exclusive.
        period_end: Option<Timestamp>,
        /// All there is to say about it: accounts, totals, skipped rows with line, column, value and reason, notes, error.
        report: Json,
        /// The files that were decided upon together have the same.
        delivery_id: Option<Uuid>,
        /// The export and billing period whose manifest names the file; none where no manifest does.
        export_key: Option<String>,
        /// In which order imports took effect.
        sequence: i64,
        /// Who handed it in; none on the command line.
        created_by: Option<Id<User>>,
        created_at: ZonedTimestamp,
        /// When it ended, well or not.
        finished_at: Option<ZonedTimestamp>,
    }
}

table! {
    /// One change of one row by a person, or by what they called: what stood there before, and what stands there now.
    AuditTrail in audit_trail by id {
        id: Id<AuditTrail>,
        tenant_id: Id<Tenant>,
        /// Who changed it; none when the service did. The row stays when the person goes.
        user_id: Option<Id<User>>,
        /// When it was changed.
        created_at: ZonedTimestamp,
        /// The table of the row.
        table_name: String,
        /// The row's key: its columns by name.
        row_key: Json,
        /// insert, update or delete.
        change: String,
        /// The root field that was called, such as update_recommendation_by_pk; event_bulk_operation and event_snooze_over are what the service does by itself.
        operation: String,
        /// The row before: of an update the columns that changed, of a delete all that were not null. Secrets are left out.
        before: Option<Json>,
        /// The row afterwards: of an update the columns that changed, of an insert all that are not null. Secrets are left out.
        after: Option<Json>,
    }
}

table! {
    /// A key of `tags` met in the spends of a tenant: what can be grouped by.
    SpendTagKey in spend_tag_keys {
        tenant: Id<Tenant>,
        key: String,
    }
}

table! {
    /// Which import holds the charges of one account in one billing period. Files of one period add up, unless one tells the other again.
    SpendSource in spend_sources by id {
        id: Id<SpendSource>,
        tenant_id: Id<Tenant>,
        /// The import whose rows are in force.
        import_id: Id<Import>,
        /// Whose bill it is.
        provider_name: String,
        /// Who pays, as the provider spells it.
        billing_account_id: String,
        /// The account that was charged.
        cloud_account: Id<CloudAccount>,
        /// The period, by its start.
        billing_period_start: Timestamp,
        /// Currency of the charges.
        currency: String,
        /// Start of the first charge.
        charge_start: Timestamp,
        /// End of the last charge, exclusive.
        charge_end: Timestamp,
    }
}

table! {
    /// What identifies the charges of one row of `spend_sources`: by this a later file is known to tell them again.
    SpendSourceKey in spend_source_keys by source_id {
        source_id: Id<SpendSource>,
        tenant_id: Id<Tenant>,
        import_id: Id<Import>,
        /// Charges.
        row_count: i64,
        /// Of these, those that are no credits, corrections or adjustments.
        charge_count: i64,
        /// Their billed cost together.
        billed_cost: Decimal,
        /// Hashes of the charges without their amounts, packed: all of them, or a sample where they are very many.
        keys: String,
    }
}

table! {
    /// Which column of a CSV of costs is what, as a person has said it: files with the same header are read by it.
    ImportMapping in import_mappings by id {
        id: Id<ImportMapping>,
        tenant_id: Id<Tenant>,
        name: String,
        /// The names of the columns in lower case, a line each.
        header: String,
        /// Fields with their columns, and fields with a fixed value.
        content: Json,
        /// Who said it; none on the command line.
        created_by: Option<Id<User>>,
        created_at: ZonedTimestamp,
    }
}

table! {
    /// A server that runs on this database, where several may: with PostgreSQL. One that was not heard of for a while has ended, and what it was at is free.
    Server in server by id {
        /// Another one at each start.
        id: Id<Server>,
        /// The computer and the data directory, of which one process at a time is the server.
        place: String,
        /// Where it answers.
        address: String,
        version: String,
        started_at: ZonedTimestamp,
        heard_at: ZonedTimestamp,
    }
}

table! {
    /// A file that waits for its import, where servers share the database: any of them may import it. With SQLite such files are in the folder `incoming` alone.
    ImportUpload in import_upload by id {
        /// The import's id.
        id: Id<ImportUpload>,
        tenant_id: Id<Tenant>,
        user_id: Uuid,
        file_name: String,
        /// Where it lay, with folders.
        location: String,
        size_bytes: i64,
        sha256: String,
        /// The files that were handed in together have the same.
        batch_id: Option<Uuid>,
        /// How many they are, as far as this file's sender knew.
        batch_files: Option<i64>,
        received_at: ZonedTimestamp,
        /// The server that imports it; none while it waits.
        server_id: Option<Uuid>,
        /// A person does not want it any more.
        is_cancelled: bool,
        bytes_read: i64,
        rows_read: i64,
    }
}

table! {
    /// Files that are handed in together, to whichever server, until all of them have come.
    ImportBatch in import_batch by id {
        id: Id<ImportBatch>,
        tenant_id: Id<Tenant>,
        /// How many files its sender says there are.
        files: i64,
        /// How many have come.
        arrived: i64,
        /// When something was last heard of it.
        heard_at: ZonedTimestamp,
    }
}

table! {
    /// A tenant whose imports have changed since what is found in them (anomalies, savings, notices) was looked for; none when it was looked for since.
    FindingsDue in findings_due by tenant_id {
        tenant_id: Id<Tenant>,
        /// The last change, by a random id.
        change_id: Uuid,
        /// From when on any server looks for it. Until then, whoever made the change, or took the search over, does.
        due_at: ZonedTimestamp,
        /// No more than events, lines of logs and rules of alerts have come: costs, resources, clusters and measurements are as they were.
        only_events: bool,
        /// No more than charges with their resources have come: events, clusters and measurements are as they were.
        only_charges: bool,
    }
}

table! {
    /// A tenant whose rules for measurements and events (`anomaly_config`) have changed since what they watch was judged; none when it was judged since.
    MeasuredDue in measured_due by tenant_id {
        tenant_id: Id<Tenant>,
        /// The last change, by a random id.
        change_id: Uuid,
    }
}

table! {
    /// The bytes of an imported file, packed, where servers share the database.
    KeptFile in kept_file by sha256 {
        /// Of the bytes as they were handed in, lower-case hex.
        sha256: String,
        /// Whether the bytes were packed with gzip when they came; else they were packed here.
        was_packed: bool,
        /// As it is kept; none until all pieces are there.
        size_bytes: Option<i64>,
        kept_at: ZonedTimestamp,
    }
}

table! {
    /// A piece of a kept file.
    KeptFilePiece in kept_file_piece {
        sha256: String,
        /// From 0.
        number: i64,
        /// In base64.
        content: String,
    }
}

table! {
    /// What an import changed beside adding its own charges: by this it can be taken back.
    ImportChange in import_changes by id {
        id: Id<ImportChange>,
        tenant_id: Id<Tenant>,
        import_id: Id<Import>,
        /// Of the changes of the import, in the order they were made.
        position: i64,
        /// deleted: rows as they were. updated: keys, and the columns as they were. inserted: keys. met: keys that were there, or added.
        kind: String,
        /// Whose rows were deleted.
        of_import: Option<Uuid>,
        table_name: String,
        row_count: i64,
        /// Rows, packed.
        content: String,
    }
}

table! {
    /// A browser that is signed in.
    Session in session by id {
        id: Id<Session>,
        /// SHA-256 of the cookie's value, lower-case hex.
        token_hash: Secret<String>,
        user_id: Id<User>,
        tenant_id: Id<Tenant>,
        created_at: ZonedTimestamp,
        /// Last request.
        seen_at: ZonedTimestamp,
        expires_at: ZonedTimestamp,
        /// How it began: window, link, token, password or saml.
        way: Option<String>,
        /// What the browser calls itself.
        agent: Option<String>,
    }
}

table! {
    /// A link that signs a browser in once.
    OneTimeCode in one_time_code by code_hash {
        /// SHA-256 of the code, lower-case hex.
        code_hash: Secret<String>,
        user_id: Id<User>,
        tenant_id: Id<Tenant>,
        created_at: ZonedTimestamp,
        expires_at: ZonedTimestamp,
    }
}

table! {
    /// A value the service keeps for itself between starts.
    Setting in setting by name {
        name: String,
        value: Secret<String>,
        updated_at: ZonedTimestamp,
    }
}

table! {
    /// A Quarterdeck elsewhere that the person at this computer uses from here. Without any secret: those are in the keyring of the system.
    Instance in instance by id {
        id: Id<Instance>,
        /// What the person calls it.
        name: String,
        /// The colour that tells it from others: teal, blue, violet, amber, red, green or grey.
        colour: String,
        /// Where it answers, such as https://console.example.com
        address: String,
        /// Certificates of own authorities that may vouch for it, PEM.
        authorities: Option<String>,
        /// Address of the HTTP proxy on the way there, without name and password.
        proxy: Option<String>,
        /// Name and password for that proxy, sealed with the key of this computer.
        proxy_secret: Option<Secret<String>>,
        /// Whether the person accepted that nothing on the way there is encrypted.
        plain_accepted: bool,
        /// Whether answers are kept to be read while it cannot be reached.
        keeps_copies: bool,
        /// Where the key to it is kept: keyring, file or run; none while signed out.
        kept_in: Option<String>,
        /// Who is signed in there, and in which tenant.
        email: Option<String>,
        tenant_name: Option<String>,
        /// Its version when it was seen last.
        version: Option<String>,
        /// When it answered last.
        seen_at: Option<ZonedTimestamp>,
        created_at: ZonedTimestamp,
    }
}

table! {
    /// An answer of an instance elsewhere, kept to be read while it cannot be reached.
    InstanceCopy in instance_copy {
        instance_id: Id<Instance>,
        /// SHA-256 of what was asked, lower-case hex.
        asked_hash: String,
        /// As it came: JSON.
        body: String,
        size_bytes: i64,
        kept_at: ZonedTimestamp,
    }
}
