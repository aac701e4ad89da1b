import Concordance
import Foundation
import Testing

/// Databases that releases of Couchbase Lite have written.
enum SampleFiles {
  private static let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The folder that `CONCORDANCE_CBLITE2` names, else `../shared/data/cblite2`; nil where it is not there.
  static let folder: URL? = {
    let path = ProcessInfo.processInfo.environment["CONCORDANCE_CBLITE2"]
    let folder =
      path.map { URL(fileURLWithPath: $0) }
      ?? repository.deletingLastPathComponent().appendingPathComponent("shared/data/cblite2")
    let isThere = FileManager.default.fileExists(atPath: folder.appendingPathComponent("v2.7.cblite2").path)
    return isThere ? folder : nil
  }()

  static let absence: Comment =
    "the databases of Couchbase Lite are not there; name their folder in CONCORDANCE_CBLITE2"

  static func path(_ name: String) throws -> String { try #require(folder).appendingPathComponent(name).path }
}

/// A folder that is deleted with the object.
final class TestFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("concordance-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Opens a database in the folder.
  func database() throws -> Database {
    var config = DatabaseConfiguration()
    config.directory = url.path
    return try Database(name: "imported", config: config)
  }
}

/// Checks that an import throws an error with a code and a part of a message.
func expectImportError(
  _ code: Int, _ message: String, at path: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let folder = try TestFolder()
  let database = try folder.database()
  let error = #expect(throws: CBLError.self, sourceLocation: sourceLocation) {
    try database.importCouchbaseLite(at: path)
  }
  #expect(error?.code == code, "\(error?.message ?? "")", sourceLocation: sourceLocation)
  #expect(error?.message.contains(message) == true, "\(error?.message ?? "")", sourceLocation: sourceLocation)
}
