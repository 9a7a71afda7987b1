//! Tests for keys, sign-ins and requests, with simulated instances: plain sockets with scripted responses.

mod keys;
mod kit;
mod relaying;
mod sign_in;
mod trust;
