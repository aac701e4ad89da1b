import Foundation

/// Media types in `Content-Type` headers.
enum MediaType {
  /// Returns the type of a header without its parameters, in lower case: `text/plain` for `Text/Plain; charset=utf-8`.
  static func name(of header: String) -> String {
    header.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
  }
}
