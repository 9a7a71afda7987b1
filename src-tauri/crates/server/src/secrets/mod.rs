//! Keys and secrets of this service: the key that encrypts secrets in the database, the key pair that signs requests to an IdP, and secrets of
//! models.

pub mod machine;
pub mod model_secrets;
pub mod request_key;
pub mod secret_key;
