//! Decides where a link opens: the window shows only its own service.

use tauri::Url;

/// The handling of an address that the page wants to open.
#[derive(Debug, PartialEq, Eq)]
pub enum Way {
    /// In the window: a page of its own service.
    Here,
    /// In the system's browser: another web page, or a mail address.
    Outside,
    /// Not opened.
    Nowhere,
}

/// The handling of `address` in a window whose pages come from `own`, the address of the service.
///
/// A `blob:` address has the origin of the page that created it; pages use it for files to save.
pub fn way(address: &Url, own: &Url) -> Way {
    if address.origin() == own.origin() || address.as_str() == "about:blank" {
        return Way::Here;
    }
    match address.scheme() {
        "http" | "https" | "mailto" => Way::Outside,
        _ => Way::Nowhere,
    }
}

#[cfg(test)]
mod tests {
    use super::{Way, way};

    fn check(address: &str, expected: &Way) {
        let own = "http://127.0.0.1:4100/".parse().unwrap();
        assert_eq!(&way(&address.parse().unwrap(), &own), expected, "{address}");
    }

    #[test]
    fn pages_of_the_own_service_stay_in_the_window() {
        check("http://127.0.0.1:4100/costs?group=service", &Way::Here);
        check("blob:http://127.0.0.1:4100/1b4e28ba-2fa1-11d2-883f-0016d3cca427", &Way::Here);
    }

    #[test]
    fn pages_of_others_open_in_the_systems_browser() {
        check("https://focus.finops.org/", &Way::Outside);
        check("mailto:someone@example.com", &Way::Outside);
    }

    #[test]
    fn another_port_or_name_of_this_computer_is_somebody_else() {
        check("http://127.0.0.1:4101/", &Way::Outside);
        check("http://localhost:4100/", &Way::Outside);
    }

    #[test]
    fn files_and_scripts_open_nowhere() {
        check("file:///etc/passwd", &Way::Nowhere);
        check("javascript:alert(1)", &Way::Nowhere);
        check("data:text/html,hello", &Way::Nowhere);
    }
}
