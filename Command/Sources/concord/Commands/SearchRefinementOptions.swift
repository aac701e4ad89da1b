import ArgumentParser
import Concordance

/// Options that filter, sort and aggregate the documents that match a search.
struct SearchRefinementOptions: ParsableArguments {
  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Find only documents for which this condition, with the syntax of WHERE, is true.", valueName: "sql++"))
  var condition: String?

  @Option(
    name: .customLong("param"),
    help: ArgumentHelp(
      "The value of $name in --where, as JSON or a string; may be repeated.", valueName: "name=value"))
  var parameters: [ParameterArgument] = []

  @Option(
    help: ArgumentHelp(
      "Sort the hits by these ORDER BY terms instead of their scores: 'price DESC, name'. With --like or --feedback, "
        + "or if documents with only some of the words match, only the \(SearchRequest.sortedCount) best hits are sorted.",
      valueName: "sql++"))
  var sort: String?

  @Option(
    name: .customLong("facet"),
    help: ArgumentHelp(
      "Count the values of a property in all documents that match, and list ten, or COUNT, of them; may be repeated.",
      valueName: "property[:count]"))
  var facets: [FacetArgument] = []

  @Option(
    name: .customLong("select"),
    help: ArgumentHelp(
      "Find only documents with this value, as JSON or a string, in a property; several values of a property are "
        + "alternatives. The facet of the property counts as if nothing were selected.", valueName: "property=value"),
    transform: SelectionArgument.init(parsing:))
  var selections: [SelectionArgument] = []

  @Flag(help: "Leave out documents with the same or nearly the same text as a better hit, and count them.")
  var unique = false

  @Option(
    help: ArgumentHelp(
      "Also list the largest groups of documents that match and have the same or nearly the same text.",
      valueName: "count"))
  var duplicates = 0

  @Flag(help: "Leave out PostgreSQL servers that cannot be reached, and report them, instead of failing.")
  var partial = false

  @Flag(help: "Explain the score of each hit.")
  var explain = false

  /// Whether a filter is given.
  var narrows: Bool { condition != nil || !selections.isEmpty }

  /// Whether a search without words lists the documents that satisfy the conditions.
  var browses: Bool { narrows || sort != nil || !facets.isEmpty }

  func validate() throws {
    guard let condition else {
      if parameters.isEmpty { return }
      throw ValidationError("--param requires --where.")
    }
    for name in parameters.map(\.name) where !condition.names(parameter: name) {
      throw ValidationError("--where has no parameter $\(name): \(condition)")
    }
  }

  /// Applies the options to a request.
  func apply(to request: inout SearchRequest) {
    request.where = condition.map { SearchFilter($0, parameters: Parameters(parameters)) }
    request.sort = sort.map { SearchOrder($0) }
    request.facets = facets.map { FacetRequest($0.property, limit: $0.limit) }
    for selection in selections { request.selections[selection.property, default: []].append(selection.value) }
    request.explains = explain
    request.groupsDuplicates = unique
    request.duplicateGroupCount = duplicates
    request.allowsPartialResults = partial
    // Testing a condition on all documents that match may take far longer than finding the best hits.
    request.counting = condition == nil ? .exact : .whenCheap
  }
}

extension String {
  /// Returns whether `$name` occurs in the text of a condition.
  fileprivate func names(parameter name: String) -> Bool {
    ranges(of: "$" + name).contains { range in
      range.upperBound == endIndex
        || !(self[range.upperBound].isLetter || self[range.upperBound].isNumber || self[range.upperBound] == "_")
    }
  }
}

/// A facet as an argument: `type`, `tags:20`.
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

/// A selected value of a property as an argument: `type=hotel`.
struct SelectionArgument {
  let property: String
  let value: FacetValue
  private let text: String

  /// - Throws: `ValidationError` for text that is not a property and a value.
  init(parsing argument: String) throws {
    guard let selection = SelectionArgument(argument: argument) else {
      throw ValidationError("--select takes a property and a value, such as type=hotel")
    }
    self = selection
  }

  init?(argument: String) {
    guard let argument = ParameterArgument(argument: argument), let value = FacetValue(argument.value) else {
      return nil
    }
    (property, text, self.value) = (argument.name, argument.text, value)
  }

  /// The value of another type that is written with the same characters: the string `7` for the number, and vice versa.
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
  /// Creates a facet value; nil for a value that facets do not count.
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
