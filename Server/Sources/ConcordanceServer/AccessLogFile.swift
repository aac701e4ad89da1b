import Foundation

/// The file of an ``AccessLog``. It is opened again if another file, or none, has its name.
struct AccessLogFile: ~Copyable {
  /// Nil for the standard output.
  private let path: String?
  private var descriptor: Int32
  private var identity: Identity?
  /// Whether the last line was written only in part.
  private var isWithinLine = false

  private struct Identity: Equatable {
    let device: Int
    let number: Int
  }

  /// - Parameter path: the path; `-` for the standard output.
  init(path: String) throws(POSIXError) {
    self.path = path == "-" ? nil : path
    (descriptor, identity) = path == "-" ? (STDOUT_FILENO, nil) : try AccessLogFile.open(path)
  }

  deinit {
    if path != nil { close(descriptor) }
  }

  /// Lines that could not be written.
  struct LostLines {
    let count: Int
    let reason: POSIXError
  }

  /// Appends complete lines, and returns those that could not be written.
  mutating func append(_ lines: [UInt8]) -> LostLines? {
    var rest = lines[...]
    do throws(POSIXError) {
      try reopenIfReplaced()
      if isWithinLine { _ = try write([newline]) }
      isWithinLine = false
      while !rest.isEmpty { rest = rest.dropFirst(try write(rest)) }
      return nil
    } catch {
      if let last = lines[..<rest.startIndex].last { isWithinLine = last != newline }
      return LostLines(count: rest.count { $0 == newline }, reason: error)
    }
  }

  /// Returns the number of bytes that were written, at least 1.
  private func write(_ bytes: ArraySlice<UInt8>) throws(POSIXError) -> Int {
    while true {
      let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 { return count }
      guard count < 0 else { throw POSIXError(.EIO) }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        // Another program may have changed a shared terminal or pipe.
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&request, 1, -1)
      default: throw AccessLogFile.currentError
      }
    }
  }

  /// Opens the file again if another one, or none, has its path. A pipe has no identity and is not replaced.
  private mutating func reopenIfReplaced() throws(POSIXError) {
    guard let path, let identity, AccessLogFile.identity(of: path) != identity else { return }
    let replacement = try AccessLogFile.open(path)
    close(descriptor)
    (descriptor, self.identity) = replacement
    isWithinLine = false
  }

  /// Opens a file. Another program may replace it at the same time, so its identity must be the same before and after.
  private static func open(_ path: String) throws(POSIXError) -> (Int32, Identity?) {
    var attempts = 0
    while true {
      let before = identity(of: path)
      let descriptor = Foundation.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw currentError }
      let after = identity(of: path)
      attempts += 1
      if before == after || attempts == 10 { return (descriptor, after) }
      close(descriptor)
    }
  }

  /// Returns nil if there is no file, or if the path is a link to something without a path, as `/dev/stdout` may be.
  private static func identity(of path: String) -> Identity? {
    let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let attributes = try? FileManager.default.attributesOfItem(atPath: target)
    guard let device = attributes?[.systemNumber] as? Int, let number = attributes?[.systemFileNumber] as? Int else {
      return nil
    }
    return Identity(device: device, number: number)
  }

  private static var currentError: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}

private let newline = UInt8(ascii: "\n")
