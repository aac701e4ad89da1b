import CICU

/// The three ICU normalizers that folding needs.
///
/// `@unchecked Sendable` without a lock: ICU documents `UNormalizer2` instances from its `get…Instance` functions as
/// immutable, owned by the library, and usable by several threads at the same time (unorm2.h).
struct Normalizers: @unchecked Sendable {
  let nfkcCasefold: OpaquePointer
  let nfc: OpaquePointer
  let nfd: OpaquePointer

  /// Creates the normalizers.
  ///
  /// - Throws: ``AnalyzerError/unicodeDataUnavailable(service:code:)``.
  init() throws {
    nfkcCasefold = try Self.load("NFKC_Casefold", cicu_nfkcCasefold)
    nfc = try Self.load("NFC", cicu_nfc)
    nfd = try Self.load("NFD", cicu_nfd)
  }

  private static func load(
    _ service: String, _ get: (UnsafeMutablePointer<Int32>) -> OpaquePointer?
  ) throws -> OpaquePointer {
    var code: Int32 = 0
    guard let normalizer = get(&code), code <= 0 else {
      throw AnalyzerError.unicodeDataUnavailable(service: service, code: Int(code))
    }
    return normalizer
  }
}
