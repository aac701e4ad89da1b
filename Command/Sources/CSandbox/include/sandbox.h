#ifndef CONCORDANCE_SANDBOX_H
#define CONCORDANCE_SANDBOX_H

/// Limits the address space of this process to a number of bytes, and forbids core dumps and writing to files.
/// Returns 0 or an error number.
int concordance_limit_resources(unsigned long long memory);

/// Terminates this process with SIGXCPU when it has used this many more seconds of processor time. Returns 0 or an
/// error number.
int concordance_limit_time(unsigned seconds);

/// Makes system calls that create sockets, run programs or change files fail until this process ends. Returns 0, or an
/// error number if the kernel or the processor does not support this.
int concordance_limit_calls(void);

#endif
