/// Globs in options: the syntax of ignore files plus alternatives in braces. In ignore files braces are literal text.
public enum GlobOption {
  /// Expands a glob of an option to globs with the syntax of ignore files: `*.c` and `*.h` for `*.{c,h}`.
  ///
  /// Braces can be nested; in classes and after a backslash they are literal text.
  ///
  /// - Parameter ignoringCase: whether the case of ASCII letters is ignored.
  /// - Throws: ``GlobError`` for an unclosed brace or class, and for more than 1,000 globs.
  public static func expanded(_ glob: String, ignoringCase: Bool = false) throws(GlobError) -> [String] {
    var reader = Reader(glob: glob, rest: Array(glob.utf8)[...], ignoresCase: ignoringCase)
    let globs = try reader.sequence(depth: 0)
    // If one alternative contains a slash, all alternatives are matched against paths.
    let isForPaths = globs.contains(where: isForPath)
    return globs.map { bytes in
      var bytes = bytes
      if isForPaths, !isForPath(bytes) { bytes.insert(UInt8(ascii: "/"), at: bytes.first == UInt8(ascii: "!") ? 1 : 0) }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Returns whether a glob of an ignore file is matched against paths rather than names.
  private static func isForPath(_ glob: [UInt8]) -> Bool { glob.dropLast().contains(UInt8(ascii: "/")) }

  private static let maximumCount = 1000
  private static let maximumDepth = 20

  private struct Reader {
    let glob: String
    var rest: ArraySlice<UInt8>
    let ignoresCase: Bool

    /// Parses up to the end; inside braces, up to a comma or the closing brace.
    mutating func sequence(depth: Int) throws(GlobError) -> [[UInt8]] {
      var results: [[UInt8]] = [[]]
      while let byte = rest.first {
        if depth > 0, byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") { break }
        rest = rest.dropFirst()
        let pieces: [[UInt8]]
        switch byte {
        case UInt8(ascii: "{"): pieces = try alternatives(depth: depth + 1)
        case UInt8(ascii: "["): pieces = [try characterClass()]
        case UInt8(ascii: "\\"):
          guard let next = rest.popFirst() else { throw fault("it ends with a backslash") }
          pieces = [[byte, next]]
        default: pieces = [cased(byte)]
        }
        guard results.count * pieces.count <= GlobOption.maximumCount else {
          throw fault("its braces expand to more than \(GlobOption.maximumCount) globs")
        }
        results = results.flatMap { start in pieces.map { start + $0 } }
      }
      return results
    }

    private mutating func alternatives(depth: Int) throws(GlobError) -> [[UInt8]] {
      guard depth <= GlobOption.maximumDepth else { throw fault("its braces are nested too deeply") }
      var all: [[UInt8]] = []
      while true {
        all += try sequence(depth: depth)
        switch rest.popFirst() {
        case UInt8(ascii: ","): continue
        case UInt8(ascii: "}"): return all
        default: throw fault("a { is not closed; escape a literal { with a backslash")
        }
      }
    }

    /// Parses the rest of a class after its `[`.
    private mutating func characterClass() throws(GlobError) -> [UInt8] {
      var bytes = [UInt8(ascii: "[")]
      if let sign = rest.first, sign == UInt8(ascii: "!") || sign == UInt8(ascii: "^") {
        bytes.append(sign)
        rest = rest.dropFirst()
      }
      var isFirst = true
      while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "]"), !isFirst { return bytes + [byte] }
        isFirst = false
        switch byte {
        case UInt8(ascii: "\\"):
          guard let next = rest.popFirst() else { break }
          bytes += [byte, next]
        case UInt8(ascii: "["):
          bytes += [byte] + className()
        default: bytes += try classMember(byte)
        }
      }
      throw fault("a [ is not closed; escape a literal [ with a backslash")
    }

    /// Parses the rest of a class name such as `[:alpha:]` after its `[`. Consumes nothing if no class name follows.
    private mutating func className() -> [UInt8] {
      guard rest.first == UInt8(ascii: ":"), let end = rest.firstIndex(of: UInt8(ascii: "]")),
        end - rest.startIndex > 1, rest[end - 1] == UInt8(ascii: ":")
      else { return [] }
      defer { rest = rest[(end + 1)...] }
      return Array(rest[...end])
    }

    /// Parses the rest of a byte or a range of a class after its first byte. If case is ignored, the result includes
    /// the other case.
    private mutating func classMember(_ low: UInt8) throws(GlobError) -> [UInt8] {
      guard rest.first == UInt8(ascii: "-"), let high = rest.dropFirst().first, high != UInt8(ascii: "]"),
        high != UInt8(ascii: "\\"), high != UInt8(ascii: "[")
      else { return ignoresCase ? [low] + (GlobOption.otherCase(low).map { [$0] } ?? []) : [low] }
      guard low <= high else { throw fault("a range in a class goes backwards") }
      rest = rest.dropFirst(2)
      let range = [low, UInt8(ascii: "-"), high]
      guard ignoresCase, let otherLow = GlobOption.otherCase(low), let otherHigh = GlobOption.otherCase(high),
        otherLow <= otherHigh
      else { return range }
      return range + [otherLow, UInt8(ascii: "-"), otherHigh]
    }

    private func cased(_ byte: UInt8) -> [UInt8] {
      guard ignoresCase, let other = GlobOption.otherCase(byte) else { return [byte] }
      return [UInt8(ascii: "["), byte, other, UInt8(ascii: "]")]
    }

    private func fault(_ reason: String) -> GlobError { GlobError(glob: glob, reason: reason) }
  }

  private static func otherCase(_ byte: UInt8) -> UInt8? { (byte | 0x20) &- 0x61 < 26 ? byte ^ 0x20 : nil }
}

/// The error for a malformed glob.
public struct GlobError: Error, Hashable, CustomStringConvertible {
  /// The glob.
  public let glob: String
  /// The reason.
  public let reason: String

  /// The error as a message.
  public var description: String { "the glob \"\(glob)\" is malformed: \(reason)" }
}
