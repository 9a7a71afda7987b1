//! The service without a window.

use std::process::ExitCode;

// Requests are worked on by many threads in turn. After the bombs of the bench 234 MB stayed with glibc's arenas, and 38 with these.
#[cfg(not(target_env = "msvc"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    server::cli::run()
}
