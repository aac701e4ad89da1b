public import JSONText
public import QueryModel

/// A random query with its documents and parameters.
///
/// ```swift
/// let test = try RandomQueryCase(seed: 17)
/// let rows = …                    // of another engine, for test.query over test.documents
/// if let fault = try test.mismatch(with: rows) { Issue.record("\(fault)") }
/// ```
///
/// The query survives printing and parsing, as SQL++ and as JSON. It has one correct result, up to the freedom that
/// ``OracleResult/difference(from:isOrdered:)`` allows, and most results are not empty.
public struct RandomQueryCase: Sendable {
  /// The seed. Seeds `8 n` to `8 n + 7` share their documents, so that one database can be used for eight queries.
  public let seed: UInt64
  /// The shape of the query.
  public let shape: RandomShape
  /// The documents of each collection, ordered by sequence, by `name` or `scope.name`; `_` is the default collection.
  public var documents: [String: [OracleDocument]]
  /// The query.
  public var query: SelectQuery
  /// The values of its parameters.
  public var parameters: [String: JSONValue]

  /// Creates the case of a seed.
  ///
  /// - Throws: ``OracleError/invalid(_:)`` if the query is invalid, which is a fault of the generator.
  public init(seed: UInt64) throws {
    try self.init(seed: seed, documents: RandomQueryCase.documents(of: seed))
  }

  /// Returns the cases of these seeds; faster than creating them one by one.
  public static func cases(of seeds: Range<UInt64>) throws -> [RandomQueryCase] {
    var last: (number: UInt64, documents: [String: [OracleDocument]])?
    return try seeds.map { seed in
      let documents = last?.number == seed / 8 ? last?.documents : nil
      let shared = try documents ?? RandomQueryCase.documents(of: seed)
      last = (seed / 8, shared)
      return try RandomQueryCase(seed: seed, documents: shared)
    }
  }

  private static func documents(of seed: UInt64) throws -> [String: [OracleDocument]] {
    var documents = RandomDocuments(seed: seed / 8)
    return try documents.all()
  }

  private init(seed: UInt64, documents: [String: [OracleDocument]]) throws {
    self.seed = seed
    self.documents = documents
    var choices = RandomChoices(seed: seed &* 0x2545_F491_4F6C_DD1D &+ 1)
    shape = RandomShape.random(&choices)
    let mayBeEmpty = choices.chance(10)
    let isPlain = choices.chance(3)
    for attempt in 0..<40 as Range<UInt64> {
      var queries = RandomQueries(choices: RandomChoices(seed: (seed << 8) + attempt))
      queries.expressions.isPlain = isPlain
      query = queries.query(shape)
      parameters = queries.expressions.parameters
      if try isUsable(mayBeEmpty: mayBeEmpty || attempt > 20) { return }
    }
    // No query of this shape has a result over these documents.
    query = SelectQuery(
      columns: [ResultColumn(.metadata(.id, source: nil))], sources: [QuerySource(.collection(.standard))])
    parameters = [:]
  }

  /// The documents as a database.
  public var database: OracleDatabase { OracleDatabase(documents) }

  /// Returns the correct result.
  ///
  /// - Throws: ``OracleError``; never for a case created from its seed.
  public func answer() throws -> OracleResult { try database.evaluate(query, parameters: parameters) }

  /// Whether a modified case still has one correct result.
  var hasAnswer: Bool { (try? isUsable(mayBeEmpty: true)) ?? false }

  /// Returns whether there is one correct result, whatever the order in which documents are read.
  private func isUsable(mayBeEmpty: Bool) throws -> Bool {
    do {
      let answer = try answer()
      guard answer.isDeterminate, mayBeEmpty || !answer.rows.isEmpty else { return false }
      guard query.isGrouped || query.isDistinct else { return true }
      let shuffled = documents.mapValues { documents in
        var choices = RandomChoices(seed: seed)
        return choices.shuffled(documents)
      }
      return try [documents.mapValues { $0.reversed() }, shuffled].allSatisfy {
        let other = try OracleDatabase($0).evaluate(query, parameters: parameters)
        return answer.difference(from: other.rows, isOrdered: true) == nil
      }
    } catch OracleError.undefined {
      return false
    }
  }
}
