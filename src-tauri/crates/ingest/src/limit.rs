//! Memory limits. A file that exceeds one is refused with a message, or memory is freed during the import.

/// Bytes of one record, including quoted line breaks.
pub const RECORD_BYTES: u64 = 4 << 20;
/// Bytes of a file's beginning, which contain the first line and are used for detection.
pub const HEADER_BYTES: usize = 256 << 10;
/// Records in one batch.
pub const BATCH_RECORDS: usize = 2_000;
/// Bytes of text after which a batch is passed on with fewer records.
pub const BATCH_BYTES: usize = 1 << 20;
/// Records in one batch of a document; objects of a cluster may be long.
pub const DOCUMENT_RECORDS: usize = 200;
/// Batches queued between the reading and the writing thread.
pub const BATCHES_WAITING: usize = 4;
/// Skipped rows that a report lists individually; all are counted.
pub const SKIPPED_LISTED: usize = 1_000;
/// Accounts a report lists; all are written.
pub const ACCOUNTS_LISTED: usize = 1_000;
/// Accounts cached while writing.
pub const ACCOUNTS_REMEMBERED: usize = 50_000;
/// Resources cached while writing.
pub const RESOURCES_REMEMBERED: usize = 200_000;
/// Resources with their finding that are remembered to detect duplicates in an export of recommendations.
pub const FINDINGS_REMEMBERED: usize = 1_000_000;
/// Distinct tag texts cached while reading.
pub const TAGS_REMEMBERED: usize = 10_000;
/// Tag keys offered for grouping.
pub const TAG_KEYS: usize = 10_000;
/// Distinct combinations of account, currency and billing period in one file.
pub const PERIODS: usize = 200_000;
/// Characters of a cell that a report quotes.
pub const QUOTED_CHARACTERS: usize = 120;
/// Files of an archive that a report lists. The next constant limits the characters of each name.
pub const LISTED_FILES: usize = 3_000;
pub const LISTED_NAME: usize = 300;
/// Rows between two progress reports.
pub const ROWS_PER_PROGRESS: u64 = 20_000;
/// Bytes between two progress reports.
pub const BYTES_PER_PROGRESS: u64 = 16 << 20;
/// Row keys remembered for one file, and for all files of one delivery.
pub const KEYS: usize = 1_000_000;
