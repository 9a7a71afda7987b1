//! Identities that follow from what a row stands for, so that the same account or resource gets the same id in every import.

use uuid::{Builder, Uuid};

/// The namespace of every id derived here.
const NAMESPACE: Uuid = Uuid::from_u128(0x6d3b_1c52_8f0e_5d0a_9a57_2f6e_7b1d_4c90);

/// The id of what `parts` name together within a tenant.
pub fn derived(tenant: Uuid, kind: &str, parts: &[&str]) -> Uuid {
    let mut name = Vec::with_capacity(128);
    name.extend_from_slice(tenant.as_bytes());
    name.extend_from_slice(kind.as_bytes());
    for part in parts {
        // A separator that no text from a file contains by accident keeps ("a", "bc") and ("ab", "c") apart.
        name.push(0x1f);
        name.extend_from_slice(part.as_bytes());
    }
    Uuid::new_v5(&NAMESPACE, &name)
}

/// Ids of the rows of one import: unique, and ascending, so that a million of them are appended to the index of the primary
/// key instead of being scattered over it. Version 7: the time of the import, then its own id, then the number of the row.
pub struct RowIds {
    millis: u64,
    import: [u8; 6],
    next: u32,
}

impl RowIds {
    /// `now` counts microseconds since 1970 UTC.
    pub fn new(import: Uuid, now: i64) -> Self {
        let mut own = [0; 6];
        own.copy_from_slice(&import.as_bytes()[10..]);
        Self { millis: u64::try_from(now / 1_000).unwrap_or(0), import: own, next: 0 }
    }

    pub fn next(&mut self) -> Uuid {
        let mut tail = [0; 10];
        tail[..6].copy_from_slice(&self.import);
        tail[6..].copy_from_slice(&self.next.to_be_bytes());
        self.next = self.next.wrapping_add(1);
        Builder::from_unix_timestamp_millis(self.millis, &tail).into_uuid()
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
    fn row_ids_ascend_and_differ_between_imports_of_one_moment() {
        let mut first = RowIds::new(Uuid::from_u128(1), 1_700_000_000_000_000);
        let mut second = RowIds::new(Uuid::from_u128(2), 1_700_000_000_000_000);
        let ids: Vec<Uuid> = (0..1_000).map(|_| first.next()).collect();
        assert!(ids.is_sorted());
        assert!(!ids.contains(&second.next()));
    }
}
