#ifndef CONCORDANCE_SANDBOX_H
#define CONCORDANCE_SANDBOX_H

/// The flag of posix_spawnattr_setflags(3) that starts a process in a new session, without a controlling terminal. This
/// is POSIX_SPAWN_SETSID of glibc and musl, which Swift does not import.
#define CONCORDANCE_SPAWN_SETSID 0x80

/// Limits the address space of this process to a number of bytes, and forbids core dumps and writing to files.
/// Returns 0 or an error number.
int concordance_limit_resources(unsigned long long memory);

/// Terminates this process with SIGXCPU when it has used this many more seconds of processor time. Returns 0 or an
/// error number.
int concordance_limit_time(unsigned seconds);

/// Ends this process when the other end of a connection is closed, even while it does something else. Must be called
/// before the calls are limited. Returns 0 or an error number.
int concordance_exit_on_hangup(int descriptor);

/// Makes system calls that create sockets, run programs, change files or write to a terminal's input fail until this
/// process ends. Returns 0, or an error number if the kernel or the processor does not support this.
int concordance_limit_calls(void);

#endif
