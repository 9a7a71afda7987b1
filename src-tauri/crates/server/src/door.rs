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
        Self::before(listener).map_err(|cause| StartError::Listen { address, cause })
    }

    /// A door before a port that is open.
    fn before(listener: TcpListener) -> std::io::Result<Self> {
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address, code: auth::draw_secret(&mut rand::rng()) })
    }

    /// A link that signs the local administrator in, once, as [`crate::Running::sign_in_link`]'s do: its ten minutes begin when the service answers.
    pub fn link(&self) -> String {
        crate::service::sign_in_link(&format!("http://{}", self.address), &self.code)
    }

    /// Hands over the port, where a runtime is entered, and has `links` know the code. What else comes of it has the port stay open.
    pub(crate) fn hand_over(
        self,
        links: &Links,
        guest: Guest,
        now: i64,
    ) -> std::io::Result<(tokio::net::TcpListener, Hinge)> {
        links.expect(&self.code, guest, Validity::Held, now);
        let hinge = Hinge(self.listener.try_clone()?);
        Ok((tokio::net::TcpListener::from_std(self.listener)?, hinge))
    }
}

/// Keeps a port open while nobody answers there, so that no other program takes it between one service and the next.
pub(crate) struct Hinge(TcpListener);

impl Hinge {
    /// A door at the same port, with a code of its own.
    pub(crate) fn door(&self) -> std::io::Result<Door> {
        Door::before(self.0.try_clone()?)
    }
}

#[cfg(test)]
mod tests {
    use super::{Door, Guest, Links};
    use crate::service::StartError;

    #[test]
    fn a_port_behind_a_door_is_taken_and_each_door_has_a_code_of_its_own() {
        let door = Door::open("127.0.0.1:0".parse().unwrap()).unwrap();
        let taken = Door::open(door.address).map(|_| ()).unwrap_err();
        assert!(matches!(taken, StartError::PortInUse { .. }), "{taken}");
        let other = Door::open("127.0.0.1:0".parse().unwrap()).unwrap();
        assert_ne!(code(&door), code(&other));
    }

    fn code(door: &Door) -> String {
        door.link().split_once("#code=").unwrap().1.to_owned()
    }

    #[tokio::test]
    async fn a_port_stays_taken_from_one_service_to_the_next() {
        let guest = Guest { user: uuid::Uuid::nil(), tenant: uuid::Uuid::nil() };
        let door = Door::open("127.0.0.1:0".parse().unwrap()).unwrap();
        let (address, first) = (door.address, code(&door));
        let (listener, hinge) = door.hand_over(&Links::default(), guest, 0).unwrap();
        let next = hinge.door().unwrap();
        drop((listener, hinge));
        let taken = Door::open(address).map(|_| ()).unwrap_err();
        assert!(matches!(taken, StartError::PortInUse { .. }), "{taken}");
        assert_eq!(next.address, address);
        assert_ne!(code(&next), first);
    }
}
