import Testing

@testable import CorpusReader

/// Returns whether the lines of an ignore file exclude a path (a directory if it ends with a slash), checking each
/// parent directory first as a walk does.
func isIgnored(_ path: String, by lines: String) -> Bool {
  guard let file = IgnoreFile(Array(lines.utf8), directoryLength: 0, skippingCatchAll: false) else { return false }
  let isDirectory = path.hasSuffix("/")
  let parts = path.split(separator: "/")
  for count in 1...parts.count {
    let prefix = Array(parts[..<count].joined(separator: "/").utf8)
    let nameStart = (prefix.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1
    let verdict = prefix.withUnsafeBytes {
      file.excludes($0, nameStart: nameStart, isDirectory: count < parts.count || isDirectory)
    }
    if verdict == true { return true }
  }
  return false
}

@Suite struct IgnorePatternTests {
  @Test(
    arguments: [
      // A name anywhere.
      ("a.o", "a.o", true), ("a.o", "x/y/a.o", true), ("a.o", "a.oo", false), ("a.o", "xa.o", false),
      ("a.o", "a.o/b", true), ("*.o", "a.o", true), ("*.o", "x/.o", true), ("*.o", "a.o.c", false),
      ("foo*", "foobar", true), ("foo*", "x/foo", true), ("*foo*", "xfoox", true), ("f?o", "fzo", true),
      ("f?o", "fo", false), ("?", "é", false),
      // Anchored by a slash at the start or in the middle.
      ("/a", "a", true), ("/a", "b/a", false), ("a/b", "a/b", true), ("a/b", "x/a/b", false),
      ("/a/b", "a/b/c", true),
      ("a/*", "a/b", true), ("a/*", "a/b/c", true), ("a/*.c", "a/b/x.c", false), ("a/?", "a/b", true),
      ("/*.c", "x.c", true), ("/*.c", "a/x.c", false), ("a?b", "a/b", false), ("/a?b", "a/b", false),
      // Directories only.
      ("build/", "build/", true), ("build/", "build", false), ("build/", "x/build/y", true),
      ("/build/", "x/build/", false),
      ("a/b/", "a/b", false), ("a/b/", "a/b/c", true), ("a//", "a/", false), ("/", "a", false),
      // Two stars.
      ("**/a", "a", true), ("**/a", "x/y/a", true), ("**/a/b", "x/a/b", true), ("**/a/b", "a/x/b", false),
      ("a/**", "a/b/c", true), ("a/**", "a", false), ("a/**", "a/", false), ("a/**/b", "a/b", true),
      ("a/**/b", "a/x/y/b", true), ("a/**/b", "a/x/bb", false), ("**", "a/b", true), ("**/", "a", false),
      ("**/", "a/b", true), ("a/x**y", "a/xzy", true), ("a/x**y", "a/x/y", false), ("**/*.c", "x/y.c", true),
      ("a/**/*/b", "a/b", false), ("a/**/*/b", "a/x/b", true), ("a/**/**/b", "a/b", true),
      // Classes.
      ("[abc].o", "b.o", true), ("[abc].o", "d.o", false), ("[a-c]", "b", true), ("[a-c]", "-", false),
      ("[!a-c]", "d", true), ("[^a-c]", "b", false), ("[]-]", "]", true), ("[]-]", "-", true),
      ("[a-]", "-", true),
      ("[\\]]", "]", true), ("[[:digit:]]x", "7x", true), ("[[:digit:]]x", "ax", false),
      ("[[:upper:][:digit:]]", "Q", true),
      ("[[:nope:]]", "n", false), ("[a", "a", false), ("[a", "[a", false), ("x[/]y", "x/y", false),
      ("[[:alpha]", "l", true),
      // Escapes, comments, white space.
      ("#a", "#a", false), ("\\#a", "#a", true), ("\\!a", "!a", true), ("a\\*", "a*", true),
      ("a\\*", "ab", false),
      ("a ", "a", true), ("a\\ ", "a ", true), ("a\\  ", "a ", true), (" a", " a", true), (" a", "a", false),
      ("a\t", "a", false), ("a\r\nb\r\n", "a", true), ("a\r\nb\r\n", "b", true), ("a\\", "a", false),
      ("a\\", "a\\", false),
      ("\u{FEFF}a", "a", true), ("", "a", false), ("\n\n", "a", false), ("é*", "éa", true),
      // Negation, the last matching line, and parents that remain excluded.
      ("*.c\n!b.c", "b.c", false), ("*.c\n!b.c", "a.c", true), ("!b.c\n*.c", "b.c", true),
      ("a/\n!a/b", "a/b", true),
      ("a/*\n!a/b", "a/b", false), ("/*\n!/src/", "src/x", false), ("/*\n!/src/", "lib/x", true),
      ("!", "a", false),
      ("*\n!*/\n!*.c", "x/y.c", false), ("*\n!*/\n!*.c", "x/y.h", true),
    ] as [(String, String, Bool)])
  func table(lines: String, path: String, expected: Bool) {
    #expect(isIgnored(path, by: lines) == expected, "\(lines) \(path)")
  }

  /// Patterns that need exponential time in naive matchers.
  @Test(.timeLimit(.minutes(10))) func hostilePatterns() {
    let stars = String(repeating: "*a", count: 50) + "b"
    #expect(!isIgnored(String(repeating: "a", count: 200), by: stars))
    let directories = "/" + String(repeating: "**/a/", count: 30) + "b"
    #expect(!isIgnored(String(repeating: "a/", count: 60) + "c", by: directories))
  }
}
