//! Walks ahead for three seconds with the extension's player, without Godot.
//!   walk LIBRARY            prints wire version and schema hash, for a log-in
//!   walk LIBRARY TOKEN_FILE
use std::process::ExitCode;
use std::thread::sleep;
use std::time::{Duration, Instant};

use perigee_godot::api::Input;
use perigee_godot::player::Player;

const FIRE: u32 = 1 << 4;

fn play(mut player: Player, token: &[u8]) -> Result<(), String> {
    player.begin(token)?;
    let (mut frames, mut shots, mut walked_m) = (0, 0, 0.0);
    let mut start = None;
    let mut name = String::new();
    let mut state = None;
    let began = Instant::now();
    while frames < 180 && began.elapsed() < Duration::from_secs(30) {
        let pressed_buttons = if frames % 60 == 30 { FIRE } else { 0 };
        player.frame(Input {
            forward: 1.0,
            pressed_buttons,
            ..Input::default()
        })?;
        shots += player.cues().iter().filter(|cue| cue.state == 0).count();
        if let (true, Some(own)) = (player.playing(), player.own()) {
            let [x, _, z] = own.local_position_m;
            let [from_x, from_z] = *start.get_or_insert([x, z]);
            walked_m = f64::hypot(x - from_x, z - from_z);
            name = player.player_name(own.handle);
            state = player.game_state(own.handle, own.type_id);
            frames += 1;
        }
        sleep(Duration::from_millis(16));
    }
    // Skiff's fighter: 16 bytes, of which the third word is the health.
    let health = state.map(|bytes| (bytes.len(), u16::from_le_bytes([bytes[4], bytes[5]])));
    if health.map(|(bytes, _)| bytes) != Some(16) || health.map(|(_, at)| at > 3) != Some(false) {
        return Err(format!("the avatar's state: {health:?}"));
    }
    if player.world_state().is_some() || !player.messages().is_empty() {
        return Err("Skiff has no state of the world and sends no messages".to_owned());
    }
    if !player.send_message(&[1; 1024])? || player.send_message(&[]).is_ok() {
        return Err("a message has 1 to 1024 bytes".to_owned());
    }
    if player.set_input("slot", 3).is_ok() || player.set_own_input(&[1]).is_ok() {
        return Err("Skiff has no input fields of its own".to_owned());
    }
    let own_type = player
        .own()
        .map(|own| player.type_name(own.type_id))
        .unwrap_or_default();
    println!(
        "{name} walked {walked_m:.1} m as {own_type}, {shots} shots, {} entities, {} corrections",
        player.entities().len(),
        player.telemetry().corrections
    );
    player.leave();
    match player.frame(Input::default()) {
        Err(_) if frames == 180 => Ok(()),
        other => Err(format!("{frames} frames, and after leaving: {other:?}")),
    }
}

fn run() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let player = Player::new(
        arguments
            .first()
            .ok_or("usage: walk LIBRARY [TOKEN_FILE]")?,
    )?;
    match arguments.get(1) {
        None => {
            println!("{} {}", player.wire_version(), player.schema_hash());
            Ok(())
        }
        Some(file) => play(
            player,
            &std::fs::read(file).map_err(|problem| problem.to_string())?,
        ),
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            println!("{sentence}");
            ExitCode::FAILURE
        }
    }
}
