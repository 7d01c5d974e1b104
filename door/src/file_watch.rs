//! Notices that files have changed.
use std::fs::metadata;
use std::os::unix::fs::MetadataExt;
use std::time::SystemTime;

/// Inode, length and time of the last change; nothing while the file is missing.
type Version = Option<(u64, u64, SystemTime)>;

fn version(file: &str) -> Version {
    let found = metadata(file).ok()?;
    Some((found.ino(), found.len(), found.modified().ok()?))
}

pub struct FileWatch {
    files: Vec<(String, Version)>,
}

impl FileWatch {
    pub fn new<'a>(files: impl IntoIterator<Item = &'a String>) -> Self {
        Self { files: files.into_iter().map(|file| (file.clone(), version(file))).collect() }
    }

    pub fn has_files(&self) -> bool {
        !self.files.is_empty()
    }

    /// Whether a file is another one than at the last call. One that is missing for a moment has not changed.
    pub fn changed(&mut self) -> bool {
        let mut any = false;
        for (file, known) in &mut self.files {
            let now = version(file);
            if now.is_some() && now != *known {
                *known = now;
                any = true;
            }
        }
        any
    }
}
