//! Writes ZIP archives without compression (APPNOTE 6.3.3, method 0), as the container of a workbook. Contains no timestamps, so that the same
//! files give the same bytes.

const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
/// The ZIP version required for reading: 2.0.
const VERSION: u16 = 20;
/// Flag: names are UTF-8.
const FLAGS: u16 = 0x0800;
/// 1980-01-01, the first date of the format.
const FIRST_DAY: u16 = 0x21;

/// Packs files; `None` if they exceed the format's limit (4 GiB).
pub fn zip(files: &[(String, String)]) -> Option<Vec<u8>> {
    let (mut archive, mut central) = (Vec::new(), Vec::new());
    for (name, text) in files {
        let at = u32::try_from(archive.len()).ok()?;
        let header = header(name, text.as_bytes())?;
        archive.extend(LOCAL.to_le_bytes());
        archive.extend(&header);
        archive.extend(name.as_bytes());
        archive.extend(text.as_bytes());
        central.extend(CENTRAL.to_le_bytes());
        central.extend(VERSION.to_le_bytes());
        central.extend(&header);
        // No comment, the first disk, no attributes.
        central.extend([0; 10]);
        central.extend(at.to_le_bytes());
        central.extend(name.as_bytes());
    }
    let (count, size) = (u16::try_from(files.len()).ok()?, u32::try_from(central.len()).ok()?);
    let at = u32::try_from(archive.len()).ok()?;
    archive.extend(central);
    archive.extend(END.to_le_bytes());
    archive.extend([0; 4]);
    archive.extend(count.to_le_bytes());
    archive.extend(count.to_le_bytes());
    archive.extend(size.to_le_bytes());
    archive.extend(at.to_le_bytes());
    archive.extend([0; 2]);
    Some(archive)
}

/// The fields that a file's local header and central directory entry have in common.
fn header(name: &str, content: &[u8]) -> Option<Vec<u8>> {
    let size = u32::try_from(content.len()).ok()?;
    let mut header = Vec::with_capacity(26);
    for number in [VERSION, FLAGS, 0, 0, FIRST_DAY] {
        header.extend(number.to_le_bytes());
    }
    for number in [crc(content), size, size] {
        header.extend(number.to_le_bytes());
    }
    header.extend(u16::try_from(name.len()).ok()?.to_le_bytes());
    header.extend([0; 2]);
    Some(header)
}

/// CRC-32 (ISO 3309), as in ZIP archives.
fn crc(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = table();
    let step = |value: u32, byte: &u8| {
        let place = value.to_le_bytes()[0] ^ byte;
        TABLE[usize::from(place)] ^ (value >> 8)
    };
    !bytes.iter().fold(u32::MAX, step)
}

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut start: u32 = 0;
    while start < 256 {
        let (mut value, mut bit) = (start, 0);
        while bit < 8 {
            value = if value & 1 == 1 { 0xedb8_8320 ^ (value >> 1) } else { value >> 1 };
            bit += 1;
        }
        table[start as usize] = value;
        start += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_standard() {
        assert_eq!(crc(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc(b""), 0);
    }

    #[test]
    fn an_archive_ends_with_its_directory() {
        let archive = zip(&[("a.txt".to_owned(), "hello".to_owned())]).unwrap();
        assert!(archive.starts_with(&LOCAL.to_le_bytes()));
        let end = &archive[archive.len() - 22..];
        assert!(end.starts_with(&END.to_le_bytes()));
        let at = u32::from_le_bytes(end[16..20].try_into().unwrap()) as usize;
        assert_eq!(archive[at..at + 4], CENTRAL.to_le_bytes());
        assert_eq!(at, 30 + 5 + 5);
    }
}
