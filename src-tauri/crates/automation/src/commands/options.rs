//! Options of command lines that a task may not give: they read files of this machine or lead to another server.

/// An option before the verb that may take the verb for its value.
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

/// Options of aws that say where AWS is, or believe anybody who answers; also cut short, as Python takes them.
pub(super) fn leads_from_aws(word: &str) -> bool {
    let name = word.split_once('=').map_or(word, |(name, _)| name);
    let is_begin = |option: &&str| name.len() > "--no-".len() - 1 && option.starts_with(name);
    ["--endpoint-url", "--no-verify-ssl", "--ca-bundle"].iter().any(is_begin)
}

/// Options of kubectl that say where a cluster is, or believe anybody who answers.
pub(super) fn leads_elsewhere(word: &str) -> bool {
    let name = word.split_once('=').map_or(word, |(name, _)| name);
    ["--server", "--insecure-skip-tls-verify", "--tls-server-name", "--certificate-authority"].contains(&name)
        || word.starts_with("-s") && !word.starts_with("--")
}

/// Whether a word names a file of this machine that the program would read.
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

/// Options that stand before the verb with a value of their own.
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
