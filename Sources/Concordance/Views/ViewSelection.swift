import JSONText

/// A copy of the options of a ``ViewQuery`` for one run, with keys as JSON. See ``ViewQuery`` for the properties.
struct ViewSelection: Sendable {
  let source: ViewQuery.Source
  let startKey: JSONValue?
  let endKey: JSONValue?
  let startKeyDocID: String?
  let endKeyDocID: String?
  let inclusiveStart: Bool
  let inclusiveEnd: Bool
  let prefixMatchLevel: Int
  let keys: [JSONValue]?
  let isDescending: Bool
  let limit: Int?
  let skip: Int
  let groupLevel: Int
  let isGroupedByKey: Bool
  let mapOnly: Bool
  let prefetch: Bool
  let indexUpdateMode: ViewQuery.IndexUpdateMode
  let sortDescriptors: [ViewSortDescriptor]
  let postFilter: (@Sendable (ViewRow) throws -> Bool)?
  let allDocumentsMode: ViewQuery.AllDocumentsMode

  /// The members of a row by which rows can be sorted.
  private static let sortedMembers = ["key", "value", "documentID", "sequence"]

  /// - Throws: ``CBLError/invalidParameter`` for a key that JSON cannot represent, a negative number or an invalid sort
  ///   descriptor.
  init(_ query: ViewQuery) throws {
    let numbers = [
      ("limit", query.limit ?? 0), ("skip", query.skip), ("groupLevel", query.groupLevel),
      ("prefixMatchLevel", query.prefixMatchLevel),
    ]
    for (name, number) in numbers where number < 0 {
      throw CBLError(CBLError.invalidParameter, "the \(name) of a view query is \(number); use 0 or more")
    }
    for descriptor in query.sortDescriptors {
      let path = try PropertyPath(descriptor.path)
      guard case .key(let name)? = path.components.first, ViewSelection.sortedMembers.contains(name) else {
        throw CBLError(
          CBLError.invalidParameter,
          "the sort descriptor \"\(descriptor.path)\" of a view query does not begin with "
            + ViewSelection.sortedMembers.joined(separator: ", ") + "; use one of them or a path in it")
      }
    }
    source = query.source
    startKey = try ViewJSON.value(query.startKey)
    endKey = try ViewJSON.value(query.endKey)
    startKeyDocID = query.startKeyDocID
    endKeyDocID = query.endKeyDocID
    inclusiveStart = query.inclusiveStart
    inclusiveEnd = query.inclusiveEnd
    prefixMatchLevel = query.prefixMatchLevel
    keys = try query.keys.map { try $0.map { try ViewJSON.value($0) ?? .null } }
    isDescending = query.isDescending
    limit = query.limit
    skip = query.skip
    groupLevel = query.groupLevel
    isGroupedByKey = query.isGroupedByKey
    mapOnly = query.mapOnly
    prefetch = query.prefetch
    indexUpdateMode = query.indexUpdateMode
    sortDescriptors = query.sortDescriptors
    postFilter = query.postFilter
    allDocumentsMode = query.allDocumentsMode
  }

  /// The collection of the documents.
  var collection: Collection { source.collection }

  /// Whether runs regularly update the view, and so may wait for another writer.
  var mayWrite: Bool {
    guard case .view = source else { return false }
    return indexUpdateMode != .never
  }
}
