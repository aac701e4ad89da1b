/// JSON text on one line, for NDJSON and events.
enum JSONLine {
  /// Returns JSON text without line breaks.
  ///
  /// Documents are stored with their original white space. Line breaks occur only between the tokens of JSON, where
  /// spaces are equivalent.
  static func bytes(of json: some Sequence<UInt8>) -> [UInt8] {
    json.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 }
  }
}
