// The limits of the process that extracts text from untrusted files.
#define _GNU_SOURCE
#include "sandbox.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

// Lowers the soft and the hard limit to a value. Limits that are already lower are kept, because only root can raise a
// hard limit.
static int limit(int resource, rlim_t value) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) return errno;
  if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > value) limit.rlim_max = value;
  if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > limit.rlim_max) limit.rlim_cur = limit.rlim_max;
  return setrlimit(resource, &limit) == 0 ? 0 : errno;
}

int concordance_limit_resources(unsigned long long memory) {
  int error = limit(RLIMIT_AS, (rlim_t)memory);
  if (!error) error = limit(RLIMIT_CORE, 0);
  if (!error) error = limit(RLIMIT_FSIZE, 0);
  return error;
}

int concordance_limit_time(unsigned seconds) {
  struct rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) != 0) return errno;
  struct rlimit limit;
  if (getrlimit(RLIMIT_CPU, &limit) != 0) return errno;
  // Only the soft limit is set, so that it can be raised for the next file. SIGXCPU terminates the process.
  limit.rlim_cur = (rlim_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + seconds + 1;
  if (limit.rlim_max != RLIM_INFINITY && limit.rlim_cur > limit.rlim_max) limit.rlim_cur = limit.rlim_max;
  return setrlimit(RLIMIT_CPU, &limit) == 0 ? 0 : errno;
}

static void *exit_on_hangup(void *argument) {
  // POLLHUP and POLLERR are reported even if no events are requested.
  struct pollfd request = {(int)(intptr_t)argument, 0, 0};
  while (poll(&request, 1, -1) <= 0) {
    if (errno != EINTR) return NULL;
  }
  _exit(0);
}

int concordance_exit_on_hangup(int descriptor) {
  // A thread rather than PR_SET_PDEATHSIG, which also sends the signal when the thread that started the process ends.
  pthread_attr_t attributes;
  int error = pthread_attr_init(&attributes);
  if (error) return error;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, 64 << 10);
  pthread_t thread;
  error = pthread_create(&thread, &attributes, exit_on_hangup, (void *)(intptr_t)descriptor);
  pthread_attr_destroy(&attributes);
  return error;
}

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#ifdef __x86_64__
#define NATIVE AUDIT_ARCH_X86_64
#else
#define NATIVE AUDIT_ARCH_AARCH64
#endif

// Calls that are newer than the headers of some systems.
#ifndef __NR_fchmodat2
#define __NR_fchmodat2 452
#endif
#ifndef TIOCLINUX
#define TIOCLINUX 0x541C
#endif

#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define FAIL(error) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
#define DENY(name) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 1), FAIL(EPERM)
// With ENOSYS, the C library falls back to an older call, whose arguments the filter can check.
#define MISSING(name) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 1), FAIL(ENOSYS)
// The lower half of an argument; both architectures are little-endian.
#define ARGUMENT(index) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[index]))
#define ALLOW_WITHOUT(name, index, flags) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 4), ARGUMENT(index), \
  BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (flags), 0, 1), FAIL(EPERM), ALLOW
#define ALLOW_WITH(name, index, flag) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 4), ARGUMENT(index), \
  BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (flag), 1, 0), FAIL(EPERM), ALLOW
#define ALLOW_EQUAL(name, index, value) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 4), ARGUMENT(index), \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 1, 0), FAIL(EPERM), ALLOW
// The kernel ignores the upper half of the request. TIOCSTI and TIOCLINUX write to the input of a terminal.
#define ALLOW_OTHER_REQUESTS(name, first, second, third) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 6), ARGUMENT(1), \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (first), 2, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (second), 1, 0), \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (third), 0, 1), FAIL(EPERM), ALLOW

// Flags with which a file is opened for writing. O_TMPFILE contains O_DIRECTORY.
#define WRITING (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY))

int concordance_limit_calls(void) {
  const unsigned process = (unsigned)getpid();
  struct sock_filter filter[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NATIVE, 1, 0),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#ifdef __x86_64__
    // The numbers of x32 calls contain this bit.
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    ALLOW_WITHOUT(open, 1, WRITING),
    DENY(creat), DENY(unlink), DENY(rename), DENY(rmdir), DENY(mkdir), DENY(link), DENY(symlink), DENY(mknod), DENY(chmod),
    DENY(chown), DENY(lchown), DENY(utime), DENY(utimes), DENY(futimesat), DENY(fork), DENY(vfork),
#endif
    // Files.
    ALLOW_WITHOUT(openat, 2, WRITING), MISSING(openat2),
    DENY(unlinkat), DENY(renameat), DENY(renameat2), DENY(mkdirat), DENY(linkat), DENY(symlinkat), DENY(mknodat),
    DENY(truncate), DENY(ftruncate), DENY(fallocate), DENY(fchmod), DENY(fchmodat), DENY(fchmodat2), DENY(fchown),
    DENY(fchownat),
    DENY(utimensat), DENY(setxattr), DENY(lsetxattr), DENY(fsetxattr), DENY(removexattr), DENY(lremovexattr),
    DENY(fremovexattr), DENY(mount), DENY(umount2), DENY(chroot), DENY(pivot_root), DENY(open_by_handle_at),
    // Network.
    DENY(socket), DENY(socketpair), DENY(connect), DENY(bind), DENY(listen), DENY(accept), DENY(accept4),
    // Processes. Threads are allowed, and signals to this process, which abort(3) sends.
    MISSING(clone3), ALLOW_WITH(clone, 0, CLONE_THREAD), ALLOW_EQUAL(tgkill, 0, process), ALLOW_EQUAL(prlimit64, 0, 0),
    DENY(execve), DENY(execveat), DENY(kill), DENY(tkill), DENY(rt_sigqueueinfo), DENY(rt_tgsigqueueinfo), DENY(pidfd_open),
    DENY(pidfd_getfd), DENY(pidfd_send_signal), DENY(ptrace), DENY(process_vm_readv), DENY(process_vm_writev), DENY(setns),
    DENY(unshare),
    // Other calls that change the system.
    ALLOW_OTHER_REQUESTS(ioctl, TIOCSTI, TIOCLINUX, TIOCSETD), DENY(mq_open), DENY(mq_unlink),
    DENY(io_uring_setup), DENY(bpf), DENY(perf_event_open), DENY(userfaultfd), DENY(keyctl), DENY(add_key),
    DENY(request_key), DENY(init_module), DENY(finit_module), DENY(delete_module), DENY(kexec_load), DENY(reboot),
    DENY(settimeofday), DENY(clock_settime), DENY(sethostname), DENY(swapon), DENY(swapoff),
    ALLOW,
  };
  struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 ? 0 : errno;
}
#else
int concordance_limit_calls(void) { return ENOSYS; }
#endif
