/// Paths of the server as text.
enum PathText {
  /// Returns the path with the given components, with percent encoding (RFC 3986): `/databases/a/collections/b%2Fc`.
  static func path(_ components: [String]) -> String {
    components.map { "/" + encoded($0) }.joined()
  }

  /// Returns the problem of a request's path with an empty component; nil if no component is empty.
  ///
  /// The router ignores empty components, so a path whose last component a client has removed, as URL libraries do with
  /// `.` and `..`, would otherwise be that of the collection. Empty components at the beginning are
  /// allowed: they come from the printed URL, which ends with `/`.
  static func problem(of path: String) -> Problem? {
    let path = path.drop { $0 == "/" }
    guard path.hasSuffix("/") || path.contains("//") else { return nil }
    return Problem.notFound("a part of the path is empty; ids . and .. cannot be in a path")
  }

  /// Returns whether clients remove a component from paths (RFC 3986, section 5.2.4), even if it is percent-encoded.
  static func isDotSegment(_ component: String) -> Bool { component == "." || component == ".." }

  private static func encoded(_ component: String) -> String {
    var text = ""
    for byte in component.utf8 {
      if isUnreserved(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return text
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
