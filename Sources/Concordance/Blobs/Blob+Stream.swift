import DocumentStore
import Foundation

// A stream is code of the program, which may take long or use `length`, `digest`, `description` and `toJSON` of the
// blob, so it is read without a lock.

extension Blob {
  /// Copies the stream to a temporary file and computes its digest. Does nothing if the blob has no stream or it has
  /// been read; waits while another thread reads it.
  ///
  /// - Parameter folder: the folder for the file.
  func spoolStream(in folder: String) throws {
    try readStream { stream in
      let spool = try stream.spool(in: folder)
      return { state in
        (state.digest, state.length) = (spool.digest, UInt64(spool.length))
        state.origin = .spool(spool)
      }
    }
  }

  /// Reads the stream into memory, like ``spoolStream(in:)``.
  func readStreamIntoMemory() throws {
    try readStream { stream in
      var data = Data()
      try stream.readToEnd { data.append(contentsOf: $0) }
      return { [data] state in state.origin = .data(data) }
    }
  }

  /// - Parameter read: reads the stream and returns a function that stores the result.
  private func readStream(_ read: (InputStream) throws -> (inout BlobState) -> Void) throws {
    guard let stream = try takeStream() else { return }
    do {
      finishReading(try read(stream))
    } catch {
      // The bytes that were read are lost. A second attempt would store the rest of the stream as the whole content.
      let failure = error is CancellationError ? Blob.interruptedStream : CBLError.wrapping(error)
      finishReading { $0.origin = .failed(failure) }
      throw error
    }
  }

  /// The error of later calls for a stream whose reading was cancelled.
  private static var interruptedStream: any Error {
    CBLError(
      CBLError.ioError,
      "the stream of a blob was not read to its end, because the call was cancelled; create a new blob with a new stream"
    )
  }
}
