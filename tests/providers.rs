//! Tests of model providers on the command line, with a provider on loopback.

use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use crate::support::programs::{Outcome, holds, run, server};
use testkit::language_models::{KEY, LanguageModels};

/// Runs `provider …` with text on its standard input.
fn provider(data_dir: &Path, arguments: &[&str], input: &str) -> Outcome {
    let mut command = server(data_dir);
    command.arg("provider").args(arguments);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A command that does not read its input may have ended.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    Outcome::of(child.wait_with_output().unwrap())
}

#[test]
fn a_provider_is_added_tried_out_narrowed_and_removed_on_the_command_line() {
    let (folder, double) = (tempfile::tempdir().unwrap(), LanguageModels::start());
    let data = folder.path();
    let endpoint = format!("endpoint={}/v1", double.address);
    let added = ["add", "openai", "--set", &endpoint, "--secret", "key", "--model", "large", "--on"];
    let id = provider(data, &added, &format!("{KEY}\n")).succeeded().stdout.trim().to_owned();
    assert!(!holds(data, KEY), "the key is sealed");
    let tested = provider(data, &["test", &id], "").succeeded();
    let host = double.address.trim_start_matches("http://");
    assert!(tested.stdout.starts_with(&format!("ok: Reached {host}, ")), "{tested:?}");
    assert!(tested.stdout.contains("ok: large answered a test prompt, "), "{tested:?}");
    assert!(tested.stdout.contains(" ms, 15 tokens"), "{tested:?}");
    assert_eq!(provider(data, &["models", &id], "").succeeded().stdout, "large\nsmall\n");

    provider(data, &["override", "tier", "summary", &id, "small"], "").succeeded();
    provider(data, &["set", &id, "--secret", "key", "--off"], "a-wrong-key-1234").succeeded();
    let listed = provider(data, &["list", "--json"], "").succeeded().json();
    assert_eq!(listed["providers"][0]["is_on"], false);
    let shown = &listed["providers"][0];
    assert_eq!(
        (&shown["sources"]["model"], &shown["values"]["endpoint"]["source"]),
        (&"saved".into(), &"saved".into())
    );
    assert_eq!(
        (&shown["values"]["key"]["is_set"], &shown["values"]["key"]["value"]),
        (&true.into(), &Value::Null)
    );
    assert_eq!(listed["overrides"][0]["model"], "small");
    let refused = provider(data, &["test", &id], "");
    assert_eq!(refused.code, 1);
    assert!(refused.stdout.contains("refuses the key (status 401). It says: the key"), "{refused:?}");
    assert!(!refused.stdout.contains("a-wrong-key-1234"));
    provider(data, &["override", "tier", "summary"], "").succeeded();
    provider(data, &["remove", &id], "").succeeded();
    let empty = provider(data, &["list", "--json"], "").succeeded().json();
    assert_eq!(empty, serde_json::json!({ "providers": [], "overrides": [] }));
}

#[test]
fn wrong_usage_is_told_with_what_there_is() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, words) in [
        (&["add", "skynet"][..], "is no kind of provider; there is bedrock, azure"),
        (&["add", "openai", "--set", "key=typed"], "key is a secret: give it on standard input"),
        (&["add", "openai", "--set", "colour=red"], "there is no value \"colour\"; there is endpoint"),
    ] {
        let outcome = provider(folder.path(), arguments, "");
        assert_eq!(outcome.code, 2, "{outcome:?}");
        assert!(outcome.stderr.contains(words), "{outcome:?}");
    }
    let unknown = run(folder.path(), &["provider", "test", "nobody"]);
    assert!(
        unknown.code == 1 && unknown.stderr.contains("there is no model provider \"nobody\""),
        "{unknown:?}"
    );
}
