"""A window with files that can be dragged out of it, as a file manager has: file_manager.py X Y FILE …"""

import sys
from pathlib import Path

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk  # noqa: E402

x, y, *files = sys.argv[1:]
window = Gtk.Window(title="Files")
window.set_default_size(200, 200)
window.move(int(x), int(y))
handle = Gtk.EventBox()
handle.add(Gtk.Label(label="\n".join(Path(file).name for file in files)))
handle.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], Gdk.DragAction.COPY)
handle.drag_source_add_uri_targets()
handle.connect("drag-data-get", lambda _, __, data, ___, ____: data.set_uris([Path(file).as_uri() for file in files]))
window.add(handle)
window.connect("map-event", lambda *_: print("there", flush=True))
window.show_all()
Gtk.main()
