//! The instances known to this computer: rows of its database.

use crate::address::InstanceOrigin;
use crate::proxy::{Credentials, Proxy};
use crate::{RemoteError, Remotes, hold};
use catalogue::{Caller, ValueRef};
use model::tables::instance;
use model::{Read as _, Secret, ZonedTimestamp, row};
use outgoing::Authorities;
use rand::CryptoRng;
use serde::Serialize;
use store::{StoreError, Transaction, eq};
use uuid::Uuid;

/// Colours that distinguish instances.
pub const COLOURS: [&str; 7] = ["teal", "blue", "violet", "amber", "red", "green", "grey"];

/// An instance. Times in µs since 1970 UTC.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Instance {
    pub id: Uuid,
    pub name: String,
    pub colour: String,
    pub address: String,
    pub authorities: Option<String>,
    /// Without credentials.
    pub proxy: Option<String>,
    /// The encrypted credentials of the proxy.
    #[serde(skip)]
    pub(crate) proxy_secret: Option<String>,
    /// The decrypted credentials, or why they cannot be decrypted; `None` in a list.
    #[serde(skip)]
    pub(crate) credentials: Option<Result<Credentials, String>>,
    pub plain_accepted: bool,
    pub keeps_copies: bool,
    /// `keyring`, `file` or `run`; `None` while signed out.
    pub kept_in: Option<String>,
    pub email: Option<String>,
    pub tenant_name: Option<String>,
    pub version: Option<String>,
    pub seen_at: Option<i64>,
    pub created_at: i64,
}

/// The user's settings of an instance.
#[derive(Debug, Clone)]
pub struct InstanceSettings {
    pub name: String,
    pub colour: String,
    pub address: String,
    pub authorities: Option<String>,
    /// As entered by the user; may include credentials.
    pub proxy: Option<String>,
    pub plain_accepted: bool,
    pub keeps_copies: bool,
}

row! { struct SignedInAs from instance { email, tenant_name } }

impl InstanceSettings {
    /// The normalised settings, with the credentials of the proxy split off; or the first error.
    fn checked(mut self) -> Result<(Self, Option<Credentials>), RemoteError> {
        let letters = self.name.trim().chars().count();
        if !(1..=60).contains(&letters) || self.name.chars().any(char::is_control) {
            return Err(RemoteError::Name);
        }
        let name = self.name.trim().to_owned();
        if !COLOURS.contains(&self.colour.as_str()) {
            return Err(RemoteError::Colour);
        }
        self.address = InstanceOrigin::read(&self.address, self.plain_accepted)?.text();
        self.authorities = self.authorities.filter(|text| !text.trim().is_empty());
        if let Some(text) = &self.authorities {
            Authorities::from_pem(text)?;
        }
        let (proxy, credentials) = Proxy::read(self.proxy.as_deref())?
            .map(|Proxy { address, credentials }| (address.into(), credentials))
            .unzip();
        self.proxy = proxy;
        Ok((Self { name, ..self }, credentials.flatten()))
    }

    fn cells(&self) -> [(&'static str, ValueRef<'_>); 7] {
        [
            ("name", self.name.as_str().into()),
            ("colour", self.colour.as_str().into()),
            ("address", self.address.as_str().into()),
            ("authorities", or_null(self.authorities.as_deref())),
            ("proxy", or_null(self.proxy.as_deref())),
            ("plain_accepted", self.plain_accepted.into()),
            ("keeps_copies", self.keeps_copies.into()),
        ]
    }
}

fn or_null(text: Option<&str>) -> ValueRef<'_> {
    text.map_or(ValueRef::Null, ValueRef::Text)
}

impl From<model::Instance> for Instance {
    fn from(row: model::Instance) -> Self {
        Self {
            id: row.id.uuid(),
            name: row.name,
            colour: row.colour,
            address: row.address,
            authorities: row.authorities,
            proxy: row.proxy,
            plain_accepted: row.plain_accepted,
            keeps_copies: row.keeps_copies,
            kept_in: row.kept_in,
            email: row.email,
            tenant_name: row.tenant_name,
            version: row.version,
            seen_at: row.seen_at.map(ZonedTimestamp::micros),
            created_at: row.created_at.micros(),
            proxy_secret: row.proxy_secret.map(Secret::expose),
            credentials: None,
        }
    }
}

fn all(rows: &Transaction<'_>) -> Result<Vec<Instance>, StoreError> {
    let oldest = rows.query::<model::Instance>().order(instance::created_at.asc()).order(instance::id.asc());
    Ok(oldest.rows()?.into_iter().map(Instance::from).collect())
}

/// The name of another instance with that address.
fn same_address(
    rows: &Transaction<'_>,
    address: &str,
    except: Option<Uuid>,
) -> Result<Option<String>, StoreError> {
    let others = rows
        .query::<model::Instance>()
        .filter(instance::address.eq(address))
        .filter_some(except.map(|id| instance::id.ne(id)));
    Ok(others.first()?.map(|other| other.name))
}

/// All functions here block the thread.
impl Remotes {
    /// All instances, oldest first.
    pub fn list(&self) -> Result<Vec<Instance>, RemoteError> {
        Ok(self.store.snapshot(&Caller::system(), all)?)
    }

    /// The instance of that id.
    pub fn find(&self, id: Uuid) -> Result<Instance, RemoteError> {
        let found = self.store.snapshot(&Caller::system(), |rows| rows.find::<model::Instance>(id))?;
        let mut instance = found.map(Instance::from).ok_or(RemoteError::Unknown)?;
        instance.credentials =
            instance.proxy_secret.as_deref().map(|sealed| Credentials::open(&*self.here.seal, sealed));
        Ok(instance)
    }

    /// Adds an instance and returns its id.
    pub fn add(&self, wanted: InstanceSettings, rng: &mut dyn CryptoRng) -> Result<Uuid, RemoteError> {
        let (wanted, credentials) = wanted.checked()?;
        let secret = self.sealed(credentials)?;
        let mut bytes = [0; 16];
        rng.fill_bytes(&mut bytes);
        let id = uuid::Builder::from_random_bytes(bytes).into_uuid();
        self.store.transaction(&Caller::system(), |rows| {
            if let Some(name) = same_address(rows, &wanted.address, None)? {
                return Err(RemoteError::Known { name });
            }
            let mut row = vec![("id", id.into()), ("created_at", ValueRef::Timestamp(self.now()))];
            row.extend(wanted.cells());
            row.push(("proxy_secret", or_null(secret.as_deref())));
            rows.insert("instance", &row)?;
            Ok(id)
        })
    }

    fn sealed(&self, credentials: Option<Credentials>) -> Result<Option<String>, RemoteError> {
        credentials.map(|credentials| credentials.sealed(&*self.here.seal)).transpose()
    }

    /// Changes an instance. The credentials of an unchanged proxy are kept unless new ones are given. A changed address is another instance: the
    /// user must sign in again, and its copies are deleted.
    pub fn change(&self, id: Uuid, wanted: InstanceSettings) -> Result<(), RemoteError> {
        let (wanted, credentials) = wanted.checked()?;
        let known = self.find(id)?;
        let moves = known.address != wanted.address;
        let secret = match self.sealed(credentials)? {
            None if known.proxy == wanted.proxy => known.proxy_secret.clone(),
            given => given,
        };
        self.store.transaction(&Caller::system(), |rows| {
            if let Some(name) = same_address(rows, &wanted.address, Some(id))? {
                return Err(RemoteError::Known { name });
            }
            let mut cells = wanted.cells().to_vec();
            cells.push(("proxy_secret", or_null(secret.as_deref())));
            rows.update("instance", &[eq("id", id)], &cells)?;
            if moves || !wanted.keeps_copies {
                rows.delete("instance_copy", &[eq("instance_id", id)])?;
            }
            Ok(())
        })?;
        hold(&self.away).remove(&id);
        if moves {
            self.forget_key(&known)?;
        }
        Ok(())
    }

    /// Removes an instance with its key and its copies.
    pub fn remove(&self, id: Uuid) -> Result<(), RemoteError> {
        let known = self.find(id)?;
        self.forget_key(&known)?;
        self.attempts.end(id);
        self.store.transaction(&Caller::system(), |rows| rows.delete("instance", &[eq("id", id)]))?;
        hold(&self.clients).remove(&id);
        hold(&self.away).remove(&id);
        Ok(())
    }

    /// Stores the signed-in user and the location of the key. Copies of another user are deleted, since this user may not read them.
    pub(crate) fn note_signed_in(
        &self,
        id: Uuid,
        kept_in: &str,
        (email, tenant): (&str, &str),
    ) -> Result<(), RemoteError> {
        let set = [("kept_in", kept_in.into()), ("email", email.into()), ("tenant_name", tenant.into())];
        self.store.transaction(&Caller::system(), |rows| {
            let before = rows.find::<SignedInAs>(id)?;
            let is_same = before.is_some_and(|before| {
                before.email.as_deref() == Some(email) && before.tenant_name.as_deref() == Some(tenant)
            });
            if !is_same {
                rows.delete("instance_copy", &[eq("instance_id", id)])?;
            }
            rows.update("instance", &[eq("id", id)], &set)
        })?;
        Ok(())
    }

    /// Stores that no user is signed in. The last user's name is kept for display.
    pub(crate) fn note_signed_out(&self, id: Uuid) -> Result<(), RemoteError> {
        self.set(id, &[("kept_in", ValueRef::Null)])
    }

    /// Stores that the instance answered.
    pub(crate) fn note_seen(&self, id: Uuid, version: Option<&str>) -> Result<(), RemoteError> {
        hold(&self.away).remove(&id);
        let mut set = vec![("seen_at", ValueRef::Timestamp(self.now()))];
        set.extend(version.map(|version| ("version", ValueRef::Text(version))));
        self.set(id, &set)
    }

    fn set(&self, id: Uuid, cells: &[(&str, ValueRef<'_>)]) -> Result<(), RemoteError> {
        self.store.transaction(&Caller::system(), |rows| rows.update("instance", &[eq("id", id)], cells))?;
        Ok(())
    }
}
