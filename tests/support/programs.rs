//! The programs under test: their files, and the results of running them.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// The path of the program `name`, in the target directory of this test binary.
///
/// # Panics
/// If it does not exist: a plain `cargo test -p e2e` builds only itself.
pub fn program(name: &str) -> PathBuf {
    let this = std::env::current_exe().unwrap();
    let folder = this.parent().and_then(Path::parent).unwrap();
    let path = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(
        path.is_file(),
        "{} is not built. `make test` builds it; by hand: cargo build --workspace --features quarterdeck/desktop",
        path.display()
    );
    path
}

/// `quarterdeck-server`, not yet run, with its own data directory and without this user's settings.
pub fn server(data_dir: &Path) -> Command {
    let mut command = Command::new(program("quarterdeck-server"));
    isolate(&mut command, data_dir);
    command.env("QUARTERDECK_DATA_DIR", data_dir);
    command
}

/// Removes everything from the environment of `command` that could come from the user who runs the tests.
pub fn isolate(command: &mut Command, home: &Path) {
    for (name, _) in std::env::vars_os() {
        let of_ours = [
            "QUARTERDECK_",
            "SAML_",
            "APPAUTH_",
            "AUTH_DEFAULT_ROLE",
            "LICENSE_",
            "MODEL_",
            "LLM_",
            "EMBEDDINGS_",
            "AWS_",
        ];
        if of_ours.iter().any(|start| name.to_string_lossy().starts_with(start)) {
            command.env_remove(name);
        }
    }
    for name in ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"] {
        command.env(name, home);
    }
}

/// Writes an executable script `name` into `folder`. A separate process writes it: a file that this process has open for writing is open in every
/// program that another test starts meanwhile, and the system then refuses to execute it ("Text file busy").
pub fn executable(folder: &Path, name: &str, text: &str) -> PathBuf {
    let (path, draft) = (folder.join(name), folder.join(format!("{name}.text")));
    std::fs::write(&draft, text).unwrap();
    finish(Command::new("install").args(["-m", "755"]).args([&draft, &path])).succeeded();
    path
}

/// The result of a finished program.
#[derive(Debug)]
pub struct Outcome {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Outcome {
    pub fn of(Output { status, stdout, stderr }: Output) -> Self {
        Self {
            code: status.code().unwrap_or_else(|| panic!("it was ended by a signal: {status}")),
            stdout: String::from_utf8(stdout).unwrap(),
            stderr: String::from_utf8(stderr).unwrap(),
        }
    }

    /// Returns the outcome; panics if the program failed.
    pub fn succeeded(self) -> Self {
        assert_eq!(self.code, 0, "{self:#?}");
        self
    }

    /// The standard output parsed as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("not JSON ({error}): {self:#?}"))
    }
}

/// Runs `quarterdeck-server` with `arguments` on `data_dir` and waits for its end.
pub fn run(data_dir: &Path, arguments: &[impl AsRef<OsStr>]) -> Outcome {
    finish(server(data_dir).args(arguments))
}

/// Loads the rows of each file of `folder` into its table, for the tenant with that name or the first one.
pub fn load(data_dir: &Path, tenant: Option<&str>, folder: &Path, files: &[(&str, &str)]) {
    let mut command = server(data_dir);
    command.args(["table", "load"]);
    for (table, file) in files {
        command.arg(table).arg(folder.join(file));
    }
    if let Some(name) = tenant {
        command.args(["--tenant", name]);
    }
    finish(&mut command).succeeded();
}

/// Loads files of `folder`, named like their tables: unchanged for the first tenant, and for the tenant `Elsewhere` with other ids (`-8000-`
/// becomes `-9000-`). `words` are placeholders such as `{{person}}` with their values.
pub fn load_for_two(data_dir: &Path, folder: &Path, files: &[&str], words: &[(&str, &str)]) {
    let tables: Vec<_> = files.iter().map(|name| (name.split_once('.').unwrap().0, *name)).collect();
    for (part_of_id, tenant) in [("-9000-", Some("Elsewhere")), ("-8000-", None)] {
        let written = tempfile::tempdir().unwrap();
        for name in files {
            let mut text = std::fs::read_to_string(folder.join(name)).unwrap().replace("-8000-", part_of_id);
            for (word, value) in words {
                text = text.replace(word, value);
            }
            std::fs::write(written.path().join(name), text).unwrap();
        }
        load(data_dir, tenant, written.path(), &tables);
    }
}

/// Runs `command` and waits for its end.
pub fn finish(command: &mut Command) -> Outcome {
    Outcome::of(command.stdin(Stdio::null()).output().unwrap())
}

/// Whether a file in the folder, or in a folder below, contains that text.
pub fn holds(folder: &Path, text: &str) -> bool {
    std::fs::read_dir(folder).unwrap().any(|entry| {
        let path = entry.unwrap().path();
        let is_in = |bytes: Vec<u8>| bytes.windows(text.len()).any(|part| part == text.as_bytes());
        if path.is_dir() { holds(&path, text) } else { std::fs::read(&path).is_ok_and(is_in) }
    })
}
