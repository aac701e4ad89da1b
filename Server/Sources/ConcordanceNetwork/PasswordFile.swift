import CCrypt
import Concordance

/// The users of a password file, for a ``URLEndpointListener``.
///
/// ```swift
/// let users = try PasswordFile(text: String(contentsOfFile: "users", encoding: .utf8))
/// config.authenticator = users.authenticator
/// ```
///
/// Each line is `NAME:HASH`, as in the files of `htpasswd`. The hash is that of crypt(3) with a strong method: SHA-512,
/// as `openssl passwd -6` prints it, bcrypt, as `htpasswd -B` writes it, or yescrypt. Empty lines and lines that begin
/// with `#` are skipped.
public struct PasswordFile: Sendable {
  private let hashes: [String: String]
  /// The hash that is computed for unknown users, so that the time does not disclose whether a user exists.
  private let anyHash: String

  /// Parses the text of a password file.
  ///
  /// - Throws: ``Concordance/CBLError/invalidParameter`` with the number of a malformed line, or if there are no users.
  public init(text: String) throws {
    var hashes: [String: String] = [:]
    var anyHash: String?
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      guard !line.isEmpty, !line.hasPrefix("#") else { continue }
      func malformed(_ reason: String) -> CBLError {
        CBLError(code: CBLError.invalidParameter, message: "line \(index + 1) of the password file \(reason)")
      }
      guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else {
        throw malformed("is not NAME:HASH")
      }
      let (name, hash) = (String(line[..<colon]), String(line[line.index(after: colon)...]))
      guard hash.hasPrefix("$"), concordance_isSupportedHash(hash) == 1 else {
        throw malformed("has no strong hash; create one with `openssl passwd -6`")
      }
      guard hashes.updateValue(hash, forKey: name) == nil else { throw malformed("repeats the user \"\(name)\"") }
      anyHash = hash
    }
    guard let anyHash else {
      throw CBLError(code: CBLError.invalidParameter, message: "the password file contains no users")
    }
    (self.hashes, self.anyHash) = (hashes, anyHash)
  }

  /// Returns whether a user has a password. Takes some milliseconds, and must not be called on an event loop.
  public func contains(user: String, password: String) -> Bool {
    let hash = hashes[user]
    // A password with a NUL would be compared only up to it.
    guard !password.utf8.contains(0) else { return false }
    return concordance_hasHash(password, hash ?? anyHash) == 1 && hash != nil
  }

  /// An authenticator that permits these users.
  public var authenticator: ListenerPasswordAuthenticator {
    ListenerPasswordAuthenticator { contains(user: $0, password: $1) }
  }
}
