//! Stored copies of responses, to be read while an instance is unreachable: only of reads, limited in size, and only for the signed-in user.

use crate::{Instance, RemoteError, Remotes, SECOND};
use catalogue::{Caller, ValueRef};
use model::tables::instance_copy;
use model::{Read as _, row};
use sha2::{Digest, Sha256};
use store::{StoreError, eq};
use uuid::Uuid;

/// Maximum size of a stored response, bytes.
pub const LARGEST: usize = 2 * 1024 * 1024;
/// Maximum number of stored responses of an instance, and their total size in bytes.
const MOST: usize = 500;
const ALTOGETHER: i64 = 64 * 1024 * 1024;
/// An unchanged response is stored again after this time, so that its time is accurate: a minute, in µs.
const AGE: i64 = 60 * SECOND;

/// A stored response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copy {
    pub body: String,
    pub kept_at: i64,
}

/// The hash that identifies a request.
pub fn asked_hash(method: &str, path: &str, body: &[u8]) -> String {
    let mut digest = Sha256::new();
    digest.update(format!("{method} {path}\n"));
    digest.update(body);
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

row! { struct CopyRow from instance_copy { body, kept_at } }
row! { struct CopySize from instance_copy { asked_hash, size_bytes, kept_at } }
row! { struct SignedIn from instance { keeps_copies, kept_in, email, tenant_name } }

/// All functions here block the thread.
impl Remotes {
    pub(crate) fn copy(&self, id: Uuid, asked: &str) -> Result<Option<Copy>, RemoteError> {
        let found = self.store.snapshot(&Caller::system(), |rows| {
            let mine = instance_copy::instance_id.eq(id).and(instance_copy::asked_hash.eq(asked));
            rows.query::<CopyRow>().filter(mine).first()
        })?;
        Ok(found.map(|row| Copy { body: row.body, kept_at: row.kept_at.micros() }))
    }

    /// Stores a response for the user who was signed in when `asked_as` was read.
    pub(crate) fn keep_copy(&self, asked_as: &Instance, asked: &str, body: &str) -> Result<(), RemoteError> {
        let (id, now) = (asked_as.id, self.now());
        if let Some(known) = self.copy(id, asked)?
            && known.body == body
            && now - known.kept_at < AGE
        {
            return Ok(());
        }
        let size = i64::try_from(body.len()).unwrap_or(i64::MAX);
        self.store.transaction(&Caller::system(), |rows| {
            // Meanwhile, the instance may have been removed, its copies disabled, or another user signed in.
            let now_is = rows.find::<SignedIn>(id)?;
            let is_theirs = now_is.is_some_and(|row| {
                row.keeps_copies
                    && row.kept_in == asked_as.kept_in
                    && row.email == asked_as.email
                    && row.tenant_name == asked_as.tenant_name
            });
            if !is_theirs {
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
            let newest = rows
                .query::<CopySize>()
                .filter(instance_copy::instance_id.eq(id))
                .order(instance_copy::kept_at.desc());
            let mut bytes = 0;
            for (at, copy) in newest.rows()?.into_iter().enumerate() {
                bytes += copy.size_bytes;
                if at >= MOST || bytes > ALTOGETHER {
                    let asked = copy.asked_hash.as_str();
                    rows.delete("instance_copy", &[eq("instance_id", id), eq("asked_hash", asked)])?;
                }
            }
            Ok::<_, StoreError>(())
        })?;
        Ok(())
    }

    /// Total size of the copies of an instance in bytes, and the time of the newest.
    pub fn kept(&self, id: Uuid) -> Result<(i64, Option<i64>), RemoteError> {
        let found = self.store.snapshot(&Caller::system(), |rows| {
            let own = instance_copy::instance_id.eq(id);
            rows.query::<CopySize>().filter(own).order(instance_copy::kept_at.desc()).rows()
        })?;
        let bytes = found.iter().map(|copy| copy.size_bytes).sum();
        Ok((bytes, found.first().map(|copy| copy.kept_at.micros())))
    }

    /// Deletes the copies of an instance.
    pub fn forget_copies(&self, id: Uuid) -> Result<(), RemoteError> {
        self.store
            .transaction(&Caller::system(), |rows| rows.delete("instance_copy", &[eq("instance_id", id)]))?;
        Ok(())
    }
}
