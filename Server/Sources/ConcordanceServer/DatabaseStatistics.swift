import Concordance
import Foundation
import JSONText
import Logging

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
  /// The reason why the database cannot be read; nil if it was read.
  let problem: Problem?

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
    problem = nil
  }

  /// Creates the statistics of a database that cannot be read.
  private init(named name: String, _ state: ServerState, _ problem: Problem) {
    self.name = name
    isReadOnly = state.options.isReadOnly
    (size, walSize, collections) = (0, 0, [])
    self.problem = problem
  }

  private static func fileSize(_ path: String) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
  }

  /// Reads the statistics of all databases, sorted by name. A database that cannot be read has an error and no sizes,
  /// so that it does not hide the others.
  ///
  /// - Throws: `CancellationError`.
  static func all(_ state: ServerState) async throws -> [DatabaseStatistics] {
    var all: [DatabaseStatistics] = []
    for (name, database) in state.databases.sorted(by: { $0.key < $1.key }) {
      do {
        all.append(try await database.async.perform { try DatabaseStatistics(of: $0, state) })
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        let problem = Problem(error, limits: state.options.limits)
        if problem.concernsServer { state.logger.error("the statistics of \(name) cannot be read: \(error)") }
        all.append(DatabaseStatistics(named: name, state, problem))
      }
    }
    return all
  }

  /// The schema of the statistics in `/stats`.
  static let schema = JSONSchema.object(
    [
      "name": .string, "isReadOnly": .boolean, "size": .count, "walSize": .count,
      "collections": .array(
        .object([
          "name": .string, "documentCount": .count, "indexes": .array(.component(.index)),
          "building": .array(.component(.indexBuild)),
        ])),
    ], optional: ["error": .component(.problem)])

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
    if let problem { writer.member("error") { $0.write(rawJSON: problem.json) } }
  }

  /// Returns the metrics in the Prometheus text format.
  static func metrics(_ databases: [DatabaseStatistics]) -> String {
    var text = "# TYPE concord_database_available gauge\n"
    for one in databases {
      text += "concord_database_available{database=\"\(label(one.name))\"} \(one.problem == nil ? 1 : 0)\n"
    }
    let all = databases.filter { $0.problem == nil }
    text += "# TYPE concord_database_bytes gauge\n"
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
