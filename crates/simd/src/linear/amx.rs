//! The sums with the matrix registers of newer server processors: sixteen rows, sixteen outputs and
//! sixteen steps in one instruction.
//!
//! Filling a register takes about as long as multiplying two when the core is shared with another
//! thread, so each is used as often as it can be.
//!
//! The compiler does not offer these instructions yet, so they are written out.

use super::Codes;
use super::tile::{Block, MOST_ROWS, STEP, STEPS_AT_ONCE, Tile, TileSums, UsedSteps};
use std::arch::asm;
use std::arch::x86_64::{
    __cpuid_count, __m512i, _mm512_add_epi32, _mm512_dpbusd_epi32, _mm512_load_si512,
    _mm512_loadu_si512, _mm512_set1_epi32, _mm512_setzero_si512, _mm512_slli_epi32,
    _mm512_storeu_si512,
};
use std::marker::PhantomData;

/// Whether the processor has them and the system lets this process use them. It has to be asked,
/// because the registers make whatever it keeps of a thread larger.
pub(crate) fn is_there() -> bool {
    cfg!(target_os = "linux") && processor_has_them() && may_be_used()
}

fn processor_has_them() -> bool {
    const TILES: u32 = 1 << 24;
    const BYTES: u32 = 1 << 25;
    let last_leaf = __cpuid_count(0, 0).eax;
    let has = if last_leaf >= 7 {
        __cpuid_count(7, 0).edx
    } else {
        0
    };
    has & TILES != 0 && has & BYTES != 0
}

fn may_be_used() -> bool {
    /// `arch_prctl(ARCH_REQ_XCOMP_PERM, XTILEDATA)`.
    const ARCH_PRCTL: i64 = 158;
    const ASK_FOR_REGISTERS: u64 = 0x1023;
    const TILE_DATA: u64 = 18;
    let mut answer = ARCH_PRCTL;
    // SAFETY: the call changes nothing but what this process may use.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") answer,
            in("rdi") ASK_FOR_REGISTERS,
            in("rsi") TILE_DATA,
            out("rcx") _,
            out("r11") _,
            options(nostack),
        );
    }
    answer == 0
}

/// The registers of this thread, laid out for whole tables and given back at the end.
pub(super) struct MatrixTile {
    /// They belong to the thread that laid them out.
    _of_this_thread: PhantomData<*const ()>,
}

/// Rows of codes, or steps of weights, in one register.
const REGISTER_ROWS: usize = 16;

/// How the registers are laid out, in the form that the processor reads.
#[repr(C, align(64))]
struct TileLayout {
    palette: u8,
    first_row: u8,
    unused: [u8; 14],
    row_bytes: [u16; 16],
    rows: [u8; 16],
}

impl MatrixTile {
    /// # Safety
    /// Only where [`is_there`] said so.
    pub(super) unsafe fn open() -> Self {
        const REGISTERS: usize = 8;
        let mut layout = TileLayout {
            palette: 1,
            first_row: 0,
            unused: [0; 14],
            row_bytes: [0; 16],
            rows: [0; 16],
        };
        layout.row_bytes[..REGISTERS].fill((STEP * STEPS_AT_ONCE) as u16);
        layout.rows[..REGISTERS].fill(REGISTER_ROWS as u8);
        // SAFETY: the layout is 64 bytes that the processor only reads.
        unsafe { asm!("ldtilecfg [{}]", in(reg) &raw const layout, options(nostack, readonly)) };
        Self {
            _of_this_thread: PhantomData,
        }
    }
}

impl Drop for MatrixTile {
    fn drop(&mut self) {
        // SAFETY: whoever has this has the registers.
        unsafe { asm!("tilerelease", options(nostack, nomem)) };
    }
}

impl Tile for MatrixTile {
    const ROWS: usize = MOST_ROWS;

    #[inline(always)]
    fn sums(
        &self,
        codes: &Codes,
        row: usize,
        rows: usize,
        blocks: &[Block],
        steps: &UsedSteps,
        sums: &mut TileSums,
    ) {
        let stride = codes.stride();
        let rows = rows.next_multiple_of(REGISTER_ROWS);
        let codes = &codes.bytes()[row * stride..][..rows * stride];
        let fine = &codes[steps.fine.start * STEP..];
        if rows == REGISTER_ROWS {
            multiply_one(fine, stride, &blocks[steps.fine.start..], sums);
        } else {
            multiply_two(fine, stride, &blocks[steps.fine.start..], sums);
        }
        if !steps.coarse.is_empty() {
            // SAFETY: a kernel exists only where the processor has its instructions, and these are
            // in all that have tables of bytes.
            unsafe { add_coarse(codes, stride, &blocks[steps.coarse.clone()], sums) };
        }
    }
}

/// The products of one register of rows with all these blocks, a multiple of those taken at once.
#[inline(always)]
fn multiply_one(codes: &[u8], stride: usize, blocks: &[Block], sums: &mut TileSums) {
    assert!(blocks.len().is_multiple_of(STEPS_AT_ONCE) && !blocks.is_empty());
    assert!(codes.len() >= (REGISTER_ROWS - 1) * stride + blocks.len() * STEP);
    // SAFETY: the registers are laid out for sixteen rows of 64 bytes. Sixteen rows of codes and of
    // blocks are there for each turn of the loop, as asserted, and `sums` has sixteen rows of four
    // times 64 bytes, just as far apart as blocks are.
    unsafe {
        asm!(
            "tilezero tmm0",
            "tilezero tmm1",
            "tilezero tmm2",
            "tilezero tmm3",
            "2:",
            "tileloadd tmm4, [{codes} + {stride}]",
            "tileloadd tmm5, [{blocks} + {width}]",
            "tdpbusd tmm0, tmm4, tmm5",
            "tileloadd tmm6, [{blocks} + {width} + 64]",
            "tdpbusd tmm1, tmm4, tmm6",
            "tileloadd tmm7, [{blocks} + {width} + 128]",
            "tdpbusd tmm2, tmm4, tmm7",
            "tileloadd tmm5, [{blocks} + {width} + 192]",
            "tdpbusd tmm3, tmm4, tmm5",
            "add {codes}, 64",
            "add {blocks}, 4096",
            "dec {turns}",
            "jnz 2b",
            "tilestored [{sums} + {width}], tmm0",
            "tilestored [{sums} + {width} + 64], tmm1",
            "tilestored [{sums} + {width} + 128], tmm2",
            "tilestored [{sums} + {width} + 192], tmm3",
            sums = in(reg) sums.0.as_mut_ptr(),
            width = in(reg) size_of::<Block>(),
            codes = inout(reg) codes.as_ptr() => _,
            stride = in(reg) stride,
            blocks = inout(reg) blocks.as_ptr() => _,
            turns = inout(reg) blocks.len() / STEPS_AT_ONCE => _,
            out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
            out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
            options(nostack),
        );
    }
}

/// The same of two registers of rows, half of the outputs at a time.
#[inline(always)]
fn multiply_two(codes: &[u8], stride: usize, blocks: &[Block], sums: &mut TileSums) {
    assert!(blocks.len().is_multiple_of(STEPS_AT_ONCE) && !blocks.is_empty());
    assert!(codes.len() >= (2 * REGISTER_ROWS - 1) * stride + blocks.len() * STEP);
    for half in 0..2 {
        let outputs = half * size_of::<Block>() / 2;
        // SAFETY: as above, with another sixteen rows of codes and sums behind the first ones.
        unsafe {
            asm!(
                "tilezero tmm0",
                "tilezero tmm1",
                "tilezero tmm2",
                "tilezero tmm3",
                "2:",
                "tileloadd tmm4, [{codes} + {stride}]",
                "tileloadd tmm6, [{blocks} + {width}]",
                "tdpbusd tmm0, tmm4, tmm6",
                "tileloadd tmm7, [{blocks} + {width} + 64]",
                "tdpbusd tmm1, tmm4, tmm7",
                "tileloadd tmm5, [{second} + {stride}]",
                "tdpbusd tmm2, tmm5, tmm6",
                "tdpbusd tmm3, tmm5, tmm7",
                "add {codes}, 64",
                "add {second}, 64",
                "add {blocks}, 4096",
                "dec {turns}",
                "jnz 2b",
                "tilestored [{sums} + {width}], tmm0",
                "tilestored [{sums} + {width} + 64], tmm1",
                "tilestored [{sums} + {width} + 4096], tmm2",
                "tilestored [{sums} + {width} + 4096 + 64], tmm3",
                sums = in(reg) sums.0.as_mut_ptr().cast::<u8>().add(outputs),
                width = in(reg) size_of::<Block>(),
                codes = inout(reg) codes.as_ptr() => _,
                second = inout(reg) codes.as_ptr().add(REGISTER_ROWS * stride) => _,
                stride = in(reg) stride,
                blocks = inout(reg) blocks.as_ptr().cast::<u8>().add(outputs) => _,
                turns = inout(reg) blocks.len() / STEPS_AT_ONCE => _,
                out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
                out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
                options(nostack),
            );
        }
    }
}

/// Adds what counts 256 times: so few steps that smaller registers are quicker at it.
#[target_feature(enable = "avx512f,avx512vnni")]
fn add_coarse(codes: &[u8], stride: usize, blocks: &[Block], sums: &mut TileSums) {
    for (row, sums) in sums.0.iter_mut().enumerate().take(codes.len() / stride) {
        let codes = &codes[row * stride..][..blocks.len() * STEP];
        let mut coarse = [_mm512_setzero_si512(); 4];
        for (block, four) in blocks.iter().zip(codes.as_chunks::<STEP>().0) {
            let inputs = _mm512_set1_epi32(i32::from_ne_bytes(*four));
            for (part, coarse) in coarse.iter_mut().enumerate() {
                // SAFETY: a block is four times 64 bytes and aligned to 64.
                let weights = unsafe { _mm512_load_si512(block.0.as_ptr().add(64 * part).cast()) };
                *coarse = _mm512_dpbusd_epi32(*coarse, inputs, weights);
            }
        }
        for (sum, coarse) in sums.as_chunks_mut::<16>().0.iter_mut().zip(coarse) {
            // SAFETY: `sum` is sixteen numbers of 32 bits.
            unsafe {
                let at = sum.as_mut_ptr().cast::<__m512i>();
                let coarse = _mm512_slli_epi32::<8>(coarse);
                _mm512_storeu_si512(at, _mm512_add_epi32(_mm512_loadu_si512(at), coarse));
            }
        }
    }
}
