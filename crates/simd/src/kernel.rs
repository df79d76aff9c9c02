//! Which instructions to work with.

use std::sync::OnceLock;

/// A set of instructions that this processor has. There is no other way to get one than to ask what
/// is there, which is what makes calling into it sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernel(pub(crate) Level);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// 512 bits, and registers of a kilobyte with the product of two tables of bytes.
    #[cfg(target_arch = "x86_64")]
    Amx,
    /// 512 bits, with the dot product of bytes.
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// 256 bits, with the dot product of bytes.
    #[cfg(target_arch = "x86_64")]
    AvxVnni,
    /// 256 bits.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// What every processor of the architecture has.
    Portable,
}

impl Kernel {
    /// The quickest one.
    #[must_use]
    pub fn best() -> Self {
        static BEST: OnceLock<Kernel> = OnceLock::new();
        *BEST.get_or_init(|| Self::available()[0])
    }

    /// All that this processor can use, the quickest first. The last is the portable one.
    #[must_use]
    pub fn available() -> Vec<Self> {
        let mut found = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
            if avx2
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vnni")
            {
                if crate::linear::amx_is_there() {
                    found.push(Self(Level::Amx));
                }
                found.push(Self(Level::Avx512));
            }
            if avx2 && is_x86_feature_detected!("avxvnni") {
                found.push(Self(Level::AvxVnni));
            }
            if avx2 {
                found.push(Self(Level::Avx2));
            }
        }
        found.push(Self(Level::Portable));
        found
    }

    /// The one of that name, if this processor has it.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::available()
            .into_iter()
            .find(|kernel| kernel.name() == name)
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Level::Amx => "amx-int8",
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => "avx512-vnni",
            #[cfg(target_arch = "x86_64")]
            Level::AvxVnni => "avx-vnni",
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => "avx2",
            Level::Portable => "portable",
        }
    }
}

/// Compiles a function of plain Rust for each set of instructions and makes it a method of
/// [`Kernel`]. The function is told whether multiplying and adding is one instruction.
macro_rules! compiled_for_each {
    ($(#[$doc:meta])* $public:vis $name:ident($($arg:ident: $type:ty),*) $(-> $out:ty)? = $plain:ident) => {
        impl $crate::Kernel {
            $(#[$doc])*
            $public fn $name(self, $($arg: $type),*) $(-> $out)? {
                #[cfg(target_arch = "x86_64")]
                {
                    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")]
                    fn avx512($($arg: $type),*) $(-> $out)? {
                        $plain::<true>($($arg),*)
                    }
                    #[target_feature(enable = "avx2,fma")]
                    fn avx2($($arg: $type),*) $(-> $out)? {
                        $plain::<true>($($arg),*)
                    }
                    use $crate::kernel::Level;
                    match self.0 {
                        // SAFETY: a kernel exists only where the processor has its instructions.
                        Level::Amx | Level::Avx512 => return unsafe { avx512($($arg),*) },
                        // SAFETY: as above.
                        Level::AvxVnni | Level::Avx2 => return unsafe { avx2($($arg),*) },
                        Level::Portable => {}
                    }
                }
                $plain::<false>($($arg),*)
            }
        }
    };
}
pub(crate) use compiled_for_each;

/// `a * b + c`, rounded once where that is an instruction. Where it is not, the exact form would be
/// a call of a slow function.
#[inline(always)]
pub(crate) fn multiply_add<const FUSED: bool>(a: f32, b: f32, c: f32) -> f32 {
    if FUSED { a.mul_add(b, c) } else { a * b + c }
}

#[inline(always)]
pub(crate) fn larger(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}

#[inline(always)]
pub(crate) fn smaller(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

/// One number of many, by halves, so that none waits long for the others.
#[inline(always)]
pub(crate) fn across<const LANES: usize>(
    mut lanes: [f32; LANES],
    join: impl Fn(f32, f32) -> f32,
) -> f32 {
    let mut width = LANES / 2;
    while width > 0 {
        for at in 0..width {
            lanes[at] = join(lanes[at], lanes[at + width]);
        }
        width /= 2;
    }
    lanes[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_are_found_by_name_and_the_portable_one_is_always_there() {
        for kernel in Kernel::available() {
            assert_eq!(Kernel::named(kernel.name()), Some(kernel));
        }
        assert_eq!(Kernel::available().first(), Some(&Kernel::best()));
        assert_eq!(
            Kernel::available().last(),
            Kernel::named("portable").as_ref()
        );
        assert_eq!(Kernel::named("abacus"), None);
    }
}
