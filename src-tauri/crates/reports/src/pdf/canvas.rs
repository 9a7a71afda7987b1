//! Draws pages from top to bottom. Lengths are in points (1⁄72 inch); `y` is measured from the top.

use super::font::Font;
use crate::ReportError;

/// A4: long and short side.
const LONG: f64 = 841.89;
const SHORT: f64 = 595.28;
pub(super) const MARGIN: f64 = 40.0;
/// Height of the page footer, above the margin.
const FOOT: f64 = 12.0;

/// A colour: red, green and blue, 0 to 255.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Colour(pub u8, pub u8, pub u8);

pub(super) const INK: Colour = Colour(24, 28, 36);
pub(super) const FAINT: Colour = Colour(100, 108, 122);
pub(super) const RULE: Colour = Colour(216, 220, 228);

/// The style of a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextStyle {
    pub size: f64,
    pub is_bold: bool,
    pub colour: Colour,
    pub is_right: bool,
}

pub(super) const PLAIN: TextStyle = TextStyle { size: 8.5, is_bold: false, colour: INK, is_right: false };

/// The pages of a document; new content is added to the last one.
pub(super) struct Canvas {
    pub width: f64,
    pub height: f64,
    pub pages: Vec<String>,
    pub regular: Font,
    pub semibold: Font,
    /// The position of the next element.
    pub y: f64,
}

impl Canvas {
    /// Pages for tables and charts, in landscape format.
    pub(super) fn landscape() -> Result<Self, ReportError> {
        Self::new(LONG, SHORT)
    }

    /// Pages for texts, in portrait format.
    pub(super) fn portrait() -> Result<Self, ReportError> {
        Self::new(SHORT, LONG)
    }

    fn new(width: f64, height: f64) -> Result<Self, ReportError> {
        Ok(Self {
            width,
            height,
            pages: vec![String::new()],
            regular: Font::regular()?,
            semibold: Font::semibold()?,
            y: MARGIN,
        })
    }

    /// The width between the margins.
    pub(super) fn room(&self) -> f64 {
        self.width - MARGIN * 2.0
    }

    /// Begins a new page unless `room` points are left; returns whether it did.
    pub(super) fn need(&mut self, room: f64) -> bool {
        if self.y + room <= self.height - MARGIN - FOOT {
            return false;
        }
        self.pages.push(String::new());
        self.y = MARGIN;
        true
    }

    fn draw(&mut self, operators: &str) {
        if let Some(page) = self.pages.last_mut() {
            page.push_str(operators);
            page.push('\n');
        }
    }

    pub(super) fn font(&self, set: TextStyle) -> &Font {
        if set.is_bold { &self.semibold } else { &self.regular }
    }

    /// Draws a text in the width `room` from `x`, shortened if necessary, with its baseline at `y`.
    pub(super) fn text(&mut self, text: &str, (x, y): (f64, f64), room: f64, set: TextStyle) {
        let fitted = self.font(set).fitted(text, set.size, room);
        let x = if set.is_right { x + room - self.font(set).width(&fitted, set.size) } else { x };
        let (name, font) = if set.is_bold { ("F2", &mut self.semibold) } else { ("F1", &mut self.regular) };
        let show = font.show(&fitted);
        let (fill, y) = (filled(set.colour), self.height - y);
        self.draw(&format!("BT {fill} /{name} {:.2} Tf {x:.2} {y:.2} Td {show} ET", set.size));
    }

    /// A filled rectangle.
    pub(super) fn area(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), colour: Colour) {
        let (fill, y) = (filled(colour), self.height - y - height);
        self.draw(&format!("{fill} {x:.2} {y:.2} {width:.2} {height:.2} re f"));
    }

    /// A horizontal line.
    pub(super) fn rule(&mut self, (from, until): (f64, f64), y: f64) {
        self.area((from, y), (until - from, 0.5), RULE);
    }
}

fn filled(Colour(red, green, blue): Colour) -> String {
    let part = |part: u8| f64::from(part) / 255.0;
    format!("{:.3} {:.3} {:.3} rg", part(red), part(green), part(blue))
}

/// A count as a length.
pub(super) fn count(number: usize) -> f64 {
    u32::try_from(number).map_or(f64::from(u32::MAX), f64::from)
}
