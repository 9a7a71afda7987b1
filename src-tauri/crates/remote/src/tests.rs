//! Keys, sign-ins and requests against instances that are made up here: plain sockets that answer what a test says.

mod keys;
mod kit;
mod relaying;
mod sign_in;
mod trust;
