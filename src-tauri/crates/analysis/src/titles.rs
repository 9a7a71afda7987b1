//! Titles of rules, from `schema/rules.json`, which the pages also use (`npm run types`).

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Titles by rule name; a name that ends in `*` covers all names with that prefix.
static TITLES: LazyLock<BTreeMap<String, String>> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../../../schema/rules.json")).unwrap_or_default());

/// Abbreviations that are written in capitals.
const CAPITALS: [&str; 14] =
    ["acm", "ebs", "ec2", "ecs", "efs", "eks", "elb", "iam", "k8s", "kms", "nat", "rds", "s3", "vpc"];

/// The title of a rule for pages, notices and reports: what to do about its findings. A rule of another tool without a title keeps its name, with
/// underscores replaced by spaces.
pub fn rule_title(name: &str) -> String {
    if let Some(title) = TITLES.get(name) {
        return title.clone();
    }
    let begins = |(pattern, title): (&String, &String)| {
        name.starts_with(pattern.strip_suffix('*')?).then(|| title.clone())
    };
    TITLES.iter().find_map(begins).unwrap_or_else(|| words(name))
}

fn words(name: &str) -> String {
    if name.contains(char::is_whitespace) || !name.contains('_') {
        return name.to_owned();
    }
    let word = |word: &str| {
        if CAPITALS.contains(&word) { word.to_uppercase() } else { word.to_owned() }
    };
    let words = name.split('_').map(word).collect::<Vec<_>>().join(" ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::{TITLES, rule_title};
    use crate::savings;

    #[test]
    fn every_rule_of_the_product_has_a_title() {
        let missing: Vec<&str> =
            savings::catalogue().map(|rule| rule.name).filter(|name| !TITLES.contains_key(*name)).collect();
        assert!(missing.is_empty(), "write titles into schema/rules.json for {missing:?}");
    }

    #[test]
    fn a_rule_of_another_tool_is_told_in_words_where_it_can_be() {
        for (name, title) in [
            ("gp2_to_gp3", "Change gp2 volumes to gp3"),
            ("krr container app", "Set requests of a container as KRR advises"),
            ("s3_bucket_public_access", "S3 bucket public access"),
            ("EbsVolumeType", "EbsVolumeType"),
            ("CVE-2026-0001", "CVE-2026-0001"),
            ("Trusted Advisor Qch7DwouX1", "Trusted Advisor Qch7DwouX1"),
            ("", ""),
        ] {
            assert_eq!(rule_title(name), title);
        }
    }
}
