// SHA-256 of OpenSSL, for the hashes of access tokens.
#include <openssl/sha.h>
