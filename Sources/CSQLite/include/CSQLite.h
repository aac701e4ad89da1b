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

#endif
