//! Every page in narrow windows: nothing is cut off, the link of the current page is visible, and all pages can be reached.

use crate::support::browser::Chromium;
use crate::support::page::Page;
use crate::support::service::Service;

/// The lists of pages.
const LISTS: [&str; 2] =
    [include_str!("../../ui/src/app/pages.ts"), include_str!("../../ui/src/features/settings/pages.ts")];

/// The addresses of all pages with content of their own; the page for the desktop's window does not exist in a browser.
fn addresses() -> Vec<&'static str> {
    let named = LISTS.iter().flat_map(|list| list.split("address: '").skip(1));
    let named = named.filter_map(|rest| rest.split('\'').next());
    let shown = named.filter(|address| *address != "/settings/window");
    // A page below another one.
    shown.chain(["/settings/instances/compare"]).collect()
}

/// Waits until the page has loaded and the current link of its navigation is visible.
async fn fits(page: &Page, address: &str, width: u32) {
    page.open(address).await;
    page.holds("return !!document.querySelector('#main') && !document.querySelector('#main .skel, #main [aria-busy=true]')")
        .await;
    let found = page
        .ask(
            "const wide = [...document.querySelectorAll('#main td.whole > *, #main .empty')]
                .filter((part) => part.getBoundingClientRect().right > innerWidth + 1).map((part) => part.innerText);
             const root = document.documentElement;
             const current = [...document.querySelectorAll('.setnav [aria-current=page], .sectiontabs [aria-current=page]')]
                .filter((link) => link.getClientRects().length > 0);
             const out = current.map((link) => link.getBoundingClientRect()).filter((box) => box.left < -1 || box.right > innerWidth + 1);
             const cut = [...document.querySelectorAll('#main .kpi .l, #main .kpi .d, #main .notice-title')]
                .filter((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0 || part.getBoundingClientRect().right > innerWidth)
                .map((part) => part.innerText);
             const rolls = [...document.querySelectorAll('#main, .bar, #main .tw, #main .seg')]
                .filter((part) => innerWidth < 760 && part.checkVisibility({ visibilityProperty: true }))
                .filter((part) => part.clientWidth > 0 && part.scrollWidth > part.clientWidth + 1).map((part) => part.className);
             const needed = Math.max(root.scrollWidth, document.body.scrollWidth);
             return [innerWidth, needed, wide.join(), out.length, cut.join(), rolls.join()].join(' | ');",
        )
        .await;
    assert_eq!(
        found,
        format!("{width} | {width} |  | 0 |  | "),
        "width, what is needed, empty states and links out of view, texts that are cut off, parts that roll sideways, of {address}"
    );
}

#[tokio::test]
async fn every_page_fits_a_narrow_window_and_shows_where_one_is() {
    let service = Service::start();
    let chromium = Chromium::start().await;
    let page = &chromium.page;
    page.open(&service.sign_in_link).await;
    page.press("Load sample data").await;
    page.shows("You’re viewing sample data").await;
    let site = format!("http://127.0.0.1:{}", service.port());
    assert!(addresses().len() > 18, "{:?}", addresses());

    // The second is 1280 px at 400% zoom.
    for width in [390, 320] {
        chromium.show_in(width, 844).await;
        for address in addresses() {
            fits(page, &format!("{site}{address}"), width).await;
        }
    }

    // Where the navigation has only icons, the pages of a section are listed above the page.
    chromium.show_in(1100, 800).await;
    fits(page, &format!("{site}/assistant/conversations"), 1100).await;
    for (name, address) in [("Likely causes", "/assistant/causes"), ("Memory", "/assistant/memory")] {
        page.run(&format!(
            "[...document.querySelectorAll('.sectiontabs a')].find((link) => link.innerText === '{name}').click()"
        ))
        .await;
        page.is_at(address).await;
    }
    chromium.page.close().await;
}
