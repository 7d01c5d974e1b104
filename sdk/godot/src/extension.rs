//! The class `PerigeePlayer` of Godot. Both are right-handed with y up, but Godot looks along -z.
use godot::builtin::{
    Array, Basis, GString, PackedByteArray, Quaternion, Transform3D, VarDictionary, Vector3,
};
use godot::prelude::*;

use crate::api::{Entity, Input, OWN};
use crate::player::Player;

struct PerigeeExtension;

#[gdextension]
unsafe impl ExtensionLibrary for PerigeeExtension {}

/// A player in a world of perigee. Add it to the scene, load() a client library, and begin() with a
/// token from the session service.
#[derive(GodotClass)]
#[class(base=Node, init)]
struct PerigeePlayer {
    base: Base<Node>,
    player: Option<Player>,
    begun: bool,
    controls: Input,
}

#[godot_api]
impl PerigeePlayer {
    /// The session is over, with a sentence for the player.
    #[signal]
    fn ended(sentence: GString);
    /// State 0: play the effect; 1: it happened; 2: take it back.
    #[signal]
    fn cue(effect: i64, state: i64, detail: i64, subject: i64);
    /// A cue of another actor, or one that the game ordered: play the effect at its place.
    #[signal]
    fn heard(effect: i64, handle: i64, detail: i64, subject: i64, place: Vector3);
    /// A message of the game.
    #[signal]
    fn message(bytes: PackedByteArray);

    /// Loads libperigee_client_GAME.so or its DLL. Returns a sentence if that fails; else nothing.
    #[func]
    fn load(&mut self, library: GString) -> GString {
        self.begun = false;
        match Player::new(&library.to_string()) {
            Ok(player) => {
                self.player = Some(player);
                GString::new()
            }
            Err(sentence) => GString::from(sentence.as_str()),
        }
    }

    /// For the log-in; 0 before load().
    #[func]
    fn wire_version(&self) -> i64 {
        self.player
            .as_ref()
            .map_or(0, |player| player.wire_version().into())
    }

    /// For the log-in, in decimal: Godot's numbers are signed.
    #[func]
    fn schema_hash(&self) -> GString {
        let hash = self.player.as_ref().map_or(0, Player::schema_hash);
        GString::from(hash.to_string().as_str())
    }

    /// Connects with the log-in's token. Returns a sentence if that fails; else nothing.
    #[func]
    fn begin(&mut self, token: PackedByteArray) -> GString {
        let Some(player) = &mut self.player else {
            return GString::from("load() a client library first");
        };
        match player.begin(token.as_slice()) {
            Ok(()) => {
                self.begun = true;
                GString::new()
            }
            Err(sentence) => GString::from(sentence.as_str()),
        }
    }

    /// The controls of the next frames. `look`: yaw and pitch in radians as Godot has them, 0 along -z.
    #[func]
    fn control(
        &mut self,
        right: f32,
        up: f32,
        forward: f32,
        look: Vector2,
        held: u32,
        pressed: u32,
    ) {
        let pressed_buttons = self.controls.pressed_buttons | pressed; // presses add up until they are sent
        self.controls = Input {
            right,
            up,
            forward,
            yaw_rad: look.x,
            pitch_rad: look.y,
            held_buttons: held,
            pressed_buttons,
            ..self.controls
        };
    }

    /// The entity to use in the next frame.
    #[func]
    fn use_entity(&mut self, handle: u32) {
        self.controls.use_handle = handle;
    }

    /// Sets a field that the game adds to inputs, from the next tick on; a momentary one in that tick alone. False:
    /// the game has no such field, or the value is out of its range.
    #[func]
    fn set_input(&mut self, field: GString, value: i64) -> bool {
        let set = self
            .player
            .as_mut()
            .map(|player| player.set_input(&field.to_string(), value));
        accepted("set_input", set)
    }

    /// Sets all of these fields: the bytes of the game's struct.
    #[func]
    fn set_own_input(&mut self, fields: PackedByteArray) -> bool {
        let set = self
            .player
            .as_mut()
            .map(|player| player.set_own_input(fields.as_slice()));
        accepted("set_own_input", set)
    }

    /// In the world and predicting.
    #[func]
    fn is_playing(&self) -> bool {
        self.player.as_ref().is_some_and(Player::playing)
    }

    /// Of this frame: dictionaries with handle, parent, type, own, transform.
    #[func]
    fn entities(&self) -> Array<VarDictionary> {
        let Some(player) = &self.player else {
            return Array::new();
        };
        player
            .entities()
            .iter()
            .map(|entity| dictionary_of(player, entity))
            .collect()
    }

    /// Empty if it is not known.
    #[func]
    fn player_name(&self, handle: u32) -> GString {
        let name = self
            .player
            .as_ref()
            .map(|player| player.player_name(handle));
        GString::from(name.unwrap_or_default().as_str())
    }

    /// Sends 1 to 1024 bytes to the game, which gets each message once, in order. False: it is not sent, because
    /// 32 messages are on their way, or it has another length.
    #[func]
    fn send_message(&mut self, bytes: PackedByteArray) -> bool {
        match self
            .player
            .as_mut()
            .map(|p| p.send_message(bytes.as_slice()))
        {
            Some(Ok(sent)) => sent,
            Some(Err(sentence)) => {
                godot_error!("PerigeePlayer.send_message: {sentence}");
                false
            }
            None => false,
        }
    }

    /// The game's state of an entity of this frame, the bytes of the game's struct; empty: not known, or without a
    /// state.
    #[func]
    fn game_state(&self, handle: u32) -> PackedByteArray {
        let state = self.player.as_ref().and_then(|player| {
            let entity = player
                .entities()
                .iter()
                .find(|each| each.handle == handle)?;
            player.game_state(handle, entity.type_id)
        });
        PackedByteArray::from(state.unwrap_or_default())
    }

    /// The world's state, the same for all clients; empty: not known yet, or the game has none.
    #[func]
    fn world_state(&self) -> PackedByteArray {
        let state = self.player.as_ref().and_then(Player::world_state);
        PackedByteArray::from(state.unwrap_or_default())
    }

    #[func]
    fn ping_ms(&self) -> f64 {
        self.player
            .as_ref()
            .map_or(0.0, |player| player.telemetry().rtt_us as f64 / 1000.0)
    }

    #[func]
    fn corrections(&self) -> i64 {
        self.player
            .as_ref()
            .map_or(0, |player| player.telemetry().corrections as i64)
    }

    /// Without it the avatar stays until a timeout.
    #[func]
    fn leave(&mut self) {
        if let (true, Some(player)) = (self.begun, &mut self.player) {
            player.leave();
        }
        self.begun = false;
        self.player = None;
    }
}

#[godot_api]
impl INode for PerigeePlayer {
    fn process(&mut self, _delta: f64) {
        let (true, Some(player)) = (self.begun, &mut self.player) else {
            return;
        };
        let frame = player.frame(self.controls);
        self.controls.pressed_buttons = 0;
        self.controls.use_handle = 0;
        if let Err(sentence) = frame {
            self.begun = false;
            self.player = None;
            self.signals()
                .ended()
                .emit(&GString::from(sentence.as_str()));
            return;
        }
        let messages = player.messages().to_vec();
        let cues = player.cues().to_vec();
        let heard = player.heard().to_vec();
        for cue in cues {
            let [effect, state, detail, subject] =
                [cue.effect, cue.state, cue.detail, cue.subject].map(i64::from);
            self.signals().cue().emit(effect, state, detail, subject);
        }
        for cue in heard {
            let [effect, handle, detail, subject] =
                [cue.effect, cue.handle, cue.detail, cue.subject].map(i64::from);
            let place = place_of(&cue.world_position_m);
            self.signals()
                .heard()
                .emit(effect, handle, detail, subject, place);
        }
        for message in messages {
            self.signals()
                .message()
                .emit(&PackedByteArray::from(message));
        }
    }

    fn exit_tree(&mut self) {
        self.leave();
    }
}

/// Prints why something was refused. False, also before load().
fn accepted(what: &str, result: Option<Result<(), String>>) -> bool {
    match result {
        Some(Ok(())) => true,
        Some(Err(sentence)) => {
            godot_error!("PerigeePlayer.{what}: {sentence}");
            false
        }
        None => false,
    }
}

/// Half a turn about y: perigee's +z is Godot's -z, and +x is -x.
fn place_of(world_position_m: &[f64; 3]) -> Vector3 {
    let [x, y, z] = world_position_m.map(|metres| metres as f32);
    Vector3::new(-x, y, -z)
}

fn transform_of(entity: &Entity) -> Transform3D {
    let [qx, qy, qz, qw] = entity.world_rotation.map(|part| part as f32);
    Transform3D::new(
        Basis::from_quaternion(Quaternion::new(-qx, qy, -qz, qw)),
        place_of(&entity.world_position_m),
    )
}

fn dictionary_of(player: &Player, entity: &Entity) -> VarDictionary {
    let mut fields = VarDictionary::new();
    fields.set("handle", i64::from(entity.handle));
    fields.set("parent", i64::from(entity.parent));
    fields.set(
        "type",
        &GString::from(player.type_name(entity.type_id).as_str()),
    );
    fields.set("own", entity.flags & OWN != 0);
    fields.set("transform", transform_of(entity));
    fields
}
