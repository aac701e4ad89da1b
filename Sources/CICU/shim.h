#ifndef CICU_SHIM_H
#define CICU_SHIM_H

// ICU renames its functions with macros (u_foo becomes u_foo_72), which Swift does not see: each
// function that is used gets a static inline wrapper here, with its own name behind `cicu_`.
// The wrappers hide ICU's error codes as far as Swift does not need them: a code is handed out as
// a plain int, and 0 or less means success (negative codes are warnings).

#include <stdbool.h>
#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/utext.h>
#include <unicode/uversion.h>

// Versions

static inline void cicu_getVersion(UVersionInfo version) { u_getVersion(version); }
static inline void cicu_getUnicodeVersion(UVersionInfo version) { u_getUnicodeVersion(version); }

// Properties of code points

static inline int32_t cicu_wordBreak(UChar32 c) { return u_getIntPropertyValue(c, UCHAR_WORD_BREAK); }
static inline int32_t cicu_lineBreak(UChar32 c) { return u_getIntPropertyValue(c, UCHAR_LINE_BREAK); }
static inline int32_t cicu_generalCategory(UChar32 c) { return u_charType(c); }
static inline int32_t cicu_digitValue(UChar32 c) { return u_charDigitValue(c); }
static inline bool cicu_isEmoji(UChar32 c) { return u_hasBinaryProperty(c, UCHAR_EMOJI); }
static inline bool cicu_isPictographic(UChar32 c) { return u_hasBinaryProperty(c, UCHAR_EXTENDED_PICTOGRAPHIC); }
static inline bool cicu_isRegionalIndicator(UChar32 c) { return u_hasBinaryProperty(c, UCHAR_REGIONAL_INDICATOR); }

static inline int32_t cicu_script(UChar32 c) {
  UErrorCode status = U_ZERO_ERROR;
  UScriptCode script = uscript_getScript(c, &status);
  return U_SUCCESS(status) ? script : USCRIPT_UNKNOWN;
}
static inline bool cicu_hasScript(UChar32 c, UScriptCode script) { return uscript_hasScript(c, script); }

// Normalization

static inline const UNormalizer2 *cicu_nfkcCasefold(int32_t *code) {
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizer2 *normalizer = unorm2_getNFKCCasefoldInstance(&status);
  *code = status;
  return normalizer;
}
static inline const UNormalizer2 *cicu_nfc(int32_t *code) {
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizer2 *normalizer = unorm2_getNFCInstance(&status);
  *code = status;
  return normalizer;
}
static inline const UNormalizer2 *cicu_nfd(int32_t *code) {
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizer2 *normalizer = unorm2_getNFDInstance(&status);
  *code = status;
  return normalizer;
}
// The length of the result, or -1 when it does not fit.
static inline int32_t cicu_normalize(const UNormalizer2 *normalizer, const UChar *source, int32_t length,
                                     UChar *target, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  int32_t result = unorm2_normalize(normalizer, source, length, target, capacity, &status);
  return U_SUCCESS(status) ? result : -1;
}

// Word boundaries. A UText over UTF-8 gives boundaries as byte offsets.

static inline UBreakIterator *cicu_openWordBreaks(int32_t *code) {
  UErrorCode status = U_ZERO_ERROR;
  UBreakIterator *iterator = ubrk_open(UBRK_WORD, "", NULL, 0, &status);
  *code = status;
  return iterator;
}
static inline void cicu_closeBreaks(UBreakIterator *iterator) { ubrk_close(iterator); }
static inline UText *cicu_openUTF8(UText *reused, const char *bytes, int64_t length, int32_t *code) {
  UErrorCode status = U_ZERO_ERROR;
  UText *text = utext_openUTF8(reused, bytes, length, &status);
  *code = status;
  return text;
}
static inline void cicu_closeText(UText *text) { utext_close(text); }
static inline int32_t cicu_setBreakText(UBreakIterator *iterator, UText *text) {
  UErrorCode status = U_ZERO_ERROR;
  ubrk_setUText(iterator, text, &status);
  return status;
}
// The next boundary, or -1 at the end.
static inline int32_t cicu_nextBreak(UBreakIterator *iterator) { return ubrk_next(iterator); }

#endif
