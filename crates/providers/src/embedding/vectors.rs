//! What every vector must be before anybody compares it.

/// Scales to length one; nothing stays nothing.
pub(super) fn normalise(vector: &mut [f32]) {
    // In 64 bits, because the squares of large numbers would leave 32.
    let square: f64 = vector.iter().map(|x| f64::from(*x) * f64::from(*x)).sum();
    let length = square.sqrt();
    if length == 0.0 {
        return;
    }
    for x in vector {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "it lies between -1 and 1, where 32 bits are what is stored"
        )]
        let scaled = (f64::from(*x) / length) as f32;
        *x = scaled;
    }
}

/// Takes the vectors of a model's answer, scaled to length one, or says what is wrong with them.
pub(super) fn checked(
    mut vectors: Vec<Vec<f32>>,
    count: usize,
    dimensions: usize,
) -> Result<Vec<Vec<f32>>, String> {
    if vectors.len() != count {
        return Err(format!("{} vectors for {count} texts", vectors.len()));
    }
    for vector in &mut vectors {
        if vector.len() != dimensions {
            return Err(format!(
                "a vector of {} numbers instead of {dimensions}",
                vector.len()
            ));
        }
        if !vector.iter().all(|x| x.is_finite()) {
            return Err("a vector with numbers that are none".to_owned());
        }
        normalise(vector);
    }
    Ok(vectors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_scaled_to_length_one() {
        let big = f32::MAX / 2.0;
        for (vector, expected) in [
            (vec![3.0, 4.0], vec![0.6, 0.8]),
            (vec![0.0, 0.0], vec![0.0, 0.0]),
            (vec![0.0, -1e-30], vec![0.0, -1.0]),
            (vec![big, 0.0], vec![1.0, 0.0]),
        ] {
            assert_eq!(checked(vec![vector], 1, 2), Ok(vec![expected]));
        }
    }

    #[test]
    fn what_is_no_vector_is_refused() {
        let right = vec![1.0, 0.0];
        for wrong in [
            vec![],
            vec![right.clone()],
            vec![right.clone(), right.clone(), right.clone()],
            vec![right.clone(), vec![1.0]],
            vec![right.clone(), vec![1.0, f32::NAN]],
            vec![vec![f32::INFINITY, 0.0], right.clone()],
        ] {
            assert!(checked(wrong.clone(), 2, 2).is_err(), "{wrong:?}");
        }
    }
}
