//! How the memory allocator behaves.
//!
//! Left to itself, glibc gives every thread a heap of its own and raises the size from which it
//! asks the system for memory, and so for memory it can give back, to that of the largest block it
//! has seen. A server that read a few documents of ten megabytes then keeps hundreds.

/// Few heaps, and large blocks straight from the system. To be called before there are threads.
pub fn settle() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let heaps = i32::try_from(cores.clamp(2, 8)).unwrap_or(2);
        for (setting, value) in [
            (libc::M_ARENA_MAX, heaps),
            (libc::M_MMAP_THRESHOLD, 128 * 1024),
            (libc::M_TRIM_THRESHOLD, 1024 * 1024),
        ] {
            // SAFETY: the call sets a number of the allocator and touches no memory of ours. It
            // answers whether it knew the setting, and one that it did not know changes nothing.
            unsafe { libc::mallopt(setting, value) };
        }
    }
}
