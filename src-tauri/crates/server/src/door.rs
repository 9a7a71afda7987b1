//! The way into a service before it answers: its port, and the code that will sign in who opened it.
//!
//! A window that is opened at once and a service that starts meanwhile need not wait for each other: who knocks too early waits in the queue of the
//! port until somebody answers.

use crate::links::{Guest, Links, Validity};
use crate::service::StartError;
use std::net::{SocketAddr, TcpListener};

/// A port that nobody else gets, and a code that works once, when the service answers there.
pub struct Door {
    listener: TcpListener,
    pub(crate) address: SocketAddr,
    code: String,
}

impl Door {
    /// Opens a door at `address`; port 0 is any free one.
    pub fn open(address: SocketAddr) -> Result<Self, StartError> {
        let listener = TcpListener::bind(address).map_err(|cause| match cause.kind() {
            std::io::ErrorKind::AddrInUse => StartError::PortInUse { address },
            _ => StartError::Listen { address, cause },
        })?;
        let cannot = |cause| StartError::Listen { address, cause };
        listener.set_nonblocking(true).map_err(cannot)?;
        let address = listener.local_addr().map_err(cannot)?;
        Ok(Self { listener, address, code: auth::draw_secret(&mut rand::rng()) })
    }

    /// A link that signs the local administrator in, once, as [`crate::Running::sign_in_link`]'s do: its ten minutes begin when the service answers.
    pub fn link(&self) -> String {
        crate::service::sign_in_link(&format!("http://{}", self.address), &self.code)
    }

    /// Hands over the port, where a runtime is entered, and has `links` know the code.
    pub(crate) fn hand_over(
        self,
        links: &Links,
        guest: Guest,
        now: i64,
    ) -> std::io::Result<tokio::net::TcpListener> {
        links.expect(&self.code, guest, Validity::Held, now);
        tokio::net::TcpListener::from_std(self.listener)
    }
}

#[cfg(test)]
mod tests {
    use super::Door;
    use crate::service::StartError;

    #[test]
    fn a_port_behind_a_door_is_taken_and_each_door_has_a_code_of_its_own() {
        let door = Door::open("127.0.0.1:0".parse().unwrap()).unwrap();
        let taken = Door::open(door.address).map(|_| ()).unwrap_err();
        assert!(matches!(taken, StartError::PortInUse { .. }), "{taken}");
        let other = Door::open("127.0.0.1:0".parse().unwrap()).unwrap();
        let code = |door: &Door| door.link().split_once("#code=").unwrap().1.to_owned();
        assert_ne!(code(&door), code(&other));
    }
}
