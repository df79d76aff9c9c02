//! The product of two small tables of real numbers, for attention.

use crate::kernel::{Kernel, Level};

/// A table that may be part of a wider one: rows of numbers, each `stride` after the one before.
#[derive(Clone, Copy, Debug)]
pub struct Table<'a> {
    pub values: &'a [f32],
    pub stride: usize,
}

/// The same, to be written to.
#[derive(Debug)]
pub struct TableMut<'a> {
    pub values: &'a mut [f32],
    pub stride: usize,
}

impl Kernel {
    /// Columns that are multiplied together. Tables are made wide enough for whole ones.
    pub const COLUMNS: usize = 32;

    /// `out = a b`, where `a` has `rows` rows of `inner` numbers, `b` has `inner` rows of `columns`
    /// numbers, and `columns` is a multiple of [`Kernel::COLUMNS`].
    ///
    /// # Panics
    /// When a table is smaller than that.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "a view that may be written to is handed over"
    )]
    pub fn matmul(
        self,
        (rows, inner, columns): (usize, usize, usize),
        a: Table<'_>,
        b: Table<'_>,
        out: TableMut<'_>,
    ) {
        assert!(columns.is_multiple_of(Self::COLUMNS), "half a block");
        let together = match self.0 {
            #[cfg(target_arch = "x86_64")]
            Level::Amx | Level::Avx512 => 8,
            #[cfg(target_arch = "x86_64")]
            Level::AvxVnni | Level::Avx2 => 3,
            Level::Portable => 1,
        };
        for column in (0..columns).step_by(Self::COLUMNS) {
            let b = Table {
                values: b.values.get(column..).unwrap_or_default(),
                ..b
            };
            for row in (0..rows).step_by(together) {
                let a = Table {
                    values: a.values.get(row * a.stride..).unwrap_or_default(),
                    ..a
                };
                let out = TableMut {
                    values: &mut out.values[row * out.stride + column..],
                    ..out
                };
                self.block(together.min(rows - row), inner, a, b, out);
            }
        }
    }

    /// A few rows of one block of columns.
    fn block(self, rows: usize, inner: usize, a: Table<'_>, b: Table<'_>, out: TableMut<'_>) {
        /// Sums only stay in registers when their number is known.
        #[cfg(target_arch = "x86_64")]
        macro_rules! for_rows {
            ($tile:ident, [$($number:literal)*]) => {
                match rows {
                    // SAFETY: a kernel exists only where the processor has its instructions.
                    $($number => unsafe { x86::$tile::<$number>(inner, a, b, out) },)*
                    rows => unreachable!("{rows} rows"),
                }
            };
        }
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Level::Amx | Level::Avx512 => for_rows!(avx512, [1 2 3 4 5 6 7 8]),
            #[cfg(target_arch = "x86_64")]
            Level::AvxVnni | Level::Avx2 => for_rows!(avx2, [1 2 3]),
            Level::Portable => portable(rows, inner, a, b, out),
        }
    }
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "a view that may be written to is handed over"
)]
fn portable(rows: usize, inner: usize, a: Table<'_>, b: Table<'_>, out: TableMut<'_>) {
    for row in 0..rows {
        let mut sums = [0.0; Kernel::COLUMNS];
        for at in 0..inner {
            let x = a.values[row * a.stride + at];
            let b = &b.values[at * b.stride..][..Kernel::COLUMNS];
            for (sum, b) in sums.iter_mut().zip(b) {
                *sum += x * b;
            }
        }
        out.values[row * out.stride..][..Kernel::COLUMNS].copy_from_slice(&sums);
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Kernel, Table, TableMut};
    use std::arch::x86_64::{
        _mm256_fmadd_ps, _mm256_loadu_ps, _mm256_set1_ps, _mm256_setzero_ps, _mm256_storeu_ps,
        _mm512_fmadd_ps, _mm512_loadu_ps, _mm512_set1_ps, _mm512_setzero_ps, _mm512_storeu_ps,
    };

    macro_rules! tile {
        ($name:ident, $features:literal, $wide:literal, $zero:ident, $load:ident, $same:ident, $multiply_add:ident, $store:ident) => {
            #[target_feature(enable = $features)]
            pub(super) fn $name<const ROWS: usize>(
                inner: usize,
                a: Table<'_>,
                b: Table<'_>,
                out: TableMut<'_>,
            ) {
                const VECTORS: usize = Kernel::COLUMNS / $wide;
                let ends = |stride: usize, rows: usize, width: usize| {
                    let last = rows.saturating_sub(1).saturating_mul(stride);
                    if rows == 0 {
                        0
                    } else {
                        last.saturating_add(width)
                    }
                };
                assert!(a.values.len() >= ends(a.stride, ROWS, inner));
                assert!(b.values.len() >= ends(b.stride, inner, Kernel::COLUMNS));
                assert!(out.values.len() >= ends(out.stride, ROWS, Kernel::COLUMNS));
                let mut sums = [[$zero(); VECTORS]; ROWS];
                for at in 0..inner {
                    // No closure: what the standard library calls is not compiled for the processor.
                    let mut vectors = [$zero(); VECTORS];
                    for (part, vector) in vectors.iter_mut().enumerate() {
                        let at = at * b.stride + part * $wide;
                        // SAFETY: there are `inner` rows of `b`, each as wide as a block, as
                        // asserted.
                        *vector = unsafe { $load(b.values.as_ptr().add(at)) };
                    }
                    for (row, sums) in sums.iter_mut().enumerate() {
                        // SAFETY: each row of `a` has `inner` numbers, as asserted.
                        let x = $same(unsafe { *a.values.as_ptr().add(row * a.stride + at) });
                        for (sum, b) in sums.iter_mut().zip(vectors) {
                            *sum = $multiply_add(x, b, *sum);
                        }
                    }
                }
                for (row, sums) in sums.into_iter().enumerate() {
                    for (part, sum) in sums.into_iter().enumerate() {
                        // SAFETY: each row of `out` is as wide as a block, as asserted.
                        unsafe {
                            let at = row * out.stride + part * $wide;
                            $store(out.values.as_mut_ptr().add(at), sum);
                        }
                    }
                }
            }
        };
    }

    tile!(
        avx512,
        "avx512f",
        16,
        _mm512_setzero_ps,
        _mm512_loadu_ps,
        _mm512_set1_ps,
        _mm512_fmadd_ps,
        _mm512_storeu_ps
    );
    tile!(
        avx2,
        "avx2,fma",
        8,
        _mm256_setzero_ps,
        _mm256_loadu_ps,
        _mm256_set1_ps,
        _mm256_fmadd_ps,
        _mm256_storeu_ps
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_kernel_gives_the_product(
            rows in 0_usize..20,
            inner in 0_usize..40,
            blocks in 0_usize..3,
            spare in 0_usize..5,
            seed in 1_usize..1000,
        ) {
            let columns = blocks * Kernel::COLUMNS;
            let number = |at: usize| ((at * 7919 * seed) % 2001) as f32 / 1000.0 - 1.0;
            let a: Vec<f32> = (0..rows * (inner + spare)).map(number).collect();
            let b: Vec<f32> = (0..inner * (columns + spare)).map(number).collect();
            let a = Table { values: &a, stride: inner + spare };
            let b = Table { values: &b, stride: columns + spare };
            for kernel in Kernel::available() {
                let mut out = vec![9.0; rows * (columns + spare)];
                let table = TableMut { values: &mut out, stride: columns + spare };
                kernel.matmul((rows, inner, columns), a, b, table);
                for (at, found) in out.iter().enumerate() {
                    let (row, column) = (at / (columns + spare), at % (columns + spare));
                    let exact = if column < columns {
                        (0..inner)
                            .map(|i| a.values[row * a.stride + i] * b.values[i * b.stride + column])
                            .sum()
                    } else {
                        9.0
                    };
                    prop_assert!((found - exact).abs() < 1e-4, "{}", kernel.name());
                }
            }
        }
    }

    #[test]
    fn tables_that_are_too_small_are_refused() {
        for kernel in Kernel::available() {
            for (a, b, out) in [(9, 160, 64), (10, 159, 64), (10, 160, 63)] {
                let refused = std::panic::catch_unwind(|| {
                    let a = Table {
                        values: &vec![0.0; a],
                        stride: 5,
                    };
                    let b = Table {
                        values: &vec![0.0; b],
                        stride: 32,
                    };
                    let mut out = vec![0.0; out];
                    let out = TableMut {
                        values: &mut out,
                        stride: 32,
                    };
                    kernel.matmul((2, 5, 32), a, b, out);
                });
                assert!(refused.is_err(), "{}", kernel.name());
            }
        }
    }
}
