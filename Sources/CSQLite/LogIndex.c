// Reads the index of a write-ahead log. See CSQLite.h.
#include "CSQLite.h"

#include <sqlite3.h>
#include <stddef.h>

enum {
  // The size of a block of shared memory with which SQLite maps the index.
  blockSize = 32768,
  // Offsets in the index: https://www.sqlite.org/walformat.html#the_wal_index_header
  frameCountOffset = 16,
  copiedCountOffset = 96,
};

const void *csqlite_log_index(struct sqlite3 *connection) {
  sqlite3_file *file = NULL;
  if (sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return NULL;
  // Version 2 has the methods of shared memory.
  if (file == NULL || file->pMethods == NULL || file->pMethods->iVersion < 2) return NULL;
  void volatile *block = NULL;
  if (file->pMethods->xShmMap(file, 0, blockSize, 0, &block) != SQLITE_OK) return NULL;
  return (const void *)block;
}

csqlite_log_header csqlite_copy_log_header(const void *index) {
  csqlite_log_header header;
  const unsigned long long *words = index;
  for (int number = 0; number < 6; number++) header.words[number] = __atomic_load_n(words + number, __ATOMIC_ACQUIRE);
  return header;
}

int csqlite_has_log_header(const void *index, const csqlite_log_header *header) {
  const unsigned long long *words = index;
  unsigned long long difference = 0;
  for (int number = 0; number < 6; number++) {
    difference |= __atomic_load_n(words + number, __ATOMIC_ACQUIRE) ^ header->words[number];
  }
  return difference == 0;
}

static int load(const void *index, size_t offset) {
  return (int)__atomic_load_n((const unsigned *)((const char *)index + offset), __ATOMIC_ACQUIRE);
}

int csqlite_log_frame_count(const void *index) { return load(index, frameCountOffset); }

int csqlite_log_copied_count(const void *index) { return load(index, copiedCountOffset); }
