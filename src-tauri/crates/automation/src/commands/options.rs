//! Refused options of command lines: those that read local files or connect to another server.

/// An unknown option before the verb, which might take the verb as its value.
pub(super) fn leading_option(arguments: &[String]) -> Option<&str> {
    let mut words = arguments.iter().map(String::as_str);
    while let Some(word) = words.next().filter(|word| word.starts_with('-')) {
        if WITH_VALUE.contains(&word) {
            words.next();
        } else if !word.contains('=') {
            return Some(word);
        }
    }
    None
}

/// Options of aws that set the endpoint or disable certificate checks; also abbreviated, as Python's parser accepts.
pub(super) fn leads_from_aws(word: &str) -> bool {
    let name = word.split_once('=').map_or(word, |(name, _)| name);
    let is_begin = |option: &&str| name.len() > "--no-".len() - 1 && option.starts_with(name);
    ["--endpoint-url", "--no-verify-ssl", "--ca-bundle"].iter().any(is_begin)
}

/// Options of kubectl that set the server or disable certificate checks.
pub(super) fn leads_elsewhere(word: &str) -> bool {
    let name = word.split_once('=').map_or(word, |(name, _)| name);
    ["--server", "--insecure-skip-tls-verify", "--tls-server-name", "--certificate-authority"].contains(&name)
        || word.starts_with("-s") && !word.starts_with("--")
}

/// Whether a word names a local file that the program would read.
pub(super) fn reads_file(word: &str) -> bool {
    let value = word.split_once('=').map_or(word, |(_, value)| value);
    value.starts_with("file://")
        || value.starts_with("fileb://")
        || value.starts_with('@')
        || (word.starts_with("-f") || word.starts_with("-k")) && !word.starts_with("--")
        || [
            "--body",
            "--file",
            "--from-file",
            "--from-env-file",
            "--source",
            "--template-file",
            "--filename",
            "--kustomize",
            "--patch-file",
            "--kubeconfig",
            "--flags-file",
            "--cli-input-json",
        ]
        .iter()
        .any(|option| word == *option || word.starts_with(&format!("{option}=")))
}

/// Options before the verb that take a value.
pub(super) const WITH_VALUE: [&str; 14] = [
    "--context",
    "--cluster",
    "--namespace",
    "-n",
    "--user",
    "--region",
    "--profile",
    "--output",
    "-o",
    "--query",
    "--project",
    "--subscription",
    "--format",
    "--account",
];
