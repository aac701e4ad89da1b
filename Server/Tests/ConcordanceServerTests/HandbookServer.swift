import Concordance
import ConcordanceServer

/// The Swift of the handbook's page on the server. It is compiled but not run, because another program may use the
/// port.
enum HandbookServer {
  static func serve(_ path: String) async throws {
    let database = try await AsyncDatabase.open(path: path)
    var options = ServerOptions()
    options.port = 7700
    try await ConcordanceServer(databases: [database], options: options).run { url in print(url) }
  }
}
