//! Checks by the first bytes whether a file can be a model.

/// Number of bytes to check.
pub(crate) const HEAD: usize = 512;

/// Why a file is not a model. `head` is its beginning; `names` are its names: a name ending in `.gguf` or `.safetensors` requires that format. A
/// web page is never a model.
pub(crate) fn problem(head: &[u8], names: &[&str]) -> Option<&'static str> {
    if is_web_page(head) {
        return Some("it is a web page");
    }
    let ends = |ending: &str| {
        names.iter().any(|name| {
            name.len() >= ending.len()
                && name.as_bytes()[name.len() - ending.len()..].eq_ignore_ascii_case(ending.as_bytes())
        })
    };
    if ends(".gguf") && !head.starts_with(b"GGUF") {
        return Some("it does not begin with GGUF, as files of that kind do");
    }
    // Eight bytes with a length, then a JSON object.
    if ends(".safetensors") && head.get(8) != Some(&b'{') {
        return Some("it does not begin as safetensors files do, with a length and a JSON object");
    }
    None
}

fn is_web_page(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    ["<!doctype html", "<html", "<head", "<body"].iter().any(|beginning| {
        head.get(..beginning.len()).is_some_and(|found| found.eq_ignore_ascii_case(beginning.as_bytes()))
    })
}

#[cfg(test)]
mod tests {
    use super::problem;

    #[test]
    fn a_web_page_is_no_model_whatever_it_is_called() {
        for head in ["<!DOCTYPE html><title>Sign in", "\u{feff} \n<HTML lang=en>", "<head><meta"] {
            assert_eq!(problem(head.as_bytes(), &["svc-llm"]), Some("it is a web page"), "{head}");
        }
        assert_eq!(problem(b"", &["svc-llm"]), None);
        assert_eq!(problem(b"weights <html>", &["svc-llm"]), None);
    }

    #[test]
    fn a_file_begins_as_its_ending_says() {
        for (name, head, is_fine) in [
            ("a.gguf", b"GGUF\x03\0\0\0".as_slice(), true),
            ("a.GGUF", b"PK\x03\x04", false),
            ("a.safetensors", b"\x10\0\0\0\0\0\0\0{\"a\":", true),
            ("a.safetensors", b"GGUF\x03\0\0\0\0", false),
            ("a.safetensors", b"{", false),
            ("svc-llm", b"anything", true),
        ] {
            assert_eq!(problem(head, &["svc-llm", name]).is_none(), is_fine, "{name}: {head:?}");
        }
    }
}
