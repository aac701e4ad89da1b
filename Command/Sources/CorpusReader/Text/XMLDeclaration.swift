/// Reads the XML declaration at the start of a file: `<?xml version="1.0" encoding="ISO-8859-2"?>`.
enum XMLDeclaration {
  /// The maximum length of the declaration in bytes.
  private static let maximumLength = 1024

  /// Returns the name of the declared character set; nil if the file is not XML or declares none.
  static func encoding(of text: UnsafeRawBufferPointer) -> String? {
    guard text.starts(with: "<?xml".utf8) else { return nil }
    let head = String(decoding: text.prefix(maximumLength), as: UTF8.self)
    guard let match = head.firstMatch(of: /(?i)^<\?xml[^>]*encoding\s*=\s*["']\s*([a-z0-9_:.\-]+)/) else { return nil }
    return String(match.output.1)
  }
}
