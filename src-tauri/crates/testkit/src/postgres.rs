//! A PostgreSQL server for tests: in a temporary folder, reached by a Unix socket there, ended with the process that started it.

use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// Starts a server and ends it when the pipe to its standard input closes, for whatever reason. PostgreSQL refuses to run as root.
const SCRIPT: &str = r#"
set -eu
folder=$1; bin=$2; primary=$3; as=
shift 3
for setting; do case $setting in port=*) port=${setting#port=};; esac; done
# Nobody who waits for the end of the test's output waits for this script.
exec 2>>"$folder/log"
if [ "$(id -u)" = 0 ]; then
  chown -R postgres "$folder"
  as='setpriv --reuid=postgres --regid=postgres --clear-groups --'
fi
cd "$folder"
if [ -n "$primary" ]; then
  $as "$bin/pg_basebackup" -h "$primary" -U postgres -D "$folder/data" -R -c fast --no-sync >>"$folder/log"
else
  $as "$bin/initdb" -D "$folder/data" -U postgres -A trust -E UTF8 --locale=C --locale-provider=icu --icu-locale=en --no-sync >>"$folder/log"
fi
$as "$bin/postgres" -D "$folder/data" -k "$folder" -c fsync=off -c full_page_writes=off \
  -c synchronous_commit=off -c max_connections=300 "$@" >>"$folder/log" </dev/null &
server=$!
trap 'kill -QUIT $server 2>/dev/null || :; wait $server 2>/dev/null || :; rm -rf "$folder"' EXIT
until "$bin/pg_isready" -q -h "$folder" -p "${port:-5432}" -U postgres; do kill -0 $server; sleep 0.05; done
echo ready
exec >/dev/null
cat >/dev/null
"#;

/// A running server.
struct Server {
    bin: PathBuf,
    folder: PathBuf,
    // Held for the lifetime of the process: the script ends when it is closed.
    _input: ChildStdin,
    _script: Child,
}

/// The URL of a new, empty database. Without PostgreSQL it prints a message and returns `None`, or panics where everything must be tested (`CI`).
pub fn database() -> Option<String> {
    static SERVER: OnceLock<Option<Server>> = OnceLock::new();
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let Some(server) =
        SERVER.get_or_init(|| Some(begin(bin()?, folder(), None, &["listen_addresses=".to_owned()])))
    else {
        assert!(std::env::var_os("CI").is_none(), "PostgreSQL is not installed: run `.ci/install test`");
        eprintln!("not tested: PostgreSQL is not installed (`.ci/install test` brings it)");
        return None;
    };
    let name = format!("test{}", NEXT.fetch_add(1, Ordering::Relaxed));
    server.create(&name);
    Some(server.url(&name))
}

impl Server {
    fn create(&self, name: &str) {
        let made = Command::new(self.bin.join("createdb"))
            .args(["-U", "postgres", "-T", "template0", "-h"])
            .arg(&self.folder)
            .arg(name)
            .output()
            .unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    }

    fn url(&self, name: &str) -> String {
        format!("postgres://postgres@{}/{name}", self.folder.to_str().unwrap().replace('/', "%2F"))
    }
}

/// A server with a streaming replica.
pub struct ServerPair {
    server: Server,
    replica: Server,
}

impl ServerPair {
    /// With a new, empty database; `None` if PostgreSQL is not installed.
    pub fn start() -> Option<Self> {
        let quiet = ["listen_addresses=".to_owned()];
        let server = begin(bin()?, folder(), None, &quiet);
        server.create("test");
        let replica = begin(server.bin.clone(), folder(), Some(&server.folder), &quiet);
        Some(Self { server, replica })
    }

    /// The URL for writing.
    pub fn url(&self) -> String {
        self.server.url("test")
    }

    /// The URL of the replica, which has the same rows a moment later.
    pub fn replica_url(&self) -> String {
        self.replica.url("test")
    }

    /// Ends the replica; the primary server continues.
    pub fn end_replica(self) -> impl Sized {
        let Self { server, replica } = self;
        let Server { _input: input, _script: mut script, .. } = replica;
        drop(input);
        script.wait().unwrap();
        server
    }
}

/// Runs SQL in a database with psql, not with the program under test. Returns the result, one row on each line.
pub fn run(url: &str, sql: &str) -> String {
    let psql = bin().expect("there is a database").join("psql");
    let ran = Command::new(psql)
        .args(["-q", "-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", sql])
        .output()
        .unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).unwrap()
}

/// A separate server that accepts only encrypted connections at 127.0.0.1.
pub struct EncryptedServer {
    port: u16,
    _server: Server,
}

impl EncryptedServer {
    /// With a certificate and its key in PEM format; `None` if PostgreSQL is not installed.
    pub fn start(certificate: &str, key: &str) -> Option<Self> {
        let (bin, folder) = (bin()?, folder());
        std::fs::write(folder.join("server.crt"), certificate).unwrap();
        std::fs::write(folder.join("server.key"), key).unwrap();
        std::fs::set_permissions(folder.join("server.key"), std::fs::Permissions::from_mode(0o600)).unwrap();
        std::fs::write(folder.join("hba"), "local all all trust\nhostssl all all 127.0.0.1/32 trust\n")
            .unwrap();
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
        let settings = [
            "listen_addresses=127.0.0.1".to_owned(),
            format!("port={port}"),
            "ssl=on".to_owned(),
            format!("ssl_cert_file={}", file("server.crt")),
            format!("ssl_key_file={}", file("server.key")),
            format!("hba_file={}", file("hba")),
        ];
        Some(Self { port, _server: begin(bin, folder, None, &settings) })
    }

    /// The URL of the database `postgres` at a host name of this machine; `query` is the part after the question mark.
    pub fn url(&self, host: &str, query: &str) -> String {
        format!("postgres://postgres@{host}:{}/postgres?{query}", self.port)
    }
}

fn folder() -> PathBuf {
    let folder = tempfile::Builder::new().prefix("qd-pg-").tempdir().unwrap().keep();
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

/// Starts a server; as a replica of the one in the folder `primary`, if given.
fn begin(bin: PathBuf, folder: PathBuf, primary: Option<&Path>, settings: &[String]) -> Server {
    let mut script = Command::new("sh")
        .args(["-c", SCRIPT, "sh"])
        .args([&folder, &bin])
        .arg(primary.unwrap_or(Path::new("")))
        .args(settings.iter().flat_map(|setting| ["-c", setting]))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(script.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let log = || std::fs::read_to_string(folder.join("log")).unwrap_or_default();
    assert_eq!(line.trim(), "ready", "PostgreSQL did not begin: {}", log());
    Server { bin, folder, _input: script.stdin.take().unwrap(), _script: script }
}

/// The folder with its programs: Debian has one for each version; the newest is used.
fn bin() -> Option<PathBuf> {
    let has_all = |folder: &Path| {
        ["initdb", "postgres", "createdb", "pg_basebackup", "pg_isready", "psql"]
            .iter()
            .all(|name| folder.join(name).exists())
    };
    let version = |folder: &PathBuf| {
        let name = folder.parent().and_then(Path::file_name).and_then(|name| name.to_str());
        name.and_then(|name| name.parse::<u32>().ok())
    };
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let newest =
        versions.map(|entry| entry.path().join("bin")).filter(|folder| has_all(folder)).max_by_key(version);
    newest.or_else(|| {
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path).find(|folder| has_all(folder))
    })
}
