//! Keys and secrets of this service: the key that seals the database's secrets, the key pair that signs requests to an IdP, secrets of models.

pub mod machine;
pub mod model_secrets;
pub mod request_key;
pub mod secret_key;
