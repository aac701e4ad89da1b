import DocumentStore
import GRDB
import JSONText
import TextAnalysis
import TextIndex

/// Documents with the same or nearly the same text among those that match a search.
///
/// ```swift
/// var request = SearchRequest("harbour")
/// request.duplicateGroupCount = 10
/// for group in try notes.search(request).duplicateGroups { print(group.documentIDs) }
/// ```
public struct DuplicateGroup: Hashable, Sendable {
  /// The ids of the documents, best match first. At least two.
  public let documentIDs: [String]
}

/// Groups the best matches of a search by their text.
struct DuplicateSearch {
  /// The rows of the page, without duplicates.
  private(set) var rows: [RankedRow] = []
  /// The ids of the duplicates of each row.
  private(set) var duplicates: [Int64: [String]] = [:]
  private(set) var groups: [DuplicateGroup] = []

  /// - Parameters:
  ///   - request: the page, and the number of groups.
  ///   - candidates: the best matches.
  init(_ request: SearchRequest, among candidates: [RankedRow], _ reader: DocumentReader) throws {
    let grouping = try DuplicateSearch.grouping(candidates, reader)
    let ids = try reader.ids(ofRows: grouping.members.filter { $0.count > 1 }.joined().map { candidates[$0].rowID })
    func names(_ members: some Sequence<Int>) -> [String] { members.compactMap { ids[candidates[$0].rowID] } }
    for members in grouping.members.dropFirst(request.offset).prefix(request.limit) {
      guard let first = members.first else { continue }
      rows.append(candidates[first])
      if members.count > 1 { duplicates[candidates[first].rowID] = names(members.dropFirst()) }
    }
    // Sorting is stable: of groups with equal sizes, the better match comes first.
    groups = grouping.members.filter { $0.count > 1 }.sorted { $0.count > $1.count }
      .prefix(request.duplicateGroupCount).map { DuplicateGroup(documentIDs: names($0)) }
  }

  /// A page that contains duplicates.
  init(groups: [DuplicateGroup], rows: [RankedRow]) { (self.groups, self.rows) = (groups, rows) }

  /// Groups rows by the text of their documents.
  static func grouping(_ rows: [RankedRow], _ reader: DocumentReader) throws -> SketchGroups {
    var groups = SketchGroups()
    try reader.forEach(inRows: rows.map(\.rowID)) { _, stored in
      try Interruption.check()
      groups.add(try sketch(of: stored))
    }
    return groups
  }

  /// Summarizes the text of a document.
  static func sketch(of stored: StoredDocument) throws -> TextSketch {
    try JSONParser.withShared { try stored.withRoot($0, sketch) }
  }

  /// Summarizes the property `text`, or all strings if it is not a string.
  private static func sketch(_ root: JSONElement) -> TextSketch {
    if let text = root["text"]?.stringBytes { return TextSketch(of: CollectionOfOne(text)) }
    var texts: [String] = []
    collect(root, &texts)
    return TextSketch(of: texts)
  }

  private static func collect(_ value: JSONElement, _ texts: inout [String]) {
    if let string = value.string { return texts.append(string) }
    value.forEachElement { collect($0, &texts) }
    value.forEachMember { _, member in collect(member, &texts) }
  }
}
