// Reports the slow path of Swift's `Mutex` to the thread sanitizer.
//
// The fast path of `Mutex.withLock` is compiled into the program and instrumented. If another thread holds the lock, it
// calls functions of libswiftSynchronization.so, which is not instrumented, so the sanitizer reports a race between two
// threads that hold the lock one after the other. `make test-thread` preloads this library, which wraps these functions
// and reports that everything before an unlock happens before everything after the next lock.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *

// Functions of the sanitizer, which is linked into the program under test but not into other processes that load this
// library.
void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));

SWIFT void lockSlow(uint32_t thread, SELF mutex) __asm__(LOCK);
SWIFT void unlockSlow(SELF mutex) __asm__(UNLOCK);

SWIFT void lockSlow(uint32_t thread, SELF mutex) {
  SWIFT void (*original)(uint32_t, SELF) = dlsym(RTLD_NEXT, LOCK);
  original(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void unlockSlow(SELF mutex) {
  SWIFT void (*original)(SELF) = dlsym(RTLD_NEXT, UNLOCK);
  if (__tsan_release) __tsan_release(mutex);
  original(mutex);
}
