import Foundation

/// Calls `body` with each line of a file, without its newline, up to `limit` lines.
func forEachLine(of path: String, limit: Int, _ body: ([UInt8]) throws -> Void) throws {
  guard let file = fopen(path, "r") else { throw CocoaError(.fileNoSuchFile) }
  defer { fclose(file) }
  var line: UnsafeMutablePointer<CChar>?
  var capacity = 0
  defer { free(line) }
  for _ in 0..<limit {
    let length = getline(&line, &capacity, file)
    guard length > 0, let line else { return }
    let bytes = UnsafeRawBufferPointer(start: line, count: length)
    try body(Array(bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...]))
  }
}
