#include <crypt.h>
#include <stdlib.h>
#include <string.h>

// Returns 1 if a hash has a strong method that crypt(3) supports, such as $6$ (SHA-512), $2y$ (bcrypt) or $y$ (yescrypt).
static inline int concordance_isSupportedHash(const char *hash) { return crypt_checksalt(hash) == CRYPT_SALT_OK; }

// Returns 1 if a password has the given hash. The time does not depend on the position of a difference.
static inline int concordance_hasHash(const char *password, const char *hash) {
  // About 32 kB, which may be too much for the stack of a thread.
  struct crypt_data *data = (struct crypt_data *)calloc(1, sizeof(struct crypt_data));
  const char *found = data ? crypt_r(password, hash, data) : NULL;
  size_t count = strlen(hash);
  // A failure is a text that begins with *, which no hash does.
  int isEqual = found && found[0] != '*' && strlen(found) == count;
  unsigned char difference = 0;
  for (size_t i = 0; isEqual && i < count; i++) difference |= (unsigned char)(found[i] ^ hash[i]);
  free(data);
  return isEqual && difference == 0;
}
