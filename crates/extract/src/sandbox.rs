//! What a child can no longer reach: the network, other processes, and nearly all files.
//!
//! Our own readers are written in a safe language; the programs of the system that help them are
//! not, and a file may have been made to break those. All of it is inherited by them.

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, RestrictionStatus, Ruleset,
    RulesetAttr, RulesetCreatedAttr, RulesetStatus, Scope, path_beneath_rules,
};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};
use std::collections::BTreeMap;

/// Ways out of the process: the network, other processes, and the ring that does either without
/// being asked again.
const CLOSED_CALLS: [libc::c_long; 7] = [
    libc::SYS_socket,
    libc::SYS_connect,
    libc::SYS_io_uring_setup,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_userfaultfd,
];

/// Where programs, libraries, fonts and languages lie. Never what a server keeps.
const READABLE: [&str; 12] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib64",
    "/nix/store",
    "/etc/fonts",
    "/etc/ld.so.cache",
    "/etc/alternatives",
    "/var/cache/fontconfig",
    "/dev/urandom",
    "/proc/self",
];

/// Closes everything that this kernel can close. Must run before any other thread exists, because
/// it binds the thread that asks for it and those it makes.
///
/// Some kernels and containers offer less. The limits of the process still hold then, so that the
/// file is read all the same.
pub(crate) fn enter() {
    if let Err(error) = close_calls() {
        eprintln!("debug: system calls are not filtered: {error}");
    }
    match close_files() {
        Ok(status) if status.ruleset == RulesetStatus::FullyEnforced => {}
        Ok(status) => eprintln!("debug: files are closed in part: {:?}", status.ruleset),
        Err(error) => eprintln!("debug: files are not closed: {error}"),
    }
}

fn close_calls() -> Result<(), Box<dyn std::error::Error>> {
    let rules: BTreeMap<_, _> = CLOSED_CALLS.iter().map(|call| (*call, vec![])).collect();
    let filter = SeccompFilter::new(
        rules,
        SeccompAction::Allow,
        SeccompAction::Errno(libc::EPERM.unsigned_abs()),
        std::env::consts::ARCH.try_into()?,
    )?;
    let program: BpfProgram = filter.try_into()?;
    seccompiler::apply_filter(&program)?;
    Ok(())
}

fn close_files() -> Result<RestrictionStatus, Box<dyn std::error::Error>> {
    let abi = ABI::V6;
    let read = AccessFs::from_read(abi);
    let languages = std::env::var_os("TESSDATA_PREFIX");
    Ok(Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(abi))?
        .handle_access(AccessNet::from_all(abi))?
        .scope(Scope::from_all(abi))?
        .create()?
        .add_rules(path_beneath_rules(READABLE, read))?
        .add_rules(path_beneath_rules(languages, read))?
        .add_rules(path_beneath_rules(
            ["/dev/null"],
            AccessFs::ReadFile | AccessFs::WriteFile,
        ))?
        .restrict_self()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{File, read_dir};
    use std::io::ErrorKind;
    use std::net::{TcpListener, TcpStream, UdpSocket};
    use std::os::unix::net::UnixStream;
    use std::process::{Command, Stdio};

    /// Only the thread is confined, so that the other tests are not.
    fn confined<T: Send>(test: impl FnOnce() -> T + Send) -> T {
        std::thread::scope(|scope| {
            scope
                .spawn(|| {
                    enter();
                    test()
                })
                .join()
                .unwrap()
        })
    }

    #[test]
    fn the_network_is_out_of_reach() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let errors = confined(|| {
            [
                TcpStream::connect(address).err(),
                UdpSocket::bind("127.0.0.1:0").err(),
                UnixStream::connect("/run/anything").err(),
            ]
        });
        for error in errors {
            assert_eq!(error.unwrap().kind(), ErrorKind::PermissionDenied);
        }
        assert!(TcpStream::connect(address).is_ok());
    }

    #[test]
    fn what_a_server_keeps_is_out_of_reach_and_programs_still_run() {
        let folder = tempfile::tempdir().unwrap();
        let secret = folder.path().join("secret");
        std::fs::write(&secret, "secret").unwrap();
        let (read, written, listed, echo) = confined(|| {
            (
                File::open(&secret).err(),
                File::create(folder.path().join("new")).err(),
                read_dir("/etc").err(),
                Command::new("cat")
                    .arg(&secret)
                    .stderr(Stdio::null())
                    .status(),
            )
        });
        if read.is_none() {
            println!("SKIPPED: this kernel has no Landlock");
            return;
        }
        for error in [read, written, listed] {
            assert_eq!(error.unwrap().kind(), ErrorKind::PermissionDenied);
        }
        assert!(!echo.unwrap().success());
        let status = confined(|| Command::new("true").status());
        assert!(status.unwrap().success());
    }
}
