import PatternMatching
import Testing

@Suite struct PatternOptionsTests {
  @Test func flagLettersSetOptions() throws {
    let options = try PatternOptions(flags: "imsxu")
    #expect(options.ignoresCase && options.isMultiline && options.dotMatchesNewlines && options.isExtended)
    #expect(try PatternOptions(flags: "") == PatternOptions())
    #expect(try PatternOptions(flags: "u") == PatternOptions())
    #expect(try PatternOptions(flags: "ii") == PatternOptions(flags: "i"))
  }

  @Test func unknownFlagLettersThrow() throws {
    let error = try #require(throws: PatternError.self) { try PatternOptions(flags: "ig") }
    #expect(error.kind == .unknownFlag("g"))
    #expect(
      error.description.hasPrefix(#""g" in the flags "ig" of a regular expression is unknown; the flags are i "#))
  }

  @Test func extendedPatternsIgnoreSpacesAndComments() throws {
    let matcher = try PatternMatcher(Pattern("a b # c\n [ ] d", options: PatternOptions(flags: "x")))
    #expect(try Array("ab d".utf8).withUnsafeBytes { try matcher.matches($0) })
  }

  @Test func groupsAreFoundByNumberAndName() throws {
    let pattern = try Pattern(#"(?<user>\w+)(-)?@(?<host>\w+)"#)
    #expect(pattern.groupCount == 3)
    #expect(pattern.groupNames == [nil, "user", nil, "host"])
    #expect(pattern.group(named: "host") == 3)
    #expect(pattern.group(named: "port") == nil)
    let matcher = try PatternMatcher(pattern)
    let match = try Array("to me@here".utf8).withUnsafeBytes { try matcher.firstMatch(in: $0) }
    let groups: [Range<Int>?] = [3..<10, 3..<5, nil, 6..<10]
    #expect(match == 3..<10)
    #expect((0...pattern.groupCount).map { matcher.range(of: $0) } == groups)
  }
}
