#ifndef CLIBXML2_SHIM_H
#define CLIBXML2_SHIM_H

// Debian builds libxml2 with ICU, and its headers then include ICU's, whose types clash with those of the ICU inside
// Foundation. They are needed for two fields at the end of a struct that is never used by value here.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/HTMLparser.h>

#endif
