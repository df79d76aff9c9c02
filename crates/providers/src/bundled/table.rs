//! A table with a row per token, as it lies in the file: eight bits a number, one scale a row.

use quipu_simd::signed;
use safetensors::{Dtype, SafeTensors};

/// The vectors of all bundled models have this length.
pub(crate) const DIMENSIONS: usize = 384;

pub(crate) struct Table {
    rows: &'static [[u8; DIMENSIONS]],
    scales: &'static [[u8; 4]],
}

impl Table {
    pub(crate) fn read(file: &'static [u8], name: &str) -> Result<Self, String> {
        let tensors = SafeTensors::deserialize(file).map_err(|e| e.to_string())?;
        let (rows, rest) = bytes(&tensors, &format!("{name}.q"), Dtype::I8)?.as_chunks();
        let (scales, _) = bytes(&tensors, &format!("{name}.s"), Dtype::F32)?.as_chunks();
        if !rest.is_empty() || rows.len() != scales.len() {
            return Err(format!("{} rows, {} scales", rows.len(), scales.len()));
        }
        Ok(Self { rows, scales })
    }

    /// Adds a row to the sum; a row that is not there adds nothing.
    pub(crate) fn add(&self, row: usize, sum: &mut [f32]) {
        let Some((row, scale)) = self.rows.get(row).zip(self.scales.get(row)) else {
            return;
        };
        let scale = f32::from_le_bytes(*scale);
        for (sum, value) in sum.iter_mut().zip(row) {
            *sum += f32::from(value.cast_signed()) * scale;
        }
    }

    /// The numbers of a row as they lie in the file, and by what each is to be multiplied.
    pub(crate) fn row(&self, row: u16) -> Option<(&'static [i8], f32)> {
        let row = usize::from(row);
        let (row, scale) = self.rows.get(row).zip(self.scales.get(row))?;
        Some((signed(row), f32::from_le_bytes(*scale)))
    }
}

/// What the file has under a name, if it is of that type.
pub(crate) fn bytes<'a>(
    tensors: &SafeTensors<'a>,
    name: &str,
    dtype: Dtype,
) -> Result<&'a [u8], String> {
    let tensor = tensors.tensor(name).map_err(|e| e.to_string())?;
    if tensor.dtype() == dtype {
        Ok(tensor.data())
    } else {
        Err(format!("{name} holds {:?}", tensor.dtype()))
    }
}
