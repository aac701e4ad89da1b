#ifndef CCRYPTO_SHIM_H
#define CCRYPTO_SHIM_H

// Message digests alone: the rest of libcrypto is not used.
#include <openssl/evp.h>

#endif
