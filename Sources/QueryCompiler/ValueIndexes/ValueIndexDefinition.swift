import Foundation
public import JSONText
public import QueryModel
import SQLiteAccess

/// The definition of a value index. The file stores it as JSON with the expressions as SQL++.
///
/// The expressions name no source: they are evaluated for the document, or, with a ``path``, for an element of an
/// array.
public struct ValueIndexDefinition: Hashable, Sendable {
  /// The columns, the most important first. An array index may have none; then the element itself is the column.
  public var expressions: [QueryExpression]
  /// The condition that documents in the index satisfy; nil for all documents.
  public var condition: QueryExpression?
  /// The array whose elements an array index contains: `contacts[].phones`; nil for an index of documents.
  public var path: PropertyPath?
  /// The PREDICTION call whose outputs a predictive index stores; nil for other indexes. A predictive index may have no
  /// columns.
  public private(set) var prediction: QueryExpression?

  /// Creates a definition.
  ///
  /// - Throws: ``QueryCompilationError`` for an expression that cannot be indexed.
  public init(
    expressions: [QueryExpression], condition: QueryExpression? = nil, path: PropertyPath? = nil
  ) throws {
    try self.init(expressions, condition, path)
  }

  /// Creates the definition of a predictive index.
  ///
  /// - Parameters:
  ///   - model: the name of a model.
  ///   - input: the input of the model for a document.
  ///   - properties: the properties of the output that become columns.
  /// - Throws: ``QueryCompilationError`` for an expression that cannot be indexed.
  public init(model: String, input: QueryExpression, properties: [String]) throws {
    let arguments = [.string(model), input]
    try self.init(
      properties.map { .function(.prediction, arguments + [.string($0)], isDistinct: false) }, nil, nil,
      prediction: .function(.prediction, arguments, isDistinct: false))
  }

  private init(
    _ expressions: [QueryExpression], _ condition: QueryExpression?, _ path: PropertyPath?,
    prediction: QueryExpression? = nil
  ) throws {
    self.expressions = expressions.map(\.joiningPredictionPaths)
    self.condition = condition?.joiningPredictionPaths
    self.path = path
    self.prediction = prediction?.joiningPredictionPaths
    try check()
  }

  /// The columns that the index stores: the expressions, or the element itself if an array index has none.
  var columns: [QueryExpression] { expressions.isEmpty && path != nil ? [.everything(source: nil)] : expressions }

  /// All expressions that are evaluated for a document.
  var parts: [QueryExpression] { expressions + [condition, prediction].compactMap { $0 } }

  /// The names of the models that are called when a document is added to the index.
  public var modelNames: Set<String> { Set(parts.flatMap(\.modelNames)) }

  /// The maximum number of columns of an index.
  static let maximumColumnCount = 32

  private func check() throws {
    guard path != nil || prediction != nil || !expressions.isEmpty else {
      throw QueryCompilationError(.invalid, "an index needs at least one expression")
    }
    guard expressions.count <= ValueIndexDefinition.maximumColumnCount else {
      throw QueryCompilationError(
        .invalid,
        "an index has at most \(ValueIndexDefinition.maximumColumnCount) expressions, not \(expressions.count)")
    }
    for expression in parts {
      try QueryResolver.checkDepth(expression)
      try expression.visit { (part: QueryExpression) throws(QueryCompilationError) in
        if let reason = part.reasonAgainstIndexing {
          throw QueryCompilationError(
            .invalid, "\(SQLPrinter().text(of: expression)) cannot be indexed: \(reason)")
        }
      }
    }
    if let path {
      guard path.components.first != .each, !path.components.isEmpty else {
        throw QueryCompilationError(.invalid, "the path \"\(path)\" of an array index must begin with a property")
      }
    }
  }
}

extension QueryExpression {
  fileprivate var reasonAgainstIndexing: String? {
    switch self {
    case .parameter(let name): "it has the parameter $\(name)"
    case .match, .rank: "it uses a full-text index"
    case .metadata(.id, _): nil
    case .metadata: "metadata other than the id can change without a change to the document"
    case .function(.prediction, let arguments, _):
      if case .string? = arguments.first { nil } else { "the name of the model is not a constant" }
    case .function(let function, _, _) where function.isAggregate:
      "\(function.rawValue) is an aggregate function"
    case .function(let function, _, _) where function.mayFail:
      "\(function.rawValue) may throw an error, which would prevent documents from being saved"
    case .function(let function, _, _)
    where QueryFunctions.implementation(of: function)?.isDeterministic != true:
      "\(function.rawValue) may return different results for the same document"
    default: nil
    }
  }
}

extension QueryFunction {
  /// Whether a call may throw an error for a small document: an invalid regular expression, one that exceeds its time
  /// limit, or a result that is too large although the arguments are small.
  ///
  /// Other functions, such as `||` and `SPLIT`, return too large results only for documents with tens of megabytes of
  /// text or millions of elements, and `ARRAY_REPLACE` for an array with many equal elements. They are not refused,
  /// because indexes contain them and existing files would become unreadable. Such a document cannot be saved. If the
  /// index contained MISSING instead, a query that uses it would return a value where the query without the index
  /// throws an error.
  fileprivate var mayFail: Bool {
    switch self {
    case .regexContains, .regexCount, .regexLike, .regexMatches, .regexPosition, .regexReplace, .regexSplit,
      .regexSubstring, .repeatString, .replace, .arrayRange, .arrayRepeat:
      true
    default: false
    }
  }
}

extension ValueIndexDefinition {
  private struct Stored: Codable {
    var expressions: [String]
    var condition: String?
    var path: String?
    var prediction: String?
  }

  /// The definition as JSON, as the file stores it.
  var json: String {
    get throws {
      let printer = SQLPrinter()
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      let stored = Stored(
        expressions: expressions.map { printer.text(of: $0) }, condition: condition.map { printer.text(of: $0) },
        path: path?.description, prediction: prediction.map { printer.text(of: $0) })
      return String(decoding: try encoder.encode(stored), as: UTF8.self)
    }
  }

  /// Parses a definition.
  init(json: String) throws {
    let stored = try JSONDecoder().decode(Stored.self, from: Data(json.utf8))
    let parser = SQLParser()
    try self.init(
      try stored.expressions.map { try parser.parseExpression($0) },
      try stored.condition.map { try parser.parseExpression($0) }, try stored.path.map { try PropertyPath($0) },
      prediction: try stored.prediction.map { try parser.parseExpression($0) })
  }
}
