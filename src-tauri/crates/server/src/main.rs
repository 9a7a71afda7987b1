//! The service without a window.

use std::process::ExitCode;

// Many threads work on requests in turn. glibc's allocator would retain the memory of large requests in its per-thread arenas.
#[cfg(not(target_env = "msvc"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    server::cli::run()
}
