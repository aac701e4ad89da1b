// Wrappers of SQLite functions with a variable number of arguments, which Swift cannot call, and methods of files.
#ifndef CONCORDANCE_CSQLITE_H
#define CONCORDANCE_CSQLITE_H

struct sqlite3;

/// Turns a connection option on or off by sqlite3_db_config(). The option must take an integer. Returns SQLite's result
/// code.
int csqlite_set_option(struct sqlite3 *connection, int option, int isOn);

/// Returns whether a connection option is on: 1, 0, or -1 if SQLite does not know it.
int csqlite_option(struct sqlite3 *connection, int option);

/// Prevents triggers and views from using the virtual table that is being connected (SQLITE_VTAB_DIRECTONLY). Must be
/// called inside xCreate or xConnect. Returns SQLite's result code.
int csqlite_forbid_use_by_schema(struct sqlite3 *connection);

/// Declares that the virtual table that is being connected implements the conflict resolutions OR IGNORE and OR REPLACE
/// (SQLITE_VTAB_CONSTRAINT_SUPPORT). Must be called inside xCreate or xConnect. Returns SQLite's result code.
int csqlite_supports_conflict_resolution(struct sqlite3 *connection);

/// Makes a connection join its writes to the write-ahead log of the main database: SQLite's two calls for each frame become
/// one for 128 KiB of frames. The files have the same contents when a transaction is committed and when the log is synced.
///
/// Must be called outside a transaction, after the connection has read the database. Returns 1, or 0 if there is no log, if
/// memory is short, or if the connection already joins its writes.
int csqlite_join_log_writes(struct sqlite3 *connection);

/// Ends the effect of csqlite_join_log_writes(). Must be called outside a transaction.
void csqlite_stop_joining_log_writes(struct sqlite3 *connection);

/// Returns the index of the write-ahead log of the main database, which all connections of all processes share in memory;
/// null if it is not available. It is valid until the connection is closed.
///
/// The database must be in WAL mode, and the connection must have read it.
const void *csqlite_log_index(struct sqlite3 *connection);

/// The header of the index, which each commit and each overwriting of the log changes.
typedef struct {
  unsigned long long words[6];
} csqlite_log_header;

/// Copies the header of an index. While a transaction is committed, the copy may be neither the old nor the new header.
csqlite_log_header csqlite_copy_log_header(const void *index);

/// Returns whether an index has this header: 1 or 0.
int csqlite_has_log_header(const void *index, const csqlite_log_header *header);

/// Returns the number of committed frames in a log.
int csqlite_log_frame_count(const void *index);

/// Returns the number of frames of a log that are in the database file.
int csqlite_log_copied_count(const void *index);

#endif
