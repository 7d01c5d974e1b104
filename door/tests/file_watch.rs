use perigee_door::file_watch::FileWatch;
use std::fs;

#[test]
fn a_file_that_is_written_replaced_or_back_has_changed_once() {
    let folder = std::env::temp_dir().join(format!("perigee-door-watch-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).to_str().unwrap().to_string();
    let files = [path("tls.crt"), path("tls.key")];
    fs::write(&files[0], "certificate").unwrap();
    let mut watch = FileWatch::new(&files);
    assert!(watch.has_files());
    assert!(!watch.changed(), "nothing happened");
    fs::write(&files[1], "key").unwrap();
    assert!(watch.changed(), "it was missing before");
    assert!(!watch.changed());
    fs::write(path("new"), "renewed one").unwrap();
    fs::rename(path("new"), &files[0]).unwrap();
    assert!(watch.changed(), "as long as before, and another file");
    fs::remove_file(&files[1]).unwrap();
    assert!(!watch.changed(), "it is missing for a moment");
    fs::write(&files[1], "a new key").unwrap();
    assert!(watch.changed());
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn without_files_nothing_changes() {
    let mut watch = FileWatch::new([]);
    assert!(!watch.has_files());
    assert!(!watch.changed());
}
