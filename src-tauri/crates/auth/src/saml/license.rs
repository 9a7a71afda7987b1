//! Reads the tenant from a license.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// The `tenant` of a license that is a JWT; `None` if the text is not a JWT or has no tenant. The signature is not checked: the license is the
/// operator's own setting.
pub fn tenant_of(key: &str) -> Option<String> {
    let mut parts = key.trim().split('.');
    let (_, payload, _, None) = (parts.next()?, parts.next()?, parts.next()?, parts.next()) else {
        return None;
    };
    let claims = URL_SAFE_NO_PAD.decode(payload.trim_end_matches('=')).ok()?;
    let claims: serde_json::Value = serde_json::from_slice(&claims).ok()?;
    let tenant = claims.get("tenant")?.as_str()?.trim();
    (!tenant.is_empty()).then(|| tenant.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_license_that_is_a_jwt_names_its_tenant() {
        let jwt = |claims: &str| format!("e30.{}.c2ln", URL_SAFE_NO_PAD.encode(claims));
        assert_eq!(
            tenant_of(&jwt(r#"{"tenant": "Example Logistics"}"#)).as_deref(),
            Some("Example Logistics")
        );
        for other in [
            jwt("{}"),
            jwt(r#"{"tenant": 7}"#),
            jwt("text"),
            "plain-key".to_owned(),
            "a.b".to_owned(),
            String::new(),
        ] {
            assert_eq!(tenant_of(&other), None, "{other}");
        }
    }
}
