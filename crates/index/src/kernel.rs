//! The inner loops over vectors.

/// How many sums run beside each other, so that the compiler can use wide registers.
const LANES: usize = 16;

/// The product of two vectors of the same length.
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; LANES];
    let (a_blocks, a_rest) = a.as_chunks::<LANES>();
    let (b_blocks, b_rest) = b.as_chunks::<LANES>();
    for (a, b) in a_blocks.iter().zip(b_blocks) {
        for lane in 0..LANES {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    lanes.iter().sum::<f32>() + rest
}

/// The products of a query and each of the rows that lie one after the other.
pub(crate) fn scan_i8(query: &[i8], rows: &[i8], products: &mut Vec<i32>) {
    products.clear();
    if query.is_empty() {
        return;
    }
    // Widened once, so that each row is widened and multiplied in 16 bits.
    let query: Vec<i16> = query.iter().map(|&code| i16::from(code)).collect();
    products.extend(
        rows.chunks_exact(query.len())
            .map(|row| dot_i8(&query, row)),
    );
}

fn dot_i8(query: &[i16], row: &[i8]) -> i32 {
    let (query_blocks, query_rest) = query.as_chunks::<LANES>();
    let (row_blocks, row_rest) = row.as_chunks::<LANES>();
    let mut lanes = [0_i32; LANES];
    for (query, row) in query_blocks.iter().zip(row_blocks) {
        for lane in 0..LANES {
            lanes[lane] += i32::from(query[lane]) * i32::from(i16::from(row[lane]));
        }
    }
    let rest: i32 = query_rest
        .iter()
        .zip(row_rest)
        .map(|(q, r)| i32::from(*q) * i32::from(*r))
        .sum();
    lanes.iter().sum::<i32>() + rest
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
