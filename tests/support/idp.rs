//! A real identity provider: SimpleSAMLphp from its Debian package, served by PHP on a free port of this computer.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use super::listening::{Listening, free_port};

const PROGRAM: &str = "/usr/share/simplesamlphp/www";
const RSA_SHA256: &str = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";
const EMAIL: &str = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress";

/// An identity provider; it is stopped when dropped. One user can sign in: `mei`, with the password `secret`.
pub struct Idp {
    _program: Listening,
    folder: TempDir,
    /// `http://127.0.0.1:PORT`
    pub address: String,
}

impl Idp {
    /// Starts a provider configured for the service at `service`. It accepts requests when this returns.
    pub async fn start(service: &str) -> Self {
        assert!(Path::new(PROGRAM).is_dir(), "SimpleSAMLphp is not installed; .ci/install test installs it");
        let folder = tempfile::tempdir().unwrap();
        let port = free_port();
        let address = format!("http://127.0.0.1:{port}");
        for part in ["config", "metadata", "cert", "log", "data", "tmp", "sessions"] {
            std::fs::create_dir(folder.path().join(part)).unwrap();
        }
        certificate(&folder.path().join("cert/idp"), 300);
        write_settings(folder.path(), &address, service);
        give_groups(folder.path(), &["developers"]);
        let mut command = Command::new("php");
        command
            .args(["-d", "opcache.enable_cli=0", "-d", "opcache.enable=0"])
            .args(["-S", &format!("127.0.0.1:{port}"), "-t", PROGRAM])
            .env("SIMPLESAMLPHP_CONFIG_DIR", folder.path().join("config"));
        Self { _program: Listening::start(command, port).await, folder, address }
    }

    /// Its metadata.
    pub async fn metadata(&self) -> String {
        let address = format!("{}/saml2/idp/metadata.php", self.address);
        reqwest::get(address).await.unwrap().text().await.unwrap()
    }

    /// Sets the user's groups.
    pub fn give_groups(&self, groups: &[&str]) {
        give_groups(self.folder.path(), groups);
    }

    /// Replaces its certificate by one that has expired.
    pub fn let_certificate_expire(&self) {
        certificate(&self.folder.path().join("cert/idp"), 0);
    }
}

fn give_groups(folder: &Path, groups: &[&str]) {
    let groups = groups.iter().map(|group| format!("'{group}'")).collect::<Vec<_>>().join(", ");
    let people = format!(
        "<?php $config = ['people' => ['exampleauth:UserPass', 'mei:secret' => [
            'mail' => ['mei@example.com'], 'displayName' => ['Mei Example'], 'groups' => [{groups}]]]];"
    );
    std::fs::write(folder.join("config/authsources.php"), people).unwrap();
}

/// Writes a new key (`.pem`) with a certificate (`.crt`) valid for that many days.
pub(super) fn certificate(path: &Path, days: u32) {
    let script = "$key = openssl_pkey_new(['private_key_bits' => 2048]);
        $request = openssl_csr_new(['commonName' => 'idp.test'], $key);
        openssl_x509_export_to_file(openssl_csr_sign($request, null, $key, (int)$argv[2], ['digest_alg' => 'sha256']), $argv[1] . '.crt');
        openssl_pkey_export_to_file($key, $argv[1] . '.pem');";
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
