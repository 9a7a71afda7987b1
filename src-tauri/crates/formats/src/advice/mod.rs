//! What advisers say could be smaller or cheaper.

mod krr;

pub use krr::FORMAT as KRR;
