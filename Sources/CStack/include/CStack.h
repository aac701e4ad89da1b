// The stack of the current thread. Swift's module of the C library hides the function that tells where it is.
#ifndef CONCORDANCE_CSTACK_H
#define CONCORDANCE_CSTACK_H

#include <stdint.h>

/// The lowest address of the current thread's stack, which grows downwards; 0 where it cannot be told.
/// Takes some microseconds, on the main thread some ten.
uintptr_t cstack_lowest_address(void);

#endif
