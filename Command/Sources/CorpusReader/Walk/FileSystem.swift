import DocumentFormats
package import Foundation

/// An error from a system call.
package struct SystemError: Error {
  /// The errno value.
  let code: Int32

  /// The error of the last system call on this thread.
  static var last: SystemError { SystemError(code: errno) }

  /// The system's description of the error.
  var reason: String { String(cString: strerror(code)) }

  /// Returns the problem to report for a file.
  func problem(_ path: String) -> CorpusProblem {
    let isMissing = code == ENOENT || code == ENOTDIR
    return CorpusProblem(path: path, kind: isMissing ? .missing : .unreadable, reason: reason)
  }
}

/// The system calls that a directory walk needs, except those that read directories.
package enum FileSystem {
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Returns the status of a file. Follows symbolic links.
  static func status(_ path: String) throws(SystemError) -> stat {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .last }
    return status
  }

  /// Returns the absolute path with all symbolic links resolved.
  package static func realPath(_ path: String) throws(SystemError) -> String {
    guard let resolved = realpath(path, nil) else { throw .last }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Opens a file that a walk has found. The caller closes it.
  ///
  /// - Parameter allowsPipe: whether the walk reported the file as a pipe.
  /// - Throws: ``SystemError``, or ``UndecodableText`` of kind ``CorpusProblem/Kind/unreadable`` if something that is
  ///   not a file has replaced it.
  static func openForReading(_ path: String, allowsPipe: Bool) throws -> Int32 {
    do {
      return try InputFile.openForReading(path, allowsPipe: allowsPipe)
    } catch {
      switch error {
      case .system(let code): throw SystemError(code: code)
      case .notAFile: throw UndecodableText(kind: .unreadable, reason: error.reason)
      }
    }
  }

  /// Returns the first `limit` bytes of a regular file, or nil if it does not exist or cannot be read.
  static func contents(_ path: String, limit: Int) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.isRegular else { return nil }
    let buffer = ByteBuffer()
    do {
      while buffer.count < limit, try buffer.append(from: .plain(descriptor), atMost: 64 << 10) > 0 {}
    } catch {
      return nil
    }
    return buffer.array
  }
}

extension stat {
  var isRegular: Bool { st_mode & S_IFMT == S_IFREG }
  var isDirectory: Bool { st_mode & S_IFMT == S_IFDIR }
  var isPipe: Bool { st_mode & S_IFMT == S_IFIFO }

  /// The modification time, see ``timespec/nanosecondsSince1970``.
  package var modified: Int64 { st_mtim.nanosecondsSince1970 }
}

extension timespec {
  /// Nanoseconds since 1970, clamped for times before 1677 and after 2262.
  package var nanosecondsSince1970: Int64 {
    let (seconds, overflow) = Int64(tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    let (nanoseconds, isPastEnd) = seconds.addingReportingOverflow(Int64(tv_nsec))
    guard !overflow, !isPastEnd else { return tv_sec < 0 ? .min : .max }
    return nanoseconds
  }
}
