import Testing

@testable import concord

/// Replacements in the output of `concord grep`, and options that override others.
struct GrepReplacementTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("a.txt", "foo\n-b\nlast foo")
    #expect(try folder.concord("index", "a.txt").status == 0)
  }

  private func grep(_ arguments: String...) throws -> String {
    try ConcordProcess.run(["grep"] + arguments + ["a.txt"], in: folder).output
  }

  @Test func emptiedLastLineIsPrinted() throws {
    #expect(try grep("-n", "-r", "", ".*foo") == "1:\n3:\n")
    #expect(try grep("-no", "-r", "", "last|.foo") == "3:\n3:\n")
  }

  @Test func lineBreakDoesNotCountAfterReplacements() throws {
    #expect(try grep("-M6", "-r", "X", "foo") == "X\nlast X\n")
    #expect(try grep("-M1", "-r", "X", "foo") == "X\n[Omitted long line with 1 matches]\n")
  }

  @Test func lineBreakOfAContextLineCounts() throws {
    #expect(try grep("-M2", "-A1", "-r", "X", "^foo") == "X\n[Omitted long context line]\n")
  }

  @Test func namesInBracesConsistOfLettersAndDigits() throws {
    #expect(try grep("-or", "${a b}$1", "^(f)oo") == "${a b}f\n")
  }

  @Test func lastOfPassthruAndContextApplies() throws {
    #expect(try grep("-n", "-A1", "--passthru", "b") == "1-foo\n2:-b\n3-last foo\n")
    #expect(try grep("-n", "--passthru", "-A1", "b") == "2:-b\n3-last foo\n")
    #expect(try grep("-n", "--passthru", "--context=0", "b") == "2:-b\n")
    #expect(try grep("-n", "--passthru", "-e", "-A", "-e", "b") == "1-foo\n2:-b\n3-last foo\n")
  }

  @Test(arguments: [
    (["--passthru", "-nA3", "foo"], ["-n", "-A", "3", "foo"]), (["foo", "--passthru"], ["--passthru", "foo"]),
    (["-C", "1", "--passthru", "--", "-B"], ["--passthru", "-C", "1", "--", "-B"]),
    (["-e", "--passthru"], ["-e", "--passthru"]),
  ])
  func argumentsContainPassthruOnlyIfItApplies(arguments: [String], expected: [String]) throws {
    #expect(try GrepArguments.prepared(["grep"] + arguments) == expected)
  }

  @Test func hyphenAtTheBeginningOfAClassIsLiteral() throws {
    #expect(try grep("-n", "^[^-z]") == "1:foo\n3:last foo\n")
    #expect(try grep("-n", "^[^-\\d]") == "1:foo\n3:last foo\n")
  }

  @Test func referencesReferToGroupsOfTheirPattern() throws {
    #expect(try grep("-n", "-e", "(x)", "-e", "(o)\\1") == "1:foo\n3:last foo\n")
  }
}
