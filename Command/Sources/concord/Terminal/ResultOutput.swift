import Foundation

/// The output of a command: the standard output or a file. A file is written under a temporary name and renamed when it
/// is complete, so that an existing file is replaced only then. The new file has the permissions of the existing one.
final class ResultOutput {
  /// The standard output; nil if the output is a file.
  private let standardOutput: StandardOutput?
  private var buffer: OutputBuffer
  private let descriptor: Int32
  private let path: String
  /// The name of the unfinished file; nil if it is written in place.
  private var temporaryPath: String?
  /// Whether a signal removes the unfinished file.
  private var isRegistered = false

  /// Opens the output.
  ///
  /// - Parameter path: the file; nil or `-` for the standard output. A file that is not a regular file, such as a
  ///   device, is written in place.
  init(path: String?) throws {
    self.path = path ?? "-"
    var descriptor = STDOUT_FILENO
    if let path, path != "-" {
      var status = stat()
      let exists = stat(path, &status) == 0
      if exists, status.st_mode & S_IFMT != S_IFREG {
        descriptor = open(path, O_WRONLY | O_CLOEXEC)
      } else {
        (descriptor, temporaryPath) = ResultOutput.openTemporaryFile(
          inFolderOf: FilePath.absolute(path), permissions: exists ? status.st_mode & 0o777 : nil)
      }
      guard descriptor >= 0 else { throw ResultOutput.failure(path, errno) }
      standardOutput = nil
    } else {
      standardOutput = StandardOutput()
    }
    self.descriptor = descriptor
    buffer = OutputBuffer(to: descriptor)
    if let temporaryPath { isRegistered = UnfinishedFile.begin(temporaryPath) }
  }

  deinit {
    if standardOutput == nil { close(descriptor) }
    if let temporaryPath { unlink(temporaryPath) }
    if isRegistered { UnfinishedFile.end() }
  }

  func write(_ bytes: some Collection<UInt8>) throws {
    if let standardOutput { return standardOutput.write(bytes: bytes) }
    buffer.append(bytes)
    if buffer.isFull { try drain() }
  }

  func write(_ byte: UInt8) throws { try write(CollectionOfOne(byte)) }

  /// Writes JSON and a line feed, see ``StandardOutput/writeJSON(_:terminator:)``.
  func writeJSON(_ line: some Collection<UInt8>) throws {
    if let standardOutput, standardOutput.isTerminal {
      return standardOutput.writeJSON(String(decoding: line, as: UTF8.self))
    }
    try write(line)
    try write(UInt8(ascii: "\n"))
  }

  /// Writes all buffered bytes and renames the file.
  func finish() throws {
    if let standardOutput { return standardOutput.flush() }
    try drain()
    guard let temporaryPath else { return }
    // Without this, a power failure could leave an empty file under the final name.
    guard fsync(descriptor) == 0 else { throw ResultOutput.failure(path, errno) }
    guard rename(temporaryPath, FilePath.absolute(path)) == 0 else { throw ResultOutput.failure(path, errno) }
    self.temporaryPath = nil
    if isRegistered { UnfinishedFile.end() }
    isRegistered = false
  }

  /// Creates a temporary file in the folder of another file. Never opens an existing file or a symbolic link, because
  /// another user could have created it in a shared folder. The name is short, because the name of the other file may
  /// have the maximum length.
  ///
  /// - Parameter permissions: those of the other file; nil for those of a new file.
  /// - Returns: a descriptor, or a negative number with the error in `errno`, and the path.
  private static func openTemporaryFile(inFolderOf path: String, permissions: mode_t?) -> (Int32, String?) {
    for _ in 0..<16 {
      let name = ".concord-\(String(UInt32.random(in: .min ... .max), radix: 36)).part"
      let target = FilePath.path(of: name, inFolderOf: path)
      // The system applies the umask to a new file. The replacement of an existing file is never more readable than it.
      let descriptor = open(
        target, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY | O_CLOEXEC, permissions == nil ? 0o666 : 0o600)
      if descriptor >= 0 {
        // Some file systems have no permissions to set.
        if let permissions { _ = fchmod(descriptor, permissions) }
        return (descriptor, target)
      }
      guard errno == EEXIST else { break }
    }
    return (-1, nil)
  }

  private func drain() throws {
    if let code = buffer.drain() { throw ResultOutput.failure(path, code) }
  }

  private static func failure(_ path: String, _ code: Int32) -> CommandFailure {
    CommandFailure("\(path): cannot be written (\(String(cString: strerror(code))))")
  }
}

@available(*, unavailable)
extension ResultOutput: Sendable {}
