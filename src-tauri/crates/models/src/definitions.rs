//! The settings of models: name, default and description of each.

use std::collections::BTreeMap;

/// A setting, by its name in the environment.
#[derive(Debug)]
pub struct Definition {
    pub name: &'static str,
    pub default: Option<&'static str>,
    pub is_secret: bool,
    pub meaning: &'static str,
}

const fn open(name: &'static str, default: Option<&'static str>, meaning: &'static str) -> Definition {
    Definition { name, default, is_secret: false, meaning }
}

const fn secret(name: &'static str, meaning: &'static str) -> Definition {
    Definition { name, default: None, is_secret: true, meaning }
}

pub const REGISTRY_URL: &str = "MODEL_REGISTRY_URL";
pub const LICENSE_KEY: &str = "LICENSE_KEY";
pub const FOLDER: &str = "MODEL_FOLDER";
pub const CONNECTIONS: &str = "MODEL_CONNECTIONS";
pub const RATE: &str = "MODEL_MAX_BYTES_PER_SECOND";
pub const PROXY: &str = "MODEL_PROXY";
pub const NO_PROXY: &str = "MODEL_NO_PROXY";
pub const AUTHORITIES: &str = "MODEL_CA";
pub const CLIENT_KEYS: &str = "MODEL_CLIENT_KEYS";

/// All settings of models.
pub const ALL: [Definition; 9] = [
    open(REGISTRY_URL, None, "Address of the registry that models are downloaded from"),
    secret(LICENSE_KEY, "The license. It goes to the registry as a bearer token, and nowhere else"),
    open(FOLDER, None, "Folder of the models. Without it, models in the data directory"),
    open(CONNECTIONS, Some("4"), "Connections of one download at once, 1 to 16"),
    open(RATE, Some("0"), "Bytes per second that all downloads take together; 0 for no bound"),
    secret(
        PROXY,
        "HTTP proxy on the way to the registry, http://name:password@host:port. Without it, HTTPS_PROXY",
    ),
    open(NO_PROXY, None, "Hosts reached without the proxy, separated by commas. Without it, NO_PROXY"),
    open(
        AUTHORITIES,
        None,
        "Certificates (PEM) of authorities to trust beside the usual ones, or a file of them",
    ),
    secret(
        CLIENT_KEYS,
        "License keys, separated by commas, with which other machines may download models from this one, beside its own",
    ),
];

pub fn definition(name: &str) -> Option<&'static Definition> {
    ALL.iter().find(|definition| definition.name == name)
}

/// Values by name, as given from outside.
pub type SettingValues = BTreeMap<String, String>;
/// Changes by name; `None` removes a saved value.
pub type Changes = BTreeMap<String, Option<String>>;
