import JSONText
import QueryCompiler

/// The distinct properties whose values a search counts or selects.
struct FacetPlan {
  let properties: [FacetProperty]
  /// The index of the property of each facet.
  private let positions: [Int]
  private let facets: [FacetRequest]

  /// Returns nil if the request has neither facets nor selections.
  ///
  /// - Throws: ``CBLError/invalidParameter`` for a negative limit; `PropertyPathError` for an invalid path.
  init?(_ request: SearchRequest) throws {
    guard !request.facets.isEmpty || !request.selections.isEmpty else { return nil }
    if let facet = request.facets.first(where: { $0.limit < 0 }) {
      throw CBLError(
        CBLError.invalidParameter,
        "the limit of the facet \"\(facet.property)\" is \(facet.limit); it must be 0 or more")
    }
    facets = request.facets
    // Different spellings of a path refer to the same property.
    var selections: [String: [FacetValue]] = [:]
    for (name, values) in request.selections {
      selections[try PropertyPath(name).description, default: []] += values
    }
    var names: [String] = []
    var positions: [Int] = []
    for facet in facets {
      let name = try PropertyPath(facet.property).description
      if let known = names.firstIndex(of: name) {
        positions.append(known)
      } else {
        positions.append(names.count)
        names.append(name)
      }
    }
    let counted = names.count
    names += selections.keys.filter { !names.contains($0) }.sorted()
    self.positions = positions
    properties = try names.enumerated().map { number, name in
      FacetProperty(
        try PropertyPath(name), isCounted: number < counted, selection: selections[name]?.map(\.columnValue))
    }
  }

  /// The facets in the order of the request.
  func facets(_ facetResults: [FacetResult]) -> [Facet] {
    zip(facets, positions).map { Facet($0, facetResults[$1]) }
  }
}

extension Facet {
  /// - Complexity: O(n log n) in the number of values.
  fileprivate init(_ request: FacetRequest, _ result: FacetResult) {
    property = request.property
    // Values that are not listed need not be sorted.
    let counts = result.values.map(\.count).sorted(by: >)
    let least = request.limit > 0 && request.limit <= counts.count ? counts[request.limit - 1] : 0
    let best = result.values.lazy.filter { $0.count >= least }.compactMap { value, count in
      FacetValue(value).map { Count(value: $0, count: count) }
    }
    values = Array(
      best.sorted { $0.count == $1.count ? $0.value < $1.value : $0.count > $1.count }.prefix(request.limit))
    otherValueCount = result.values.count - values.count
    documentCount = result.documentCount
    let numbers = result.values.lazy.compactMap { FacetValue($0.value)?.number }
    minimum = numbers.min()
    maximum = numbers.max()
  }
}
