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

  /// - Throws: ``CBLError/invalidParameter`` for a key that JSON cannot represent.
  init(_ query: ViewQuery) throws {
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
}
