import ArgumentParser
import Testing

@testable import concord

/// The arguments of `concord grep` that are parsed without ArgumentParser.
@Suite struct GrepArgumentTests {
  @Test(arguments: [
    ["foo"], ["-n", "foo"], ["-d", "a.concord", "foo", "src"], ["foo", "-inl"], ["-wF", "--count", "a b", "."],
    ["-A3", "-B", "1", "foo"], ["-C2", "-m", "5", "foo"], ["-e", "-x", "-e", "y", "-g", "!*.c", "-tc", "src"],
    ["-n", "-N", "-i", "-s", "foo"], ["-ovxq", "foo"], ["--smart-case", "--type", "c", "-t", "h", "foo"],
    ["-S", "-m", "0", "fo\u{301}o"], ["--regexp", "--x", "--glob", "-g"],
  ])
  func commonArgumentsAgreeWithArgumentParser(arguments: [String]) throws {
    let prepared = try #require(try GrepArguments.prepared(["grep"] + arguments))
    let common = try #require(GrepCommand.parsingCommonArguments(prepared))
    let parsed = try #require(try GrepCommand.parseAsRoot(prepared) as? GrepCommand)
    let (found, expected) = (GrepArgumentTests.values(of: common), GrepArgumentTests.values(of: parsed))
    #expect(found == expected)
    #expect(expected.count > 45)
    #expect(!found.contains { $0.contains("definition") })
  }

  @Test(arguments: [
    [], ["--version"], ["-h"], ["--color", "always", "foo"], ["--json", "foo"], ["-A", "x", "foo"],
    ["-A", "-1", "foo"],
    ["--unknown", "foo"], ["-d", "a", "-d", "b", "foo"], ["-d"], ["-e"], ["-e", "--", "src"], ["--", "foo"],
    ["foo", "--", "-n"],
    ["--max-count=1", "foo"],
    [""], ["-n"],
  ])
  func otherArgumentsAreParsedByArgumentParser(arguments: [String]) throws {
    let prepared = try #require(try GrepArguments.prepared(["grep"] + arguments))
    let command = GrepCommand.parsingCommonArguments(prepared)
    #expect(command.map { GrepArgumentTests.values(of: $0) } == nil)
  }

  /// Returns the paths and values of all properties with a wrapper of ArgumentParser.
  private static func values(of value: Any, path: String = "") -> [String] {
    Mirror(reflecting: value).children.flatMap { child -> [String] in
      let name = "\(path)\(child.label ?? "?")"
      guard let parsed = Mirror(reflecting: child.value).children.first(where: { $0.label == "_parsedValue" }) else {
        return []
      }
      guard let content = Mirror(reflecting: parsed.value).children.first, content.label == "value" else {
        return ["\(name) = definition"]
      }
      let inner = values(of: content.value, path: name)
      return inner.isEmpty ? ["\(name) = \(content.value)"] : inner
    }
  }
}
