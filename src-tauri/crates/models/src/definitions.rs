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
    open(REGISTRY_URL, None, "URL of the registry from which models are downloaded"),
    secret(LICENSE_KEY, "License key. It is sent to the registry as a bearer token, and nowhere else"),
    open(FOLDER, None, "Folder of the models. Default: models in the data directory"),
    open(CONNECTIONS, Some("4"), "Parallel connections of one download, 1 to 16"),
    open(RATE, Some("0"), "Limit for all downloads together, in bytes per second; 0 for no limit"),
    secret(PROXY, "HTTP proxy for the registry, http://name:password@host:port. Default: HTTPS_PROXY"),
    open(NO_PROXY, None, "Hosts to reach without the proxy, separated by commas. Default: NO_PROXY"),
    open(AUTHORITIES, None, "Additional CA certificates to trust (PEM text, or the path of a PEM file)"),
    secret(
        CLIENT_KEYS,
        "License keys of other machines that may download models from this one, separated by commas, in addition to its own",
    ),
];

pub fn definition(name: &str) -> Option<&'static Definition> {
    ALL.iter().find(|definition| definition.name == name)
}

/// Values by name, as given from outside.
pub type SettingValues = BTreeMap<String, String>;
/// Changes by name; `None` removes a saved value.
pub type Changes = BTreeMap<String, Option<String>>;
