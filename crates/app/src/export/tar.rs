//! The format `ustar`, as far as an archive of plain files needs it.

const BLOCK: usize = 512;
/// Two empty blocks end an archive.
pub(super) const END: [u8; 2 * BLOCK] = [0; 2 * BLOCK];
const LONGEST_NAME: usize = 100;

/// What stands before a file. The name has a hundred bytes at most and the folder 155, which the names
/// of this product keep to; see [`plain`].
pub(super) fn header(folder: &str, name: &str, size: u64) -> [u8; BLOCK] {
    let mut header = [0; BLOCK];
    put(&mut header, 0, name.as_bytes());
    put(&mut header, 100, b"0000644\0");
    put(&mut header, 108, b"0000000\0");
    put(&mut header, 116, b"0000000\0");
    put(&mut header, 124, &number(size));
    put(&mut header, 136, b"00000000000\0");
    // The sum is made as if spaces stood in its place.
    put(&mut header, 148, b"        ");
    put(&mut header, 156, b"0");
    put(&mut header, 257, b"ustar\x0000");
    put(&mut header, 345, folder.as_bytes());
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    put(&mut header, 148, format!("{sum:06o}\0 ").as_bytes());
    header
}

fn put(header: &mut [u8; BLOCK], at: usize, bytes: &[u8]) {
    for (place, byte) in header.iter_mut().skip(at).zip(bytes) {
        *place = *byte;
    }
}

/// Eleven octal digits, or the twelve bytes of a number that is larger than they can say.
fn number(size: u64) -> [u8; 12] {
    let mut field = [0; 12];
    let digits = format!("{size:011o}");
    if digits.len() > 11 {
        field[0] = 0x80;
        field[4..].copy_from_slice(&size.to_be_bytes());
    } else {
        field[..11].copy_from_slice(digits.as_bytes());
    }
    field
}

/// What fills the last block of a file.
pub(super) fn padding(size: u64) -> &'static [u8] {
    let used = usize::try_from(size % BLOCK as u64).unwrap_or(0);
    &END[..(BLOCK - used) % BLOCK]
}

/// The name of a file that no program takes for a place: people may call their files anything.
pub(super) fn plain(filename: &str) -> String {
    let is_plain = |c: &char| !c.is_control() && !['/', '\\', ':'].contains(c);
    let kept: String = filename.chars().filter(is_plain).collect();
    let kept = kept.trim_start_matches('.');
    if kept.len() <= LONGEST_NAME {
        return if kept.is_empty() {
            "file".to_owned()
        } else {
            kept.to_owned()
        };
    }
    // The end of a name says of which type the file is.
    let cut = kept.len() - LONGEST_NAME;
    let from = (cut..=kept.len()).find(|at| kept.is_char_boundary(*at));
    let from = from.unwrap_or(cut);
    kept.get(from..).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_says_name_size_and_its_own_sum() {
        let header = header("files/documents/x", "carta.pdf", 1_234);
        assert_eq!(&header[..10], b"carta.pdf\0");
        assert_eq!(&header[124..136], b"00000002322\0");
        assert_eq!(&header[345..362], b"files/documents/x");
        let told = std::str::from_utf8(&header[148..154]).unwrap();
        let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
        let field: u32 = header[148..156].iter().map(|byte| u32::from(*byte)).sum();
        assert_eq!(u32::from_str_radix(told, 8).unwrap(), sum - field + 8 * 32);
        assert_eq!(number(1 << 33)[0], 0x80);
    }

    #[test]
    fn files_fill_whole_blocks() {
        for (size, padded) in [(0, 0), (1, 511), (512, 0), (513, 511), (1_023, 1)] {
            assert_eq!(padding(size).len(), padded, "{size}");
        }
    }

    #[test]
    fn no_name_leads_out_of_its_folder() {
        assert_eq!(plain("../../etc/passwd"), "etcpasswd");
        assert_eq!(plain("C:\\x\n.pdf"), "Cx.pdf");
        assert_eq!(plain("..."), "file");
        let long = plain(&format!("{}ñ.pdf", "é".repeat(100)));
        assert!(long.len() <= 100 && long.ends_with("ñ.pdf"), "{long}");
    }
}
