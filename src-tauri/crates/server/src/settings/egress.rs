//! Settings that allow connections to non-public addresses. Only the operator of this machine decides them; no page can.

use super::origin::Origin;
use super::{Definition, SettingsError};
use outgoing::EgressPolicy;
use std::path::PathBuf;

pub const PRIVATE_ADDRESSES: Definition = Definition {
    name: "private_addresses",
    environment: "QUARTERDECK_PRIVATE_ADDRESSES",
    default: Some("none"),
    meaning: "Private addresses that connections may reach if an administrator of any tenant enters the address (ticket trackers), or for \
              identity provider metadata: host names, IP addresses, networks such as 10.0.0.0/8, loopback, private, or * for all, separated by \
              commas. Error messages name a host only if it is listed here by name",
    is_secret: false,
};

pub const INSTANCE_PRIVATE_ADDRESSES: Definition = Definition {
    name: "instance_private_addresses",
    environment: "QUARTERDECK_INSTANCE_PRIVATE_ADDRESSES",
    default: Some("loopback,private"),
    meaning: "Private addresses that connections may reach if an administrator of the instance enters the address: model providers, the model \
              registry and ticket trackers of the first tenant. Same format as private_addresses; none: the public network only",
    is_secret: false,
};

pub const MODEL_FOLDERS: Definition = Definition {
    name: "model_folders",
    environment: "QUARTERDECK_MODEL_FOLDERS",
    default: None,
    meaning: "Folders, separated by commas, to whose subfolders administrators may move the models in Settings, in addition to models in the data \
              directory. The desktop app may also use the user's home folder",
    is_secret: false,
};

/// In display order.
pub(super) const ALL: &[&Definition] = &[&PRIVATE_ADDRESSES, &INSTANCE_PRIVATE_ADDRESSES, &MODEL_FOLDERS];

/// Allowed destinations of connections, by who enters the address.
#[derive(Debug, Clone, Default)]
pub struct Egress {
    /// For addresses entered by an administrator of any tenant.
    pub tenants: EgressPolicy,
    /// For addresses entered by an administrator of the instance.
    pub instance: EgressPolicy,
}

impl Egress {
    pub(super) fn read(of: &dyn Fn(&Definition) -> Origin) -> Result<Self, SettingsError> {
        let policy = |definition: &Definition| {
            let origin = of(definition);
            EgressPolicy::parse(origin.value.as_deref().unwrap_or_default()).map_err(|cause| {
                SettingsError::Unusable { name: origin.definition.name, cause: Box::new(cause) }
            })
        };
        let tenants = policy(&PRIVATE_ADDRESSES)?;
        let instance = policy(&INSTANCE_PRIVATE_ADDRESSES)?.and(&tenants);
        Ok(Self { tenants, instance })
    }
}

/// Folders below which the models may be moved.
pub(super) fn model_folders(of: &dyn Fn(&Definition) -> Origin) -> Result<Vec<PathBuf>, SettingsError> {
    let origin = of(&MODEL_FOLDERS);
    let entries = origin.value.as_deref().unwrap_or_default().split(',').map(str::trim);
    let folders: Vec<PathBuf> = entries.filter(|entry| !entry.is_empty()).map(PathBuf::from).collect();
    if folders.iter().all(|folder| folder.is_absolute()) {
        return Ok(folders);
    }
    Err(super::origin::wrong(&origin, "whole paths separated by commas, such as /srv/models"))
}
