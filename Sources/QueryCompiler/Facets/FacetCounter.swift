public import JSONText

/// What is counted of a property, and which of its values a document must have.
public struct FacetProperty: Hashable, Sendable {
  /// Where the values stand.
  public let path: PropertyPath
  /// Whether they are counted.
  public let isCounted: Bool
  /// One of these values must be there; nil where it does not matter.
  public let selection: [ColumnValue]?

  /// Describes a property.
  public init(_ path: PropertyPath, isCounted: Bool, selection: [ColumnValue]? = nil) {
    self.path = path
    self.isCounted = isCounted
    self.selection = selection
  }
}

/// How many documents have each value of some properties.
///
/// A document counts for a property if it has what is selected of the **other** properties, so that the values that might be
/// selected as well are counted too. An array counts each different element once.
struct FacetCounter {
  private struct Counter {
    var table = ScalarDictionary()
    let isCounted: Bool
    /// The first values of the table are the selected ones; nil where none must be there.
    let selectedCount: Int?
    var counts: [Int] = []
    /// How many documents have a value.
    var documentCount = 0
    /// The values of the current document.
    var current: [Int] = []
    /// For each value the last document that it was met in.
    private var lastDocuments: [Int] = []
    private var document = 1

    init(_ property: FacetProperty) {
      isCounted = property.isCounted
      var numbers = 0
      for value in property.selection ?? [] {
        if let number = table.number(ofColumn: value) { numbers = max(numbers, number + 1) }
      }
      selectedCount = property.selection.map { _ in numbers }
      counts = Array(repeating: 0, count: numbers)
    }

    mutating func add(_ value: ScalarSlice) {
      let number: Int
      if isCounted {
        number = table.number(of: value)
        if number == counts.count { counts.append(0) }
      } else {
        guard let known = table.knownNumber(of: value) else { return }
        number = known
      }
      while number >= lastDocuments.count { lastDocuments.append(0) }
      guard lastDocuments[number] != document else { return }
      lastDocuments[number] = document
      current.append(number)
    }

    mutating func endDocument() {
      current.removeAll(keepingCapacity: true)
      document += 1
    }

    var isSelected: Bool { selectedCount.map { count in current.contains { $0 < count } } ?? true }

    mutating func count() {
      guard isCounted, !current.isEmpty else { return }
      for number in current { counts[number] += 1 }
      documentCount += 1
    }
  }

  private var counters: [Counter]

  init(_ properties: [FacetProperty]) { counters = properties.map { Counter($0) } }

  /// Adds a value of the current document.
  mutating func add(_ value: ScalarSlice, of property: Int) { counters[property].add(value) }

  /// Counts the current document.
  ///
  /// - Returns: whether it has what is selected of all properties.
  mutating func endDocument() -> Bool {
    var unselected: Int?
    var isExcluded = false
    for number in counters.indices where !counters[number].isSelected {
      if unselected != nil { isExcluded = true }
      unselected = number
    }
    if !isExcluded {
      if let unselected {
        counters[unselected].count()
      } else {
        for number in counters.indices { counters[number].count() }
      }
    }
    for number in counters.indices { counters[number].endDocument() }
    return unselected == nil
  }

  /// Adds the counts of other documents.
  mutating func add(_ other: FacetCounter) {
    for (number, counter) in other.counters.enumerated() {
      for (value, count) in zip(counter.table.values, counter.counts) where count > 0 {
        guard let mine = counters[number].table.number(ofColumn: value) else { continue }
        if mine == counters[number].counts.count { counters[number].counts.append(0) }
        counters[number].counts[mine] += count
      }
      counters[number].documentCount += counter.documentCount
    }
  }

  /// The values of a property that documents have, in no order, and how many documents have one.
  func result(of property: Int) -> FacetResult {
    let counter = counters[property]
    let pairs = zip(counter.table.values, counter.counts).filter { $0.1 > 0 }
    return FacetResult(values: pairs.map { ($0.0, $0.1) }, documentCount: counter.documentCount)
  }
}

/// The values of a property and how many documents have each.
public struct FacetResult: Sendable {
  /// The values, in no order.
  public let values: [(value: ColumnValue, count: Int)]
  /// How many documents have any.
  public let documentCount: Int
}
