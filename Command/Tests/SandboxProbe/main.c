// Sets the limits of the process that extracts text, attempts forbidden and allowed system calls, and prints a line for
// each: the call and the name of its error, or `allowed`. This program is used only by tests.
#define _GNU_SOURCE
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *nothing(void *argument) { return argument; }

static void report(const char *call, long result) {
  printf("%s: %s\n", call, result == -1 ? strerrorname_np(errno) : "allowed");
}

int main(int count, char **arguments) {
  // Works until its standard input is closed.
  if (count > 1 && strcmp(arguments[1], "--hangup") == 0) {
    if (concordance_exit_on_hangup(0) != 0 || concordance_limit_calls() != 0) return 1;
    puts("ready");
    fflush(stdout);
    for (;;) pause();
  }
  const char *file = count > 1 ? arguments[1] : "/nonexistent";
  int error = concordance_limit_resources(1ULL << 30);
  if (!error) error = concordance_limit_calls();
  if (error) {
    printf("limits: %s\n", strerrorname_np(error));
    return 0;
  }
  report("open for reading", open(file, O_RDONLY));
  report("open for writing", open(file, O_WRONLY));
  report("open for reading and writing", open(file, O_RDWR));
  report("create", open("new", O_CREAT | O_WRONLY, 0600));
  report("temporary file", open(".", O_TMPFILE | O_RDWR, 0600));
  report("unlink", unlink(file));
  report("rename", rename(file, "new"));
  report("chmod", chmod(file, 0777));
  report("chmod with flags", syscall(452 /* fchmodat2 */, AT_FDCWD, file, 0777, 0));
  report("message queue", syscall(SYS_mq_open, "concordance-probe", O_CREAT | O_RDWR, 0600, NULL));
  // A file is not a terminal, so without limits these requests fail with ENOTTY.
  int descriptor = open(file, O_RDONLY);
  report("terminal settings", ioctl(descriptor, TCGETS, NULL));
  report("terminal input", ioctl(descriptor, TIOCSTI, "x"));
  report("terminal selection", ioctl(descriptor, 0x541C /* TIOCLINUX */, "x"));
  report("terminal line discipline", ioctl(descriptor, TIOCSETD, &descriptor));
  report("mkdir", mkdir("folder", 0700));
  report("socket", socket(AF_INET, SOCK_STREAM, 0));
  report("fork", fork());
  report("clone3", syscall(SYS_clone3, NULL, 0));
  report("kill", kill(getppid(), 0));
  report("signal to another process", syscall(SYS_tgkill, getppid(), getppid(), 0));
  report("signal to itself", syscall(SYS_tgkill, getpid(), gettid(), 0));
  pthread_t thread;
  int created = pthread_create(&thread, NULL, nothing, NULL);
  if (!created) pthread_join(thread, NULL);
  printf("thread: %s\n", created ? strerrorname_np(created) : "allowed");
  char *program[] = {"true", NULL};
  report("execve", execv("/bin/true", program));
  return 0;
}
