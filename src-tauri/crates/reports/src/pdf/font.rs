//! The typeface of documents, Inter. Only the letters used are embedded.

use crate::ReportError;
use lopdf::{Document, Object, ObjectId, Stream, dictionary};
use std::collections::{BTreeMap, BTreeSet};
use subsetter::GlyphRemapper;
use ttf_parser::Face;

const REGULAR: &[u8] = include_bytes!("../../fonts/inter-regular.ttf");
const SEMIBOLD: &[u8] = include_bytes!("../../fonts/inter-semibold.ttf");

/// One weight of the typeface, with the letters that a document has used.
pub(super) struct Font {
    bytes: &'static [u8],
    face: Face<'static>,
    name: &'static str,
    used: GlyphRemapper,
    /// Letters by their glyph numbers in the document.
    letters: BTreeMap<u16, char>,
    /// Widths by glyph number, in thousandths of the font size.
    widths: BTreeMap<u16, u32>,
    /// Letters that the typeface does not have.
    pub missing: BTreeSet<char>,
}

impl Font {
    pub(super) fn regular() -> Result<Self, ReportError> {
        Self::read(REGULAR, "QDINTR+Inter-Regular")
    }

    pub(super) fn semibold() -> Result<Self, ReportError> {
        Self::read(SEMIBOLD, "QDINTS+Inter-SemiBold")
    }

    fn read(bytes: &'static [u8], name: &'static str) -> Result<Self, ReportError> {
        let face = Face::parse(bytes, 0)
            .map_err(|error| ReportError(format!("the typeface of documents: {error}")))?;
        Ok(Self {
            bytes,
            face,
            name,
            used: GlyphRemapper::new(),
            letters: BTreeMap::new(),
            widths: BTreeMap::new(),
            missing: BTreeSet::new(),
        })
    }

    fn per_mille(&self, units: i32) -> i32 {
        units * 1000 / i32::from(self.face.units_per_em())
    }

    /// The width of a text at a font size.
    pub(super) fn width(&self, text: &str, size: f64) -> f64 {
        let advance = |letter: char| {
            let glyph = self.face.glyph_index(letter).unwrap_or_default();
            f64::from(self.face.glyph_hor_advance(glyph).unwrap_or_default())
        };
        text.chars().map(advance).sum::<f64>() * size / f64::from(self.face.units_per_em())
    }

    /// The text, shortened with an ellipsis if it does not fit.
    pub(super) fn fitted(&self, text: &str, size: f64, room: f64) -> String {
        let text: String =
            text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
        if self.width(&text, size) <= room {
            return text;
        }
        let room = room - self.width("…", size);
        let mut kept = String::new();
        for letter in text.chars() {
            kept.push(letter);
            if self.width(&kept, size) > room {
                kept.pop();
                break;
            }
        }
        format!("{}…", kept.trim_end())
    }

    /// The PDF operator that shows a text. Letters that the typeface does not have are drawn as boxes, but copying and searching find the real
    /// text.
    pub(super) fn show(&mut self, text: &str) -> String {
        let mut hex = String::with_capacity(text.len() * 4);
        let mut is_whole = true;
        for letter in text.chars() {
            let glyph = self.face.glyph_index(letter);
            let is_known = glyph.is_some();
            let glyph = glyph.unwrap_or_default();
            let number = self.used.remap(glyph.0);
            let advance = i32::from(self.face.glyph_hor_advance(glyph).unwrap_or_default());
            self.widths.insert(number, u32::try_from(self.per_mille(advance)).unwrap_or_default());
            if is_known {
                self.letters.entry(number).or_insert(letter);
            } else {
                is_whole = false;
                self.missing.insert(letter);
            }
            hex.push_str(&format!("{number:04X}"));
        }
        if is_whole {
            return format!("<{hex}> Tj");
        }
        let actual: String = text.encode_utf16().map(|unit| format!("{unit:04X}")).collect();
        format!("/Span <</ActualText <FEFF{actual}>>> BDC <{hex}> Tj EMC")
    }

    /// Embeds the font in the document.
    pub(super) fn embed(&self, document: &mut Document) -> Result<ObjectId, ReportError> {
        let subset = subsetter::subset(self.bytes, 0, &self.used)
            .map_err(|error| ReportError(format!("the typeface of documents: {error}")))?;
        let length = i64::try_from(subset.len()).unwrap_or_default();
        let mut file = Stream::new(dictionary! { "Length1" => length }, subset);
        let _ = file.compress();
        let file = document.add_object(file);
        let area = self.face.global_bounding_box();
        let area = [area.x_min, area.y_min, area.x_max, area.y_max];
        let area: Vec<Object> = area.into_iter().map(|edge| self.per_mille(edge.into()).into()).collect();
        let height = self.face.capital_height().unwrap_or_else(|| self.face.ascender());
        let descriptor = document.add_object(dictionary! {
            "Type" => "FontDescriptor",
            "FontName" => self.name,
            "Flags" => 4,
            "FontBBox" => area,
            "ItalicAngle" => 0,
            "Ascent" => self.per_mille(self.face.ascender().into()),
            "Descent" => self.per_mille(self.face.descender().into()),
            "CapHeight" => self.per_mille(height.into()),
            "StemV" => 80,
            "FontFile2" => file,
        });
        let mut widths: Vec<Object> = Vec::with_capacity(self.widths.len() * 2);
        for (number, width) in &self.widths {
            widths.push(i64::from(*number).into());
            widths.push(Object::Array(vec![i64::from(*width).into()]));
        }
        let letters = document.add_object(dictionary! {
            "Type" => "Font",
            "Subtype" => "CIDFontType2",
            "BaseFont" => self.name,
            "CIDSystemInfo" => dictionary! {
                "Registry" => Object::string_literal("Adobe"),
                "Ordering" => Object::string_literal("Identity"),
                "Supplement" => 0,
            },
            "FontDescriptor" => descriptor,
            "DW" => 1000,
            "W" => widths,
            "CIDToGIDMap" => "Identity",
        });
        let mut unicode = Stream::new(dictionary! {}, self.to_unicode().into_bytes());
        let _ = unicode.compress();
        let unicode = document.add_object(unicode);
        Ok(document.add_object(dictionary! {
            "Type" => "Font",
            "Subtype" => "Type0",
            "BaseFont" => self.name,
            "Encoding" => "Identity-H",
            "DescendantFonts" => vec![letters.into()],
            "ToUnicode" => unicode,
        }))
    }

    /// The mapping from glyphs to letters, so that text can be copied and searched.
    fn to_unicode(&self) -> String {
        let mut map = String::from(
            "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) \
             /Supplement 0 >> def\n/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n",
        );
        let letters: Vec<(&u16, &char)> = self.letters.iter().collect();
        for some in letters.chunks(100) {
            map.push_str(&format!("{} beginbfchar\n", some.len()));
            for (number, letter) in some {
                let mut units = [0; 2];
                let units = letter.encode_utf16(&mut units);
                let code: String = units.iter().map(|unit| format!("{unit:04X}")).collect();
                map.push_str(&format!("<{number:04X}> <{code}>\n"));
            }
            map.push_str("endbfchar\n");
        }
        map.push_str("endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n");
        map
    }
}
