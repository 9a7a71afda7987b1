//! What is kept in memory at most. A file that needs more is refused with a message, or the memory is given back in between.

/// One record, with all its quoted line breaks.
pub const RECORD_BYTES: u64 = 4 << 20;
/// The first line of a file, and what is looked at to recognise it.
pub const HEADER_BYTES: usize = 256 << 10;
/// Records of one batch.
pub const BATCH_RECORDS: usize = 2_000;
/// Text of one batch, beyond which it is handed over with fewer records.
pub const BATCH_BYTES: usize = 1 << 20;
/// Records of one batch of a document; an object of a cluster may be long.
pub const DOCUMENT_RECORDS: usize = 200;
/// Batches waiting between the reading and the writing thread.
pub const BATCHES_WAITING: usize = 4;
/// Skipped rows a report lists one by one; all are counted.
pub const SKIPPED_LISTED: usize = 1_000;
/// Accounts a report lists; all are written.
pub const ACCOUNTS_LISTED: usize = 1_000;
/// Accounts remembered while writing.
pub const ACCOUNTS_REMEMBERED: usize = 50_000;
/// Resources remembered while writing.
pub const RESOURCES_REMEMBERED: usize = 200_000;
/// Resources with their finding remembered to tell repetitions in an export of recommendations.
pub const RESOURCES_MET: usize = 1_000_000;
/// Different texts of tags remembered while reading.
pub const TAGS_REMEMBERED: usize = 10_000;
/// Tag keys offered for grouping.
pub const TAG_KEYS: usize = 10_000;
/// Different (account, currency, billing period) of one file.
pub const PERIODS: usize = 200_000;
/// Characters of a cell a report quotes.
pub const QUOTED_CHARACTERS: usize = 120;
/// Files of an archive that a report lists, and characters of the name of one.
pub const LISTED_FILES: usize = 3_000;
pub const LISTED_NAME: usize = 300;
/// Rows between two reports of progress.
pub const ROWS_PER_PROGRESS: u64 = 20_000;
/// Bytes between two reports of progress.
pub const BYTES_PER_PROGRESS: u64 = 16 << 20;
/// Keys of rows remembered of one file, and of all files of one delivery.
pub const KEYS: usize = 1_000_000;
