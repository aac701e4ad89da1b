import DocumentStore
import Foundation

extension InputStream {
  /// Copies what is left of the stream into a temporary file.
  func spool(in folder: String) throws -> SpoolFile {
    try whileOpen { try SpoolFile(in: folder) { try readBytes(into: $0) } }
  }

  /// Calls `body` with what is left of the stream, piece by piece.
  func readToEnd(_ body: (UnsafeRawBufferPointer) -> Void) throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: BlobSource.chunkSize, alignment: 16)
    defer { buffer.deallocate() }
    try whileOpen {
      while case let count = try readBytes(into: buffer), count > 0 {
        body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
    }
  }

  private func readBytes(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    guard let start = buffer.baseAddress else { return 0 }
    let count = read(start.assumingMemoryBound(to: UInt8.self), maxLength: buffer.count)
    guard count >= 0 else {
      // Where there is none, asking for the error ends the program.
      let error = streamStatus == .error ? streamError : nil
      let reason = error?.localizedDescription ?? "it gives no reason"
      throw CBLError(
        CBLError.ioError, "the stream of a blob cannot be read (\(reason)); make a new blob with a new stream")
    }
    return count
  }

  /// A stream that was already open remains open.
  private func whileOpen<T>(_ body: () throws -> T) throws -> T {
    guard streamStatus == .notOpen else { return try body() }
    open()
    defer { close() }
    return try body()
  }
}
