import DocumentStore
import Foundation

extension InputStream {
  /// Copies the rest of the stream to a temporary file.
  func spool(in folder: String) throws -> SpoolFile {
    try whileOpen { try SpoolFile(in: folder) { try readBytes(into: $0) } }
  }

  /// Calls `body` with the rest of the stream, chunk by chunk.
  func readToEnd(_ body: (UnsafeRawBufferPointer) -> Void) throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: BlobSource.chunkSize, alignment: 16)
    defer { buffer.deallocate() }
    try whileOpen {
      while case let count = try readBytes(into: buffer), count > 0 {
        try Interruption.check()
        body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
    }
  }

  private func readBytes(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    guard let start = buffer.baseAddress else { return 0 }
    let count = read(start.assumingMemoryBound(to: UInt8.self), maxLength: buffer.count)
    guard count >= 0 else {
      // On Linux, reading `streamError` terminates the process if there is no error.
      let error = streamStatus == .error ? streamError : nil
      let reason = error?.localizedDescription ?? "no reason given"
      throw CBLError(
        CBLError.ioError, "the stream of a blob cannot be read (\(reason)); create a new blob with a new stream")
    }
    return count
  }

  /// Calls `body` with the stream open. Afterwards the stream is closed unless it was already open.
  private func whileOpen<T>(_ body: () throws -> T) throws -> T {
    guard streamStatus == .notOpen else { return try body() }
    open()
    defer { close() }
    return try body()
  }
}
