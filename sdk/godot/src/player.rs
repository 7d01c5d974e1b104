//! A player in the world: the client library with sockets and clock. No part of it needs Godot.
use std::ffi::{c_char, c_void, CStr, CString};
use std::io::ErrorKind;
use std::mem::size_of;
use std::net::{IpAddr, SocketAddr, UdpSocket};
use std::time::Instant;

use crate::api::{self, Address, Api, Cue, Entity, Handle, HeardCue, Input, Telemetry};

const DATAGRAMS_PER_FRAME_MAX: usize = 1024;
const NAME_BYTES: usize = 33;

pub struct Player {
    api: Api,
    client: Handle,
    began: Instant,
    v4: Option<UdpSocket>,
    v6: Option<UdpSocket>,
    entities: Vec<Entity>,
    cues: Vec<Cue>,
    heard: Vec<HeardCue>,
    messages: Vec<Vec<u8>>,
    playing: bool,
}

impl Player {
    pub fn new(library: &str) -> Result<Player, String> {
        let api = Api::load(library)?;
        // SAFETY: here and below, `client` is the handle from create() until drop(), used by one thread.
        let client = unsafe { (api.create)(api::ABI) };
        if client.is_null() {
            return Err("no memory is left for a client".to_owned());
        }
        Ok(Player {
            api,
            client,
            began: Instant::now(),
            v4: None,
            v6: None,
            entities: Vec::new(),
            cues: Vec::new(),
            heard: Vec::new(),
            messages: Vec::new(),
            playing: false,
        })
    }

    pub fn wire_version(&self) -> u32 {
        unsafe { (self.api.wire_version)() }
    }

    pub fn schema_hash(&self) -> u64 {
        unsafe { (self.api.schema_hash)(self.client) }
    }

    /// Connects with a token from the session service.
    pub fn begin(&mut self, token: &[u8]) -> Result<(), String> {
        done(unsafe { (self.api.begin)(self.client, self.now_us(), token.as_ptr(), token.len()) })
    }

    /// One frame. The error is a sentence on why the session is over.
    pub fn frame(&mut self, mut controls: Input) -> Result<(), String> {
        self.receive_all();
        controls.struct_bytes = size_of::<Input>() as u32;
        let now_us = self.now_us();
        done(unsafe { (self.api.advance)(self.client, now_us, &controls) })?;
        self.send_all();
        self.messages = self.take_messages()?;
        let state = unsafe { (self.api.get_state)(self.client) };
        if state <= 0 {
            self.playing = false;
            self.entities.clear();
            self.cues.clear();
            self.heard.clear();
            return Err(sentence_of(state).to_owned());
        }
        self.playing = state == api::PLAYING || (self.playing && state == api::RECONNECTING);
        let (client, api) = (self.client, &self.api);
        read_all(&mut self.cues, |items, each, capacity| unsafe {
            (api.cues)(client, items, each, capacity)
        })?;
        read_all(&mut self.heard, |items, each, capacity| unsafe {
            (api.heard)(client, items, each, capacity)
        })?;
        read_all(&mut self.entities, |items, each, capacity| unsafe {
            (api.scene)(client, now_us, items, each, capacity)
        })
    }

    /// Sets a field that the game adds to inputs, from the next tick on; a momentary one in that tick alone.
    pub fn set_input(&mut self, name: &str, value: i64) -> Result<(), String> {
        let wrong =
            || format!("the game has no input field {name}, or {value} is out of its range");
        let text = CString::new(name).map_err(|_| wrong())?;
        match unsafe { (self.api.set_input)(self.client, text.as_ptr(), value) } {
            api::BAD_ARGUMENT => Err(wrong()),
            result => done(result),
        }
    }

    /// Sets all of these fields: the bytes of the game's struct.
    pub fn set_own_input(&mut self, fields: &[u8]) -> Result<(), String> {
        let bytes = unsafe { (self.api.own_input_bytes)(self.client) };
        let set =
            unsafe { (self.api.set_own_input)(self.client, fields.as_ptr().cast(), fields.len()) };
        match set {
            api::BAD_ARGUMENT => Err(format!(
                "the game's own input has {bytes} bytes, these are {}, or a field is out of its range",
                fields.len()
            )),
            result => done(result),
        }
    }

    pub fn leave(&mut self) {
        unsafe { (self.api.disconnect)(self.client, self.now_us()) };
        self.send_all();
    }

    /// In the world and predicting.
    pub fn playing(&self) -> bool {
        self.playing
    }

    /// Of the last frame, parents before children.
    pub fn entities(&self) -> &[Entity] {
        &self.entities
    }

    /// Of the last frame.
    pub fn cues(&self) -> &[Cue] {
        &self.cues
    }

    /// Cues of others, of the last frame.
    pub fn heard(&self) -> &[HeardCue] {
        &self.heard
    }

    /// Of the game, in order: those of the last frame.
    pub fn messages(&self) -> &[Vec<u8>] {
        &self.messages
    }

    /// Sends 1 to MESSAGE_BYTES_MAX bytes to the game, which gets each message once, in order. False: 32 messages
    /// are on their way; try again later.
    pub fn send_message(&mut self, message: &[u8]) -> Result<bool, String> {
        let sent = unsafe { (self.api.send_message)(self.client, message.as_ptr(), message.len()) };
        match sent {
            api::TOO_MANY => Ok(false),
            api::BAD_ARGUMENT => Err(format!(
                "a message has 1 to {} bytes, this one has {}",
                api::MESSAGE_BYTES_MAX,
                message.len()
            )),
            _ => done(sent).map(|()| true),
        }
    }

    /// The game's state of an entity of that type, a struct of the game. None: not known, or without a state.
    pub fn game_state(&self, handle: u32, type_id: u32) -> Option<Vec<u8>> {
        let bytes = unsafe { (self.api.type_state_bytes)(self.client, type_id) };
        copied(bytes, |state| unsafe {
            (self.api.game_state)(self.client, handle, state, bytes)
        })
    }

    /// The world's state, the same for all clients. None: not known yet, or the game has none.
    pub fn world_state(&self) -> Option<Vec<u8>> {
        let bytes = unsafe { (self.api.world_state_bytes)(self.client) };
        copied(bytes, |state| unsafe {
            (self.api.world_state)(self.client, state, bytes)
        })
    }

    pub fn own(&self) -> Option<&Entity> {
        self.entities
            .iter()
            .find(|entity| entity.flags & api::OWN != 0)
    }

    /// The game's name for an entity's type; empty if there is none.
    pub fn type_name(&self, type_id: u32) -> String {
        let name = unsafe { (self.api.type_name)(self.client, type_id) };
        if name.is_null() {
            return String::new();
        }
        // SAFETY: text of the library, valid as long as the client.
        unsafe { CStr::from_ptr(name) }
            .to_string_lossy()
            .into_owned()
    }

    /// Empty if it is not known.
    pub fn player_name(&self, actor: u32) -> String {
        let mut name = [0u8; NAME_BYTES];
        let bytes = unsafe {
            (self.api.player_name)(
                self.client,
                actor,
                name.as_mut_ptr().cast::<c_char>(),
                NAME_BYTES,
            )
        };
        String::from_utf8_lossy(&name[..bytes.max(0) as usize]).into_owned()
    }

    pub fn telemetry(&self) -> Telemetry {
        let mut telemetry = Telemetry {
            struct_bytes: size_of::<Telemetry>() as u32,
            ..Telemetry::default()
        };
        unsafe { (self.api.get_telemetry)(self.client, &mut telemetry) };
        telemetry
    }

    fn now_us(&self) -> i64 {
        self.began.elapsed().as_micros() as i64
    }

    fn take_messages(&self) -> Result<Vec<Vec<u8>>, String> {
        let mut bytes = [0u8; api::MESSAGE_BYTES_MAX];
        let mut size = 0;
        let mut messages = Vec::new();
        loop {
            let taken = unsafe {
                (self.api.messages)(self.client, bytes.as_mut_ptr(), bytes.len(), &mut size)
            };
            done(taken)?;
            if taken == 0 {
                return Ok(messages);
            }
            messages.push(bytes[..size].to_vec());
        }
    }

    fn receive_all(&mut self) {
        let mut bytes = [0u8; api::DATAGRAM_BYTES_MAX];
        let now_us = self.now_us();
        for socket in [&self.v4, &self.v6].into_iter().flatten() {
            for _ in 0..DATAGRAMS_PER_FRAME_MAX {
                match socket.recv_from(&mut bytes) {
                    Ok((size, peer)) => {
                        let from = address_of(peer);
                        unsafe {
                            (self.api.receive)(self.client, now_us, &from, bytes.as_mut_ptr(), size)
                        };
                    }
                    Err(problem) if problem.kind() == ErrorKind::WouldBlock => break,
                    Err(_) => {} // a closed port was told so; the client notices the silence
                }
            }
        }
    }

    fn send_all(&mut self) {
        let mut bytes = [0u8; api::DATAGRAM_BYTES_MAX];
        let mut to = Address::default();
        let mut size = 0;
        while unsafe {
            (self.api.poll_send)(
                self.client,
                &mut to,
                bytes.as_mut_ptr(),
                bytes.len(),
                &mut size,
            )
        } == 1
        {
            let peer = peer_of(&to);
            let (socket, any) = match peer {
                SocketAddr::V4(_) => (&mut self.v4, "0.0.0.0:0"),
                SocketAddr::V6(_) => (&mut self.v6, "[::]:0"),
            };
            if socket.is_none() {
                // Without IPv6 on this machine the client tries its next gateway.
                *socket = UdpSocket::bind(any)
                    .and_then(|udp| udp.set_nonblocking(true).map(|()| udp))
                    .ok();
            }
            if let Some(udp) = socket {
                let _ = udp.send_to(&bytes[..size], peer); // what cannot be sent is lost on the way
            }
        }
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        unsafe { (self.api.destroy)(self.client) };
    }
}

/// Calls `read`, which returns how many items there are, again if there are more.
fn read_all<T: Copy + Default>(
    items: &mut Vec<T>,
    read: impl Fn(*mut T, usize, usize) -> i32,
) -> Result<(), String> {
    items.resize(items.capacity().max(64), T::default());
    let mut count = read(items.as_mut_ptr(), size_of::<T>(), items.len());
    if count > items.len() as i32 {
        items.resize(2 * count as usize, T::default());
        count = read(items.as_mut_ptr(), size_of::<T>(), items.len());
    }
    items.truncate(count.max(0) as usize);
    done(count)
}

/// A state of `bytes` bytes that `copy` writes, if it returns 1.
fn copied(bytes: usize, copy: impl Fn(*mut c_void) -> i32) -> Option<Vec<u8>> {
    let mut state = vec![0u8; bytes];
    (bytes > 0 && copy(state.as_mut_ptr().cast()) == 1).then_some(state)
}

fn address_of(peer: SocketAddr) -> Address {
    let mut address = Address {
        port: peer.port(),
        ..Address::default()
    };
    match peer.ip() {
        IpAddr::V4(ip) => {
            address.family = 4;
            address.ip[..4].copy_from_slice(&ip.octets());
        }
        IpAddr::V6(ip) => {
            address.family = 6;
            address.ip = ip.octets();
        }
    }
    address
}

fn peer_of(address: &Address) -> SocketAddr {
    let ip = &address.ip;
    match address.family {
        4 => SocketAddr::from(([ip[0], ip[1], ip[2], ip[3]], address.port)),
        _ => SocketAddr::from((*ip, address.port)),
    }
}

/// An error if `result` is one of the library's, a negative number.
fn done(result: i32) -> Result<(), String> {
    if result < 0 {
        return Err(sentence_of_result(result).to_owned());
    }
    Ok(())
}

fn sentence_of_result(result: i32) -> &'static str {
    match result {
        api::BAD_TOKEN => "the token is none; log in again",
        api::NOT_PLAYING => "that needs a player in the world",
        api::BAD_ARGUMENT | api::BUFFER_TOO_SMALL => {
            "an argument is wrong or out of range: controls have to be numbers"
        }
        _ => "the client library has failed inside: no memory is left, or it has a bug",
    }
}

fn sentence_of(state: i32) -> &'static str {
    match state {
        -6 => "the connection took longer than the token was valid; log in again",
        -5 => "the token is none; log in again",
        -4 => "the server has not been heard of for too long",
        -3 => "the server answered at first, and then no more",
        -2 => "no server answered",
        -1 => "the server refused the connection: it is full, or an operator has ended the session",
        _ => "the session has ended",
    }
}

#[cfg(test)]
mod tests {
    use super::done;

    #[test]
    fn each_result_has_its_own_sentence() {
        assert_eq!(done(0), Ok(()));
        assert_eq!(done(3), Ok(()));
        for (result, words) in [
            (-1, "numbers"),
            (-2, "log in again"),
            (-4, "a player in the world"),
            (-5, "failed inside"),
            (-6, "failed inside"),
        ] {
            let sentence = done(result).unwrap_err();
            assert!(sentence.contains(words), "{result}: {sentence}");
        }
    }
}
