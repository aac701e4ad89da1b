import Concordance
import Foundation
import JSONText

/// The sizes of a database and its collections, for `/stats` and `/metrics`.
struct DatabaseStatistics: Sendable {
  struct Collection: Sendable {
    let name: String
    let documentCount: Int
    let indexes: [IndexSummary]
    let builds: [IndexBuilds.Build]
  }

  let name: String
  let isReadOnly: Bool
  let size: Int
  let walSize: Int
  let collections: [Collection]

  /// Reads the statistics. Must be called on one of the database's threads.
  init(of database: Database, _ state: ServerState) throws {
    name = database.name
    isReadOnly = state.options.isReadOnly
    let path = database.path ?? ""
    size = DatabaseStatistics.fileSize(path)
    walSize = DatabaseStatistics.fileSize(path + "-wal")
    collections = try database.scopes().flatMap { try $0.collections() }.map { collection in
      Collection(
        name: collection.fullName, documentCount: Int(clamping: collection.count),
        indexes: try state.indexes.summaries(of: collection), builds: state.builds.builds(of: collection))
    }
  }

  private static func fileSize(_ path: String) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
  }

  /// Returns the statistics of all databases, sorted by name.
  static func all(_ state: ServerState) async throws -> [DatabaseStatistics] {
    var all: [DatabaseStatistics] = []
    for (_, database) in state.databases.sorted(by: { $0.key < $1.key }) {
      all.append(try await database.async.perform { try DatabaseStatistics(of: $0, state) })
    }
    return all
  }

  /// The schema of the statistics in `/stats`.
  static let schema = JSONSchema.object([
    "name": .string, "isReadOnly": .boolean, "size": .count, "walSize": .count,
    "collections": .array(
      .object([
        "name": .string, "documentCount": .count, "indexes": .array(.component(.index)),
        "building": .array(.component(.indexBuild)),
      ])),
  ])

  func write(to writer: inout JSONWriter) {
    writer.member("name", name)
    writer.member("isReadOnly", isReadOnly)
    writer.member("size", size)
    writer.member("walSize", walSize)
    writer.list("collections", of: collections) { writer, collection in
      writer.member("name", collection.name)
      writer.member("documentCount", collection.documentCount)
      writer.list("indexes", of: collection.indexes) { writer, index in index.write(to: &writer) }
      writer.list("building", of: collection.builds) { writer, build in build.write(to: &writer) }
    }
  }

  /// Returns the metrics in the Prometheus text format.
  static func metrics(_ all: [DatabaseStatistics]) -> String {
    var text = "# TYPE concord_database_bytes gauge\n"
    for one in all { text += "concord_database_bytes{database=\"\(label(one.name))\"} \(one.size)\n" }
    text += "# TYPE concord_wal_bytes gauge\n"
    for one in all { text += "concord_wal_bytes{database=\"\(label(one.name))\"} \(one.walSize)\n" }
    text += "# TYPE concord_documents gauge\n"
    for one in all {
      for collection in one.collections {
        text +=
          "concord_documents{database=\"\(label(one.name))\",collection=\"\(label(collection.name))\"} "
          + "\(collection.documentCount)\n"
      }
    }
    text += "# TYPE concord_index_bytes gauge\n"
    for one in all {
      for collection in one.collections {
        for index in collection.indexes {
          text +=
            "concord_index_bytes{database=\"\(label(one.name))\",collection=\"\(label(collection.name))\","
            + "index=\"\(label(index.name))\"} \(index.size)\n"
        }
      }
    }
    return text
  }

  /// Returns a label value, escaped as in the Prometheus text format.
  private static func label(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}

extension IndexSummary {
  func write(to writer: inout JSONWriter) {
    writer.member("name", name)
    writer.member("kind", kind)
    writer.member("fields") { writer in writer.array { writer in (fields + expressions).forEach { writer.write($0) } } }
    writer.member("documentCount", documentCount)
    writer.member("size", size)
    writer.member("isOutdated", isOutdated)
    writer.member("isIncomplete", isIncomplete)
  }
}
