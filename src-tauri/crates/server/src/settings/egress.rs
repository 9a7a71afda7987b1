//! Settings that allow connections to non-public addresses. Only the operator of this machine decides them; no page can.

use super::origin::Origin;
use super::{Definition, SettingsError};
use outgoing::EgressPolicy;
use std::path::PathBuf;

pub const PRIVATE_ADDRESSES: Definition = Definition {
    name: "private_addresses",
    environment: "QUARTERDECK_PRIVATE_ADDRESSES",
    default: Some("none"),
    meaning: "What connections may lead to beside the public network when an administrator of any tenant enters the address (ticket trackers), or it is that \
              of a provider's metadata: host names, addresses, networks such as 10.0.0.0/8, loopback, private, or * for everything, separated by \
              commas. A host that is named by itself is also quoted in messages",
    is_secret: false,
};

pub const INSTANCE_PRIVATE_ADDRESSES: Definition = Definition {
    name: "instance_private_addresses",
    environment: "QUARTERDECK_INSTANCE_PRIVATE_ADDRESSES",
    default: Some("loopback,private"),
    meaning: "The same for addresses that only administrators of the instance enter: model providers, the model registry, and ticket trackers of the \
              first tenant. none allows the public network only",
    is_secret: false,
};

pub const MODEL_FOLDERS: Definition = Definition {
    name: "model_folders",
    environment: "QUARTERDECK_MODEL_FOLDERS",
    default: None,
    meaning: "Folders, separated by commas, below which administrators may move the models on a page, beside models in the data directory. The window \
              of a desktop may also use the person's own folder",
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
