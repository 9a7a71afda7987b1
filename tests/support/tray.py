"""A panel that shows the pictures of programs: a StatusNotifierWatcher and its host on the session bus.

Says `there` once it is. Answers each line of its input with one of JSON: `pictures` with what a person sees,
`click LABEL` with whether a picture has such a line in its menu.
"""

import json
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

WATCHER = "org.kde.StatusNotifierWatcher"
ITEM = "org.kde.StatusNotifierItem"
MENU = "com.canonical.dbusmenu"
PROPERTIES = "org.freedesktop.DBus.Properties"
INTERFACE = f"""<node><interface name="{WATCHER}">
  <method name="RegisterStatusNotifierItem"><arg type="s" direction="in"/></method>
  <method name="RegisterStatusNotifierHost"><arg type="s" direction="in"/></method>
  <property name="RegisteredStatusNotifierItems" type="as" access="read"/>
  <property name="IsStatusNotifierHostRegistered" type="b" access="read"/>
  <property name="ProtocolVersion" type="i" access="read"/>
  <signal name="StatusNotifierItemRegistered"><arg type="s"/></signal>
  <signal name="StatusNotifierHostRegistered"/>
</interface></node>"""

bus = Gio.bus_get_sync(Gio.BusType.SESSION)
items = []


def call(name, path, interface, method, arguments):
    return bus.call_sync(name, path, interface, method, arguments, None, Gio.DBusCallFlags.NO_AUTO_START, 5000).unpack()


def called(_bus, sender, _path, _interface, method, arguments, invocation):
    if method == "RegisterStatusNotifierItem":
        (given,) = arguments.unpack()
        # Some tell where their picture is, others under which name.
        item = (sender, given) if given.startswith("/") else (given, "/StatusNotifierItem")
        if item not in items:
            items.append(item)
    invocation.return_value(None)


def told(_bus, _sender, _path, _interface, name):
    return {
        "RegisteredStatusNotifierItems": GLib.Variant("as", [name + path for name, path in items]),
        "IsStatusNotifierHostRegistered": GLib.Variant("b", True),
        "ProtocolVersion": GLib.Variant("i", 0),
    }[name]


def seen():
    """The pictures that are there and want to be seen, each with where it is and its menu."""
    for name, path in items:
        try:
            (properties,) = call(name, path, PROPERTIES, "GetAll", GLib.Variant("(s)", (ITEM,)))
            if properties["Status"] == "Passive":
                continue
            menu = properties["Menu"]
            arguments = GLib.Variant("(iias)", (0, -1, []))
            (_, (_, _, lines)) = call(name, menu, MENU, "GetLayout", arguments)
        except GLib.Error:
            continue  # It has gone.
        yield name, menu, properties, [(line, of["label"]) for line, of, _ in lines if "label" in of]


def answer(asked):
    if asked == "pictures":
        return [
            {"icon": its["IconName"], "title": its["Title"], "lines": [label for _, label in lines]}
            for _, _, its, lines in seen()
        ]
    wanted = asked.removeprefix("click ")
    for name, menu, _, lines in seen():
        for line, label in lines:
            if label == wanted:
                event = GLib.Variant("(isvu)", (line, "clicked", GLib.Variant("i", 0), 0))
                call(name, menu, MENU, "Event", event)
                return True
    return False


def heard(channel, _condition):
    asked = sys.stdin.readline().strip()
    if not asked:
        loop.quit()
        return False
    print(json.dumps(answer(asked)), flush=True)
    return True


loop = GLib.MainLoop()
interface = Gio.DBusNodeInfo.new_for_xml(INTERFACE).interfaces[0]
bus.register_object("/StatusNotifierWatcher", interface, called, told, None)
Gio.bus_own_name_on_connection(bus, WATCHER, Gio.BusNameOwnerFlags.NONE, lambda *_: print("there", flush=True), None)
GLib.io_add_watch(sys.stdin.fileno(), GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, heard)
loop.run()
