//! Which uploads are parts of one delivery of a bill.
//!
//! A bill in parts is uploaded part by part. Uploads of one tenant that come within ten minutes of each other, and whose
//! names are those of parts, are one delivery; a name that comes again begins another, which replaces the first.

use super::Upload;
use ingest::{Delivery, delivery};
use std::sync::Arc;
use uuid::Uuid;

/// µs
const TOGETHER_WITHIN: i64 = 600 * 1_000_000;

#[derive(Default)]
pub struct Deliveries {
    /// Newest last.
    recent: Vec<Recent>,
}

struct Recent {
    tenant: Uuid,
    names: Vec<String>,
    last_part_at: i64,
    delivery: Arc<Delivery>,
}

impl Deliveries {
    /// The delivery an upload is a part of.
    pub fn of(&mut self, upload: &Upload) -> Arc<Delivery> {
        let is_recent = |recent: &Recent| upload.received_at - recent.last_part_at <= TOGETHER_WITHIN;
        self.recent.retain(is_recent);
        let newest =
            self.recent.iter_mut().rev().find(|recent| {
                recent.tenant == upload.tenant && are_parts(&recent.names[0], &upload.file_name)
            });
        if let Some(recent) = newest
            && !recent.names.contains(&upload.file_name)
        {
            recent.names.push(upload.file_name.clone());
            recent.last_part_at = upload.received_at;
            return Arc::clone(&recent.delivery);
        }
        let delivery = Arc::new(Delivery::new());
        self.recent.push(Recent {
            tenant: upload.tenant,
            names: vec![upload.file_name.clone()],
            last_part_at: upload.received_at,
            delivery: Arc::clone(&delivery),
        });
        delivery
    }
}

fn are_parts(first: &str, second: &str) -> bool {
    let groups = delivery::groups([first, second]);
    groups[0] == groups[1]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(uploads: &[(&str, i64)], expected: &[usize]) {
        let mut deliveries = Deliveries::default();
        let mut seen: Vec<Arc<Delivery>> = Vec::new();
        let numbers: Vec<usize> = uploads
            .iter()
            .map(|(name, minute)| {
                let upload = Upload {
                    id: Uuid::nil(),
                    file_name: (*name).to_owned(),
                    size_bytes: 0,
                    sha256: String::new(),
                    tenant: Uuid::nil(),
                    user: Uuid::nil(),
                    received_at: minute * 60_000_000,
                };
                let delivery = deliveries.of(&upload);
                seen.iter().position(|known| Arc::ptr_eq(known, &delivery)).unwrap_or_else(|| {
                    seen.push(delivery);
                    seen.len() - 1
                })
            })
            .collect();
        assert_eq!(numbers, expected, "{uploads:?}");
    }

    #[test]
    fn parts_that_come_together_are_one_delivery() {
        check(&[("part_0_0001.csv", 0), ("other.csv", 1), ("part_0_0002.csv", 9)], &[0, 1, 0]);
    }

    #[test]
    fn a_part_that_comes_later_or_again_begins_another() {
        check(&[("part_0_0001.csv", 0), ("part_0_0002.csv", 11)], &[0, 1]);
        check(&[("part_0_0001.csv", 0), ("part_0_0001.csv", 1), ("part_0_0002.csv", 2)], &[0, 1, 1]);
    }
}
