// The functions of libpq that PostgresAccess calls, loaded while the program runs.
//
// The declarations are those of PostgreSQL's manual, chapter "libpq - C Library". Nothing of libpq's headers is included,
// so that neither building nor starting a program needs PostgreSQL.
#ifndef CPOSTGRES_H
#define CPOSTGRES_H

#include <stddef.h>

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef struct pg_cancel PGcancel;
typedef unsigned int Oid;
typedef void (*PQnoticeProcessor)(void *argument, const char *message);

// The beginning of libpq's PGnotify, which programs may read.
typedef struct {
  char *relname;
  int be_pid;
  char *extra;
} CPostgresNotify;

// libpq's PQconninfoOption, which programs may read.
typedef struct {
  char *keyword;
  char *envvar;
  char *compiled;
  char *val;
  char *label;
  char *dispchar;
  int dispsize;
} CPostgresOption;

// ConnStatusType, ExecStatusType and PGTransactionStatusType.
#define CPOSTGRES_CONNECTION_OK 0
#define CPOSTGRES_EMPTY_QUERY 0
#define CPOSTGRES_COMMAND_OK 1
#define CPOSTGRES_TUPLES_OK 2
#define CPOSTGRES_COPY_IN 4
#define CPOSTGRES_PIPELINE_ABORTED 11
#define CPOSTGRES_TRANSACTION_IDLE 0
#define CPOSTGRES_TRANSACTION_FAILED 3

// Function pointers, in the order of their use. All are set after cpostgres_load has returned NULL.
typedef struct {
  int (*libVersion)(void);
  PGconn *(*connectdbParams)(const char *const *keywords, const char *const *values, int expand_dbname);
  int (*status)(const PGconn *connection);
  char *(*errorMessage)(const PGconn *connection);
  void (*finish)(PGconn *connection);
  int (*serverVersion)(const PGconn *connection);
  char *(*host)(const PGconn *connection);
  char *(*hostaddr)(const PGconn *connection);
  char *(*port)(const PGconn *connection);
  char *(*db)(const PGconn *connection);
  PQnoticeProcessor (*setNoticeProcessor)(PGconn *connection, PQnoticeProcessor processor, void *argument);
  int (*setnonblocking)(PGconn *connection, int argument);
  int (*socket)(const PGconn *connection);
  int (*transactionStatus)(const PGconn *connection);
  CPostgresOption *(*conninfo)(PGconn *connection);
  CPostgresOption *(*conninfoParse)(const char *address, char **error);
  void (*conninfoFree)(CPostgresOption *options);
  int (*sendQuery)(PGconn *connection, const char *query);
  int (*enterPipelineMode)(PGconn *connection);
  int (*exitPipelineMode)(PGconn *connection);
  int (*pipelineSync)(PGconn *connection);
  int (*sendPrepare)(PGconn *connection, const char *name, const char *query, int count, const Oid *types);
  int (*sendQueryPrepared)(PGconn *connection, const char *name, int count, const char *const *values,
                           const int *lengths, const int *formats, int resultFormat);
  int (*flush)(PGconn *connection);
  int (*consumeInput)(PGconn *connection);
  int (*isBusy)(PGconn *connection);
  PGresult *(*getResult)(PGconn *connection);
  int (*resultStatus)(const PGresult *result);
  char *(*resultErrorField)(const PGresult *result, int field);
  char *(*resultErrorMessage)(const PGresult *result);
  void (*clear)(PGresult *result);
  int (*ntuples)(const PGresult *result);
  int (*nfields)(const PGresult *result);
  char *(*getvalue)(const PGresult *result, int row, int column);
  int (*getlength)(const PGresult *result, int row, int column);
  int (*getisnull)(const PGresult *result, int row, int column);
  char *(*cmdTuples)(PGresult *result);
  int (*putCopyData)(PGconn *connection, const char *buffer, int length);
  int (*putCopyEnd)(PGconn *connection, const char *error);
  PGcancel *(*getCancel)(PGconn *connection);
  int (*cancel)(PGcancel *cancel, char *message, int length);
  void (*freeCancel)(PGcancel *cancel);
  CPostgresNotify *(*notifies)(PGconn *connection);
  void (*freemem)(void *memory);
} CPostgresFunctions;

// Loads the library and fills the table. Returns NULL, or the reason of a failure, which the caller must copy before the
// thread calls dlopen again.
const char *cpostgres_load(const char *library, CPostgresFunctions *functions);

// A notice processor that ignores notices; libpq's own writes them to the standard error.
void cpostgres_ignore_notice(void *argument, const char *message);

#endif
