import DocumentBuilders
import DocumentFormats
import Foundation
import SQLiteAccess
import Testing

/// SQLite files, and the metadata of pictures and audio files.
struct OptionalFormatTests {
  private static func database(_ sql: String) throws -> [UInt8] {
    let path = FileManager.default.temporaryDirectory.path + "/" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: path) }
    let connection = try DirectConnection(path, .creating)
    try connection.execute(sql)
    connection.close()
    return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  @Test func schemaAndTextOfTables() throws {
    let file = try Self.database(
      """
      CREATE TABLE ships (id INTEGER, name TEXT, note TEXT, data BLOB, loud TEXT AS (upper(name)));
      INSERT INTO ships VALUES (1, 'Anna', 'two
      lines', x'00'), (2, NULL, NULL, NULL), (3, 'Berta', '', NULL);
      CREATE VIEW v AS SELECT 'view' FROM ships;
      CREATE VIRTUAL TABLE f USING fts5(t);
      """)
    let extracted = try Extracted(file, named: "a.sqlite")
    #expect(extracted.fault == nil && extracted.failures.isEmpty)
    let ships = extracted.parts.first { $0.location?.label == "ships" }
    #expect(ships.map { String(decoding: $0.content, as: UTF8.self) } == "Anna\ttwo lines\n\nBerta\n")
    #expect(extracted.texts.first?.hasPrefix("CREATE TABLE ships (") == true)
    #expect(!extracted.parts.contains { $0.location?.label == "v" || $0.location?.label == "f" })
  }

  @Test func damagedDatabaseIsReported() throws {
    var file = try Self.database("CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('x');")
    file.removeLast(file.count / 2)
    let extracted = try Extracted(file, named: "a.db")
    #expect(extracted.fault?.kind == .damaged || extracted.failures.first?.kind == .damaged)
  }

  @Test func rowsBeforeACorruptPageAndOtherTablesAreExtracted() throws {
    var file = try Self.database(
      """
      PRAGMA page_size = 512;
      CREATE TABLE a (t TEXT);
      CREATE TABLE b (t TEXT);
      INSERT INTO b VALUES ('other');
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
      INSERT INTO a SELECT 'row ' || i FROM n;
      """)
    // The last page is a leaf of the table `a`.
    file.replaceSubrange(file.count - 512..<file.count, with: [UInt8](repeating: 0xFF, count: 512))
    let extracted = try Extracted(file, named: "a.db")
    #expect(extracted.fault == nil && extracted.failures.map(\.member) == ["a"])
    #expect(extracted.texts.contains { $0.hasPrefix("row 1\nrow 2\n") } && extracted.texts.contains("other\n"))
  }

  @Test func otherFilesWithTheExtensionAreFiles() throws {
    let extracted = try Extracted(Array("text".utf8), named: "a.db")
    #expect(extracted.fault == nil && extracted.parts.map(\.isFile) == [true])
  }

  /// A JPEG file with a comment in Exif: the tag ImageDescription.
  private static let picture: [UInt8] = {
    let text = Array("A lighthouse\u{0}".utf8)
    let tiff: [UInt8] =
      [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 1, 0] + [0x0E, 1, 2, 0, UInt8(text.count), 0, 0, 0, 26, 0, 0, 0, 0, 0, 0, 0]
      + text
    let exif = Array("Exif\u{0}\u{0}".utf8) + tiff
    return [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif + [0xFF, 0xD9]
  }()

  @Test func metadataOfAPicture() throws {
    let extracted = try Extracted(Self.picture, named: "a.jpg")
    guard extracted.fault?.kind != .unsupported else { return }
    #expect(extracted.fault == nil && extracted.parts.first?.metadata.title == "A lighthouse")
    #expect(extracted.texts.first?.contains("Exif.Image.ImageDescription: A lighthouse\n") == true)
    #expect(try Extracted(Array(Self.picture.prefix(20)), named: "a.jpg").fault?.kind == .damaged)
  }

  @Test func tagsOfAnAudioFile() throws {
    // The tag ID3v1 follows the audio data, here a frame of MPEG layer 3 with silence.
    func field(_ text: String, _ count: Int) -> [UInt8] {
      Array(text.utf8) + [UInt8](repeating: 0, count: count - text.utf8.count)
    }
    let frame = [0xFF, 0xFB, 0x90, 0x64] + [UInt8](repeating: 0, count: 413)
    let tag =
      Array("TAG".utf8) + field("Foghorn", 30) + field("Choir", 30) + field("Coast", 30) + field("1999", 4)
      + field("", 31)
    let file = (0..<4).flatMap { _ in frame } + tag
    let extracted = try Extracted(file, named: "a.mp3")
    guard extracted.fault?.kind != .unsupported else { return }
    let metadata = extracted.parts.first?.metadata
    #expect(metadata?.title == "Foghorn" && metadata?.author == "Choir" && metadata?.created == "1999")
    #expect(extracted.texts.first?.contains("album: Coast\n") == true)
  }
}
