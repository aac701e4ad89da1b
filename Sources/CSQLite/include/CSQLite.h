// Wrappers of SQLite functions with a variable number of arguments, which Swift cannot call.
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

#endif
