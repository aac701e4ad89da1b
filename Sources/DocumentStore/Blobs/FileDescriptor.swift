import Foundation
import SQLiteAccess

/// An open file, closed when the object is deallocated.
final class FileDescriptor: Sendable {
  private let descriptor: Int32
  private let path: String

  /// Opens a file for reading.
  init(reading path: String) throws {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw StoreError(errno == ENOENT ? .notFound : .cannotOpen, "\(path): \(String(cString: strerror(errno)))")
    }
  }

  /// Creates an unnamed file. No other process can open it, and it is deleted when it is closed, even if the process is
  /// killed.
  init(temporaryIn folder: String) throws {
    path = folder
    let name = "\(folder)/.concordance-\(UUID().uuidString)"
    // Not `mkstemp`, because a child process that starts before the flag is set afterwards would inherit the file.
    descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileDescriptor.failure(folder, "cannot create a temporary file") }
    unlink(name)
  }

  deinit { close(descriptor) }

  /// Reads from an offset until the buffer is full or the file ends. Any number of threads may read at the same time.
  ///
  /// - Returns: The number of bytes read.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    var count = 0
    while count < buffer.count, let start = buffer.baseAddress {
      let result = pread(descriptor, start + count, buffer.count - count, off_t(offset) + off_t(count))
      if result == 0 { break }
      if result < 0, errno == EINTR { continue }
      guard result > 0 else { throw FileDescriptor.failure(path, "cannot be read") }
      count += result
    }
    return count
  }

  /// Writes all bytes at an offset.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws {
    var count = 0
    while count < bytes.count, let start = bytes.baseAddress {
      let result = pwrite(descriptor, start + count, bytes.count - count, off_t(offset) + off_t(count))
      if result < 0, errno == EINTR { continue }
      guard result > 0 else { throw FileDescriptor.failure(path, "cannot write to a temporary file") }
      count += result
    }
  }

  private static func failure(_ path: String, _ problem: String) -> StoreError {
    let code = errno
    let isFull = code == ENOSPC || code == EDQUOT
    return StoreError(
      isFull ? .diskFull : .io, "\(path): \(problem) (\(String(cString: strerror(code))))",
      recovery: isFull ? .freeSpace : nil)
  }
}
