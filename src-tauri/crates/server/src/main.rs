//! The service without a window.

use std::process::ExitCode;

// Requests are worked on by many threads in turn, and what a large one leaves in the arenas of glibc stays there.
#[cfg(not(target_env = "msvc"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    server::cli::run()
}
