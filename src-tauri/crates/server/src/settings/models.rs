//! Settings of models: environment variables for the registry and its network access. Saved values override them; the defaults are in `models`.

use super::sign_on::LICENSE_KEY;
use super::usual::{usual_no_proxy, usual_proxy};
use super::{Definition, Origin};

const fn open(name: &'static str, environment: &'static str, meaning: &'static str) -> Definition {
    Definition { name, environment, default: None, meaning, is_secret: false }
}

const fn secret(name: &'static str, environment: &'static str, meaning: &'static str) -> Definition {
    Definition { name, environment, default: None, meaning, is_secret: true }
}

/// In display order.
pub(super) const ALL: &[&Definition] = &[
    &open("model_registry_url", "MODEL_REGISTRY_URL", "URL of the registry from which models are downloaded"),
    &open("model_folder", "MODEL_FOLDER", "Folder of the models. Default: `models` in the data directory"),
    &open(
        "model_connections",
        "MODEL_CONNECTIONS",
        "Parallel connections of one download, 1 to 16. Default: 4",
    ),
    &open(
        "model_max_bytes_per_second",
        "MODEL_MAX_BYTES_PER_SECOND",
        "Limit for all model downloads together, in bytes per second. Default: no limit",
    ),
    &secret(
        "model_proxy",
        "MODEL_PROXY",
        "HTTP proxy for the registry, such as http://proxy:3128, with user name and password if required. Default: HTTPS_PROXY",
    ),
    &open(
        "model_no_proxy",
        "MODEL_NO_PROXY",
        "Hosts to reach without that proxy, separated by commas. Default: NO_PROXY",
    ),
    &open(
        "model_ca",
        "MODEL_CA",
        "Additional CA certificates (PEM text, or the path of a PEM file) to trust for the registry",
    ),
    &secret(
        "model_client_keys",
        "MODEL_CLIENT_KEYS",
        "License keys of other machines that may download models from this one, separated by commas, in addition to its own",
    ),
];

/// The settings given at start, by environment variable; only those that are set.
pub(super) fn given(
    of: &dyn Fn(&Definition) -> Origin,
    environment: &dyn Fn(&str) -> Option<String>,
) -> ::models::settings::SettingValues {
    let set = |value: &String| !value.is_empty();
    let mut given: ::models::settings::SettingValues = ALL
        .iter()
        .copied()
        .chain([&LICENSE_KEY])
        .filter_map(|definition| Some((definition.environment.to_owned(), of(definition).value.filter(set)?)))
        .collect();
    let usual = [
        (::models::settings::PROXY, usual_proxy(environment)),
        (::models::settings::NO_PROXY, usual_no_proxy(environment)),
    ];
    for (name, found) in usual {
        if let (false, Some(found)) = (given.contains_key(name), found) {
            given.insert(name.to_owned(), found);
        }
    }
    given
}
