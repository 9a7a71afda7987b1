//! Files that are recognised but not read: people are told what they have.

use crate::head::Head;

/// What a file is that no format reads, to complete "The file is …"; `None` when it is not known either.
pub fn known(head: &Head<'_>) -> Option<&'static str> {
    let is_of_defender =
        head.has_columns(&["recommendationDisplayName", "subscriptionId", "azurePortalRecommendationLink"]);
    is_of_defender.then_some("a list of recommendations of Microsoft Defender for Cloud")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_named() {
        let of = |text: &str| known(&Head::new(text.as_bytes(), true));
        let header = "recommendationDisplayName,subscriptionId,azurePortalRecommendationLink\n";
        assert_eq!(of(header), Some("a list of recommendations of Microsoft Defender for Cloud"));
        assert_eq!(of(r#"{"value": [1]}"#), None);
        assert_eq!(of("a,b\n"), None);
    }
}
