import Foundation
import Synchronization

/// A proxy on the loopback interface in front of the Unix socket of a PostgreSQL server. After ``stop()`` it discards
/// what it receives and accepts connections that nobody answers, like a network that has lost the server.
public final class StoppableProxy: Sendable {
  /// The address of the database through the proxy.
  public let url: String
  private let listener: Int32
  private let socketPath: String
  private let state = Mutex(State())
  private let isStopped = Atomic(false)
  private let discarded = DispatchSemaphore(value: 0)

  private struct State {
    var descriptors: [Int32] = []
    var isClosed = false
  }

  /// Starts the proxy.
  ///
  /// - Parameter url: the address of a database of a ``TemporaryCluster``.
  public init(_ url: String) throws {
    guard let parts = URLComponents(string: url),
      let folder = parts.queryItems?.first(where: { $0.name == "host" })?.value
    else { throw ProxyError(message: "\(url): not the address of a temporary cluster") }
    socketPath = folder + "/.s.PGSQL.5432"
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && listen(listener, 16) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard listener >= 0, isListening else { throw ProxyError(message: "the proxy cannot listen: \(errno)") }
    self.listener = listener
    let port = UInt16(bigEndian: address.sin_port)
    self.url = "postgresql://tester@127.0.0.1:\(port)\(parts.path)?sslmode=disable"
    Thread.detachNewThread { [self] in acceptClients() }
  }

  /// Stops forwarding.
  public func stop() { isStopped.store(true, ordering: .sequentiallyConsistent) }

  /// Waits until something was discarded after ``stop()``.
  public func awaitDiscarded() { discarded.wait() }

  /// Closes all connections.
  public func close() {
    let descriptors = state.withLock { state in
      state.isClosed = true
      return state.descriptors
    }
    for descriptor in descriptors + [listener] { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
  }

  /// Notes a descriptor. It remains open until the process ends, so that ``close()`` never uses that of another test.
  private func add(_ descriptor: Int32) {
    let isClosed = state.withLock { state in
      state.descriptors.append(descriptor)
      return state.isClosed
    }
    if isClosed { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
  }

  private func acceptClients() {
    while true {
      let client = accept(listener, nil, nil)
      guard client >= 0 else { return }
      add(client)
      guard !isStopped.load(ordering: .sequentiallyConsistent) else {
        Thread.detachNewThread { [self] in forward(client, nil) }
        continue
      }
      let server = connectToServer()
      add(server)
      Thread.detachNewThread { [self] in forward(client, server) }
      Thread.detachNewThread { [self] in forward(server, client) }
    }
  }

  private func connectToServer() -> Int32 {
    let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socketPath.utf8) }
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(server, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    return server
  }

  /// Forwards bytes until the source ends. Without a destination they are discarded.
  private func forward(_ source: Int32, _ destination: Int32?) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(source, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      guard let destination, !isStopped.load(ordering: .sequentiallyConsistent) else {
        discarded.signal()
        continue
      }
      var sent = 0
      while sent < count {
        let part = buffer[sent..<count].withUnsafeBytes {
          send(destination, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard part > 0 else { return }
        sent += part
      }
    }
    if let destination { _ = shutdown(destination, Int32(SHUT_WR)) }
  }
}

private struct ProxyError: Error, CustomStringConvertible {
  let message: String
  var description: String { message }
}
