//! Tests for values from every origin, valid and invalid.

use super::*;
use std::time::Duration;

fn nothing(_: &str) -> Option<String> {
    None
}

fn in_folder(text: &str) -> (tempfile::TempDir, Flags) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(FILE_NAME), text).unwrap();
    let flags = Flags { data_dir: Some(folder.path().to_owned()), ..Flags::default() };
    (folder, flags)
}

fn listen_of(settings: &Settings) -> (String, String) {
    (settings.listen.to_string(), settings.origins[1].source.to_string())
}

#[test]
fn a_flag_beats_the_environment_beats_the_file_beats_the_default() {
    let environment = |name: &str| (name == "QUARTERDECK_LISTEN").then(|| "127.0.0.1:2".to_owned());
    let (folder, file_only) = in_folder("listen = \"127.0.0.1:3\"");
    let with_flag = Flags { listen: Some("127.0.0.1:1".to_owned()), ..file_only.clone() };
    let empty = Flags { data_dir: Some(folder.path().join("none")), ..Flags::default() };
    let file = folder.path().join(FILE_NAME).display().to_string();

    let read = |flags, environment| listen_of(&Settings::read(flags, environment).unwrap());
    assert_eq!(read(&with_flag, &environment), ("127.0.0.1:1".into(), "flag".into()));
    assert_eq!(read(&file_only, &environment), ("127.0.0.1:2".into(), "environment".into()));
    assert_eq!(read(&file_only, &nothing), ("127.0.0.1:3".into(), file));
    assert_eq!(read(&empty, &nothing), ("127.0.0.1:8790".into(), "default".into()));
}

#[test]
fn a_wrong_value_is_refused_with_its_source_and_what_was_expected() {
    let (_folder, flags) = in_folder("session_hours = 0");
    let error = Settings::read(&flags, &nothing).unwrap_err().to_string();
    assert!(error.starts_with("session_hours is \"0\" (from /"), "{error}");
    assert!(error.ends_with("expected a whole number of hours between 1 and 8760"), "{error}");
}

#[test]
fn a_misspelt_name_in_the_file_is_refused_with_the_names_there_are() {
    let (_folder, flags) = in_folder("listne = \"127.0.0.1:1\"");
    let error = Settings::read(&flags, &nothing).unwrap_err().to_string();
    assert!(error.contains("\"listne\" that does not exist; there is data_dir, listen,"), "{error}");
}

#[test]
fn limits_are_whole_numbers_from_1() {
    let (_folder, flags) = in_folder("max_rows = 7\nmax_seconds = 2");
    let limits = Settings::read(&flags, &nothing).unwrap().limits;
    assert_eq!((limits.answer.rows, limits.answer.time), (7, Duration::from_secs(2)));
    let (_folder, flags) = in_folder("max_depth = 0");
    let error = Settings::read(&flags, &nothing).unwrap_err().to_string();
    assert!(error.ends_with("expected a whole number between 1 and 60"), "{error}");
}

#[test]
fn what_is_kept_of_imports_and_when_they_ask_is_set() {
    let usual = Settings::read(&Flags::default(), &nothing).unwrap().importing;
    assert_eq!((usual.kept_bytes, usual.most_lower), (4 << 30, ingest::MOST_LOWER));
    let (_folder, flags) = in_folder("kept_imports_bytes = 1000\nmost_lower_percent = 5");
    let importing = Settings::read(&flags, &nothing).unwrap().importing;
    assert_eq!((importing.kept_bytes, importing.most_lower), (1000, 0.05));
    assert_eq!((importing.watched, importing.watch_every), (None, 60));
    let (_folder, flags) = in_folder("watched_folder = '/srv/bills'\nwatch_every_seconds = 5");
    let importing = Settings::read(&flags, &nothing).unwrap().importing;
    assert_eq!((importing.watched, importing.watch_every), (Some("/srv/bills".into()), 5));
    let (_folder, flags) = in_folder("most_lower_percent = 101");
    let error = Settings::read(&flags, &nothing).unwrap_err().to_string();
    assert!(error.ends_with("expected a whole number between 1 and 100"), "{error}");
}

#[test]
fn limits_without_a_setting_are_those_of_the_engine() {
    let limits = Settings::read(&Flags::default(), &nothing).unwrap().limits;
    assert_eq!(limits.request, graphql::Limits::default());
    assert_eq!(limits.answer, store::Bounds::default());
}

#[test]
fn hosts_are_a_list_or_words_between_commas() {
    let (_folder, flags) = in_folder("hosts = [\"Cost.example.com\", \"localhost:5173\"]");
    let settings = Settings::read(&flags, &nothing).unwrap();
    assert_eq!(settings.hosts, ["cost.example.com", "localhost:5173"]);
}

#[test]
fn a_settings_file_somebody_named_must_exist() {
    let flags = Flags { config: Some("/nowhere/q.toml".into()), ..Flags::default() };
    let error = Settings::read(&flags, &nothing).unwrap_err().to_string();
    assert_eq!(error, "the settings file /nowhere/q.toml cannot be read");
}

#[test]
fn the_way_to_metadata_is_what_its_settings_say_and_else_what_other_programs_go_by() {
    let read = |set: &'static [(&str, &str)]| {
        let environment = move |name: &str| {
            set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        };
        Settings::read(&Flags::default(), &environment).map(|settings| settings.sign_on.to_metadata)
    };
    let told = |way: outgoing::OutgoingSettings| {
        (way.proxy.map(|url| url.to_string()), way.beside_proxy, way.egress)
    };
    let nothing = read(&[]).map(told).unwrap();
    assert_eq!(nothing, (None, String::new(), outgoing::EgressPolicy::public()));
    let usual = read(&[("HTTPS_PROXY", "http://proxy:3128"), ("NO_PROXY", "sso.lan")]).map(told).unwrap();
    assert_eq!(
        usual,
        (Some("http://proxy:3128/".to_owned()), "sso.lan".to_owned(), outgoing::EgressPolicy::public())
    );
    let own = read(&[
        ("HTTPS_PROXY", "http://proxy:3128"),
        ("SAML_METADATA_PROXY", "http://ada:secret@way-out:8080"),
        ("SAML_METADATA_NO_PROXY", "10.0.0.0/8"),
        ("SAML_METADATA_ALLOW_PRIVATE", "true"),
    ]);
    let own = own.map(told).unwrap();
    assert_eq!((own.1.as_str(), own.2), ("10.0.0.0/8", outgoing::EgressPolicy::anywhere()));
    assert_eq!(own.0.as_deref(), Some("http://ada:secret@way-out:8080/"));

    for (name, value, words) in [
        (
            "SAML_METADATA_PROXY",
            "ftp://ada:secret@way-out",
            "saml_metadata_proxy cannot be used: begins with ftp:",
        ),
        ("SAML_METADATA_CA", "/nowhere/ca.pem", "saml_metadata_ca cannot be used: Expected certificates"),
        ("SAML_METADATA_ALLOW_PRIVATE", "perhaps", "expected true or false"),
    ] {
        let environment = |asked: &str| (asked == name).then(|| value.to_owned());
        let error = Settings::read(&Flags::default(), &environment).unwrap_err().to_string();
        assert!(error.contains(words) && !error.contains("secret"), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn backups_are_not_kept_among_what_they_are_taken_of_by_whatever_way_that_is_reached() {
    let (folder, flags) = in_folder("");
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(folder.path(), &link).unwrap();
    let way = link.display().to_string();
    let environment = |name: &str| (name == "QUARTERDECK_BACKUP_DIR").then(|| way.clone());
    let error = Settings::read(&flags, &environment).unwrap_err().to_string();
    assert!(error.ends_with("expected another folder than the data directory itself"), "{error}");
}

#[test]
fn where_connections_may_lead_is_a_list_each_for_tenants_and_for_the_instance() {
    let (_folder, flags) = in_folder("private_addresses = [\"desk.lan\"]");
    let egress = Settings::read(&flags, &nothing).unwrap().egress;
    let may = |policy: &outgoing::EgressPolicy, host: &str, address: &str| {
        policy.allows(host, address.parse().unwrap())
    };
    assert!(may(&egress.tenants, "desk.lan", "10.0.0.1") && may(&egress.instance, "desk.lan", "10.0.0.1"));
    assert!(
        !may(&egress.tenants, "localhost", "127.0.0.1") && may(&egress.instance, "localhost", "127.0.0.1")
    );
    assert!(!may(&egress.instance, "metadata", "169.254.169.254"));
    let none = |name: &str| (name == "QUARTERDECK_INSTANCE_PRIVATE_ADDRESSES").then(|| "none".to_owned());
    let egress = Settings::read(&Flags::default(), &none).unwrap().egress;
    assert!(!may(&egress.instance, "localhost", "127.0.0.1"));
    let wrong = |name: &str| (name == "QUARTERDECK_PRIVATE_ADDRESSES").then(|| "http://desk".to_owned());
    let error = Settings::read(&Flags::default(), &wrong).unwrap_err().to_string();
    assert!(error.contains("private_addresses") && error.contains("expected a host name"), "{error}");
    let (_folder, flags) = in_folder("model_folders = \"models\"");
    let error = Settings::read(&flags, &nothing).unwrap_err().to_string();
    assert!(error.contains("whole paths separated by commas"), "{error}");
}

#[test]
fn a_replica_follows_a_database() {
    let (_folder, flags) = in_folder("database_replica = \"postgres://b/d\"");
    let error = Settings::read(&flags, &nothing).unwrap_err().to_string();
    assert!(error.contains("database_replica cannot be used: expected the setting database"), "{error}");
    let flags = Flags { database: Some("postgres://a/d".to_owned()), ..flags };
    let read = Settings::read(&flags, &nothing).unwrap();
    assert_eq!(read.database_replica.as_deref(), Some("postgres://b/d"));
}
