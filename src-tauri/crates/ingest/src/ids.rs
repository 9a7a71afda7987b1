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

/// Ids of the rows of one import, counted from 0: unique, and ascending, so that a million of them are appended to one place in
/// the index of the primary key instead of being scattered over it.
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
    fn row_ids_ascend_and_differ_between_imports() {
        let rows = RowIds::new(Uuid::from_u128(1));
        let ids: Vec<Uuid> = [0, 1, 255, 256, 70_000, u32::MAX].map(|row| rows.of(row)).to_vec();
        assert!(ids.is_sorted());
        assert!(!ids.contains(&RowIds::new(Uuid::from_u128(2)).of(0)));
    }
}
