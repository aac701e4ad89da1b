// OpenSSL's SHA-256, for the hashes of access tokens.
#include <openssl/sha.h>
