#ifndef CICU_SHIM_H
#define CICU_SHIM_H

// ICU renames its functions with macros (u_foo becomes u_foo_72), which Swift does not see: each
// function that is used gets a static inline wrapper here, with its own name behind `cicu_`.

#include <unicode/uversion.h>

static inline void cicu_getVersion(UVersionInfo version) { u_getVersion(version); }

#endif
