//! Native dialogs. They open on the main thread, and another thread waits for the answer.

use std::future::Future;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use rfd::{AsyncFileDialog, AsyncMessageDialog, MessageButtons, MessageDialogResult, MessageLevel};
use tauri::AppHandle;

use crate::shell;

/// File extensions of importable files: text in columns, plain or gzip-compressed (`ingest::detect` only considers the content).
const READ: [&str; 4] = ["csv", "tsv", "txt", "gz"];

/// Whether a dialog for files or folders is open; only one may be.
static CHOOSING: AtomicBool = AtomicBool::new(false);

/// Lets the user choose files, which are put into the inbox for import.
pub fn choose_files(app: &AppHandle) {
    if CHOOSING.swap(true, Ordering::Relaxed) {
        return;
    }
    let then = app.clone();
    ask(
        app,
        || {
            AsyncFileDialog::new()
                .set_title("Choose cost files")
                .add_filter("Cost and usage exports", &in_both_cases(&READ))
                .add_filter("All files", &["*"])
                .pick_files()
        },
        move |chosen| {
            CHOOSING.store(false, Ordering::Relaxed);
            let files: Vec<_> =
                chosen.unwrap_or_default().into_iter().map(|file| file.path().to_owned()).collect();
            shell::put_forward(&then, &files);
        },
    );
}

/// Lets the user choose a folder. `then` receives it, or `None` if the dialog was cancelled.
pub fn choose_folder(app: &AppHandle, then: impl FnOnce(Option<PathBuf>) + Send + 'static) {
    if CHOOSING.swap(true, Ordering::Relaxed) {
        return then(None);
    }
    ask(
        app,
        || AsyncFileDialog::new().set_title("Choose a folder to watch").pick_folder(),
        move |chosen| {
            CHOOSING.store(false, Ordering::Relaxed);
            then(chosen.map(|folder| folder.path().to_owned()));
        },
    );
}

/// The extensions in lower and upper case, because GTK's filters are case-sensitive.
fn in_both_cases(endings: &[&str]) -> Vec<String> {
    endings.iter().flat_map(|ending| [ending.to_lowercase(), ending.to_uppercase()]).collect()
}

/// Shows a message to the user where no page can.
pub fn say(app: &AppHandle, title: &'static str, text: String) {
    let dialog = move || {
        AsyncMessageDialog::new()
            .set_title(title)
            .set_description(as_said(text))
            .set_level(MessageLevel::Warning)
            .set_buttons(MessageButtons::Ok)
            .show()
    };
    ask(app, dialog, |_| {});
}

/// Interval of checks for open dialogs while the program ends.
#[cfg(target_os = "linux")]
const BETWEEN_LOOKS: std::time::Duration = std::time::Duration::from_millis(50);

/// Closes every dialog from now on, as if the user had. GTK's print dialog runs its own event loop; until it ends, the main thread handles nothing
/// else, including the end of the program. May be called from any thread.
#[cfg(target_os = "linux")]
pub fn shut_all() {
    use gtk::prelude::*;
    glib::timeout_add(BETWEEN_LOOKS, || {
        let dialogs = gtk::Window::list_toplevels().into_iter().filter_map(|shown| shown.downcast().ok());
        dialogs.for_each(|dialog: gtk::Dialog| dialog.response(gtk::ResponseType::DeleteEvent));
        glib::ControlFlow::Continue
    });
}

/// The user's answer about running work when the window is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    GoOn,
    Stop,
    Back,
}

/// Asks the user what to do with the running `work`. `then` receives the answer.
pub fn ask_about_closing(app: &AppHandle, work: &str, then: impl FnOnce(Wish) + Send + 'static) {
    const GO_ON: &str = "Finish in the background";
    const STOP: &str = "Stop and quit";
    let text = format!(
        "{work}.\n\nIt can finish without the window; Quarterdeck ends after it. Stopped, it is taken up when Quarterdeck starts again. \
         Settings → Window remembers an answer."
    );
    ask(
        app,
        move || {
            AsyncMessageDialog::new()
                .set_title("Quarterdeck is still at work")
                .set_description(as_said(text))
                .set_level(MessageLevel::Warning)
                .set_buttons(MessageButtons::YesNoCancelCustom(
                    GO_ON.to_owned(),
                    STOP.to_owned(),
                    "Cancel".to_owned(),
                ))
                .show()
        },
        move |answer| {
            then(match answer {
                MessageDialogResult::Yes => Wish::GoOn,
                MessageDialogResult::No => Wish::Stop,
                MessageDialogResult::Custom(answer) if answer == GO_ON => Wish::GoOn,
                MessageDialogResult::Custom(answer) if answer == STOP => Wish::Stop,
                _ => Wish::Back,
            });
        },
    );
}

/// The text as the dialog library requires it: on Linux it uses the text as a C format string, and file names may contain `%`.
fn as_said(words: String) -> String {
    if cfg!(target_os = "linux") { words.replace('%', "%%") } else { words }
}

fn ask<A, F>(
    app: &AppHandle,
    open: impl FnOnce() -> F + Send + 'static,
    then: impl FnOnce(A) + Send + 'static,
) where
    F: Future<Output = A> + Send + 'static,
    A: Send + 'static,
{
    let opened = app.run_on_main_thread(move || {
        let answer = open();
        std::thread::spawn(move || then(tauri::async_runtime::block_on(answer)));
    });
    if let Err(error) = opened {
        tracing::warn!(%error, "a dialog could not be opened");
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    #[test]
    fn an_ending_in_capitals_is_one_too() {
        assert_eq!(super::in_both_cases(&["csv", "gz"]), ["csv", "CSV", "gz", "GZ"]);
    }

    #[test]
    fn no_name_of_a_file_is_a_format() {
        let said = super::as_said("bill%20november%n%s.csv is being imported".to_owned());
        assert_eq!(said, "bill%%20november%%n%%s.csv is being imported");
    }
}
