//! Products of vectors: one with one, and one with the rows of a table.

use crate::kernel::{Kernel, Level, compiled_for_each, multiply_add};

/// The product of two vectors of the same length; what one has more than the other is left out.
#[must_use]
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    Kernel::best().dot(a, b)
}

/// The products of `query` with each row of a table of bytes, exactly. A row is as long as the query.
///
/// # Panics
/// When `rows` is not as many rows as `out` has places, or a row is longer than 65,536.
pub fn scan_i8(query: &[i8], rows: &[i8], out: &mut [i32]) {
    Kernel::best().scan_i8(query, rows, out);
}

/// Bytes as they lie in a file, as the numbers from -128 to 127 that they stand for.
#[must_use]
pub fn signed(bytes: &[u8]) -> &[i8] {
    // SAFETY: both kinds of byte have one size and one alignment, and any bits are valid for both.
    unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len()) }
}

compiled_for_each! {
    /// See [`dot`].
    #[must_use]
    pub dot(a: &[f32], b: &[f32]) -> f32 = plain_dot
}

/// Sums kept apart, so that none waits for another.
const LANES: usize = 32;

/// The longest row of bytes whose product surely fits 32 bits.
const MOST_BYTES: usize = 65_536;

#[inline(always)]
fn plain_dot<const FUSED: bool>(a: &[f32], b: &[f32]) -> f32 {
    let shorter = a.len().min(b.len());
    let (a, a_rest) = a[..shorter].as_chunks::<LANES>();
    let (b, b_rest) = b[..shorter].as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for (a, b) in a.iter().zip(b) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum = multiply_add::<FUSED>(*a, *b, *sum);
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f32>() + rest
}

impl Kernel {
    /// See [`scan_i8`].
    ///
    /// # Panics
    /// When `rows` is not as many rows as `out` has places, or a row is longer than 65,536.
    pub fn scan_i8(self, query: &[i8], rows: &[i8], out: &mut [i32]) {
        assert_eq!(
            Some(rows.len()),
            query.len().checked_mul(out.len()),
            "rows of another length"
        );
        assert!(query.len() <= MOST_BYTES, "sums would leave 32 bits");
        if query.is_empty() {
            out.fill(0);
            return;
        }
        match self.0 {
            // SAFETY: a kernel exists only where the processor has its instructions.
            #[cfg(target_arch = "x86_64")]
            Level::Amx | Level::Avx512 => unsafe { x86::scan_avx512(query, rows, out) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Level::AvxVnni | Level::Avx2 => unsafe { x86::scan_avx2(query, rows, out) },
            Level::Portable => {
                for (row, out) in rows.chunks_exact(query.len()).zip(out) {
                    *out = plain_i8(query, row);
                }
            }
        }
    }
}

#[inline(always)]
fn plain_i8(a: &[i8], b: &[i8]) -> i32 {
    let products = a.iter().zip(b).map(|(a, b)| i16::from(*a) * i16::from(*b));
    products.map(i32::from).sum()
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::plain_i8;
    use std::arch::x86_64::{
        __m128i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_loadu_si128, _mm_shuffle_epi32,
        _mm_unpackhi_epi64, _mm256_add_epi32, _mm256_castsi256_si128, _mm256_cvtepi8_epi16,
        _mm256_extracti128_si256, _mm256_madd_epi16, _mm256_setzero_si256, _mm512_dpbusd_epi32,
        _mm512_maskz_loadu_epi8, _mm512_reduce_add_epi32, _mm512_set1_epi8, _mm512_setzero_si512,
        _mm512_xor_si512,
    };

    /// Bytes of one vector of 512 bits.
    const WIDE: usize = 64;
    /// Rows that are read together, so that their sums do not wait for one another.
    const TOGETHER: usize = 4;

    /// The instruction multiplies bytes without a sign by bytes with one. The row gives its sign away
    /// by growing by 128, and 128 times the sum of the query is taken off in the end.
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    pub(super) fn scan_avx512(query: &[i8], rows: &[i8], out: &mut [i32]) {
        let length = query.len();
        let grown = 128 * query.iter().map(|q| i32::from(*q)).sum::<i32>();
        let mut groups = rows.chunks_exact(length * TOGETHER);
        let mut places = out.chunks_exact_mut(TOGETHER);
        for (group, places) in (&mut groups).zip(&mut places) {
            products::<TOGETHER>(query, group, grown, places);
        }
        let rest = groups.remainder().chunks_exact(length);
        for (row, place) in rest.zip(places.into_remainder().chunks_exact_mut(1)) {
            products::<1>(query, row, grown, place);
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    fn products<const ROWS: usize>(query: &[i8], rows: &[i8], grown: i32, out: &mut [i32]) {
        let length = query.len();
        assert!(rows.len() == length * ROWS);
        let sign = _mm512_set1_epi8(i8::MIN);
        let mut sums = [_mm512_setzero_si512(); ROWS];
        for at in (0..length).step_by(WIDE) {
            let left = length - at;
            let mask = if left < WIDE {
                (1 << left) - 1
            } else {
                u64::MAX
            };
            // SAFETY: the mask keeps the load within the query. What it leaves out is zero, and so
            // is its product with whatever stands in the row there.
            let query = unsafe { _mm512_maskz_loadu_epi8(mask, query.as_ptr().add(at)) };
            for (row, sum) in sums.iter_mut().enumerate() {
                // SAFETY: all rows are as long as the query, as asserted; the mask ends with them.
                let row =
                    unsafe { _mm512_maskz_loadu_epi8(mask, rows.as_ptr().add(row * length + at)) };
                *sum = _mm512_dpbusd_epi32(*sum, _mm512_xor_si512(row, sign), query);
            }
        }
        for (out, sum) in out.iter_mut().zip(sums) {
            *out = _mm512_reduce_add_epi32(sum).wrapping_sub(grown);
        }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn scan_avx2(query: &[i8], rows: &[i8], out: &mut [i32]) {
        for (row, out) in rows.chunks_exact(query.len()).zip(out) {
            *out = product_avx2(query, row);
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn product_avx2(a: &[i8], b: &[i8]) -> i32 {
        let (a, a_rest) = a.as_chunks::<16>();
        let (b, b_rest) = b.as_chunks::<16>();
        let mut sums = [_mm256_setzero_si256(); 2];
        for (at, (a, b)) in a.iter().zip(b).enumerate() {
            // SAFETY: both are references to sixteen bytes.
            let (a, b) = unsafe {
                (
                    _mm_loadu_si128(a.as_ptr().cast::<__m128i>()),
                    _mm_loadu_si128(b.as_ptr().cast::<__m128i>()),
                )
            };
            let products = _mm256_madd_epi16(_mm256_cvtepi8_epi16(a), _mm256_cvtepi8_epi16(b));
            sums[at % 2] = _mm256_add_epi32(sums[at % 2], products);
        }
        let sum = _mm256_add_epi32(sums[0], sums[1]);
        let half = _mm_add_epi32(
            _mm256_castsi256_si128(sum),
            _mm256_extracti128_si256::<1>(sum),
        );
        let quarter = _mm_add_epi32(half, _mm_unpackhi_epi64(half, half));
        let sum = _mm_add_epi32(quarter, _mm_shuffle_epi32::<1>(quarter));
        _mm_cvtsi128_si32(sum) + plain_i8(a_rest, b_rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_kernel_gives_the_product_of_floats(
            pairs in vec((-1.0_f32..1.0, -1.0_f32..1.0), 0..500),
        ) {
            let (a, b): (Vec<f32>, Vec<f32>) = pairs.into_iter().unzip();
            let exact: f64 = a.iter().zip(&b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
            for kernel in Kernel::available() {
                let found = f64::from(kernel.dot(&a, &b));
                prop_assert!((found - exact).abs() < 1e-4, "{}: {found} {exact}", kernel.name());
            }
        }

        #[test]
        fn every_kernel_gives_the_products_of_bytes(
            query in vec(any::<i8>(), 0..300),
            number in 0_usize..10,
            seed in any::<u64>(),
        ) {
            let mut state = seed;
            let rows: Vec<i8> = (0..query.len() * number)
                .map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (state >> 56) as i8
                })
                .collect();
            let exact: Vec<i32> = (0..number)
                .map(|row| {
                    let row = &rows[row * query.len()..][..query.len()];
                    query.iter().zip(row).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum()
                })
                .collect();
            for kernel in Kernel::available() {
                let mut found = vec![7; number];
                kernel.scan_i8(&query, &rows, &mut found);
                prop_assert_eq!(&found, &exact, "{}", kernel.name());
            }
        }
    }

    #[test]
    fn the_largest_bytes_are_multiplied_exactly() {
        for value in [i8::MIN, i8::MAX] {
            let query = [i8::MIN; 384];
            for kernel in Kernel::available() {
                let mut found = [0];
                kernel.scan_i8(&query, &[value; 384], &mut found);
                assert_eq!(found[0], 384 * i32::from(i8::MIN) * i32::from(value));
            }
        }
    }

    #[test]
    #[should_panic(expected = "rows of another length")]
    fn rows_must_be_as_long_as_the_query() {
        scan_i8(&[1, 2, 3], &[1, 2, 3, 4], &mut [0]);
    }
}
