import CorpusReader
import Testing

/// Random bytes and random pieces of each format: the reader must not crash, and every document must be a JSON object.
@Suite struct FuzzTests {
  @Test(arguments: CorpusFormat.allCases)
  func anything(format: CorpusFormat) throws {
    let folder = try TemporaryFolder()
    var random = SeededGenerator(seed: UInt64(format.rawValue.utf8.reduce(0) { $0 &* 31 &+ Int($1) }))
    var options = CorpusOptions()
    options.format = format
    options.maximumDocumentSize = 300
    for round in 0..<150 {
      let bytes = round % 3 == 0 ? noise(&random) : pieces(&random)
      let reading = try folder.read("f", bytes, options)
      for document in reading.documents {
        #expect(throws: Never.self) { _ = try document.members() }
        #expect(!document.id.isEmpty)
      }
    }
  }

  private func noise(_ random: inout SeededGenerator) -> [UInt8] {
    (0..<Int.random(in: 0...400, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  private func pieces(_ random: inout SeededGenerator) -> [UInt8] {
    let pieces = [
      "---\n", "a: [1, *x]\n", "# T\n", "===\n", "```\n", "<p>", "</", "<script>", "<!--", "<title>", "&amp;",
      "&#x", "<pre>", "{",
      "}", "[", "]", "\"", "\\", ",", ":", "\"a\"", "1", "{\"a\":1}", "{\"_id\":\"x\"}", "null", "\n", "\r\n",
      "\n\n", ";", "\t", "From x\n",
      "Content-Type: multipart/mixed; boundary=b\n", "--b\n", "--b--\n", "Subject: =?utf-8?q?=C3?=\n",
      "Content-Transfer-Encoding: base64\n",
      "Content-Type: text/html; charset=utf-7\n", "=\n", "=C", "YQ", "é", "\u{FEFF}", "a,b\n", "\"x\"y", "x",
    ]
    let count = Int.random(in: 0...40, using: &random)
    return (0..<count).flatMap { _ in Array(pieces[Int.random(in: 0..<pieces.count, using: &random)].utf8) }
  }
}
