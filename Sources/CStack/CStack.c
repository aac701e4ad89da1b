#define _GNU_SOURCE
#include "CStack.h"

#include <pthread.h>
#include <stddef.h>

uintptr_t cstack_lowest_address(void) {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  void *start = NULL;
  size_t size = 0;
  int failure = pthread_attr_getstack(&attributes, &start, &size);
  pthread_attr_destroy(&attributes);
  return failure ? 0 : (uintptr_t)start;
}
