//! Writes JSON tokens to memory.

mod cells;

pub(crate) use cells::cell;

pub(crate) fn separate(out: &mut Vec<u8>, place: usize) {
    if place > 0 {
        out.push(b',');
    }
}

pub(crate) fn key(out: &mut Vec<u8>, name: &str) {
    string(out, name);
    out.push(b':');
}

pub(crate) fn string(out: &mut Vec<u8>, text: &str) {
    serde_json::to_writer(&mut *out, text).expect("writing to memory cannot fail");
}
