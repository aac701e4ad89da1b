#ifndef CICU_H
#define CICU_H

// The ICU functions that Concordance uses, with the prefix cicu_ and without ICU's types.
//
// Swift does not import ICU's headers for two reasons. First, macros rename ICU's functions (u_foo becomes u_foo_72),
// and Swift does not see these macros. Second, Foundation on Linux includes another version of ICU: in a file that
// imports both, clang rejects the second definition of UErrorCode.
//
// A `code` is a UErrorCode: 0 means success, a negative value a warning, a positive value an error.

#include <stdbool.h>
#include <stdint.h>

#define CICU_ENUM(name) enum __attribute__((enum_extensibility(open))) name : int32_t

// Values of properties, as in uchar.h and uscript.h; CICU.c checks that they agree.

typedef CICU_ENUM(CICUWordBreak) {
  CICUWordBreakOther = 0,
  CICUWordBreakALetter = 1,
  CICUWordBreakFormat = 2,
  CICUWordBreakMidLetter = 4,
  CICUWordBreakMidNum = 5,
  CICUWordBreakNumeric = 6,
  CICUWordBreakExtendNumLet = 7,
  CICUWordBreakExtend = 9,
  CICUWordBreakMidNumLet = 11,
  CICUWordBreakRegionalIndicator = 13,
  CICUWordBreakHebrewLetter = 14,
  CICUWordBreakSingleQuote = 15,
  CICUWordBreakDoubleQuote = 16,
  CICUWordBreakZWJ = 21,
} CICUWordBreak;

typedef CICU_ENUM(CICUCategory) {
  CICUCategoryUnassigned = 0,
  CICUCategoryModifierLetter = 4,
  CICUCategoryOtherLetter = 5,
  CICUCategoryNonspacingMark = 6,
  CICUCategoryEnclosingMark = 7,
  CICUCategorySpacingMark = 8,
  CICUCategoryDecimalNumber = 9,
  CICUCategoryDashPunctuation = 19,
  CICUCategoryOpenPunctuation = 20,
  CICUCategoryClosePunctuation = 21,
  CICUCategoryConnectorPunctuation = 22,
  CICUCategoryOtherPunctuation = 23,
  CICUCategoryInitialPunctuation = 28,
  CICUCategoryFinalPunctuation = 29,
} CICUCategory;

typedef CICU_ENUM(CICUScript) {
  CICUScriptCommon = 0,
  CICUScriptInherited = 1,
  CICUScriptArabic = 2,
  CICUScriptArmenian = 3,
  CICUScriptCoptic = 7,
  CICUScriptCyrillic = 8,
  CICUScriptGeorgian = 12,
  CICUScriptGothic = 13,
  CICUScriptGreek = 14,
  CICUScriptHan = 17,
  CICUScriptHangul = 18,
  CICUScriptHebrew = 19,
  CICUScriptHiragana = 20,
  CICUScriptKatakana = 22,
  CICUScriptLatin = 25,
  CICUScriptSyriac = 34,
  CICUScriptGlagolitic = 56,
  CICUScriptMandaic = 84,
  CICUScriptUnknown = 103,
  CICUScriptSamaritan = 126,
  CICUScriptNushu = 150,
  CICUScriptTangut = 154,
  CICUScriptKhitanSmallScript = 191,
} CICUScript;

CICUWordBreak cicu_wordBreak(int32_t scalar);
CICUCategory cicu_category(int32_t scalar);
CICUScript cicu_script(int32_t scalar);
bool cicu_hasScript(int32_t scalar, CICUScript script);
// Returns whether Line_Break is SA: the character belongs to a script without spaces between words.
bool cicu_isComplexContext(int32_t scalar);
// Returns whether a character has the properties Emoji and Extended_Pictographic.
bool cicu_isPictograph(int32_t scalar);
bool cicu_isRegionalIndicator(int32_t scalar);
int32_t cicu_digitValue(int32_t scalar);

// Normalization. Normalizers are immutable, shared by threads and never freed.

typedef struct CICUNormalizer CICUNormalizer;
const CICUNormalizer *cicu_nfkcCasefold(int32_t *code);
const CICUNormalizer *cicu_nfc(int32_t *code);
const CICUNormalizer *cicu_nfd(int32_t *code);
// Returns the length of the result, or -1 if it does not fit.
int32_t cicu_normalize(const CICUNormalizer *normalizer, const uint16_t *source, int32_t length, uint16_t *target,
                       int32_t capacity);

// Word boundaries of the root locale over UTF-8, as byte offsets. An iterator must be used on one thread.

typedef struct CICUWordBreaks CICUWordBreaks;
CICUWordBreaks *cicu_openWordBreaks(int32_t *code);
void cicu_closeWordBreaks(CICUWordBreaks *breaks);
// `bytes` must outlive the calls to cicu_nextBreak. Returns a code.
int32_t cicu_setText(CICUWordBreaks *breaks, const uint8_t *bytes, int64_t length);
// Returns the next boundary, or -1 at the end.
int32_t cicu_nextBreak(CICUWordBreaks *breaks);

// Comparison of strings. A collator is immutable after creation, so threads may share it; its owner closes it.

typedef CICU_ENUM(CICUStrength) {
  CICUStrengthPrimary = 0,
  CICUStrengthSecondary = 1,
  CICUStrengthTertiary = 2,
} CICUStrength;

typedef struct CICUCollator CICUCollator;
CICUCollator *cicu_openCollator(const char *locale, CICUStrength strength, bool hasCaseLevel, int32_t *code);
void cicu_closeCollator(CICUCollator *collator);
// Returns a number less than, equal to or greater than 0. Invalid UTF-8 is compared as U+FFFD.
int32_t cicu_compare(const CICUCollator *collator, const uint8_t *one, int32_t oneLength, const uint8_t *other,
                     int32_t otherLength);
// Returns the length of the sort key, including its final 0. If it is larger than the capacity, the key is incomplete.
int32_t cicu_sortKey(const CICUCollator *collator, const uint16_t *text, int32_t length, uint8_t *key,
                     int32_t capacity);

// Each of these functions writes four numbers.
void cicu_version(uint8_t *numbers);
void cicu_unicodeVersion(uint8_t *numbers);

#endif
