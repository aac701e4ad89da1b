import CCrypt
import Concordance

/// The users of a password file, for a ``URLEndpointListener``.
///
/// ```swift
/// let users = try PasswordFile(text: String(contentsOfFile: "users", encoding: .utf8))
/// config.authenticator = users.authenticator
/// ```
///
/// Each line is `NAME:HASH`, as in the files of `htpasswd`. The hash is a crypt(3) hash with a strong method: SHA-512
/// (`openssl passwd -6`), bcrypt (`htpasswd -B`) or yescrypt. Empty lines and lines that begin with `#` are skipped.
public struct PasswordFile: Sendable {
  private let hashes: [String: String]
  /// The hash that passwords of unknown users are checked against, so that timing does not reveal which users exist.
  private let anyHash: String

  /// Parses the text of a password file.
  ///
  /// - Throws: ``Concordance/CBLError/invalidParameter`` if a line is malformed, or if there are no users.
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

  /// Returns whether a user's password is correct. Takes several milliseconds, so do not call it on an event loop.
  public func contains(user: String, password: String) -> Bool {
    let hash = hashes[user]
    // crypt(3) would compare a password only up to a NUL character.
    guard !password.utf8.contains(0) else { return false }
    return concordance_hasHash(password, hash ?? anyHash) == 1 && hash != nil
  }

  /// An authenticator that accepts these users.
  public var authenticator: ListenerPasswordAuthenticator {
    ListenerPasswordAuthenticator { contains(user: $0, password: $1) }
  }
}
