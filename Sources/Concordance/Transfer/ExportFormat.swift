// The lines of an export, format 1. A line is a JSON object that contains no line feeds or carriage returns.
//
//   export     = header *collection *blob *document *index
//   header     = {"_concordance":1}
//              | {"_concordance":1,"_migrations":[NAME,…]}        ; the steps that the database has run
//   collection = {"_collection":NAME}                             ; each exported collection, even if it is empty
//   blob       = 1*piece                                          ; all pieces in order; an empty blob has one piece
//   piece      = {"_blob":DIGEST,"_length":N,"_offset":K,"_data":BASE64}
//   document   = {"_id":ID place MEMBERS}                         ; MEMBERS: the document's text after its first brace
//              | {"_id":ID place,"_body":DOCUMENT}                ; for reserved keys, or white space around the object
//   place      = ["_collection":NAME] ["_expiration":TIME] ["_breaks":[DISTANCE,…]]
//   index      = {"_index":NAME,"_collection":NAME,"_definition":{…}}
//
// The NAME of a collection is SCOPE.NAME. A document or index without _collection belongs to the default collection.
//
// N is the length of the blob and K the offset of the piece, both in bytes. A piece contains 192 KiB of the content.
// This is a multiple of 3, so its Base64 form has no padding, and the pieces of a blob can be concatenated before they
// are decoded.
//
// TIME is ISO 8601 in UTC, or, for a time outside the years 0 to 9999, the milliseconds since 1970 as an integer, whose
// absolute value is at most 2^53. Earlier versions of the library refuse documents with an integer.
//
// A line break in the text of a document is written as a space, and _breaks lists its position: the distance in bytes
// from the previous line break, or, for the first one, from the byte before the text; negative for a carriage return.
// So the text of a document is restored byte for byte, and every tool for JSON Lines can read the line.
//
// Only an export of the whole database contains _migrations. Versions of the library without migrations ignore the
// member.
//
// A reader distinguishes the lines by their keys: a document has _id, and the other lines have exactly the keys above.
// Any other object is a document without an id. A line without _id whose _concordance is a later version is a header if
// it is the first line of a file that is not blank, or if all its keys begin with an underscore. In a line with a
// document, the members whose names begin with an underscore above may have any position.
//
// History: 1 is the first version.

/// The reserved keys in the lines of an export.
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

  /// Creates the key with these bytes; nil if the bytes are not a key of the format.
  init?(_ bytes: UnsafeRawBufferPointer) {
    // The first byte rules out most keys.
    guard bytes.first == UInt8(ascii: "_") else { return nil }
    self.init(rawValue: String(decoding: bytes, as: UTF8.self))
  }

  /// Whether a member with this key in the line of a document describes the document and is not a property of it.
  var describesDocument: Bool {
    switch self {
    case .id, .collection, .expiration, .breaks, .body: true
    default: false
    }
  }
}

/// The version and the sizes of the export format.
enum ExportFormat {
  /// The version that is written, and the latest version that can be read.
  static let version: Int64 = 1
  /// The maximum number of bytes of a blob in a line: a multiple of 3, so that Base64 needs no padding.
  static let pieceSize = 192 << 10
}
