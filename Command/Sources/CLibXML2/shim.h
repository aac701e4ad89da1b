#ifndef CLIBXML2_SHIM_H
#define CLIBXML2_SHIM_H

// Debian builds libxml2 with ICU. Its headers then include those of ICU, whose types conflict with those of the ICU in
// Foundation. They are only needed for two fields at the end of a struct that is never used by value here.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/HTMLparser.h>

#endif
