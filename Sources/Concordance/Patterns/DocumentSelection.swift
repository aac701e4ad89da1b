import DocumentStore
import GRDB

/// Which documents a search visits, and in which order.
enum DocumentSelection {
  /// All, in the order of the rows.
  case all
  /// Those in these rows, in this order.
  case rows([Int64])

  /// What of a request stands for no document.
  struct Missing {
    var idPrefixes: [String] = []
    var sourcePaths: [String] = []
  }

  /// Chooses documents by their ids and files, none of which is read from a document.
  ///
  /// - Parameters:
  ///   - isIncluded: whether a document with an id is wanted.
  ///   - missing: takes what stands for no document.
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
    // Two of them may name the same document.
    if request.idPrefixes.count + request.sourcePaths.count > 1 {
      var seen: Set<Int64> = []
      rows.removeAll { !seen.insert($0).inserted }
    }
    self = .rows(rows)
  }

  /// Whether a request names all documents, such as the folder that was indexed: then no id needs to be read.
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

  /// Those of the selection that are among some rows, which are in order.
  func among(_ candidates: [Int64]) -> DocumentSelection {
    guard case .rows(let rows) = self else { return .rows(candidates) }
    let known = Set(candidates)
    return .rows(rows.filter { known.contains($0) })
  }

  /// How many documents are visited, where that is known.
  var count: Int? { if case .rows(let rows) = self { rows.count } else { nil } }

  /// Part by part between slashes, each by its bytes: `a/b` in front of `a.txt`, as ripgrep sorts what it finds in folders.
  private static func precedes(_ one: String, _ other: String) -> Bool {
    one.utf8.lazy.map(rank).lexicographicallyPrecedes(other.utf8.lazy.map(rank))
  }

  private static func rank(_ byte: UInt8) -> UInt8 { byte == UInt8(ascii: "/") ? 0 : byte }
}

/// A prefix of ids that ends where a part of an id does.
struct IDPrefix {
  let text: String

  init(_ text: String) { self.text = text }

  /// The ids that begin with it, and few others.
  var range: (lower: String, upper: String?)? {
    guard !text.isEmpty else { return nil }
    // U+10FFFF stands in no id that is text, and behind all others.
    return (text, text + "\u{10FFFF}")
  }

  /// Whether an id is this one, or goes on behind it where a part ends.
  func matches(_ id: String) -> Bool {
    guard id.utf8.starts(with: text.utf8) else { return false }
    guard let next = id.utf8.dropFirst(text.utf8.count).first else { return true }
    return !endsInName || [UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "#")].contains(next)
  }

  /// Whether it matches every id between two others, which are in the order of their bytes.
  func matchesAll(from first: String, to last: String) -> Bool {
    // `docs2` is between `docs/a` and `docs:1`.
    let folder = endsInName ? text + "/" : text
    return first.utf8.starts(with: folder.utf8) && last.utf8.starts(with: folder.utf8)
  }

  /// Whether it ends with a character of names, so that another one would make another name of it.
  private var endsInName: Bool {
    guard let last = text.utf8.last else { return false }
    return last &- 0x30 < 10 || (last | 0x20) &- 0x61 < 26 || last >= 0x80
  }
}
