#ifndef CCRYPTO_SHIM_H
#define CCRYPTO_SHIM_H

// Only the message digests of libcrypto are used.
#include <openssl/evp.h>

#endif
