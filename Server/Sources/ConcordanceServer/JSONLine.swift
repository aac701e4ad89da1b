/// JSON text on a single line, for NDJSON and server-sent events.
enum JSONLine {
  /// Returns JSON text without line breaks.
  ///
  /// Documents are stored with their original whitespace. In JSON, line breaks occur only between tokens, where spaces
  /// are equivalent.
  static func bytes(of json: some Sequence<UInt8>) -> [UInt8] {
    json.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 }
  }
}
