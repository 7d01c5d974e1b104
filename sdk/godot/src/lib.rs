//! Client of perigee's worlds for Godot 4 (docs/sdk_godot.md). `player` works without Godot.
pub mod api;
pub mod player;

#[cfg(feature = "extension")]
mod extension;
