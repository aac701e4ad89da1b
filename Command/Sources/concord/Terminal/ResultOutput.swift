import Foundation

/// Where a command writes what it was asked for: the standard output, or a file that takes its name only when all of it is
/// there, so that what the name stood for before is kept until then.
final class ResultOutput {
  /// Nil where the output is a file.
  private let standardOutput: StandardOutput?
  private var buffer: OutputBuffer
  private let descriptor: Int32
  private let path: String
  /// What the file is called until it is finished; nil where it is written in place.
  private var temporaryPath: String?

  /// Opens the output.
  ///
  /// - Parameter path: the file; nil and `-` are the standard output. What is no regular file, a device for instance, is
  ///   written in place.
  init(path: String?) throws {
    self.path = path ?? "-"
    var descriptor = STDOUT_FILENO
    if let path, path != "-" {
      var status = stat()
      let isSpecial = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
      let target = isSpecial ? path : FilePath.absolute(path) + ".\(getpid()).part"
      descriptor = open(target, (isSpecial ? 0 : O_CREAT | O_TRUNC) | O_WRONLY | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else { throw ResultOutput.failure(path, errno) }
      if !isSpecial { temporaryPath = target }
      standardOutput = nil
    } else {
      standardOutput = StandardOutput()
    }
    self.descriptor = descriptor
    buffer = OutputBuffer(to: descriptor)
  }

  deinit {
    if standardOutput == nil { close(descriptor) }
    if let temporaryPath { unlink(temporaryPath) }
  }

  /// Writes bytes as they are.
  func write(_ bytes: some Collection<UInt8>) throws {
    if let standardOutput { return standardOutput.write(bytes: bytes) }
    buffer.append(bytes)
    if buffer.isFull { try drain() }
  }

  /// Writes a byte.
  func write(_ byte: UInt8) throws { try write(CollectionOfOne(byte)) }

  /// Sees to it that everything is written, and gives the file its name.
  func finish() throws {
    if let standardOutput { return standardOutput.flush() }
    try drain()
    guard let temporaryPath else { return }
    guard rename(temporaryPath, FilePath.absolute(path)) == 0 else { throw ResultOutput.failure(path, errno) }
    self.temporaryPath = nil
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
