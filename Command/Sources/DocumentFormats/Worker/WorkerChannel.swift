import Foundation

/// One end of the connection between a program and its worker. The owner closes the descriptor.
struct WorkerChannel {
  let descriptor: Int32

  enum Fault: Error {
    /// The other process closed the connection.
    case closed
    case timedOut
    case malformed
  }

  /// Sends a message.
  ///
  /// - Parameter deadline: the time at which the call fails; nil to wait without a limit.
  func send(_ message: WorkerMessage, deadline: SuspendingClock.Instant? = nil) throws(Fault) {
    let bytes = message.encoded
    let flags = Int32(MSG_NOSIGNAL) | (deadline == nil ? 0 : Int32(MSG_DONTWAIT))
    var sent = 0
    while sent < bytes.count {
      if let deadline, try !wait(for: POLLOUT, until: deadline) { continue }
      let count = bytes.withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress.map { $0 + sent }, $0.count - sent, flags)
      }
      guard count > 0 || errno == EINTR || errno == EAGAIN else { throw .closed }
      sent += max(count, 0)
    }
  }

  /// Receives a message.
  ///
  /// - Parameters:
  ///   - maximum: the maximum size of its body in bytes.
  ///   - deadline: the time at which the call fails; nil to wait without a limit.
  func receive(maximum: Int, deadline: SuspendingClock.Instant?) throws(Fault) -> WorkerMessage {
    let header = try receive(count: WorkerMessage.headerSize, deadline)
    guard let size = WorkerMessage.bodySize(header: header, maximum: maximum) else { throw .malformed }
    guard let message = WorkerMessage(header: header, body: try receive(count: size, deadline)) else {
      throw .malformed
    }
    return message
  }

  private func receive(count: Int, _ deadline: SuspendingClock.Instant?) throws(Fault) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      if let deadline, try !wait(for: POLLIN, until: deadline) { continue }
      let result = bytes.withUnsafeMutableBytes {
        read(descriptor, $0.baseAddress.map { $0 + filled }, $0.count - filled)
      }
      guard result > 0 || (result < 0 && errno == EINTR) else { throw .closed }
      filled += max(result, 0)
    }
    return bytes
  }

  /// Waits until the connection can be used, is closed, or a signal interrupts the wait.
  ///
  /// - Returns: false if it cannot be used yet.
  private func wait(for event: Int32, until deadline: SuspendingClock.Instant) throws(Fault) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    let left = SuspendingClock.now.duration(to: deadline) / .milliseconds(1)
    guard left > 0 else { throw .timedOut }
    return poll(&request, 1, Int32(min(left + 1, 1e6))) > 0
  }
}
