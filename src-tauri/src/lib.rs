//! The window around the service.
