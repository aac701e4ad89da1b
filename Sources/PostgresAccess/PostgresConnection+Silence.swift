import CPostgres
import Foundation

extension PostgresConnection {
  /// Makes the system close the connection if the machine of the server does not answer for a minute. By default, it
  /// waits for a quarter of an hour, or for two hours if nothing is being sent.
  ///
  /// A shorter time would also end connections to a server that executes a long statement and therefore does not read
  /// what is being sent. Parameters of the connection are not used, because they would override those of a service.
  func limitSilence() {
    let options: [(keyword: String, option: Int32, value: Int32)] = [
      ("tcp_user_timeout", TCP_USER_TIMEOUT, 60_000), ("keepalives_idle", TCP_KEEPIDLE, 30),
      ("keepalives_interval", TCP_KEEPINTVL, 10),
    ]
    let chosen = chosenParameters()
    for (keyword, option, value) in options where !chosen.contains(keyword) {
      var value = value
      // This fails for a Unix socket, which does not need it.
      _ = setsockopt(
        functions.socket(connection), Int32(IPPROTO_TCP), option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
  }

  /// Returns the keywords of the parameters that the address, a service or a variable has set.
  private func chosenParameters() -> Set<String> {
    guard let options = functions.conninfo(connection) else { return [] }
    defer { functions.conninfoFree(options) }
    var chosen: Set<String> = []
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val, value.pointee != 0 { chosen.insert(String(cString: keyword)) }
      option += 1
    }
    return chosen
  }
}
