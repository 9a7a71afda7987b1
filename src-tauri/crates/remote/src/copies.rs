//! Answers that are kept to be read while an instance is away: of questions only, not of everything, and only of who is signed in.

use crate::{Instance, RemoteError, Remotes, SECOND};
use catalogue::{Caller, Value, ValueRef};
use sha2::{Digest, Sha256};
use store::{StoreError, eq};
use uuid::Uuid;

/// Largest answer that is kept, in bytes.
pub const LARGEST: usize = 2 * 1024 * 1024;
/// Most answers of an instance that are kept, and their bytes altogether.
const MOST: usize = 500;
const ALTOGETHER: i64 = 64 * 1024 * 1024;
/// An answer that did not change is written down again after this long, so that its time is true: a minute, in µs.
const AGE: i64 = 60 * SECOND;

/// An answer of some time ago.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copy {
    pub body: String,
    pub kept_at: i64,
}

/// What a question is known by.
pub fn asked_hash(method: &str, path: &str, body: &[u8]) -> String {
    let mut digest = Sha256::new();
    digest.update(format!("{method} {path}\n"));
    digest.update(body);
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Blocks, like everything here.
impl Remotes {
    pub(crate) fn copy(&self, id: Uuid, asked: &str) -> Result<Option<Copy>, RemoteError> {
        let mine = [eq("instance_id", id), eq("asked_hash", asked)];
        let found = self
            .store
            .snapshot(&Caller::house(), |rows| rows.select("instance_copy", &["body", "kept_at"], &mine))?;
        Ok(found
            .first()
            .and_then(|row| Some(Copy { body: row[0].as_text()?.to_owned(), kept_at: row[1].as_int()? })))
    }

    /// Keeps what was answered to whoever was signed in when `asked_as` was read.
    pub(crate) fn keep_copy(&self, asked_as: &Instance, asked: &str, body: &str) -> Result<(), RemoteError> {
        let (id, now) = (asked_as.id, self.now());
        if let Some(known) = self.copy(id, asked)?
            && known.body == body
            && now - known.kept_at < AGE
        {
            return Ok(());
        }
        let size = i64::try_from(body.len()).unwrap_or(i64::MAX);
        self.store.transaction(&Caller::house(), |rows| {
            // It may have been removed, or told not to keep any, or signed in to as somebody else, while it answered.
            let keeps = rows.select(
                "instance",
                &["kept_in", "email", "tenant_name"],
                &[eq("id", id), eq("keeps_copies", true)],
            )?;
            let whose = [&asked_as.kept_in, &asked_as.email, &asked_as.tenant_name];
            let is_theirs = |row: &Vec<Value>| {
                whose.iter().zip(row).all(|(known, now)| known.as_deref() == now.as_text())
            };
            if !keeps.first().is_some_and(is_theirs) {
                return Ok(());
            }
            rows.upsert(
                "instance_copy",
                &["instance_id", "asked_hash"],
                &[
                    ("instance_id", id.into()),
                    ("asked_hash", asked.into()),
                    ("body", body.into()),
                    ("size_bytes", ValueRef::Int(size)),
                    ("kept_at", ValueRef::Timestamp(now)),
                ],
                &[],
            )?;
            let columns = ["kept_at", "size_bytes", "asked_hash"];
            let mut all = rows.select("instance_copy", &columns, &[eq("instance_id", id)])?;
            all.sort_by_key(|row| std::cmp::Reverse(row[0].as_int()));
            let mut bytes = 0;
            for (at, row) in all.iter().enumerate() {
                bytes += row[1].as_int().unwrap_or_default();
                if (at >= MOST || bytes > ALTOGETHER)
                    && let Some(asked) = row[2].as_text()
                {
                    rows.delete("instance_copy", &[eq("instance_id", id), eq("asked_hash", asked)])?;
                }
            }
            Ok::<_, StoreError>(())
        })?;
        Ok(())
    }

    /// Bytes of the copies of an instance, and when the newest was kept.
    pub fn kept(&self, id: Uuid) -> Result<(i64, Option<i64>), RemoteError> {
        let found = self.store.snapshot(&Caller::house(), |rows| {
            rows.select("instance_copy", &["size_bytes", "kept_at"], &[eq("instance_id", id)])
        })?;
        let bytes = found.iter().filter_map(|row| row[0].as_int()).sum();
        Ok((bytes, found.iter().filter_map(|row| row[1].as_int()).max()))
    }

    /// Forgets what was kept of an instance.
    pub fn forget_copies(&self, id: Uuid) -> Result<(), RemoteError> {
        self.store
            .transaction(&Caller::house(), |rows| rows.delete("instance_copy", &[eq("instance_id", id)]))?;
        Ok(())
    }
}
