//! Authentication with providers: Amazon's request signatures and credentials, Google's tokens.

pub(crate) mod amazon_keys;
pub(crate) mod amazon_role;
pub(crate) mod google_token;
pub(crate) mod sigv4;
