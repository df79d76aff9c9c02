//! Which memory allocator the program has, and how it behaves.
//!
//! A turn makes and forgets tens of thousands of small things on several threads. The allocator of the
//! C library has a lock for that in each of its few heaps; with a heap for every thread it would keep
//! what a large document took on each of them. This one has neither trouble, and gives back what has
//! been free for a second.

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod own {
    use tikv_jemallocator::Jemalloc;

    #[global_allocator]
    static ALLOCATOR: Jemalloc = Jemalloc;

    /// What the allocator reads when the program starts; `MALLOC_CONF` in the environment is read
    /// after it.
    // SAFETY: the allocator declares this name as a pointer to text that ends with a zero.
    #[unsafe(export_name = "malloc_conf")]
    pub(crate) static SETTINGS: &[u8; 63] =
        b"background_thread:true,dirty_decay_ms:1000,muzzy_decay_ms:1000\0";
}
