import DocumentStore
import Foundation

/// A stream that reads the content of a blob in chunks.
///
/// It is also used for data and files, because on Linux, reading `streamError` of a Foundation stream that has no error
/// terminates the process.
final class BlobInputStream: InputStream {
  private let nextChunk: () throws -> Data?
  private var chunk: Data.SubSequence = Data()
  private var status = Stream.Status.notOpen
  private var failure: (any Error)?

  init(_ source: BlobSource) throws {
    nextChunk = try source.makeReader()
    // This is the simplest designated initializer; the data is never read.
    super.init(data: Data())
  }

  override func open() { if status == .notOpen { status = .open } }

  override func close() {
    status = .closed
    chunk = Data()
  }

  override var streamStatus: Stream.Status { status }

  override var streamError: (any Error)? { failure }

  /// Whether the stream is open and its end has not been reached. As in Foundation, it may be true even if the next
  /// `read` returns 0.
  override var hasBytesAvailable: Bool { status == .open }

  override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
    guard status == .open else { return status == .atEnd ? 0 : -1 }
    guard len > 0 else { return 0 }
    if chunk.isEmpty {
      do {
        guard let next = try nextChunk() else {
          status = .atEnd
          return 0
        }
        chunk = next[...]
      } catch {
        failure = CBLError.wrapping(error)
        status = .error
        return -1
      }
    }
    let part = chunk.prefix(len)
    part.copyBytes(to: buffer, count: part.count)
    chunk = chunk.dropFirst(part.count)
    return part.count
  }

  override func getBuffer(
    _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, length len: UnsafeMutablePointer<Int>
  ) -> Bool { false }
}
