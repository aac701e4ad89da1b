import Concordance
import Foundation
import NIOCore

/// The network interfaces of this machine. The functions make blocking system calls: never call them on an event loop.
enum NetworkInterface {
  /// Returns the address of an interface.
  ///
  /// - Parameter name: the name of an interface, such as `eth0`, or an IP address.
  /// - Throws: ``CBLError/invalidParameter`` if there is no such interface.
  static func address(_ name: String, port: Int = 0) throws -> SocketAddress {
    if IPAddress.isValid(name) { return try SocketAddress(ipAddress: name, port: port) }
    let found = try System.enumerateDevices().filter { $0.name == name }.compactMap { $0.address?.ipAddress }
    // IPv4 is preferred because link-local IPv6 addresses are unusable without a zone ID.
    guard let address = found.first(where: { !$0.contains(":") }) ?? found.first else {
      throw CBLError(
        code: CBLError.invalidParameter,
        message: "there is no network interface \"\(name)\"; use a name such as eth0, or an IP address")
    }
    return try SocketAddress(ipAddress: address, port: port)
  }

  /// Returns the addresses of this machine at which a socket bound to an address can be reached.
  ///
  /// - Parameter ip: an IP address; `0.0.0.0` means all IPv4 addresses, and `::` all addresses.
  static func addresses(boundTo ip: String) throws -> [String] {
    switch ip {
    case "0.0.0.0": try allAddresses().filter { !$0.contains(":") }
    case "::": try allAddresses()
    default: [ip]
    }
  }

  /// Returns the IP addresses of all interfaces, without link-local addresses.
  static func allAddresses() throws -> [String] {
    var addresses: [String] = []
    for address in try System.enumerateDevices().compactMap({ $0.address?.ipAddress })
    where !address.lowercased().hasPrefix("fe80:") && !addresses.contains(address) {
      addresses.append(address)
    }
    return addresses
  }
}
