//! Autostart on Linux: an entry as defined by the Desktop Application Autostart Specification.

use std::io;
use std::path::PathBuf;

use tauri::{AppHandle, Builder, Manager, Wry};
use uuid::Uuid;

/// Nothing to prepare on Linux.
pub fn prepare(builder: Builder<Wry>) -> Builder<Wry> {
    builder
}

/// The autostart entry of a window.
pub struct AtLogin {
    file: PathBuf,
    /// The program to start.
    program: PathBuf,
    arguments: Vec<String>,
}

impl AtLogin {
    /// The entry for a window that is started with `arguments`.
    pub fn new(app: &AppHandle, arguments: Vec<String>) -> tauri::Result<Self> {
        // The executable inside an AppImage exists only while it runs; the image itself must be started.
        let program = app.env().appimage.map_or_else(std::env::current_exe, |image| Ok(image.into()))?;
        let file = app.path().config_dir()?.join("autostart").join(file_name(&arguments));
        Ok(Self { file, program, arguments })
    }

    pub fn is_on(&self) -> bool {
        self.file.exists()
    }

    /// Writes the entry atomically, or removes it.
    pub fn turn(&self, on: bool) -> io::Result<()> {
        if !on {
            return match std::fs::remove_file(&self.file) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            };
        }
        if let Some(folder) = self.file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let beside = self.file.with_extension("new");
        std::fs::write(&beside, self.text()?)?;
        std::fs::rename(beside, &self.file)
    }

    fn text(&self) -> io::Result<String> {
        let program = self.program.to_str().ok_or_else(|| {
            io::Error::other(format!("{} is no text, and cannot be written there", self.program.display()))
        })?;
        let words = std::iter::once(program).chain(self.arguments.iter().map(String::as_str));
        let line: Vec<String> = words.map(quoted).collect();
        Ok(format!(
            "[Desktop Entry]\nType=Application\nName=Quarterdeck\nIcon=io.quarterdeck.desktop\nExec={}\nTerminal=false\nStartupNotify=false\n",
            line.join(" ")
        ))
    }
}

/// A file name that depends only on the `arguments`.
fn file_name(arguments: &[String]) -> String {
    if arguments.is_empty() {
        return "Quarterdeck.desktop".to_owned();
    }
    let which = Uuid::new_v5(&Uuid::NAMESPACE_URL, arguments.join("\n").as_bytes());
    format!("Quarterdeck-{}.desktop", which.simple())
}

/// Quotes a word for `Exec` (Desktop Entry Specification, "The Exec key"): in double quotes, with a backslash before four characters and percent
/// signs doubled; then escaped like any string value, where backslashes are doubled.
fn quoted(word: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in word.chars() {
        match letter {
            '\\' => quoted.push_str(r"\\\\"),
            '"' | '`' | '$' => quoted.extend(['\\', '\\', letter]),
            '%' => quoted.push_str("%%"),
            '\n' => quoted.push_str(r"\n"),
            '\r' => quoted.push_str(r"\r"),
            '\t' => quoted.push_str(r"\t"),
            _ => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::{AtLogin, file_name};
    use std::path::Path;

    /// The command line that a desktop starts for the entry, parsed like GLib does.
    fn started(entry: &Path) -> Vec<String> {
        let keys = glib::KeyFile::new();
        keys.load_from_file(entry, glib::KeyFileFlags::NONE).unwrap();
        let line = keys.string("Desktop Entry", "Exec").unwrap();
        // If every percent sign is doubled, no field code is expanded.
        assert!(!line.replace("%%", "").contains('%'), "{line}");
        let words = glib::shell_parse_argv(line.replace("%%", "%")).unwrap();
        words.into_iter().map(|word| word.into_string().unwrap()).collect()
    }

    #[test]
    fn the_entry_starts_the_same_program_on_the_same_folder_whatever_they_are_called() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join(".config/autostart/Quarterdeck.desktop");
        for odd in [
            "/home/ada/data",
            "/home/ada/My Costs",
            r#"/a "b" `c` $HOME \d \\n 100% %f 'e'"#,
            "/tab\tline\nend\r=;#~",
        ] {
            let line = [odd.to_owned(), "--data-dir".to_owned(), odd.to_owned()];
            let at_login = AtLogin { file: file.clone(), program: odd.into(), arguments: line[1..].to_vec() };
            assert!(!at_login.is_on());
            at_login.turn(true).unwrap();
            assert!(at_login.is_on());
            assert_eq!(started(&file), line);
            at_login.turn(false).unwrap();
            at_login.turn(false).unwrap();
        }
        assert_eq!(std::fs::read_dir(file.parent().unwrap()).unwrap().count(), 0);
    }

    #[test]
    fn each_data_directory_has_an_entry_of_its_own() {
        let of = |folder: &str| file_name(&["--data-dir".to_owned(), folder.to_owned()]);
        assert_eq!(file_name(&[]), "Quarterdeck.desktop");
        assert_eq!(of("/one"), of("/one"));
        assert_ne!(of("/one"), of("/other"));
    }
}
