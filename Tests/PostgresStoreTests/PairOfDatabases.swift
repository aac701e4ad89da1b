import Concordance
import Foundation
import TestSupport
import Testing

/// An empty database in a file and one on one or several PostgreSQL servers, or on Citus. The statements that it has
/// sent to the substitute for Citus are checked at the end.
final class PairOfDatabases {
  /// Stands for a database on Citus as the number of servers.
  static let citus = 0

  let file: Database
  let remote: Database
  let url: String
  private let folder: String
  private var log: StatementLog?

  init(shards: Int, nodes: Int = 1) throws {
    folder = NSTemporaryDirectory() + "/pair-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    file = try Database(path: folder + "/file.concord")
    if nodes == PairOfDatabases.citus {
      let citus = try CitusDatabase.make()
      url = citus.url
      log = citus.log
      try Database.initializeOnCitus(url: url, shards: shards)
    } else {
      let urls = try TemporaryCluster.makeDatabases(nodes)
      url = urls[0]
      try Database.initialize(urls: urls, shards: shards)
    }
    remote = try Database(url: url)
  }

  deinit {
    try? file.close()
    try? remote.close()
    if let log {
      do { for violation in try log.violations(url) { Issue.record("\(violation)") } } catch { Issue.record(error) }
    }
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Returns the results of an operation on the file and on PostgreSQL.
  func both<T>(_ body: (Database) throws -> T) rethrows -> (T, T) { (try body(file), try body(remote)) }

  /// Checks that both contain the same documents.
  func compare(_ comment: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let contents = try both { try PairOfDatabases.contents($0) }
    #expect(contents.0 == contents.1, "\(comment)", sourceLocation: sourceLocation)
  }

  /// Every document of a database with its sequence, expiration and JSON text, ordered by collection and id.
  static func contents(_ database: Database) throws -> [String] {
    try database.scopes().flatMap { try $0.collections() }.flatMap { collection in
      var lines: [String] = []
      try collection.forEachDocument { document in
        let expiration = try collection.getDocumentExpiration(id: document.id)?.timeIntervalSince1970 ?? 0
        lines.append("\(collection.fullName) \(document.id) \(document.sequence) \(expiration) \(document.toJSON())")
        return true
      }
      return ["\(collection.fullName): \(collection.count)"] + lines.sorted()
    }
  }
}

/// The result of an operation or the code of its error.
enum Outcome: Equatable {
  case value(String)
  case error(Int)

  init(_ body: () throws -> String) {
    do { self = .value(try body()) } catch let error as CBLError { self = .error(error.code) } catch {
      self = .value("\(error)")
    }
  }
}

/// A random operation on the documents of a database.
enum Operation: CustomStringConvertible {
  case save(collection: String, id: String, number: Int)
  case saveOlder(id: String, number: Int)
  case delete(collection: String, id: String)
  case purge(collection: String, id: String)
  case expire(id: String, seconds: Double?)
  case createCollection(String)
  case deleteCollection(String)
  case batch([Operation], fails: Bool)
  case importDocuments(first: Int, count: Int, number: Int)

  struct Cancelled: Error {}

  static func random(_ random: inout SeededGenerator, depth: Int = 0) -> Operation {
    let id = "doc\(Int.random(in: 0..<20, using: &random))"
    let collection = Int.random(in: 0..<3, using: &random) == 0 ? "other" : "_default"
    let number = Int.random(in: 0..<1000, using: &random)
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<8: return .save(collection: collection, id: id, number: number)
    case 8: return .saveOlder(id: id, number: number)
    case 9..<12: return .delete(collection: collection, id: id)
    case 12, 13: return .purge(collection: collection, id: id)
    case 14: return .expire(id: id, seconds: number % 3 == 0 ? nil : 1_000_000 + Double(number))
    case 15: return .createCollection("other")
    case 16: return number % 4 == 0 ? .deleteCollection("other") : .save(collection: collection, id: "", number: number)
    case 17: return .importDocuments(first: number % 15, count: 8, number: number)
    default:
      guard depth < 2 else { return .save(collection: collection, id: id, number: number) }
      let inner = (0..<4).map { _ in Operation.random(&random, depth: depth + 1) }
      return .batch(inner, fails: number % 3 == 0)
    }
  }

  func run(_ database: Database) throws -> String {
    func collection(_ name: String) throws -> Collection {
      guard let collection = try database.collection(name: name) else {
        throw CBLError(code: CBLError.notFound, message: name)
      }
      return collection
    }
    switch self {
    case .save(let name, let id, let number):
      let document = MutableDocument(id: id, data: ["number": number, "text": String(repeating: "x", count: number)])
      try collection(name).save(document: document)
      return "\(document.sequence)"
    case .saveOlder(let id, let number):
      let all = try collection("_default")
      guard let older = try all.document(id: id)?.toMutable() else { return "missing" }
      try all.save(document: MutableDocument(id: id, data: ["newer": number]))
      return "\(try all.save(document: older, concurrencyControl: .failOnConflict))"
    case .delete(let name, let id):
      let all = try collection(name)
      guard let document = try all.document(id: id) else { return "missing" }
      try all.delete(document: document)
      return "deleted"
    case .purge(let name, let id):
      try collection(name).purge(id: id)
      return "purged"
    case .expire(let id, let seconds):
      // A fixed time, so that both databases store the same one.
      let time = seconds.map { Date(timeIntervalSince1970: 4_000_000_000 + $0) }
      try collection("_default").setDocumentExpiration(id: id, expiration: time)
      return "set"
    case .createCollection(let name): return try database.createCollection(name: name).fullName
    case .deleteCollection(let name):
      try database.deleteCollection(name: name)
      return "deleted"
    case .batch(let operations, let fails):
      return try database.inBatch {
        let results = operations.map { operation in Outcome { try operation.run(database) } }
        if fails { throw CBLError(code: CBLError.busy, message: "cancelled") }
        return "\(results)"
      }
    case .importDocuments(let first, let count, let number):
      let importer = try DocumentImporter(into: collection("_default"))
      for index in first..<first + count {
        try importer.add(id: "doc\(index)", json: Array("{\"imported\":\(number + index % 3)}".utf8))
      }
      let summary = try importer.finish()
      return "\(summary.savedCount) \(summary.unchangedCount) \(summary.replacedCount) \(summary.refusedCount)"
    }
  }

  var description: String {
    switch self {
    case .save(let name, let id, let number): "save \(name).\(id) \(number)"
    case .saveOlder(let id, _): "save an older revision of \(id)"
    case .delete(let name, let id): "delete \(name).\(id)"
    case .purge(let name, let id): "purge \(name).\(id)"
    case .expire(let id, let seconds): "expire \(id) \(seconds ?? 0)"
    case .createCollection(let name): "create \(name)"
    case .deleteCollection(let name): "drop \(name)"
    case .batch(let operations, let fails): "batch \(operations) \(fails ? "that fails" : "")"
    case .importDocuments(let first, let count, _): "import \(first)..<\(first + count)"
    }
  }
}
