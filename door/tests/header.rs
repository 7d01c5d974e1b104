use perigee_door::header::{Key, read_key, seal};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

// The same bytes as in tests/unit/transport/door_header_test.cpp.
#[test]
fn a_header_has_these_bytes() {
    let key: Key = std::array::from_fn(|i| i as u8);
    let door = "10.0.0.5:41000".parse().unwrap();
    let sealed = |player: &str| hex(&seal(player.parse().unwrap(), door, &key));
    let v4 = "0100000000000000000000ffffcb007109c3cb076b37a517cbd618f67531273f43ff04";
    assert_eq!(sealed("203.0.113.9:50123"), v4);
    assert_eq!(sealed("[::ffff:203.0.113.9]:50123"), v4);
    assert_eq!(
        sealed("[2001:db8::9]:50123"),
        "0120010db8000000000000000000000009c3cbc1d6d1ad9a22d06fa951427665c95899"
    );
}

#[test]
fn a_key_is_the_first_line_of_64_hex_digits() {
    let path = std::env::temp_dir().join(format!("perigee-door-key-{}", std::process::id()));
    let read = |text: &str| {
        std::fs::write(&path, text).unwrap();
        read_key(path.to_str().unwrap()).map_err(|error| error.to_string())
    };
    let line = "0f".repeat(32);
    assert_eq!(read(&format!("{line}\n")), Ok([15; 32]));
    assert_eq!(read(&format!("{line}\n{}\n", "00".repeat(32))), Ok([15; 32]));
    for wrong in ["", "0f", &line[1..], &format!("{line}0"), &format!("+{}", &line[1..])] {
        assert_eq!(read(wrong), Err("expected a line of 64 hex digits".into()), "{wrong}");
    }
    std::fs::remove_file(&path).unwrap();
}
