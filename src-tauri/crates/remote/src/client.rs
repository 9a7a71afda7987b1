//! HTTP clients for instances, each with its own authorities and proxy; kept, so that connections are reused.

use crate::address::InstanceOrigin;
use crate::proxy::Proxy;
use crate::{Instance, RemoteError, Remotes, hold};
use outgoing::{Authorities, EgressPolicy, Outgoing, OutgoingSettings};
use std::time::Duration;
use url::Url;

/// The settings of a client; when they change, a new client is created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientSettings {
    authorities: Option<String>,
    proxy: Option<Proxy>,
}

/// Network settings for an instance with these authorities and proxy.
pub fn way(authorities: Option<&str>, proxy: Option<&Proxy>) -> Result<OutgoingSettings, RemoteError> {
    let authorities = authorities.filter(|text| !text.trim().is_empty());
    Ok(OutgoingSettings {
        authorities: authorities.map(Authorities::from_pem).transpose()?.unwrap_or_default(),
        proxy: proxy.map(Proxy::url).transpose()?,
        connecting: Duration::from_secs(5),
        silence: Duration::from_mins(1),
        // The user at this computer entered the address, and could reach it without this program.
        egress: EgressPolicy::anywhere(),
        ..OutgoingSettings::default()
    })
}

/// Clients with the same settings.
pub struct Open {
    known: ClientSettings,
    usual: Outgoing,
    /// Without a read timeout, for transfers that the sender monitors ([`crate::upload`]).
    patient: Outgoing,
}

impl Remotes {
    pub(crate) fn outgoing(&self, instance: &Instance) -> Result<Outgoing, RemoteError> {
        self.open(instance, |open| open.usual.clone())
    }

    /// A client without a read timeout.
    pub(crate) fn outgoing_patiently(&self, instance: &Instance) -> Result<Outgoing, RemoteError> {
        self.open(instance, |open| open.patient.clone())
    }

    fn open(
        &self,
        instance: &Instance,
        which: impl FnOnce(&Open) -> Outgoing,
    ) -> Result<Outgoing, RemoteError> {
        let known = ClientSettings { authorities: instance.authorities.clone(), proxy: instance.way_out()? };
        let mut clients = hold(&self.clients);
        if let Some(open) = clients.get(&instance.id)
            && open.known == known
        {
            return Ok(which(open));
        }
        let way = way(known.authorities.as_deref(), known.proxy.as_ref())?;
        let patient = OutgoingSettings { silence: Duration::from_hours(24), ..way.clone() }.open()?;
        let open = Open { known, usual: way.open()?, patient };
        let chosen = which(&open);
        clients.insert(instance.id, open);
        Ok(chosen)
    }
}

impl Instance {
    /// The origin of the instance.
    pub(crate) fn place(&self) -> Result<InstanceOrigin, RemoteError> {
        Ok(InstanceOrigin::read(&self.address, self.plain_accepted)?)
    }

    /// The URL of a path at the instance.
    pub(crate) fn at(&self, path: &str) -> Result<Url, RemoteError> {
        let place = self.place()?;
        place.at(path).ok_or_else(|| RemoteError::NotRelayed { path: path.to_owned() })
    }
}
