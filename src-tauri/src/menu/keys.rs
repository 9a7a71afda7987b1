//! Additional shortcuts for menu items, which show one each: where `+` shares its key with `=`, people press either, and the numeric keypad has its
//! own keys.

use gtk::gdk::ModifierType;
use gtk::gdk::keys::constants as key;
use gtk::prelude::{AccelGroupExtManual as _, GtkWindowExt as _};
use gtk::{AccelFlags, AccelGroup};
use tauri::{Manager as _, WebviewWindow};

/// Menu item and the key pressed with Ctrl.
const KEYS: [(&str, gtk::gdk::keys::Key); 4] =
    [("larger", key::plus), ("larger", key::KP_Add), ("smaller", key::KP_Subtract), ("usual", key::KP_0)];

/// Registers the shortcuts for the window.
pub fn add(window: &WebviewWindow) -> tauri::Result<()> {
    let of = window.clone();
    window.run_on_main_thread(move || {
        let Ok(shown) = of.gtk_window() else { return };
        let group = AccelGroup::new();
        for (name, key) in KEYS {
            let app = of.app_handle().clone();
            let follow = move |_: &AccelGroup, _: &glib::Object, _, _| {
                super::choose(&app, name);
                true
            };
            group.connect_accel_group(*key, ModifierType::CONTROL_MASK, AccelFlags::empty(), follow);
        }
        shown.add_accel_group(&group);
    })
}
