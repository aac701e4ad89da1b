#include "CSQLite.h"

#include <sqlite3.h>
#include <stddef.h>

int csqlite_set_option(struct sqlite3 *connection, int option, int isOn) {
  return sqlite3_db_config(connection, option, isOn, NULL);
}

int csqlite_option(struct sqlite3 *connection, int option) {
  int isOn = -1;
  return sqlite3_db_config(connection, option, -1, &isOn) == SQLITE_OK ? isOn : -1;
}

int csqlite_forbid_use_by_schema(struct sqlite3 *connection) {
  return sqlite3_vtab_config(connection, SQLITE_VTAB_DIRECTONLY);
}

int csqlite_supports_conflict_resolution(struct sqlite3 *connection) {
  return sqlite3_vtab_config(connection, SQLITE_VTAB_CONSTRAINT_SUPPORT, 1);
}
