import ArgumentParser
import Concordance

/// Which of the documents that match a search wants, in which order, and what it tells of them.
struct SearchRefinement: ParsableArguments {
  @Option(
    name: .customLong("where"),
    help: ArgumentHelp("Find only documents for which this is true, as behind WHERE in a query.", valueName: "sql++"))
  var condition: String?

  @Option(
    name: .customLong("param"),
    help: ArgumentHelp(
      "The value of $name in --where, JSON or else a string; may be repeated.", valueName: "name=value"))
  var parameters: [ParameterArgument] = []

  @Option(
    help: ArgumentHelp(
      "Sort the hits by this instead of their scores, as behind ORDER BY in a query: 'price DESC, name'. With --like and "
        + "--feedback, and where some of the words are enough, the \(SearchRequest.sortedCount) best are sorted.",
      valueName: "sql++"))
  var sort: String?

  @Option(
    name: .customLong("facet"),
    help: ArgumentHelp(
      "Count the values of a property over all documents that match, and list ten of them, or so many; may be repeated.",
      valueName: "property[:count]"))
  var facets: [FacetArgument] = []

  @Option(
    name: .customLong("select"),
    help: ArgumentHelp(
      "Find only documents with this value, JSON or else a string, in a property; of several values of one any will do. "
        + "The facet of the property counts as if nothing were selected.", valueName: "property=value"))
  var selections: [SelectionArgument] = []

  @Flag(help: "Tell how the score of each hit came about.")
  var explain = false

  /// Whether only some of the documents that match are wanted.
  var narrows: Bool { condition != nil || !selections.isEmpty }

  /// Whether a search without words lists the documents that pass.
  var browses: Bool { narrows || sort != nil || !facets.isEmpty }

  func validate() throws {
    guard let condition else {
      if parameters.isEmpty { return }
      throw ValidationError("--param is for parameters of --where.")
    }
    for name in parameters.map(\.name) where !condition.names(parameter: name) {
      throw ValidationError("--where has no parameter $\(name): \(condition)")
    }
  }

  /// Puts the options into a request.
  func apply(to request: inout SearchRequest) {
    request.where = condition.map { SearchFilter($0, parameters: Parameters(parameters)) }
    request.sort = sort.map { SearchOrder($0) }
    request.facets = facets.map { FacetRequest($0.property, limit: $0.limit) }
    for selection in selections { request.selections[selection.property, default: []].append(selection.value) }
    request.explains = explain
    // Testing a condition on all documents that match may take far longer than finding the best.
    request.counting = condition == nil ? .exact : .whenCheap
  }
}

extension String {
  /// Whether `$name` stands in the text of a condition.
  fileprivate func names(parameter name: String) -> Bool {
    ranges(of: "$" + name).contains { range in
      range.upperBound == endIndex
        || !(self[range.upperBound].isLetter || self[range.upperBound].isNumber || self[range.upperBound] == "_")
    }
  }
}

/// A property whose values are counted, as an argument: `type`, `tags:20`.
struct FacetArgument: ExpressibleByArgument {
  let property: String
  let limit: Int

  init?(argument: String) {
    if let colon = argument.lastIndex(of: ":"), let limit = Int(argument[argument.index(after: colon)...]) {
      guard limit >= 0 else { return nil }
      property = String(argument[..<colon])
      self.limit = limit
    } else {
      property = argument
      limit = 10
    }
    if property.isEmpty { return nil }
  }
}

/// A value of a property that is selected, as an argument: `type=hotel`.
struct SelectionArgument: ExpressibleByArgument {
  let property: String
  let value: FacetValue
  private let text: String

  init?(argument: String) {
    guard let argument = ParameterArgument(argument: argument) else { return nil }
    guard let value = FacetValue(argument.value) else { return nil }
    (property, text, self.value) = (argument.name, argument.text, value)
  }

  /// The value of another type that is written with the same characters: the string `7` for the number, and the other way round.
  var lookalike: FacetValue? {
    guard case .string(let string) = value else { return .string(text) }
    guard let inner = ParameterArgument(argument: "x=\(string)").flatMap({ FacetValue($0.value) }), inner != value
    else {
      return nil
    }
    return inner
  }
}

extension FacetValue {
  /// Nil for what no facet counts.
  fileprivate init?(_ value: Any) {
    switch value {
    case let text as String: self = .string(text)
    case let boolean as Bool: self = .boolean(boolean)
    case let integer as Int: self = .integer(Int64(integer))
    case let number as Double: self = .double(number)
    default: return nil
    }
  }
}
