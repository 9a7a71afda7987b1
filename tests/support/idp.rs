//! A real identity provider: SimpleSAMLphp as Debian packages it, served by PHP on a free port of this computer.

use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

const PROGRAM: &str = "/usr/share/simplesamlphp/www";
const RSA_SHA256: &str = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";
const EMAIL: &str = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress";

/// A provider that ends with this value. One person can sign in: `mei`, with the password `secret`.
pub struct Idp {
    child: Child,
    folder: TempDir,
    /// `http://127.0.0.1:PORT`
    pub address: String,
}

impl Idp {
    /// Starts a provider that knows the service at `service`. It answers when this returns.
    pub async fn start(service: &str) -> Self {
        assert!(Path::new(PROGRAM).is_dir(), "SimpleSAMLphp is not installed; .ci/install test installs it");
        let folder = tempfile::tempdir().unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let address = format!("http://127.0.0.1:{port}");
        for part in ["config", "metadata", "cert", "log", "data", "tmp", "sessions"] {
            std::fs::create_dir(folder.path().join(part)).unwrap();
        }
        certificate(folder.path(), "idp", 300);
        write_settings(folder.path(), &address, service);
        let child = Command::new("php")
            .args(["-d", "opcache.enable_cli=0", "-d", "opcache.enable=0"])
            .args(["-S", &format!("127.0.0.1:{port}"), "-t", PROGRAM])
            .env("SIMPLESAMLPHP_CONFIG_DIR", folder.path().join("config"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let idp = Self { child, folder, address };
        idp.give_groups(&["developers"]);
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        idp
    }

    /// What it says about itself.
    pub async fn metadata(&self) -> String {
        let address = format!("{}/saml2/idp/metadata.php", self.address);
        reqwest::get(address).await.unwrap().text().await.unwrap()
    }

    /// Puts the person into these groups.
    pub fn give_groups(&self, groups: &[&str]) {
        let groups = groups.iter().map(|group| format!("'{group}'")).collect::<Vec<_>>().join(", ");
        let people = format!(
            "<?php $config = ['people' => ['exampleauth:UserPass', 'mei:secret' => [
                'mail' => ['mei@example.com'], 'displayName' => ['Mei Example'], 'groups' => [{groups}]]]];"
        );
        std::fs::write(self.folder.path().join("config/authsources.php"), people).unwrap();
    }

    /// From now on it signs with a certificate that ended when it was made.
    pub fn let_certificate_expire(&self) {
        certificate(self.folder.path(), "idp", 0);
    }
}

impl Drop for Idp {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Writes a new key with a certificate for that many days.
fn certificate(folder: &Path, name: &str, days: u32) {
    let script = "$key = openssl_pkey_new(['private_key_bits' => 2048]);
        $request = openssl_csr_new(['commonName' => 'idp.test'], $key);
        openssl_x509_export_to_file(openssl_csr_sign($request, null, $key, (int)$argv[2], ['digest_alg' => 'sha256']), $argv[1] . '.crt');
        openssl_pkey_export_to_file($key, $argv[1] . '.pem');";
    let path = folder.join("cert").join(name);
    let made = Command::new("php").arg("-r").arg(script).arg(path).arg(days.to_string()).status().unwrap();
    assert!(made.success());
}

fn write_settings(folder: &Path, address: &str, service: &str) {
    let home = folder.display();
    let config = format!(
        "<?php $config = ['baseurlpath' => '{address}/', 'certdir' => '{home}/cert/', 'loggingdir' => '{home}/log/',
        'datadir' => '{home}/data/', 'tempdir' => '{home}/tmp', 'secretsalt' => 'of-a-test', 'auth.adminpassword' => 'of-a-test',
        'technicalcontact_email' => 'nobody@example.com', 'timezone' => 'UTC', 'logging.handler' => 'file', 'enable.saml20-idp' => true,
        'store.type' => 'phpsession', 'session.phpsession.savepath' => '{home}/sessions', 'session.cookie.secure' => false,
        'session.cookie.samesite' => null, 'session.phpsession.cookiename' => 'Provider', 'production' => false, 'theme.use' => 'default',
        'module.enable' => ['exampleauth' => true, 'core' => true, 'saml' => true], 'language.default' => 'en',
        'metadata.sources' => [['type' => 'flatfile', 'directory' => '{home}/metadata']]];"
    );
    let own = format!(
        "<?php $metadata['{address}/idp'] = ['host' => '__DEFAULT__', 'privatekey' => 'idp.pem', 'certificate' => 'idp.crt',
        'auth' => 'people', 'signature.algorithm' => '{RSA_SHA256}', 'saml20.sign.response' => true, 'saml20.sign.assertion' => true,
        'NameIDFormat' => '{EMAIL}', 'simplesaml.nameidattribute' => 'mail'];"
    );
    let known = format!(
        "<?php $metadata['{service}'] = ['AssertionConsumerService' => '{service}/api/auth/saml/acs',
        'NameIDFormat' => '{EMAIL}', 'simplesaml.nameidattribute' => 'mail'];"
    );
    for (name, text) in [
        ("config/config.php", config),
        ("metadata/saml20-idp-hosted.php", own),
        ("metadata/saml20-sp-remote.php", known),
    ] {
        std::fs::write(folder.join(name), text).unwrap();
    }
}
