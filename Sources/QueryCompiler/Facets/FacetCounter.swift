public import JSONText

/// A property whose values are counted, used to select documents, or both.
public struct FacetProperty: Hashable, Sendable {
  /// The path of the values.
  public let path: PropertyPath
  /// Whether they are counted.
  public let isCounted: Bool
  /// The selected values, one of which a document must have; nil for no selection.
  public let selection: [ColumnValue]?

  /// Creates a property.
  public init(_ path: PropertyPath, isCounted: Bool, selection: [ColumnValue]? = nil) {
    self.path = path
    self.isCounted = isCounted
    self.selection = selection
  }
}

/// Counts documents by the values of their properties.
///
/// A document is counted for a property if it matches the selections of the **other** properties, so that the counts
/// include values that could be selected in addition. Equal elements of an array are counted once.
struct FacetCounter {
  private struct Counter {
    var table = ScalarDictionary()
    let isCounted: Bool
    /// The number of selected values, which are the first ones in the table; nil for no selection.
    let selectedCount: Int?
    var counts: [Int] = []
    /// The number of documents that have a value.
    var documentCount = 0
    /// The values of the current document.
    var current: [Int] = []
    /// For each value, the last document in which it occurred.
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

  /// The approximate memory of the distinct values in bytes.
  var memory: Int { counters.reduce(0) { $0 + $1.table.memory } }

  /// Adds a value of the current document.
  mutating func add(_ value: ScalarSlice, of property: Int) { counters[property].add(value) }

  /// Counts the current document.
  ///
  /// - Returns: whether the document matches the selections of all properties.
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
      for (value, count) in counter.counts.enumerated() where count > 0 {
        let target = counters[number].table.number(of: value, in: counter.table)
        if target == counters[number].counts.count { counters[number].counts.append(0) }
        counters[number].counts[target] += count
      }
      counters[number].documentCount += counter.documentCount
    }
  }

  /// Returns the values of a property with their counts, in no particular order.
  func result(of property: Int) -> FacetResult {
    let counter = counters[property]
    let counts = counter.counts.enumerated().filter { $0.element > 0 }
    return FacetResult(
      values: counts.map { (counter.table.value(of: $0.offset), $0.element) }, documentCount: counter.documentCount)
  }
}

/// The values of a property with the number of documents that have each of them.
public struct FacetResult: Sendable {
  /// The values, in no particular order.
  public let values: [(value: ColumnValue, count: Int)]
  /// The number of documents that have any value.
  public let documentCount: Int
}
