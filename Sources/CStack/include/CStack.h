// The stack of the current thread. Swift's C library module does not export pthread_getattr_np.
#ifndef CONCORDANCE_CSTACK_H
#define CONCORDANCE_CSTACK_H

#include <stdint.h>

/// Returns the lowest address of the current thread's stack, which grows downwards; 0 if it is unknown. Takes a few
/// microseconds, about ten on the main thread.
uintptr_t cstack_lowest_address(void);

#endif
