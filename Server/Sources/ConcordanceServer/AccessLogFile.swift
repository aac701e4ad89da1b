import Foundation

/// The file of an ``AccessLog``. It is opened again if another file, or none, has its name.
struct AccessLogFile: ~Copyable {
  /// Nil for the standard output.
  private let path: String?
  private var descriptor: Int32
  private var identity: Identity?

  private struct Identity: Equatable {
    let device: Int
    let number: Int
  }

  /// - Parameter path: the path; `-` for the standard output.
  init(path: String) throws(POSIXError) {
    self.path = path == "-" ? nil : path
    descriptor = path == "-" ? STDOUT_FILENO : try AccessLogFile.open(path)
    identity = AccessLogFile.identity(of: path)
  }

  deinit {
    if path != nil { close(descriptor) }
  }

  /// Appends complete lines.
  mutating func append(_ lines: [UInt8]) throws(POSIXError) {
    try reopenIfReplaced()
    var rest = lines[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw AccessLogFile.currentError
      }
    }
  }

  private mutating func reopenIfReplaced() throws(POSIXError) {
    guard let path, identity == nil || AccessLogFile.identity(of: path) != identity else { return }
    let replacement = try AccessLogFile.open(path)
    close(descriptor)
    descriptor = replacement
    identity = AccessLogFile.identity(of: path)
  }

  /// Returns nil if there is no file.
  private static func identity(of path: String) -> Identity? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard let device = attributes?[.systemNumber] as? Int, let number = attributes?[.systemFileNumber] as? Int else {
      return nil
    }
    return Identity(device: device, number: number)
  }

  private static func open(_ path: String) throws(POSIXError) -> Int32 {
    let descriptor = Foundation.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw currentError }
    return descriptor
  }

  private static var currentError: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
