//! The settings of models: values of the environment, overridden by saved values.
//!
//! They are read at each use and not cached. Secrets are never shown again: [`Settings::shown`] reports only whether they are set.

pub use crate::definitions::{
    ALL, AUTHORITIES, CLIENT_KEYS, CONNECTIONS, Changes, Definition, FOLDER, LICENSE_KEY, NO_PROXY, PROXY,
    RATE, REGISTRY_URL, SettingValues, definition,
};
use crate::failure::{Failure, Kind};
use crate::safe::{self, SecretStore};
use catalogue::{Caller, ValueRef};
use outgoing::{Authorities, EgressPolicy, OutgoingSettings};
use schemars::JsonSchema;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use store::{Store, StoreError, Transaction, eq};
use url::Url;

/// The source of a setting's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "ModelSettingSource")]
#[serde(rename_all = "lowercase")]
pub enum Source {
    Saved,
    Environment,
    Default,
}

/// A setting with its effective value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "ModelSetting")]
pub struct SettingView {
    /// The effective value. Null if secret or not set.
    pub value: Option<String>,
    pub is_set: bool,
    /// The last four characters of the license key. Null if the key is too short to show them safely.
    pub ends_with: Option<String>,
    pub source: Source,
    pub is_secret: bool,
    pub problem: Option<String>,
    pub meaning: &'static str,
}

/// The effective value of every setting.
#[derive(Clone)]
pub struct Settings {
    values: BTreeMap<&'static str, (String, Source)>,
    /// Stored secrets that are currently inaccessible, with the reason.
    closed: BTreeMap<&'static str, String>,
    data_dir: PathBuf,
    /// The addresses that administrators of the instance may configure.
    egress: EgressPolicy,
}

/// Reads the current settings, and secrets from their store. Blocks the thread.
pub fn read(
    store: &Store,
    environment: &SettingValues,
    data_dir: &Path,
    safe: Option<&dyn SecretStore>,
) -> Result<Settings, StoreError> {
    let saved = store.snapshot(&Caller::system(), saved)?;
    let mut settings = Settings {
        values: BTreeMap::new(),
        closed: BTreeMap::new(),
        data_dir: data_dir.to_owned(),
        egress: EgressPolicy::of_instance(),
    };
    for definition in &ALL {
        let found = match (saved.get(definition.name), environment.get(definition.name)) {
            // Outside the transaction: a keyring can be slow.
            (Some(value), _) => match safe::opened(safe, definition.name, value) {
                Ok(value) => Some((value, Source::Saved)),
                Err(why) => {
                    settings.closed.insert(definition.name, why);
                    None
                }
            },
            (None, Some(value)) => Some((value.clone(), Source::Environment)),
            (None, None) => definition.default.map(|value| (value.to_owned(), Source::Default)),
        };
        // A value saved as empty unsets it, whatever the environment contains.
        settings.values.extend(found.map(|found| (definition.name, found)));
    }
    Ok(settings)
}

/// The saved values by name, as in the database.
fn saved(rows: &Transaction<'_>) -> Result<BTreeMap<&'static str, String>, StoreError> {
    let mut all = BTreeMap::new();
    for definition in &ALL {
        all.extend(crate::rows::setting(rows, definition.name)?.map(|value| (definition.name, value)));
    }
    Ok(all)
}

/// Secrets in plain text in the database, saved by older versions.
pub(crate) fn left_open(rows: &Transaction<'_>) -> Result<Changes, StoreError> {
    let open = saved(rows)?.into_iter().filter(|(name, value)| safe::is_open(name, value));
    Ok(open.map(|(name, value)| (name.to_owned(), Some(value))).collect())
}

/// Saves changes and ignores unknown names. The caller has [checked](Settings::problem) them.
pub fn save(rows: &Transaction<'_>, changes: &Changes, now: i64) -> Result<(), StoreError> {
    for (name, value) in changes {
        let Some(definition) = definition(name) else { continue };
        match value {
            None => {
                rows.delete("setting", &[eq("name", definition.name)])?;
            }
            Some(value) => rows.upsert(
                "setting",
                &["name"],
                &[
                    ("name", definition.name.into()),
                    ("value", value.trim().into()),
                    ("updated_at", ValueRef::Timestamp(now)),
                ],
                &[],
            )?,
        }
    }
    Ok(())
}

impl Settings {
    /// The settings with changes applied, for validation before saving.
    #[must_use]
    pub fn with(&self, changes: &Changes) -> Self {
        let mut settings = self.clone();
        for (name, value) in changes {
            let (Some(definition), Some(value)) = (definition(name), value) else { continue };
            settings.closed.remove(definition.name);
            settings.values.insert(definition.name, (value.trim().to_owned(), Source::Saved));
        }
        settings
    }

    /// The settings with another policy for addresses that administrators of the instance may configure.
    #[must_use]
    pub fn with_egress(self, egress: EgressPolicy) -> Self {
        Self { egress, ..self }
    }

    pub fn value(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(|(value, _)| value.trim()).filter(|value| !value.is_empty())
    }

    /// Every setting as shown, by name.
    pub fn shown(&self) -> BTreeMap<&'static str, SettingView> {
        ALL.iter().map(|definition| (definition.name, self.show(definition))).collect()
    }

    fn show(&self, definition: &Definition) -> SettingView {
        let value = self.value(definition.name);
        let is_long = value.is_some_and(|value| value.chars().count() >= 12);
        SettingView {
            value: value.filter(|_| !definition.is_secret).map(str::to_owned),
            is_set: value.is_some() || self.closed.contains_key(definition.name),
            ends_with: value
                .filter(|_| definition.name == LICENSE_KEY && is_long)
                .map(|value| value.chars().skip(value.chars().count() - 4).collect()),
            source: match self.values.get(definition.name) {
                Some((_, source)) => *source,
                None if self.closed.contains_key(definition.name) => Source::Saved,
                None => Source::Default,
            },
            is_secret: definition.is_secret,
            problem: self.problem(definition.name),
            meaning: definition.meaning,
        }
    }

    /// What is wrong with a value. Secret values are not repeated.
    pub fn problem(&self, name: &str) -> Option<String> {
        if let Some(why) = self.closed.get(name) {
            return Some(format!("is kept and cannot be read: {why}. Type it again"));
        }
        let value = self.value(name)?;
        match name {
            REGISTRY_URL => self.registry_url().err(),
            LICENSE_KEY | CLIENT_KEYS if !is_header_text(value) => {
                Some("holds letters that cannot be sent; copy it again, without line breaks".to_owned())
            }
            CONNECTIONS => number(value, 1, 16).err(),
            RATE => number(value, 0, u64::MAX).err(),
            PROXY => self.proxy().err(),
            AUTHORITIES => self.authorities().err(),
            FOLDER if !Path::new(value).is_absolute() => {
                Some(format!("is {value:?}: expected a whole path, such as /var/lib/models"))
            }
            _ => None,
        }
    }

    fn registry_url(&self) -> Result<Option<Url>, String> {
        let Some(value) = self.value(REGISTRY_URL) else { return Ok(None) };
        let expected = "expected an address such as https://models.example.com";
        let url = Url::parse(value).map_err(|_| format!("is not a full URL: {expected}"))?;
        if !matches!(url.scheme(), "https" | "http") || url.host_str().is_none() {
            return Err(format!("begins with {}: — {expected}", url.scheme()));
        }
        if url.query().is_some() || url.fragment().is_some() || !url.username().is_empty() {
            return Err(format!("has more than scheme, host and path: {expected}"));
        }
        Ok(Some(url))
    }

    fn proxy(&self) -> Result<Option<Url>, String> {
        self.value(PROXY).map(outgoing::proxy).transpose().map_err(|error| error.to_string())
    }

    fn authorities(&self) -> Result<Authorities, String> {
        let Some(value) = self.value(AUTHORITIES) else { return Ok(Authorities::default()) };
        Authorities::read(value).map_err(|error| error.to_string())
    }

    /// The connection settings for the registry.
    pub fn way(&self) -> Result<OutgoingSettings, Failure> {
        let wrong = |name: &'static str| {
            move |message: String| {
                Failure::new(
                    Kind::NotConfigured,
                    format!("{name} {message}."),
                    "Correct it under Model downloads.",
                )
            }
        };
        Ok(OutgoingSettings {
            authorities: self.authorities().map_err(wrong(AUTHORITIES))?,
            proxy: self.proxy().map_err(wrong(PROXY))?,
            beside_proxy: self.value(NO_PROXY).unwrap_or_default().to_owned(),
            egress: self.egress.clone(),
            ..OutgoingSettings::default()
        })
    }

    /// The validated address of the registry.
    pub fn registry(&self) -> Result<Url, Failure> {
        match self.registry_url() {
            Ok(Some(url)) => Ok(url),
            Ok(None) => Err(Failure::new(
                Kind::NotConfigured,
                "There is no registry to download from.",
                "Set its address (MODEL_REGISTRY_URL), or import the model from a file.",
            )),
            Err(message) => Err(Failure::new(
                Kind::NotConfigured,
                format!("The registry's address {message}."),
                "Correct MODEL_REGISTRY_URL.",
            )),
        }
    }

    /// The validated license key.
    pub fn license_key(&self) -> Result<&str, Failure> {
        if let Some(why) = self.closed.get(LICENSE_KEY) {
            return Err(Failure::new(
                Kind::NoLicenseKey,
                format!("The license key is kept and cannot be read: {why}."),
                "Unlock the keyring, or type the key again under Settings, Model downloads.",
            ));
        }
        let key = self.value(LICENSE_KEY).ok_or_else(|| {
            Failure::new(
                Kind::NoLicenseKey,
                "There is no license key to download with.",
                "Set it (LICENSE_KEY), or import the model from a file, which needs none.",
            )
        })?;
        if is_header_text(key) {
            return Ok(key);
        }
        Err(Failure::new(
            Kind::NoLicenseKey,
            "The license key holds letters that cannot be sent.",
            "Copy it again, without line breaks.",
        ))
    }

    pub fn connections(&self) -> usize {
        let read = self.value(CONNECTIONS).and_then(|value| number(value, 1, 16).ok());
        read.and_then(|count| usize::try_from(count).ok()).unwrap_or(4)
    }

    /// Bytes per second; `None` if unlimited.
    pub fn rate(&self) -> Option<u64> {
        self.value(RATE).and_then(|value| value.parse().ok()).filter(|rate| *rate > 0)
    }

    /// The folder of the models.
    pub fn folder(&self) -> PathBuf {
        self.value(FOLDER).map_or_else(|| self.data_dir.join("models"), PathBuf::from)
    }

    /// Whether a key gives another machine access to the models of this service: its own license key, or a key configured for others. Compared as
    /// hashes, to prevent timing attacks.
    pub fn accepts(&self, key: &str) -> bool {
        let others = self.value(CLIENT_KEYS).unwrap_or_default().split(',').map(str::trim);
        let known = self.value(LICENSE_KEY).into_iter().chain(others).filter(|known| !known.is_empty());
        let offered = Sha256::digest(key);
        known.fold(false, |found, known| (Sha256::digest(known) == offered) | found)
    }
}

fn is_header_text(text: &str) -> bool {
    text.bytes().all(|byte| (0x20..0x7f).contains(&byte))
}

fn number(text: &str, least: u64, most: u64) -> Result<u64, String> {
    let bound =
        if most == u64::MAX { format!("from {least}") } else { format!("between {least} and {most}") };
    let read = text.parse().ok().filter(|number| (least..=most).contains(number));
    read.ok_or_else(|| format!("is {text:?}: expected a whole number {bound}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::new_store;

    fn changes(entries: &[(&str, Option<&str>)]) -> Changes {
        entries.iter().map(|(name, value)| ((*name).to_owned(), value.map(str::to_owned))).collect()
    }

    #[test]
    fn a_form_counts_more_than_the_environment_and_can_be_taken_back() {
        let (_folder, store) = new_store();
        let environment = SettingValues::from([(REGISTRY_URL.to_owned(), "https://a.example".to_owned())]);
        let now = || read(&store, &environment, Path::new("/data"), None).unwrap();
        assert_eq!(now().shown()[REGISTRY_URL].source, Source::Environment);
        for (value, expected, source) in [
            (Some("https://b.example"), Some("https://b.example"), Source::Saved),
            (Some(""), None, Source::Saved),
            (None, Some("https://a.example"), Source::Environment),
        ] {
            let change = changes(&[(REGISTRY_URL, value)]);
            store.transaction(&Caller::system(), |rows| save(rows, &change, 0)).unwrap();
            assert_eq!((now().value(REGISTRY_URL), now().shown()[REGISTRY_URL].source), (expected, source));
        }
        assert_eq!(now().folder(), Path::new("/data/models"));
    }

    #[test]
    fn secrets_are_told_as_set_and_never_shown() {
        let (_folder, store) = new_store();
        let environment = SettingValues::from([
            (LICENSE_KEY.to_owned(), "qd-license-0123-7F2C".to_owned()),
            (PROXY.to_owned(), "http://me:hunter2@proxy:3128".to_owned()),
        ]);
        let shown = read(&store, &environment, Path::new("/data"), None).unwrap().shown();
        assert_eq!(
            (shown[LICENSE_KEY].is_set, shown[LICENSE_KEY].ends_with.as_deref()),
            (true, Some("7F2C"))
        );
        let text = serde_json::to_string(&shown).unwrap();
        assert!(!text.contains("0123") && !text.contains("hunter2"), "{text}");
    }

    /// In memory; can be made inaccessible.
    #[derive(Default)]
    struct Drawer {
        kept: std::sync::Mutex<BTreeMap<String, String>>,
        is_closed: std::sync::atomic::AtomicBool,
    }

    impl SecretStore for Drawer {
        fn keep(&self, name: &str, secret: &str) -> Result<String, String> {
            self.kept.lock().unwrap().insert(name.to_owned(), secret.to_owned());
            Ok("in the drawer".to_owned())
        }

        fn find(&self, name: &str, note: &str) -> Result<String, String> {
            assert_eq!(note, "in the drawer");
            if self.is_closed.load(std::sync::atomic::Ordering::Relaxed) {
                return Err("the drawer is locked".to_owned());
            }
            self.kept.lock().unwrap().get(name).cloned().ok_or_else(|| "it is gone".to_owned())
        }

        fn forget(&self, name: &str) {
            self.kept.lock().unwrap().remove(name);
        }

        fn about(&self) -> &'static str {
            "In a drawer"
        }
    }

    #[test]
    fn secrets_are_kept_outside_of_the_database_and_found_again() {
        let (_folder, store) = new_store();
        let drawer = Drawer::default();
        let now = || read(&store, &SettingValues::new(), Path::new("/data"), Some(&drawer)).unwrap();
        let save = |value: Option<&str>| {
            let change = changes(&[(LICENSE_KEY, value), (REGISTRY_URL, Some("https://a.example"))]);
            let kept = safe::kept(Some(&drawer), &change).unwrap();
            store.transaction(&Caller::system(), |rows| save(rows, &kept, 0)).unwrap();
            safe::forget(Some(&drawer), &change);
        };
        // As saved by an older version.
        let plain = changes(&[(LICENSE_KEY, Some("older-key"))]);
        store.transaction(&Caller::system(), |rows| super::save(rows, &plain, 0)).unwrap();
        assert_eq!(now().license_key().unwrap(), "older-key");
        assert_eq!(store.snapshot(&Caller::system(), left_open).unwrap(), plain);
        save(Some("qd-license-0123-7F2C"));
        assert_eq!(now().license_key().unwrap(), "qd-license-0123-7F2C");
        assert_eq!(now().value(REGISTRY_URL), Some("https://a.example"));
        let standing = store.snapshot(&Caller::system(), saved).unwrap();
        assert!(!standing[LICENSE_KEY].contains("license"), "{standing:?}");
        assert!(store.snapshot(&Caller::system(), left_open).unwrap().is_empty());

        drawer.is_closed.store(true, std::sync::atomic::Ordering::Relaxed);
        let shown = &now().shown()[LICENSE_KEY];
        assert!(
            shown.is_set && shown.problem.as_ref().unwrap().contains("the drawer is locked"),
            "{shown:?}"
        );
        assert!(now().license_key().unwrap_err().reason.contains("the drawer is locked"));
        drawer.is_closed.store(false, std::sync::atomic::Ordering::Relaxed);
        save(None);
        assert!(drawer.kept.lock().unwrap().is_empty() && now().value(LICENSE_KEY).is_none());
    }

    #[test]
    fn wrong_values_are_named_with_what_was_expected() {
        let (_folder, store) = new_store();
        let settings = read(&store, &SettingValues::new(), Path::new("/data"), None).unwrap();
        for (name, value, words) in [
            (REGISTRY_URL, "models.example.com", "expected an address"),
            (REGISTRY_URL, "ftp://models.example.com", "begins with ftp:"),
            (CONNECTIONS, "99", "between 1 and 16"),
            (RATE, "fast", "a whole number from 0"),
            (PROXY, "socks5://x", "expected http://host:port"),
            (AUTHORITIES, "-----BEGIN nothing", "Expected certificates"),
            (FOLDER, "models", "expected a whole path"),
            (LICENSE_KEY, "a\nb", "without line breaks"),
        ] {
            let problem = settings.with(&changes(&[(name, Some(value))])).problem(name).unwrap();
            assert!(problem.contains(words), "{name}: {problem}");
        }
    }

    #[test]
    fn other_machines_are_let_in_with_the_own_key_or_one_given_for_them() {
        let (_folder, store) = new_store();
        let none = read(&store, &SettingValues::new(), Path::new("/data"), None).unwrap();
        assert!(!none.accepts("") && !none.accepts("a"));
        let given =
            SettingValues::from([(LICENSE_KEY.into(), "own".into()), (CLIENT_KEYS.into(), "a, b".into())]);
        let settings = read(&store, &given, Path::new("/data"), None).unwrap();
        assert!(["own", "a", "b"].iter().all(|key| settings.accepts(key)));
        assert!(["", "c", "a, b", "OWN"].iter().all(|key| !settings.accepts(key)));
    }
}
