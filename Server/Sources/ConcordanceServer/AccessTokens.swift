import CSHA256

/// The operations that a token permits. Each scope includes the preceding scopes.
public enum AccessScope: String, Hashable, Sendable, CaseIterable, Comparable {
  /// Searching and reading.
  case read
  /// Changing documents.
  case write
  /// Creating and deleting collections and indexes.
  case admin

  public static func < (one: AccessScope, other: AccessScope) -> Bool { one.rank < other.rank }

  private var rank: Int { AccessScope.allCases.firstIndex(of: self) ?? 0 }
}

/// The tokens in a token file. Each line of the file has the form `SCOPE SHA256`, as returned by ``newToken(scope:)``.
/// The file contains only hashes, so people who can read it cannot use the tokens.
///
/// ```
/// # the page
/// read 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
/// ```
public struct AccessTokens: Sendable {
  private let entries: [(scope: AccessScope, digest: [UInt8])]

  /// The number of tokens.
  public var count: Int { entries.count }

  /// Parses the text of a token file.
  ///
  /// - Parameter text: the lines. Empty lines and lines that begin with `#` are skipped.
  /// - Throws: ``ServerOptionsError`` if a line is malformed or there are no tokens.
  public init(text: String) throws {
    var entries: [(AccessScope, [UInt8])] = []
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let words = line.split(whereSeparator: \.isWhitespace)
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      guard words.count == 2, let scope = AccessScope(rawValue: String(first)),
        let digest = AccessTokens.bytes(hexadecimal: words[1])
      else {
        throw ServerOptionsError(.malformedTokenLine(index + 1))
      }
      entries.append((scope, digest))
    }
    guard !entries.isEmpty else { throw ServerOptionsError(.noTokens) }
    self.entries = entries
  }

  /// Creates a random 256-bit token.
  ///
  /// - Parameter scope: the scope of the token.
  /// - Returns: The token for the client and the line for the token file.
  public static func newToken(scope: AccessScope) -> (token: String, line: String) {
    // The system's random number generator is cryptographically secure.
    let token = hexadecimal((0..<32).map { _ in UInt8.random(in: .min ... .max) })
    return (token, "\(scope.rawValue) \(hexadecimal(digest(of: token)))")
  }

  /// Returns the scope of a token; nil if the token is unknown. Takes the same time for every token.
  func scope(of token: String) -> AccessScope? {
    let digest = AccessTokens.digest(of: token)
    var found: AccessScope?
    // Compares all entries, and all bytes of each, so that timing reveals nothing.
    for entry in entries where AccessTokens.isEqual(entry.digest, digest) {
      found = max(found ?? entry.scope, entry.scope)
    }
    return found
  }

  private static func digest(of token: String) -> [UInt8] { digest(of: Array(token.utf8)) }

  /// Returns the SHA-256 of bytes as hexadecimal digits.
  static func hexadecimalDigest(of bytes: [UInt8]) -> String { hexadecimal(digest(of: bytes)) }

  private static func digest(of bytes: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { digest, count in
      SHA256(bytes, bytes.count, digest.baseAddress)
      count = Int(SHA256_DIGEST_LENGTH)
    }
  }

  private static func isEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func bytes(hexadecimal text: Substring) -> [UInt8]? {
    let digits = text.compactMap(\.hexDigitValue)
    guard digits.count == 64, text.count == 64 else { return nil }
    return stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
