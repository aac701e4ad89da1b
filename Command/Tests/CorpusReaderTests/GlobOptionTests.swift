import CorpusReader
import Testing

struct GlobOptionTests {
  private static let alternatives: [(String, [String])] = [
    ("*.c", ["*.c"]), ("*.{c,h}", ["*.c", "*.h"]), ("{a,b}{1,2}", ["a1", "a2", "b1", "b2"]), ("a{,b}", ["a", "ab"]),
    ("{a,{b,c}d}", ["a", "bd", "cd"]), ("[{]a", ["[{]a"]), (#"\{a,b\}"#, [#"\{a,b\}"#]), ("a,b", ["a,b"]),
    ("!*.{c,h}", ["!*.c", "!*.h"]), ("{*.c,d/*}", ["/*.c", "d/*"]), ("!{*.c,d/*}", ["!/*.c", "!d/*"]),
    ("[]a]{b}", ["[]a]b"]), ("a}", ["a}"]), ("[[:alpha:]]", ["[[:alpha:]]"]), ("{a,b}/", ["a/", "b/"]),
  ]

  @Test(arguments: alternatives) func bracesAreAlternatives(glob: String, expected: [String]) throws {
    #expect(try GlobOption.expanded(glob) == expected)
  }

  @Test(arguments: [("*.Cé", "*.[Cc]é"), ("[a-cX]", "[a-cA-CXx]"), ("[!a]", "[!aA]"), ("{a,1}", "[aA]")])
  func caseOfLettersIsIgnored(glob: String, expected: String) throws {
    #expect(try GlobOption.expanded(glob, ignoringCase: true).first == expected)
  }

  @Test(arguments: ["[", "{a", "[a", "a\\", "{a,b", "[!]", "[z-a]", "{a,[}"]) func malformedGlobsAreReported(
    glob: String
  ) {
    let error = #expect(throws: GlobError.self) { try GlobOption.expanded(glob) }
    #expect(error?.description.hasPrefix("the glob \"\(glob)\" is malformed: ") == true)
  }

  @Test func globsThatExpandToTooManyAreRejected() {
    #expect(throws: GlobError.self) { try GlobOption.expanded(String(repeating: "{a,b}", count: 30)) }
    #expect(throws: GlobError.self) { try GlobOption.expanded(String(repeating: "{", count: 100_000)) }
  }
}
