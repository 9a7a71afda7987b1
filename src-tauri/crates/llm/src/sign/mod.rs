//! Proving who we are: Amazon's signatures and where its keys come from, Google's tokens.

pub(crate) mod amazon_keys;
pub(crate) mod amazon_role;
pub(crate) mod google_token;
pub(crate) mod sigv4;
