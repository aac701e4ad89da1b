import Foundation

/// Opens files that a walk has found. A file may have been replaced since then.
package enum InputFile {
  /// The reason why a file cannot be opened.
  package enum Failure: Error {
    /// A system call failed with this errno value.
    case system(Int32)
    /// The path names a device, a socket, or a named pipe that the walk did not report.
    case notAFile

    /// The description of the failure.
    package var reason: String {
      switch self {
      case .system(let code): String(cString: strerror(code))
      case .notAFile: "neither a regular file nor a directory"
      }
    }
  }

  /// Opens a regular file for reading.
  ///
  /// - Parameter allowsPipe: whether the path may also name a pipe. The call then waits until a program writes to it.
  /// - Returns: a descriptor, which the caller closes.
  package static func openForReading(_ path: String, allowsPipe: Bool) throws(Failure) -> Int32 {
    // Without O_NONBLOCK, the call waits forever if a named pipe without a writer has replaced the file. For a pipe
    // that is read, the flag would instead return the end of the file before the writer has opened it.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | (allowsPipe ? 0 : O_NONBLOCK))
    guard descriptor >= 0 else { throw .system(errno) }
    if let failure = failure(of: descriptor, allowsPipe: allowsPipe) {
      close(descriptor)
      throw failure
    }
    return descriptor
  }

  /// Returns the reason not to read an open file; otherwise makes its reads wait for data.
  private static func failure(of descriptor: Int32, allowsPipe: Bool) -> Failure? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return .system(errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFIFO where allowsPipe: break
    case S_IFDIR: return .system(EISDIR)
    default: return .notAFile
    }
    let flags = fcntl(descriptor, F_GETFL)
    guard flags >= 0, fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) == 0 else { return .system(errno) }
    return nil
  }
}
