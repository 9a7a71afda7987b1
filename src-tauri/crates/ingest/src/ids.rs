//! Derives ids from natural keys: the same account or resource gets the same id in every import.

use uuid::{Builder, Uuid, Version};

/// The UUID namespace of all derived ids.
const NAMESPACE: Uuid = Uuid::from_u128(0x6d3b_1c52_8f0e_5d0a_9a57_2f6e_7b1d_4c90);

/// The id of the object in a tenant that `kind` and `parts` identify.
pub fn derived(tenant: Uuid, kind: &str, parts: &[&str]) -> Uuid {
    let mut name = Vec::with_capacity(128);
    name.extend_from_slice(tenant.as_bytes());
    name.extend_from_slice(kind.as_bytes());
    for part in parts {
        // This separator does not occur in texts of files; it distinguishes ("a", "bc") from ("ab", "c").
        name.push(0x1f);
        name.extend_from_slice(part.as_bytes());
    }
    Uuid::new_v5(&NAMESPACE, &name)
}

/// A version 8 UUID: `id` prefixed with the millisecond of `at` (µs since 1970 UTC; earlier times count as 1970). Log lines of similar times
/// are then adjacent in the primary key index; hashes would be scattered over all of it.
pub fn at_time(at: i64, id: Uuid) -> Uuid {
    let milliseconds = u64::try_from(at / 1_000).unwrap_or_default().min(LAST_MILLISECOND);
    let mut bytes = id.into_bytes();
    bytes[..6].copy_from_slice(&milliseconds.to_be_bytes()[2..]);
    Builder::from_custom_bytes(bytes).into_uuid()
}

/// The last time that [`at_time`] can represent, in the year 2213; later times count as this one.
const LAST_MILLISECOND: u64 = 0x06ff_ffff_ffff;

/// An upper bound: greater than every id of [`at_time`].
pub const AFTER_ALL_TIMES: Uuid = Uuid::from_u128(0x0700_0000_0000_0000_0000_0000_0000_0000);

/// Whether the id is a plain hash (UUID version 5).
pub fn is_hash(id: Uuid) -> bool {
    id.get_version() == Some(Version::Sha1)
}

/// Ids for the rows of one import, numbered from 0: unique and ascending. A million of them are appended at one end of the primary key
/// index instead of being scattered over it.
#[derive(Debug, Clone, Copy)]
pub struct RowIds {
    import: [u8; 16],
}

impl RowIds {
    pub fn new(import: Uuid) -> Self {
        Self { import: derived(import, "rows", &[]).into_bytes() }
    }

    pub fn of(&self, row: u32) -> Uuid {
        let mut bytes = self.import;
        bytes[12..].copy_from_slice(&row.to_be_bytes());
        Builder::from_custom_bytes(bytes).into_uuid()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_thing_has_the_same_id_and_another_thing_another() {
        let tenant = Uuid::from_u128(7);
        let id = derived(tenant, "account", &["AWS", "123"]);
        assert_eq!(id, derived(tenant, "account", &["AWS", "123"]));
        assert_ne!(id, derived(tenant, "account", &["AWS1", "23"]));
        assert_ne!(id, derived(tenant, "resource", &["AWS", "123"]));
        assert_ne!(id, derived(Uuid::from_u128(8), "account", &["AWS", "123"]));
    }

    #[test]
    fn ids_at_a_time_ascend_with_it_and_differ_at_one_time() {
        let hash = |text: &str| derived(Uuid::nil(), "log line", &[text]);
        let times = [i64::MIN, 0, 999, 1_000, 1_767_355_200_000_000, 1_767_355_200_001_000, i64::MAX];
        let ids = times.map(|at| at_time(at, hash("a")));
        assert!(ids.is_sorted());
        assert_eq!(ids[..3], [ids[0]; 3], "of one millisecond");
        assert_eq!(ids.iter().collect::<std::collections::HashSet<_>>().len(), 5);
        assert!(ids.iter().all(|id| *id < AFTER_ALL_TIMES && !is_hash(*id)));
        assert!(is_hash(hash("a")));
        assert_ne!(at_time(0, hash("a")), at_time(0, hash("b")));
    }

    #[test]
    fn row_ids_ascend_and_differ_between_imports() {
        let rows = RowIds::new(Uuid::from_u128(1));
        let ids: Vec<Uuid> = [0, 1, 255, 256, 70_000, u32::MAX].map(|row| rows.of(row)).to_vec();
        assert!(ids.is_sorted());
        assert!(!ids.contains(&RowIds::new(Uuid::from_u128(2)).of(0)));
    }
}
