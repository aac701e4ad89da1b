import DocumentFormats
import Foundation

/// Detects the language of a text with CLD2 (Debian: libcld2-0), which is loaded when it is needed, and with rules for
/// languages that CLD2 confuses or does not know.
///
/// ```swift
/// LanguageDetector.shared?.language(of: text)   // "fr"
/// ```
///
/// CLD2 reads only valid UTF-8. The result depends only on the text and on ``version``.
public final class LanguageDetector: Sendable {
  /// The detector; nil if the library is not installed.
  public static let shared = LanguageDetector()

  /// The version of the rules, and of the library and its tables.
  public let version: String

  /// Incremented when the rules in this module yield different languages for the same text.
  private static let rules = 2

  /// The minimum text length in bytes for which an uncertain result is used. Most uncertain results for longer texts
  /// are correct, for example for Serbian in Latin script and for texts with many English names. If the uncertain
  /// result is English, CLD2 has usually recognized only names and markup.
  private static let sufficientCount = 256
  /// The number of bytes that are examined. More text does not change the result for a document in one language.
  private static let maximumCount = 64 << 10

  // CLD2's C++ functions `CLD2::DetectLanguage`, `CLD2::LanguageCode` and `CLD2::DetectLanguageVersion`. With
  // their parameter types, they have the same calling convention as C functions.
  private typealias Detect =
    @convention(c) (UnsafePointer<CChar>?, Int32, Bool, UnsafeMutablePointer<Bool>?) -> Int32
  private typealias Code = @convention(c) (Int32) -> UnsafePointer<CChar>?
  private typealias Version = @convention(c) () -> UnsafePointer<CChar>?
  private let detect: Detect
  private let code: Code

  private init?() {
    guard let library = DynamicLibrary("libcld2.so.0"),
      let detect = library.function("_ZN4CLD214DetectLanguageEPKcibPb", as: Detect.self),
      let code = library.function("_ZN4CLD212LanguageCodeENS_8LanguageE", as: Code.self),
      let version = library.function("_ZN4CLD221DetectLanguageVersionEv", as: Version.self)
    else { return nil }
    (self.detect, self.code) = (detect, code)
    let libraryVersion = version().map { String(cString: $0) } ?? "unknown"
    self.version = "\(LanguageDetector.rules)-\(libraryVersion)"
  }

  /// Returns the ISO 639-1 code of the language of a text; nil if it is unknown, or uncertain because
  /// the text is short.
  ///
  /// - Parameter text: valid UTF-8.
  /// - Complexity: O(n) in the length of the text, at most 64 KiB.
  public func language(of text: UnsafeRawBufferPointer) -> String? {
    var end = min(text.count, LanguageDetector.maximumCount)
    // A truncated character would be invalid UTF-8.
    while end > 0, end < text.count, text[end] & 0xC0 == 0x80 { end -= 1 }
    guard end > 0 else { return nil }
    var isReliable = false
    let bytes = text.baseAddress?.assumingMemoryBound(to: CChar.self)
    guard let name = code(detect(bytes, Int32(end), true, &isReliable)) else { return nil }
    let code = LanguageDetector.standardCode(String(cString: name))
    let examined = String(decoding: UnsafeRawBufferPointer(rebasing: text[..<end]), as: UTF8.self)[...]
    if ScriptLanguage.isEsperanto(examined) { return "eo" }
    let isCertain = isReliable || (end >= LanguageDetector.sufficientCount && code != "en")
    guard let code, isCertain else { return ScriptLanguage.language(of: examined) }
    return RelatedLanguages.corrected(code, examined)
  }

  /// Returns the ISO 639-1 code for a CLD2 code; CLD2 uses some withdrawn codes. Returns nil for an unknown language.
  private static func standardCode(_ code: String) -> String? {
    switch code {
    case "un", "xxx": nil
    case "iw": "he"
    case "no": "nb"
    case "in": "id"
    default: code
    }
  }
}
