// Joins the writes to a write-ahead log. See CSQLite.h.
//
// SQLite writes each frame of the log with two calls: its header of 24 bytes, and its page. The methods in this file replace
// those of an open log. They collect frames that follow each other in memory, and write them together:
//
// - The last frame of a transaction contains the size of the database in bytes 4 to 7 of its header, which are 0 in all other
//   frames (https://www.sqlite.org/fileformat2.html#the_write_ahead_log). When its page is written, everything is written.
//   SQLite syncs the log, and publishes the transaction to other connections, after that.
// - Therefore collected frames always belong to an unfinished transaction. They are written before they are read. They are
//   discarded when the connection releases the lock for writing, because another connection may then write its own frames
//   at the same offsets.
// - If they cannot be written, all later reads and writes fail until that lock is released, so the transaction cannot be
//   committed.
// - All other writes, such as the header of the log, are passed on after the collected frames.
//
// SQLite enlarges the index of the log, a file in shared memory, after it has written the frames of a transaction. If the disk is
// full, this fails, and SQLite rolls the transaction back. But the log contains it, so it would be committed when the log is
// recovered. Therefore the header of the frame that commits it is overwritten. No connection reads frames that were not published.
//
// A connection is used by one thread at a time, so its files need no lock.
#include "CSQLite.h"

#include <sqlite3.h>
#include <string.h>

enum {
  logHeaderSize = 32,
  frameHeaderSize = 24,
  // SQLite's default VFS for Unix writes at most 2^17 - 1 bytes at once, and none of a multiple of 2^17.
  bufferSize = 0x1ffff,
  // WAL_WRITE_LOCK, https://www.sqlite.org/walformat.html#wal_locks
  writeLock = 0,
};

typedef struct JoinedFile JoinedFile;

// The state of a log or of its database file.
struct JoinedFile {
  // The methods of the file, which points to them. Must be the first field.
  sqlite3_io_methods methods;
  const sqlite3_io_methods *original;
  sqlite3_file *file;
  // The state of the database file for a log, and the reverse; null after the other file was closed.
  JoinedFile *partner;
  // The frames that are not written yet.
  unsigned char *buffer;
  int count;
  sqlite3_int64 offset;
  // The size of the pages; 0 before the first frame.
  int pageSize;
  // The offset of the page whose frame header was written last; 0 if the last write was not a frame header.
  sqlite3_int64 expectedPage;
  int isCommit;
  // The offset of the header of the first frame that commits a transaction since the connection took the lock for writing; 0
  // for none. SQLite may write several such frames, to fill a sector.
  sqlite3_int64 commitHeader;
  // Whether a whole frame was read last. SQLite then corrects the checksums in its header without writing its page.
  int isCorrecting;
  // The result of a write that failed.
  int failure;
};

static JoinedFile *joined(sqlite3_file *file) { return (JoinedFile *)file->pMethods; }

static int writeCollected(JoinedFile *log) {
  if (log->failure != SQLITE_OK || log->count == 0) return log->failure;
  log->failure = log->original->xWrite(log->file, log->buffer, log->count, log->offset);
  log->count = 0;
  return log->failure;
}

static void discardCollected(JoinedFile *log) {
  log->count = 0;
  log->expectedPage = 0;
  log->commitHeader = 0;
  log->failure = SQLITE_OK;
}

// Appends bytes to the collected ones, which are written first if they are elsewhere or too many.
static int collect(JoinedFile *log, const void *bytes, int count, sqlite3_int64 offset) {
  if (log->count > 0 && (offset != log->offset + log->count || count > bufferSize - log->count)) {
    int result = writeCollected(log);
    if (result != SQLITE_OK) return result;
  }
  if (log->count == 0) log->offset = offset;
  memcpy(log->buffer + log->count, bytes, (size_t)count);
  log->count += count;
  return SQLITE_OK;
}

static int isFrameHeader(const JoinedFile *log, int count, sqlite3_int64 offset) {
  if (log->isCorrecting || count != frameHeaderSize || offset < logHeaderSize) return 0;
  return log->pageSize == 0 || (offset - logHeaderSize) % (frameHeaderSize + log->pageSize) == 0;
}

static int isPage(const JoinedFile *log, int count, sqlite3_int64 offset) {
  if (log->expectedPage == 0 || offset != log->expectedPage) return 0;
  if (log->pageSize > 0) return count == log->pageSize;
  // If the log is synced at a certain offset, SQLite divides the write of the header or page that contains it. A part of a
  // page is not as long as a page.
  return count >= 512 && count <= 65536 && (count & (count - 1)) == 0;
}

static int writeLog(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  JoinedFile *log = joined(file);
  if (log->failure != SQLITE_OK) return log->failure;
  if (isFrameHeader(log, count, offset)) {
    const unsigned char *header = bytes;
    log->expectedPage = offset + frameHeaderSize;
    log->isCommit = (header[4] | header[5] | header[6] | header[7]) != 0;
    if (log->isCommit && log->commitHeader == 0) log->commitHeader = offset;
    return collect(log, bytes, count, offset);
  }
  int page = isPage(log, count, offset);
  log->expectedPage = 0;
  log->isCorrecting = 0;
  if (page) {
    log->pageSize = count;
    int result = collect(log, bytes, count, offset);
    return result == SQLITE_OK && log->isCommit ? writeCollected(log) : result;
  }
  int result = writeCollected(log);
  return result == SQLITE_OK ? log->original->xWrite(file, bytes, count, offset) : result;
}

static int readLog(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  JoinedFile *log = joined(file);
  if (log->failure != SQLITE_OK) return log->failure;
  if (log->count > 0 && offset < log->offset + log->count && offset + count > log->offset) {
    int result = writeCollected(log);
    if (result != SQLITE_OK) return result;
  }
  log->isCorrecting = log->pageSize == 0 || count == frameHeaderSize + log->pageSize;
  return log->original->xRead(file, bytes, count, offset);
}

static int truncateLog(sqlite3_file *file, sqlite3_int64 size) {
  JoinedFile *log = joined(file);
  int result = writeCollected(log);
  return result == SQLITE_OK ? log->original->xTruncate(file, size) : result;
}

static int syncLog(sqlite3_file *file, int flags) {
  JoinedFile *log = joined(file);
  int result = writeCollected(log);
  return result == SQLITE_OK ? log->original->xSync(file, flags) : result;
}

static int sizeOfLog(sqlite3_file *file, sqlite3_int64 *size) {
  JoinedFile *log = joined(file);
  int result = writeCollected(log);
  return result == SQLITE_OK ? log->original->xFileSize(file, size) : result;
}

static int lockDatabase(sqlite3_file *file, int first, int count, int flags) {
  JoinedFile *database = joined(file);
  int releases = SQLITE_SHM_UNLOCK | SQLITE_SHM_EXCLUSIVE;
  if (database->partner != NULL && (flags & releases) == releases && first == writeLock) {
    discardCollected(database->partner);
  }
  return database->original->xShmLock(file, first, count, flags);
}

// Maps a part of the index of the log, which the connection enlarges while it has the lock for writing.
static int mapIndex(sqlite3_file *file, int region, int size, int enlarges, void volatile **memory) {
  JoinedFile *database = joined(file);
  JoinedFile *log = database->partner;
  int result = database->original->xShmMap(file, region, size, enlarges, memory);
  if (result != SQLITE_OK && enlarges && log != NULL && log->commitHeader > 0) {
    static const unsigned char zeros[frameHeaderSize];
    log->original->xWrite(log->file, zeros, frameHeaderSize, log->commitHeader);
    log->commitHeader = 0;
  }
  return result;
}

// Restores the methods of a file.
static void detach(JoinedFile *state) {
  if (state->partner != NULL) state->partner->partner = NULL;
  state->file->pMethods = state->original;
  sqlite3_free(state->buffer);
  sqlite3_free(state);
}

static int closeFile(sqlite3_file *file) {
  detach(joined(file));
  return file->pMethods->xClose(file);
}

static JoinedFile *attach(sqlite3_file *file) {
  JoinedFile *state = sqlite3_malloc(sizeof(JoinedFile));
  if (state == NULL) return NULL;
  memset(state, 0, sizeof(JoinedFile));
  state->original = file->pMethods;
  state->file = file;
  state->methods = *file->pMethods;
  state->methods.xClose = closeFile;
  return state;
}

// Returns an open file of the main database, or null.
static sqlite3_file *openFile(struct sqlite3 *connection, int operation) {
  sqlite3_file *file = NULL;
  if (sqlite3_file_control(connection, "main", operation, &file) != SQLITE_OK) return NULL;
  return file != NULL && file->pMethods != NULL ? file : NULL;
}

int csqlite_join_log_writes(struct sqlite3 *connection) {
  sqlite3_file *database = openFile(connection, SQLITE_FCNTL_FILE_POINTER);
  sqlite3_file *log = openFile(connection, SQLITE_FCNTL_JOURNAL_POINTER);
  if (database == NULL || log == NULL) return 0;
  // Version 2 has the locks of write-ahead logs.
  if (database->pMethods->iVersion < 2 || database->pMethods->xClose == closeFile) return 0;
  JoinedFile *databaseState = attach(database);
  JoinedFile *logState = attach(log);
  unsigned char *buffer = sqlite3_malloc(bufferSize);
  if (databaseState == NULL || logState == NULL || buffer == NULL) {
    sqlite3_free(databaseState);
    sqlite3_free(logState);
    sqlite3_free(buffer);
    return 0;
  }
  databaseState->partner = logState;
  databaseState->methods.xShmLock = lockDatabase;
  databaseState->methods.xShmMap = mapIndex;
  logState->partner = databaseState;
  logState->buffer = buffer;
  logState->methods.xRead = readLog;
  logState->methods.xWrite = writeLog;
  logState->methods.xTruncate = truncateLog;
  logState->methods.xSync = syncLog;
  logState->methods.xFileSize = sizeOfLog;
  database->pMethods = &databaseState->methods;
  log->pMethods = &logState->methods;
  return 1;
}

void csqlite_stop_joining_log_writes(struct sqlite3 *connection) {
  sqlite3_file *database = openFile(connection, SQLITE_FCNTL_FILE_POINTER);
  sqlite3_file *log = openFile(connection, SQLITE_FCNTL_JOURNAL_POINTER);
  if (log != NULL && log->pMethods->xClose == closeFile) detach(joined(log));
  if (database != NULL && database->pMethods->xClose == closeFile) detach(joined(database));
}
