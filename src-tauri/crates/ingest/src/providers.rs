//! Maps provider names in files to standard names, and machine names to machines.

pub mod machine;

/// The value of the lookup `cloud_provider_type` for a provider's name; `Other` for one it does not list.
pub fn lookup_value(name: &str) -> &'static str {
    let plain: String =
        name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    match plain.as_str() {
        "aws" => "AWS",
        "gcp" | "google" => "GCP",
        "oci" | "oracle" => "OCI",
        "azure" | "microsoft" => "Azure",
        "snowflake" | "snowflakeinc" => "Snowflake",
        "openai" => "OpenAi",
        "k8s" | "kubernetes" => "K8s",
        _ if plain.starts_with("amazonwebservices") => "AWS",
        _ if plain.starts_with("microsoft") => "Azure",
        _ if plain.starts_with("googlecloud") => "GCP",
        _ if plain.starts_with("oraclecloud") || plain.starts_with("oraclecorp") => "OCI",
        _ if plain.starts_with("alibaba") || plain.starts_with("aliyun") => "Alibaba",
        _ => "Other",
    }
}

/// Whether two names denote the same provider.
pub fn is_same(left: &str, right: &str) -> bool {
    left.eq_ignore_ascii_case(right)
        || (lookup_value(left) != "Other" && lookup_value(left) == lookup_value(right))
}

/// The name that distinguishes accounts of different providers: the standard name of a known provider, otherwise the lower-case name.
pub fn identity(name: &str) -> String {
    match lookup_value(name) {
        "Other" => name.trim().to_lowercase(),
        known => known.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spellings_of_a_provider_are_one() {
        for (name, expected) in [
            ("AWS", "AWS"),
            ("Amazon Web Services, Inc.", "AWS"),
            ("Amazon Web Services EMEA SARL", "AWS"),
            ("Microsoft", "Azure"),
            ("Google Cloud", "GCP"),
            ("Oracle Corporation", "OCI"),
            ("OCI", "OCI"),
            ("Alibaba Cloud", "Alibaba"),
            ("Databricks", "Other"),
        ] {
            assert_eq!(lookup_value(name), expected, "{name}");
        }
    }

    #[test]
    fn unknown_providers_stay_apart() {
        assert!(!is_same("CloudNine", "MinimalCo"));
        assert!(is_same("CloudNine", "cloudnine"));
        assert_ne!(identity("CloudNine"), identity("MinimalCo"));
    }
}
