import Concordance

extension SearchCommand {
  /// Warns about selected values of the wrong type: no matching document has them, but some have a value of another
  /// type that is written with the same characters.
  func warnOfLookalikes(
    _ request: SearchRequest, _ results: SearchResults, in collection: Collection, _ messages: Messages
  ) throws {
    for selection in refinement.selections {
      // The hits may come from another value of the property.
      guard results.hits.isEmpty || (request.selections[selection.property]?.count ?? 0) > 1,
        let lookalike = selection.lookalike
      else { continue }
      func count(_ value: FacetValue) throws -> Int {
        var counting = request
        counting.selections[selection.property] = [value]
        return try collection.count(matching: counting)
      }
      guard try count(selection.value) == 0, try count(lookalike) > 0 else { continue }
      let wanted = lookalike.json
      let option = "--select '\(selection.property)=\(wanted)'"
      messages.warning(
        "no matching document has \(selection.value.kind) \(selection.value.json) in \(selection.property), "
          + "but some have \(lookalike.kind) \(wanted): \(option)")
    }
  }
}

extension FacetValue {
  /// The value as JSON.
  var json: String {
    if case .string(let text) = self { JSONLine.quoted(text) } else { "\(self)" }
  }

  fileprivate var kind: String {
    switch self {
    case .boolean: "the boolean"
    case .integer, .double: "the number"
    case .string: "the string"
    }
  }
}
