//! Relays the datagrams of WebTransport sessions to perigee gateways, and tells each gateway the
//! player's address.
pub mod file_watch;
pub mod header;
pub mod limits;
pub mod metrics;
pub mod relay;
pub mod settings;
