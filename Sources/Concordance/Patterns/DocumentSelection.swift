import DocumentStore
import GRDB

/// The documents that a search visits, in order.
enum DocumentSelection {
  /// All documents, in row order.
  case all
  /// The documents in these rows, in this order.
  case rows([Int64])

  /// The parts of a request that match no document.
  struct Missing {
    var idPrefixes: [String] = []
    var sourcePaths: [String] = []
  }

  /// Selects documents by their ids and files, without reading the documents.
  ///
  /// - Parameters:
  ///   - isIncluded: returns whether to include the document with the given id.
  ///   - missing: receives the parts of the request that match no document.
  init(
    _ request: PatternSearchRequest, isIncluded: ((String) -> Bool)?, _ reader: DocumentReader, missing: inout Missing
  ) throws {
    if isIncluded == nil, request.order == .stored, try DocumentSelection.selectsAll(request, reader) {
      self = .all
      return
    }
    var found: [(row: Int64, id: String)] = []
    func add(_ row: Int64, _ id: String) {
      if isIncluded?(id) ?? true { found.append((row, id)) }
    }
    for path in request.sourcePaths {
      var isFound = false
      try reader.forEachID(ofSources: SourcePath(path)) { row, id in
        isFound = true
        add(row, id)
      }
      if !isFound { missing.sourcePaths.append(path) }
    }
    let selectsByID = !request.idPrefixes.isEmpty || request.sourcePaths.isEmpty
    for prefix in request.idPrefixes.isEmpty && selectsByID ? [""] : request.idPrefixes {
      var isFound = false
      let prefix = IDPrefix(prefix)
      try reader.forEachID(in: prefix.range) { row, id in
        guard prefix.matches(id) else { return }
        isFound = true
        add(row, id)
      }
      if !isFound, !prefix.text.isEmpty { missing.idPrefixes.append(prefix.text) }
    }
    switch request.order {
    case .stored: found.sort { $0.row < $1.row }
    case .id: found.sort { DocumentSelection.precedes($0.id, $1.id) }
    case .modified:
      let times = try reader.modificationTimes()
      found.sort { (times[$0.row] ?? 0, $0.row) < (times[$1.row] ?? 0, $1.row) }
    }
    if request.reversesOrder, request.order != .stored { found.reverse() }
    var rows = found.map(\.row)
    // Two prefixes or files may match the same document.
    if request.idPrefixes.count + request.sourcePaths.count > 1 {
      var seen: Set<Int64> = []
      rows.removeAll { !seen.insert($0).inserted }
    }
    self = .rows(rows)
  }

  /// Whether a request selects all documents, for example by the indexed folder. If so, ids need not be read.
  private static func selectsAll(_ request: PatternSearchRequest, _ reader: DocumentReader) throws -> Bool {
    switch (request.idPrefixes.count, request.sourcePaths.count) {
    case (0, 0): return true
    case (0, 1): return try reader.allAreRead(from: SourcePath(request.sourcePaths[0]))
    case (1, 0):
      guard let bounds = try reader.idBounds() else { return false }
      return IDPrefix(request.idPrefixes[0]).matchesAll(from: bounds.first, to: bounds.last)
    default: return false
    }
  }

  /// Returns the selected documents that are among `candidates`, which are sorted.
  func among(_ candidates: [Int64]) -> DocumentSelection {
    guard case .rows(let rows) = self else { return .rows(candidates) }
    let known = Set(candidates)
    return .rows(rows.filter { known.contains($0) })
  }

  /// The number of documents to visit, if it is known.
  var count: Int? { if case .rows(let rows) = self { rows.count } else { nil } }

  /// Compares paths component by component, each by its bytes: `a/b` precedes `a.txt`, as in ripgrep.
  private static func precedes(_ one: String, _ other: String) -> Bool {
    one.utf8.lazy.map(rank).lexicographicallyPrecedes(other.utf8.lazy.map(rank))
  }

  private static func rank(_ byte: UInt8) -> UInt8 { byte == UInt8(ascii: "/") ? 0 : byte }
}

/// A prefix of ids that ends at a component boundary.
struct IDPrefix {
  let text: String

  init(_ text: String) { self.text = text }

  /// A range of ids that contains all ids with the prefix, and few others.
  var range: (lower: String, upper: String?)? {
    guard !text.isEmpty else { return nil }
    // U+10FFFF sorts after all other characters and does not occur in textual ids.
    return (text, text + "\u{10FFFF}")
  }

  /// Whether an id equals the prefix, or continues after it at a component boundary.
  func matches(_ id: String) -> Bool {
    guard id.utf8.starts(with: text.utf8) else { return false }
    guard let next = id.utf8.dropFirst(text.utf8.count).first else { return true }
    return !endsInName || [UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "#")].contains(next)
  }

  /// Whether the prefix matches every id between two given ids, ordered by bytes.
  func matchesAll(from first: String, to last: String) -> Bool {
    // Only ids in the folder are certain to match: `docs2` is between `docs/a` and `docs:1`.
    let folder = endsInName ? text + "/" : text
    return first.utf8.starts(with: folder.utf8) && last.utf8.starts(with: folder.utf8)
  }

  /// Whether the prefix ends with a letter or digit, so that one more character would make a different name.
  private var endsInName: Bool {
    guard let last = text.utf8.last else { return false }
    return last &- 0x30 < 10 || (last | 0x20) &- 0x61 < 26 || last >= 0x80
  }
}
