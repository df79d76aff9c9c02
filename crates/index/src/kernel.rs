//! The inner loops over vectors.

pub(crate) use quipu_simd::dot;

/// The products of a query and each of the rows that lie one after the other.
pub(crate) fn scan_i8(query: &[i8], rows: &[i8], products: &mut Vec<i32>) {
    products.clear();
    if query.is_empty() {
        return;
    }
    let whole = rows.len() / query.len();
    products.resize(whole, 0);
    quipu_simd::scan_i8(query, &rows[..whole * query.len()], products);
}

/// Writes a vector in 8 bits and returns what one step is worth.
pub(crate) fn quantise(vector: &[f32], codes: &mut [i8]) -> f32 {
    let largest = vector.iter().fold(0.0_f32, |max, x| max.max(x.abs()));
    if largest <= 0.0 || !largest.is_finite() {
        codes.fill(0);
        return 0.0;
    }
    let steps = 127.0 / largest;
    for (code, x) in codes.iter_mut().zip(vector) {
        *code = to_code(x * steps);
    }
    largest / 127.0
}

#[expect(clippy::cast_possible_truncation, reason = "a cast to i8 saturates")]
fn to_code(x: f32) -> i8 {
    x.round() as i8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_the_plain_ones() {
        for length in [0_u8, 1, 15, 16, 17, 40] {
            let a: Vec<f32> = (0..length).map(f32::from).collect();
            let b: Vec<f32> = (0..length).map(|i| 3.0 - f32::from(i)).collect();
            let plain: f32 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
            assert!((dot(&a, &b) - plain).abs() < 1e-2, "{length}");
        }
        let query = [127_i8, -127, 3];
        let rows = [127_i8, -127, 1, -1, 0, 2];
        let mut products = vec![9; 7];
        scan_i8(&query, &rows, &mut products);
        assert_eq!(products, [127 * 127 * 2 + 3, -127 + 6]);
    }

    #[test]
    fn the_largest_part_of_a_vector_is_kept_whole() {
        let mut codes = [0; 3];
        let step = quantise(&[0.5, -0.25, 0.0], &mut codes);
        assert_eq!(codes, [127, -64, 0]);
        assert!((step * 127.0 - 0.5).abs() < 1e-6);
        assert_eq!(quantise(&[0.0, 0.0, 0.0], &mut codes).to_bits(), 0);
        assert_eq!(
            quantise(&[f32::NAN, f32::INFINITY, 0.0], &mut codes).to_bits(),
            0
        );
    }
}
