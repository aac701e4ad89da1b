#include "CICU.h"

#include <stdlib.h>
#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/ucol.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/utext.h>
#include <unicode/uversion.h>

#define SAME(ours, icus) _Static_assert((int)(ours) == (int)(icus), #ours " is not " #icus)

SAME(CICUWordBreakOther, U_WB_OTHER);
SAME(CICUWordBreakALetter, U_WB_ALETTER);
SAME(CICUWordBreakFormat, U_WB_FORMAT);
SAME(CICUWordBreakMidLetter, U_WB_MIDLETTER);
SAME(CICUWordBreakMidNum, U_WB_MIDNUM);
SAME(CICUWordBreakNumeric, U_WB_NUMERIC);
SAME(CICUWordBreakExtendNumLet, U_WB_EXTENDNUMLET);
SAME(CICUWordBreakExtend, U_WB_EXTEND);
SAME(CICUWordBreakMidNumLet, U_WB_MIDNUMLET);
SAME(CICUWordBreakRegionalIndicator, U_WB_REGIONAL_INDICATOR);
SAME(CICUWordBreakHebrewLetter, U_WB_HEBREW_LETTER);
SAME(CICUWordBreakSingleQuote, U_WB_SINGLE_QUOTE);
SAME(CICUWordBreakDoubleQuote, U_WB_DOUBLE_QUOTE);
SAME(CICUWordBreakZWJ, U_WB_ZWJ);

SAME(CICUCategoryUnassigned, U_UNASSIGNED);
SAME(CICUCategoryModifierLetter, U_MODIFIER_LETTER);
SAME(CICUCategoryOtherLetter, U_OTHER_LETTER);
SAME(CICUCategoryNonspacingMark, U_NON_SPACING_MARK);
SAME(CICUCategoryEnclosingMark, U_ENCLOSING_MARK);
SAME(CICUCategorySpacingMark, U_COMBINING_SPACING_MARK);
SAME(CICUCategoryDecimalNumber, U_DECIMAL_DIGIT_NUMBER);
SAME(CICUCategoryDashPunctuation, U_DASH_PUNCTUATION);
SAME(CICUCategoryOpenPunctuation, U_START_PUNCTUATION);
SAME(CICUCategoryClosePunctuation, U_END_PUNCTUATION);
SAME(CICUCategoryConnectorPunctuation, U_CONNECTOR_PUNCTUATION);
SAME(CICUCategoryOtherPunctuation, U_OTHER_PUNCTUATION);
SAME(CICUCategoryInitialPunctuation, U_INITIAL_PUNCTUATION);
SAME(CICUCategoryFinalPunctuation, U_FINAL_PUNCTUATION);

SAME(CICUScriptCommon, USCRIPT_COMMON);
SAME(CICUScriptInherited, USCRIPT_INHERITED);
SAME(CICUScriptArabic, USCRIPT_ARABIC);
SAME(CICUScriptArmenian, USCRIPT_ARMENIAN);
SAME(CICUScriptCoptic, USCRIPT_COPTIC);
SAME(CICUScriptCyrillic, USCRIPT_CYRILLIC);
SAME(CICUScriptGeorgian, USCRIPT_GEORGIAN);
SAME(CICUScriptGothic, USCRIPT_GOTHIC);
SAME(CICUScriptGreek, USCRIPT_GREEK);
SAME(CICUScriptHan, USCRIPT_HAN);
SAME(CICUScriptHangul, USCRIPT_HANGUL);
SAME(CICUScriptHebrew, USCRIPT_HEBREW);
SAME(CICUScriptHiragana, USCRIPT_HIRAGANA);
SAME(CICUScriptKatakana, USCRIPT_KATAKANA);
SAME(CICUScriptLatin, USCRIPT_LATIN);
SAME(CICUScriptSyriac, USCRIPT_SYRIAC);
SAME(CICUScriptGlagolitic, USCRIPT_GLAGOLITIC);
SAME(CICUScriptMandaic, USCRIPT_MANDAIC);
SAME(CICUScriptUnknown, USCRIPT_UNKNOWN);
SAME(CICUScriptSamaritan, USCRIPT_SAMARITAN);
SAME(CICUScriptNushu, USCRIPT_NUSHU);
SAME(CICUScriptTangut, USCRIPT_TANGUT);
SAME(CICUScriptKhitanSmallScript, USCRIPT_KHITAN_SMALL_SCRIPT);

SAME(CICUStrengthPrimary, UCOL_PRIMARY);
SAME(CICUStrengthSecondary, UCOL_SECONDARY);
SAME(CICUStrengthTertiary, UCOL_TERTIARY);

CICUWordBreak cicu_wordBreak(int32_t scalar) { return u_getIntPropertyValue(scalar, UCHAR_WORD_BREAK); }
CICUCategory cicu_category(int32_t scalar) { return u_charType(scalar); }
CICUScript cicu_script(int32_t scalar) {
  UErrorCode status = U_ZERO_ERROR;
  UScriptCode script = uscript_getScript(scalar, &status);
  return U_SUCCESS(status) ? (CICUScript)script : CICUScriptUnknown;
}
bool cicu_hasScript(int32_t scalar, CICUScript script) { return uscript_hasScript(scalar, (UScriptCode)script); }
bool cicu_isComplexContext(int32_t scalar) {
  return u_getIntPropertyValue(scalar, UCHAR_LINE_BREAK) == U_LB_COMPLEX_CONTEXT;
}
bool cicu_isPictograph(int32_t scalar) {
  return u_hasBinaryProperty(scalar, UCHAR_EMOJI) && u_hasBinaryProperty(scalar, UCHAR_EXTENDED_PICTOGRAPHIC);
}
bool cicu_isRegionalIndicator(int32_t scalar) { return u_hasBinaryProperty(scalar, UCHAR_REGIONAL_INDICATOR); }
int32_t cicu_digitValue(int32_t scalar) { return u_charDigitValue(scalar); }

static const CICUNormalizer *normalizer(const UNormalizer2 *(*get)(UErrorCode *), int32_t *code) {
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizer2 *result = get(&status);
  *code = status;
  return (const CICUNormalizer *)result;
}
const CICUNormalizer *cicu_nfkcCasefold(int32_t *code) { return normalizer(unorm2_getNFKCCasefoldInstance, code); }
const CICUNormalizer *cicu_nfc(int32_t *code) { return normalizer(unorm2_getNFCInstance, code); }
const CICUNormalizer *cicu_nfd(int32_t *code) { return normalizer(unorm2_getNFDInstance, code); }
int32_t cicu_normalize(const CICUNormalizer *normalizer, const uint16_t *source, int32_t length, uint16_t *target,
                       int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  int32_t result = unorm2_normalize((const UNormalizer2 *)normalizer, (const UChar *)source, length,
                                    (UChar *)target, capacity, &status);
  return U_SUCCESS(status) ? result : -1;
}

// With a UText over UTF-8, ICU reports byte offsets. It is reused for all texts.
struct CICUWordBreaks {
  UBreakIterator *iterator;
  UText *text;
};

CICUWordBreaks *cicu_openWordBreaks(int32_t *code) {
  UErrorCode status = U_ZERO_ERROR;
  UBreakIterator *iterator = ubrk_open(UBRK_WORD, "", NULL, 0, &status);
  *code = status;
  if (U_FAILURE(status)) return NULL;
  CICUWordBreaks *breaks = malloc(sizeof *breaks);
  if (breaks == NULL) {
    ubrk_close(iterator);
    *code = U_MEMORY_ALLOCATION_ERROR;
    return NULL;
  }
  *breaks = (CICUWordBreaks){iterator, NULL};
  return breaks;
}
void cicu_closeWordBreaks(CICUWordBreaks *breaks) {
  ubrk_close(breaks->iterator);
  utext_close(breaks->text);
  free(breaks);
}
int32_t cicu_setText(CICUWordBreaks *breaks, const uint8_t *bytes, int64_t length) {
  UErrorCode status = U_ZERO_ERROR;
  breaks->text = utext_openUTF8(breaks->text, (const char *)bytes, length, &status);
  ubrk_setUText(breaks->iterator, breaks->text, &status);
  return status;
}
int32_t cicu_nextBreak(CICUWordBreaks *breaks) {
  int32_t offset = ubrk_next(breaks->iterator);
  return offset == UBRK_DONE ? -1 : offset;
}

CICUCollator *cicu_openCollator(const char *locale, CICUStrength strength, bool hasCaseLevel, int32_t *code) {
  UErrorCode status = U_ZERO_ERROR;
  UCollator *collator = ucol_open(locale, &status);
  *code = status;
  if (U_FAILURE(status)) return NULL;
  ucol_setStrength(collator, (UCollationStrength)strength);
  if (hasCaseLevel) ucol_setAttribute(collator, UCOL_CASE_LEVEL, UCOL_ON, &status);
  // Without normalization, decomposed text would sometimes compare as different from its composed form.
  ucol_setAttribute(collator, UCOL_NORMALIZATION_MODE, UCOL_ON, &status);
  return (CICUCollator *)collator;
}
void cicu_closeCollator(CICUCollator *collator) { ucol_close((UCollator *)collator); }
int32_t cicu_compare(const CICUCollator *collator, const uint8_t *one, int32_t oneLength, const uint8_t *other,
                     int32_t otherLength) {
  UErrorCode status = U_ZERO_ERROR;
  return ucol_strcollUTF8((const UCollator *)collator, (const char *)one, oneLength, (const char *)other, otherLength,
                          &status);
}
int32_t cicu_sortKey(const CICUCollator *collator, const uint16_t *text, int32_t length, uint8_t *key,
                     int32_t capacity) {
  return ucol_getSortKey((const UCollator *)collator, (const UChar *)text, length, key, capacity);
}

void cicu_version(uint8_t *numbers) { u_getVersion(numbers); }
void cicu_unicodeVersion(uint8_t *numbers) { u_getUnicodeVersion(numbers); }
