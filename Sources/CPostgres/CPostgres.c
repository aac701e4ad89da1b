#include "CPostgres.h"

#include <dlfcn.h>

const char *cpostgres_load(const char *library, CPostgresFunctions *functions) {
  // Never closed: functions of the library are used until the program ends.
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return dlerror();
#define LOAD(field, name)                              \
  do {                                                 \
    void *function = dlsym(handle, name);              \
    if (!function) return "it lacks the function " name; \
    *(void **)&functions->field = function;            \
  } while (0)
  LOAD(libVersion, "PQlibVersion");
  LOAD(connectdbParams, "PQconnectdbParams");
  LOAD(status, "PQstatus");
  LOAD(errorMessage, "PQerrorMessage");
  LOAD(finish, "PQfinish");
  LOAD(serverVersion, "PQserverVersion");
  LOAD(host, "PQhost");
  LOAD(hostaddr, "PQhostaddr");
  LOAD(port, "PQport");
  LOAD(db, "PQdb");
  LOAD(setNoticeProcessor, "PQsetNoticeProcessor");
  LOAD(setnonblocking, "PQsetnonblocking");
  LOAD(socket, "PQsocket");
  LOAD(transactionStatus, "PQtransactionStatus");
  LOAD(conninfo, "PQconninfo");
  LOAD(conninfoParse, "PQconninfoParse");
  LOAD(conninfoFree, "PQconninfoFree");
  LOAD(sendQuery, "PQsendQuery");
  LOAD(enterPipelineMode, "PQenterPipelineMode");
  LOAD(exitPipelineMode, "PQexitPipelineMode");
  LOAD(pipelineSync, "PQpipelineSync");
  LOAD(sendPrepare, "PQsendPrepare");
  LOAD(sendQueryPrepared, "PQsendQueryPrepared");
  LOAD(flush, "PQflush");
  LOAD(consumeInput, "PQconsumeInput");
  LOAD(isBusy, "PQisBusy");
  LOAD(getResult, "PQgetResult");
  LOAD(resultStatus, "PQresultStatus");
  LOAD(resultErrorField, "PQresultErrorField");
  LOAD(resultErrorMessage, "PQresultErrorMessage");
  LOAD(clear, "PQclear");
  LOAD(ntuples, "PQntuples");
  LOAD(nfields, "PQnfields");
  LOAD(getvalue, "PQgetvalue");
  LOAD(getlength, "PQgetlength");
  LOAD(getisnull, "PQgetisnull");
  LOAD(cmdTuples, "PQcmdTuples");
  LOAD(putCopyData, "PQputCopyData");
  LOAD(putCopyEnd, "PQputCopyEnd");
  LOAD(getCancel, "PQgetCancel");
  LOAD(cancel, "PQcancel");
  LOAD(freeCancel, "PQfreeCancel");
  LOAD(notifies, "PQnotifies");
  LOAD(freemem, "PQfreemem");
#undef LOAD
  return NULL;
}

void cpostgres_ignore_notice(void *argument, const char *message) {
  (void)argument;
  (void)message;
}
