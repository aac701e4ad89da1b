import DocumentStore
import Foundation

/// A stream over content that comes in chunks.
///
/// It is used for data and files as well: the `streamError` of Foundation's own streams ends the program on Linux where
/// there is no error.
final class BlobInputStream: InputStream {
  private let nextChunk: () throws -> Data?
  private var chunk: Data.SubSequence = Data()
  private var status = Stream.Status.notOpen
  private var failure: (any Error)?

  /// A stream over what can be read any number of times.
  init(_ source: BlobSource) throws {
    nextChunk = try source.makeReader()
    // The one designated initializer that needs nothing; its bytes are never read.
    super.init(data: Data())
  }

  override func open() { if status == .notOpen { status = .open } }

  override func close() {
    status = .closed
    chunk = Data()
  }

  override var streamStatus: Stream.Status { status }

  override var streamError: (any Error)? { failure }

  /// Whether the end was not met yet: it is, at the latest, by a `read` that returns 0.
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
    let piece = chunk.prefix(len)
    piece.copyBytes(to: buffer, count: piece.count)
    chunk = chunk.dropFirst(piece.count)
    return piece.count
  }

  override func getBuffer(
    _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, length len: UnsafeMutablePointer<Int>
  ) -> Bool { false }
}
