import CorpusReader
import JSONText
import Testing

/// Front matter whose aliases expand to more than fits in memory.
@Suite struct YAMLExpansionTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns `levels` sequences of ten aliases to the previous one, and a mapping that uses the last one as in `use`.
  private func bomb(levels: Int, use: String) -> String {
    let lines = (1...levels).map { level in
      "a\(level): &a\(level) [" + Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ",") + "]"
    }
    return "---\na0: &a0 [x]\n" + lines.joined(separator: "\n") + "\n\(use)\n---\nbody\n"
  }

  @Test(arguments: ["? *a12\n: 1", "? [*a12, {? *a12 : 2}]\n: 1", "k: *a12", "k: {*a12 : 1}"])
  func nestedAliasesAreReadAsText(use: String) throws {
    let text = bomb(levels: 12, use: use)
    let reading = try folder.read("f.md", text)
    #expect(reading.kinds == [.frontMatter])
    #expect(try reading["text"] == .string(text))
    #expect(try reading["meta"] == nil)
  }

  @Test func manyAliasesOfALongScalarAreReadAsText() throws {
    let long = String(repeating: "x", count: 100_000)
    let aliases = Array(repeating: "*a", count: 20_000).joined(separator: ", ")
    let reading = try folder.read("f.md", "---\na: &a \(long)\nb: [\(aliases)]\n---\nbody\n")
    #expect(reading.kinds == [.frontMatter])
  }

  @Test func deeplyNestedKeysAreReadAsText() throws {
    let key = String(repeating: "? ", count: 900) + String(repeating: "x", count: 100_000)
    #expect(try folder.read("f.md", "---\n\(key)\n---\nbody\n").kinds == [.frontMatter])
  }

  @Test func ordinaryAliasesAreExpanded() throws {
    let reading = try folder.read(
      "f.md",
      "---\ndefaults: &d {lang: en, tags: [a, b]}\none: *d\ntwo: *d\n*x : 1\n---\nbody\n".replacing(
        "*x : 1\n", with: ""))
    #expect(reading.problems.isEmpty)
    let value = #"{"lang":"en","tags":["a","b"]}"#
    #expect(
      reading.documents.first?.text.contains(#""meta":{"defaults":\#(value),"one":\#(value),"two":\#(value)}"#) == true)
  }
}
