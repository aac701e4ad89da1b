/// Finds the character set that a page declares: `<meta charset="…">` or `<meta http-equiv="Content-Type"
/// content="…">`.
enum HTMLCharacterSet {
  /// Searches the first 1,024 bytes, as browsers do
  /// (<https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding>).
  static func declared(in page: UnsafeRawBufferPointer) -> String? {
    let head = String(decoding: page.prefix(1024), as: UTF8.self)
    guard let match = head.firstMatch(of: /(?i)<meta[^>]*charset\s*=\s*["']?\s*([a-z0-9_:.\-]+)/) else {
      return nil
    }
    return String(match.output.1)
  }
}
