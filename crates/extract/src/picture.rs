//! How large a picture says it is, before anybody makes room for its dots.

use quipu_core::conversation::AttachmentType;
use quipu_core::extraction::Failure;

/// A picture of more dots is not read: unpacked it would fill the memory of a child. No telephone
/// takes larger ones unless it is told to.
const MOST_DOTS: u64 = 40_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl Size {
    pub(crate) fn dots(self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }
}

/// Lets a PNG, JPEG or WEBP through that says it has some dots, and not too many.
///
/// Whatever is none of the three must not come to `tesseract`, which takes it for a list of files
/// to open.
///
/// # Errors
/// `Empty`, `Unsupported`, `Damaged` or `TooLarge`.
pub(crate) fn check(bytes: &[u8]) -> Result<(), Failure> {
    measure(bytes).map(drop)
}

/// The size of a picture that [`check`] lets through.
///
/// # Errors
/// As for [`check`].
pub(crate) fn measure(bytes: &[u8]) -> Result<Size, Failure> {
    if bytes.is_empty() {
        return Err(Failure::Empty);
    }
    let size = match AttachmentType::of(bytes) {
        Some(AttachmentType::Png) => png(bytes),
        Some(AttachmentType::Jpeg) => jpeg(bytes),
        Some(AttachmentType::Webp) => webp(bytes),
        Some(AttachmentType::Pdf) | None => return Err(Failure::Unsupported),
    };
    let size = size.ok_or(Failure::Damaged)?;
    match size.dots() {
        0 => Err(Failure::Damaged),
        dots if dots > MOST_DOTS => {
            let Size { width, height } = size;
            eprintln!("a picture of {width} x {height}");
            Err(Failure::TooLarge)
        }
        _ => Ok(size),
    }
}

/// The first chunk must be the header.
fn png(bytes: &[u8]) -> Option<Size> {
    if bytes.get(12..16)? != b"IHDR" {
        return None;
    }
    Some(Size {
        width: u32::from_be_bytes(array(bytes, 16)?),
        height: u32::from_be_bytes(array(bytes, 20)?),
    })
}

/// Goes from marker to marker as the decoder does, up to the header of the frame. A small picture
/// inside the description of the camera is stepped over with it.
fn jpeg(bytes: &[u8]) -> Option<Size> {
    let mut at = 2;
    loop {
        // Some cameras leave bytes between the segments, and the decoder looks past them.
        at += bytes.get(at..)?.iter().position(|byte| *byte == 0xFF)?;
        at += bytes.get(at..)?.iter().position(|byte| *byte != 0xFF)?;
        let marker = *bytes.get(at)?;
        at += 1;
        match marker {
            // A byte of data, and markers that stand alone.
            0x00 | 0x01 | 0xD0..=0xD7 => {}
            // The picture begins again, ends, or has data before it has a header.
            0xD8..=0xDA => return None,
            0xC0..=0xC3 | 0xC5..=0xC7 | 0xC9..=0xCB | 0xCD..=0xCF => {
                return Some(Size {
                    height: u16::from_be_bytes(array(bytes, at + 3)?).into(),
                    width: u16::from_be_bytes(array(bytes, at + 5)?).into(),
                });
            }
            _ => {
                let length = usize::from(u16::from_be_bytes(array(bytes, at)?));
                if length < 2 {
                    return None;
                }
                at += length;
            }
        }
    }
}

fn webp(bytes: &[u8]) -> Option<Size> {
    match bytes.get(12..16)? {
        // Lossy: three bytes of the frame and a mark come first. The upper two bits of each side
        // say how it is to be shown.
        b"VP8 " if bytes.get(23..26)? == [0x9D, 0x01, 0x2A] => {
            let side = |at| Some(u32::from(u16::from_le_bytes(array(bytes, at)?) & 0x3FFF));
            Some(Size {
                width: side(26)?,
                height: side(28)?,
            })
        }
        // Lossless: after a mark, fourteen bits for each side less one.
        b"VP8L" if *bytes.get(20)? == 0x2F => {
            let sides = u32::from_le_bytes(array(bytes, 21)?);
            Some(Size {
                width: (sides & 0x3FFF) + 1,
                height: (sides >> 14 & 0x3FFF) + 1,
            })
        }
        // With extras: the sides of the canvas less one. The decoder refuses a picture of other
        // sides than its canvas.
        b"VP8X" => {
            let side = |at| {
                let [low, middle, high] = array(bytes, at)?;
                Some(u32::from_le_bytes([low, middle, high, 0]) + 1)
            };
            Some(Size {
                width: side(24)?,
                height: side(27)?,
            })
        }
        _ => None,
    }
}

fn array<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..)?.first_chunk().copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{lossless_webp, png_header};
    use crate::testing::mutations;
    use proptest::prelude::*;

    const WIDE: Size = Size {
        width: 700,
        height: 300,
    };

    /// A description with a small picture in it, bytes that belong to nothing, and the frame.
    const JPEG: &[u8] = &[
        0xFF, 0xD8, 0xFF, 0xE1, 0, 12, 0xFF, 0xD8, 0xFF, 0xC0, 0, 9, 8, 0, 1, 0, 7, 7, 0xFF, 0xFF,
        0xFF, 0xC4, 0, 3, 1, 0xFF, 0xC2, 0, 17, 8, 1, 44, 2, 188, 3,
    ];
    const LOSSY: &[u8] = b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\xbc\x42\x2c\x81";
    const EXTENDED: &[u8] = b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\xbb\x02\0\x2b\x01\0";

    #[test]
    fn the_sides_are_read_from_the_header_of_each_kind() {
        assert_eq!(png(&png_header(700, 300)), Some(WIDE));
        assert_eq!(jpeg(JPEG), Some(WIDE));
        assert_eq!(webp(LOSSY), Some(WIDE));
        assert_eq!(webp(EXTENDED), Some(WIDE));
        let white = vec![true; 700 * 300];
        assert_eq!(webp(&lossless_webp(700, &white)), Some(WIDE));
        for whole in [JPEG, LOSSY, EXTENDED] {
            assert_eq!(check(whole), Ok(()));
        }
    }

    #[test]
    fn more_dots_than_fit_are_refused_however_they_are_laid_out() {
        assert_eq!(check(&png_header(8000, 5000)), Ok(()));
        for (width, height) in [(8000, 5001), (100_000, 100_000), (u32::MAX, u32::MAX)] {
            let claims = png_header(width, height);
            assert_eq!(check(&claims), Err(Failure::TooLarge), "{width} x {height}");
        }
        let mut jpeg = JPEG.to_vec();
        let sides = jpeg.len() - 5;
        jpeg[sides..][..4].fill(0xFF);
        assert_eq!(check(&jpeg), Err(Failure::TooLarge));
        let mut canvas = EXTENDED.to_vec();
        canvas[24..30].fill(0xFF);
        assert_eq!(check(&canvas), Err(Failure::TooLarge));
    }

    #[test]
    fn what_is_no_picture_is_told_from_a_broken_one() {
        assert_eq!(check(b""), Err(Failure::Empty));
        for other in ["/etc/passwd\n", "%PDF-1.7", "GIF89a", "P5 9 9 255 ", "BM"] {
            assert_eq!(
                check(other.as_bytes()),
                Err(Failure::Unsupported),
                "{other}"
            );
        }
        for sides in [(0, 300), (700, 0)] {
            assert_eq!(check(&png_header(sides.0, sides.1)), Err(Failure::Damaged));
        }
        let without_frame = [0xFF, 0xD8, 0xFF, 0xD9];
        assert_eq!(check(&without_frame), Err(Failure::Damaged));
        let data_first = [
            0xFF, 0xD8, 0xFF, 0xDA, 0, 2, 0xFF, 0xC0, 0, 9, 8, 0, 1, 0, 1,
        ];
        assert_eq!(check(&data_first), Err(Failure::Damaged));
        for whole in [&png_header(700, 300)[..24], JPEG, LOSSY, EXTENDED] {
            let needed = if whole == JPEG {
                whole.len() - 1
            } else {
                whole.len()
            };
            // Fewer bytes do not tell the format, so that they are no picture at all.
            for cut in 16..needed {
                assert_eq!(check(&whole[..cut]), Err(Failure::Damaged), "{cut}");
            }
        }
    }

    proptest! {
        #[test]
        fn any_bytes_have_an_answer(
            jpeg in mutations(JPEG),
            lossy in mutations(LOSSY),
            extended in mutations(EXTENDED),
            other in prop::collection::vec(any::<u8>(), 0..64),
        ) {
            for bytes in [jpeg, lossy, extended, other] {
                let _ = check(&bytes);
            }
        }
    }
}
