@testable import Concordance
import Foundation
import JSONText
import QueryCompiler
import QueryModel
import QueryOracle
import Testing

/// Random queries over random documents, in every query language, with and without indexes. The rows and the types of
/// their values must be those of a slow but simple evaluator.
///
/// `CONCORDANCE_SEEDS=1000..<20000 swift test --filter QueryDifferentialTests` runs other seeds.
@Suite struct QueryDifferentialTests {
  private static let chunk: UInt64 = 40

  /// The first seed of each chunk. Each chunk is a test case, so that chunks run in parallel.
  private static let starts: [UInt64] = {
    let text = ProcessInfo.processInfo.environment["CONCORDANCE_SEEDS"] ?? "0..<200"
    let ends = text.split(separator: "..<").compactMap { UInt64($0) }
    guard ends.count == 2, ends[0] < ends[1] else { return [] }
    return Array(stride(from: ends[0] / 8 * 8, to: ends[1], by: Int(chunk)))
  }()

  @Test(arguments: starts)
  func allEnginesAgree(start: UInt64) throws {
    var engine: RandomEngine?
    for test in try RandomQueryCase.cases(of: start..<(start + QueryDifferentialTests.chunk)) {
      if test.seed % 8 == 0 || engine == nil { engine = try RandomEngine(test) }
      guard let known = engine else { continue }
      if let fault = try known.fault(test) {
        // The smallest case that still fails is reported.
        let small = test.shrunk { smaller in (try? RandomEngine(smaller).fault(smaller)) != .some(nil) }
        let reason = (try? RandomEngine(small).fault(small)) ?? fault
        Issue.record("\(fault)\n\nsmaller:\n\(reason)")
        return
      }
    }
  }
}

/// The documents of a case in two databases, one with indexes.
private final class RandomEngine {
  private let plain: TemporaryDatabase
  private let indexed: TemporaryDatabase

  init(_ test: RandomQueryCase) throws {
    plain = try TemporaryDatabase()
    indexed = try TemporaryDatabase()
    for files in [plain, indexed] {
      for (name, documents) in test.documents.sorted(by: { $0.key < $1.key }) {
        let collection = try RandomEngine.collection(name, files.database)
        try files.database.inBatch {
          for document in documents {
            try collection.save(document: MutableDocument(id: document.id, json: document.text))
          }
        }
      }
    }
    for name in test.documents.keys { try RandomEngine.makeIndexes(RandomEngine.collection(name, indexed.database)) }
  }

  /// Returns a description of the wrong results of a case, or nil if there are none.
  func fault(_ test: RandomQueryCase) throws -> String? {
    let text = SQLPrinter().text(of: test.query)
    let json = JSONQueryWriter().value(of: test.query).text
    let engines: [(String, () throws -> Query?)] = [
      ("SQL++", { try self.plain.database.createQuery(text) }),
      ("JSON", { try self.plain.database.createQuery(json: json) }),
      ("builder", { try self.built(test) }),
      ("SQL++ with indexes", { try self.indexed.database.createQuery(text) }),
    ]
    for (name, make) in engines {
      guard let query = try make() else { continue }
      let parameters = Parameters()
      for (name, value) in test.parameters { parameters.setValue(value.testValue, forName: name) }
      query.parameters = parameters
      do {
        let result = try query.execute()
        let names = result.columnNames
        let rows = result.map { $0.values.map { OracleValue($0) } }
        if let fault = try test.mismatch(with: rows, columnNames: name == "builder" ? nil : names) {
          return "\(name): \(fault)\n\((try? query.explain()) ?? "")"
        }
      } catch {
        return "\(name): \(error)\n\(test.summary)\n\((try? query.explain()) ?? "")"
      }
    }
    return nil
  }

  private func built(_ test: RandomQueryCase) throws -> Query? {
    // Without a source, a query of the builder has no database.
    guard !test.query.sources.isEmpty else { return nil }
    let database = plain.database
    let builder = ModelToBuilder { path in
      try? RandomEngine.collection(
        (path.scope.map { $0 + "." } ?? "") + (path.name == "_default" ? "_" : path.name), database)
    }
    return try builder.query(test.query.namingDefaultCollection)
  }

  private static func collection(_ name: String, _ database: Database) throws -> Concordance.Collection {
    if name == "_" { return try database.defaultCollection() }
    let parts = name.split(separator: ".").map(String.init)
    return try database.createCollection(
      name: parts.last ?? name, scope: parts.count > 1 ? parts[0] : Database.defaultScopeName)
  }

  /// Creates indexes on the keys of random documents.
  private static func makeIndexes(_ collection: Concordance.Collection) throws {
    let values: [(String, [String], String?)] = [
      ("n", ["n"], nil), ("s", ["s"], nil), ("sn", ["s", "n"], nil), ("nocase", ["s COLLATE NOCASE"], nil),
      ("b", ["b"], nil), ("x", ["x"], nil), ("lower", ["LOWER(s)"], nil), ("some", ["m"], "s = 'a'"),
      ("o", ["o.a"], nil),
    ]
    for (name, expressions, condition) in values {
      try collection.createIndex(withName: name, config: ValueIndexConfiguration(expressions, where: condition))
    }
    for (name, path, expressions) in [
      ("list", "list", nil), ("items", "items", ["k", "q"]), ("tags", "items[].tags", nil),
    ] as [(String, String, [String]?)] {
      try collection.createIndex(
        withName: name, config: ArrayIndexConfiguration(path: path, expressions: expressions))
    }
  }
}

extension JSONValue {
  /// The value as a program would set it.
  fileprivate var testValue: Any {
    switch self {
    case .null: NSNull()
    case .boolean(let boolean): boolean
    case .int64(let number): number
    case .uint64(let number): number
    case .double(let number): number
    case .string(let string): string
    case .array(let elements): elements.map(\.testValue)
    case .object(let members):
      Dictionary(members.map { ($0.key, $0.value.testValue) }, uniquingKeysWith: { first, _ in first })
    }
  }
}

extension OracleValue {
  fileprivate init(_ value: ColumnValue) {
    switch value {
    case .missing: self = .missing
    case .null: self = .null
    case .boolean(let boolean): self = .boolean(boolean)
    case .integer(let number): self = .integer(number)
    case .double(let number): self = .double(number)
    case .string(let string): self = .string(string)
    case .container(let text): self = (try? OracleValue(jsonText: String(decoding: text, as: UTF8.self))) ?? .missing
    }
  }
}
