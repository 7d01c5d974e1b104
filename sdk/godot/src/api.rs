//! The functions of `perigee_client.h`, found by name in a library that is loaded at run time.
use std::ffi::{c_char, c_int, c_void};
use std::mem::size_of;

use libloading::Library;

pub const ABI: u32 = 1;
pub const DATAGRAM_BYTES_MAX: usize = 1225;
pub const MESSAGE_BYTES_MAX: usize = 1024;
pub const BAD_ARGUMENT: c_int = -1;
pub const BAD_TOKEN: c_int = -2;
pub const BUFFER_TOO_SMALL: c_int = -3;
pub const NOT_PLAYING: c_int = -4;
pub const TOO_MANY: c_int = -6;
pub const PLAYING: c_int = 3;
pub const RECONNECTING: c_int = 4;
pub const OWN: u32 = 1;

#[repr(C)]
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Address {
    pub family: u8,
    pub ip: [u8; 16],
    pub port: u16,
}

/// The controls of a frame. `pressed_buttons` and `use_handle` count once.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Input {
    pub struct_bytes: u32,
    pub right: f32,
    pub up: f32,
    pub forward: f32,
    pub yaw_rad: f32,
    pub pitch_rad: f32,
    pub held_buttons: u32,
    pub pressed_buttons: u32,
    pub use_handle: u32,
}

/// An entity as rendered now. `parent`: the frame of `local_…`; 0: the world.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Entity {
    pub handle: u32,
    pub parent: u32,
    pub type_id: u32,
    pub flags: u32,
    pub local_position_m: [f64; 3],
    pub local_rotation: [f64; 4],
    pub world_position_m: [f64; 3],
    pub world_rotation: [f64; 4],
    pub smoothing_m: [f64; 3],
}

/// A cue of the own avatar's actions, or of a hit on it. State 0: predicted, 1: happened, 2: did not happen.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Cue {
    pub tick: u32,
    pub index: u32,
    pub effect: u32,
    pub subject: u32,
    pub state: u32,
    pub detail: u32,
}

/// A cue of another actor, or one that the game ordered: to be played now.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct HeardCue {
    pub tick: u32,
    pub handle: u32,
    pub effect: u32,
    pub subject: u32,
    pub detail: u32,
    pub reserved: u32,
    pub world_position_m: [f64; 3],
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Telemetry {
    pub struct_bytes: u32,
    pub reserved: u32,
    pub rtt_us: i64,
    pub full_loop_us: i64,
    pub jitter_us: i64,
    pub lead_us: i64,
    pub packets: u64,
    pub packets_lost: u64,
    pub bytes: u64,
    pub corrections: u64,
    pub largest_correction_m: f64,
}

pub type Handle = *mut c_void;

macro_rules! functions {
    ($($name:ident: fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// The functions, valid as long as the library.
        pub struct Api {
            $(pub $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
            _library: Library,
        }

        fn find_all(library: Library) -> Result<Api, String> {
            $(
                // SAFETY: the type is that of the function of this name in perigee_client.h.
                let $name = unsafe { library.get(concat!("perigee_client_", stringify!($name), "\0").as_bytes()) }
                    .map(|function| *function)
                    .map_err(|_| concat!("it has no perigee_client_", stringify!($name)).to_owned())?;
            )*
            Ok(Api { $($name,)* _library: library })
        }
    };
}

functions! {
    abi: fn() -> u32;
    struct_bytes: fn(*const c_char) -> usize;
    create: fn(u32) -> Handle;
    destroy: fn(Handle);
    wire_version: fn() -> u32;
    schema_hash: fn(Handle) -> u64;
    begin: fn(Handle, i64, *const u8, usize) -> c_int;
    receive: fn(Handle, i64, *const Address, *mut u8, usize) -> c_int;
    advance: fn(Handle, i64, *const Input) -> c_int;
    set_input: fn(Handle, *const c_char, i64) -> c_int;
    own_input_bytes: fn(Handle) -> usize;
    set_own_input: fn(Handle, *const c_void, usize) -> c_int;
    poll_send: fn(Handle, *mut Address, *mut u8, usize, *mut usize) -> c_int;
    disconnect: fn(Handle, i64) -> c_int;
    get_state: fn(Handle) -> c_int;
    scene: fn(Handle, i64, *mut Entity, usize, usize) -> c_int;
    type_name: fn(Handle, u32) -> *const c_char;
    cues: fn(Handle, *mut Cue, usize, usize) -> c_int;
    heard: fn(Handle, *mut HeardCue, usize, usize) -> c_int;
    type_state_bytes: fn(Handle, u32) -> usize;
    game_state: fn(Handle, u32, *mut c_void, usize) -> c_int;
    world_state_bytes: fn(Handle) -> usize;
    world_state: fn(Handle, *mut c_void, usize) -> c_int;
    send_message: fn(Handle, *const u8, usize) -> c_int;
    messages: fn(Handle, *mut u8, usize, *mut usize) -> c_int;
    player_name: fn(Handle, u32, *mut c_char, usize) -> c_int;
    get_telemetry: fn(Handle, *mut Telemetry) -> c_int;
}

impl Api {
    /// The error is a sentence.
    pub fn load(path: &str) -> Result<Api, String> {
        // SAFETY: a client library does nothing when it is loaded.
        let library = unsafe { Library::new(path) }
            .map_err(|problem| format!("the client library cannot be loaded: {problem}"))?;
        let api = find_all(library)
            .and_then(|api| api.of_this_version())
            .map_err(|what| format!("{path} is no client library for this extension: {what}"))?;
        Ok(api)
    }

    fn of_this_version(self) -> Result<Api, String> {
        // SAFETY: no arguments, and names that end with a zero.
        let abi = unsafe { (self.abi)() };
        if abi != ABI {
            return Err(format!("its ABI is {abi}, the extension's is {ABI}"));
        }
        let sizes = [
            (c"address", size_of::<Address>()),
            (c"input", size_of::<Input>()),
            (c"entity", size_of::<Entity>()),
            (c"cue", size_of::<Cue>()),
            (c"heard_cue", size_of::<HeardCue>()),
            (c"telemetry", size_of::<Telemetry>()),
        ];
        for (name, here) in sizes {
            let there = unsafe { (self.struct_bytes)(name.as_ptr()) };
            if there < here {
                return Err(format!(
                    "{name:?} has {there} bytes there and {here} here; it is older"
                ));
            }
        }
        Ok(self)
    }
}
