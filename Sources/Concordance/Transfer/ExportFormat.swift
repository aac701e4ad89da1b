// The lines of an export, format 1. A line is a JSON object; no line holds another line feed, nor a carriage return.
//
//   export     = header *collection *blob *document *index
//   header     = {"_concordance":1}
//              | {"_concordance":1,"_migrations":[NAME,…]}        ; the steps that the database has run
//   collection = {"_collection":NAME}                             ; one that is in the export, empty or not
//   blob       = 1*piece                                          ; in order, none left out; an empty blob has one
//   piece      = {"_blob":DIGEST,"_length":N,"_offset":K,"_data":BASE64}
//   document   = {"_id":ID place MEMBERS}                         ; the document's own text, without its first brace
//              | {"_id":ID place,"_body":DOCUMENT}                ; where that would be read as something else
//   place      = ["_collection":NAME] ["_expiration":TIME] ["_breaks":[DISTANCE,…]]
//   index      = {"_index":NAME,"_collection":NAME,"_definition":{…}}
//
// NAME of a collection is SCOPE.NAME; without it a document or an index is of the default collection. N and K are bytes of
// the content; a piece holds 192 KiB of it, which is Base64 without padding, so that the pieces of a blob can be put
// together before they are decoded. TIME is ISO 8601 in UTC. A line break of a document's text is written as a space, and
// _breaks says where: the distance in bytes from the one before, or from the place before the text, negative for a carriage
// return. So a document comes back byte for byte, and stays an object that every tool for JSON Lines reads.
//
// Only an export of the whole database has _migrations. Versions before them read the header without them.
//
// A reader tells the lines by their keys: a document has _id, the others have exactly the keys above. A line with none of
// these is a document without an id. Members of a document that are not its own may stand anywhere.
//
// 1: the first.

/// The keys that have a meaning in the lines of an export.
enum ExportKey: String, CaseIterable {
  case header = "_concordance"
  case migrations = "_migrations"
  case id = "_id"
  case collection = "_collection"
  case expiration = "_expiration"
  case breaks = "_breaks"
  case body = "_body"
  case blob = "_blob"
  case length = "_length"
  case offset = "_offset"
  case data = "_data"
  case index = "_index"
  case definition = "_definition"

  /// The key with these bytes.
  init?(_ bytes: UnsafeRawBufferPointer) {
    // The first byte rules out most keys.
    guard bytes.first == UInt8(ascii: "_") else { return nil }
    self.init(rawValue: String(decoding: bytes, as: UTF8.self))
  }

  /// Whether a member with this name in a document's line does not belong to the document.
  var describesDocument: Bool {
    switch self {
    case .id, .collection, .expiration, .breaks, .body: true
    default: false
    }
  }
}

/// The format of exports.
enum ExportFormat {
  /// The version that is written, and the latest that can be read.
  static let version: Int64 = 1
  /// The number of bytes of a blob in a line. A multiple of three needs no padding in Base64.
  static let pieceSize = 192 << 10
  /// The maximum number of documents, or other changes, in a batch of an import.
  static let batchCount = 1000
  /// The number of bytes at which a batch is saved before it is full.
  static let batchSize = 16 << 20
}
