import Foundation
import Testing

/// `concord grep` prints the same bytes as `rg`.
@Suite(.enabled(if: Ripgrep.path != nil, "rg is not installed; GrepTests contains its output"))
struct GrepRipgrepTests {
  private let folder: TemporaryFolder

  private static let plainCases: [[String]] = [
    ["foo"], ["-n", "foo"], ["-nA1", "foo"], ["-c", "foo"], ["--count-matches", "foo"], ["-l", "foo"], ["-o", "foo"],
    ["-ob", "foo"], ["--column", "foo"], ["--column", "--no-column", "foo"], ["--vimgrep", "foo"], ["-nC1", "foo"],
    ["--vimgrep", "--no-column", "foo"], ["--no-column", "--vimgrep", "foo"],
    ["--heading", "-n", "-A1", "foo"],
    ["-M", "7", "foo"], ["-M", "9", "--max-columns-preview", "foo"], ["-r", "X", "foo"],
    ["-r", "[$0]", "-ob", "foo"],
    ["--passthru", "foo"], ["-v", "foo"], ["-0l", "foo"], ["-0c", "foo"], ["-0n", "foo"], ["-0", "--heading", "foo"],
    ["-nb", "-C1", "foo"], ["--trim", "-C1", "."], ["--files-without-match", "foo"], ["-m1", "-n", "-A2", "foo"],
    ["-on", "--column", "foo"], ["-ov", "foo"], ["-cv", "foo"], ["-I", "foo"], ["-H", "foo"],
    ["-o", "-C1", "-n", "foo"],
    ["-q", "foo"], ["-q", "nosuch"], ["nosuch"], ["--include-zero", "-c", "foo"], ["-m0", "foo"],
    ["-m1", "-c", "foo"],
    ["-m1", "-v", "-n", "-A1", "foo"], ["-nB1", "--context-separator", "a\\tb\\x21", "foo"],
    ["-nB1", "--no-context-separator", "foo"], ["-lc", "foo"], ["--passthru", "-vn", "foo"],
    ["--passthru", "-on", "foo"],
    ["-i", "FOO"], ["-S", "foo"], ["-S", "Foo"], ["-is", "FOO"], ["-w", "foo"], ["-x", "foo"], ["-xn", "last foo"],
    ["-F", "foo("], ["-F", "-e", "foo(", "-e", "+"], ["-e", "one", "-e", "two", "-n"], ["-c", ""], ["-n", "^$"],
    ["-n", "foo$"], ["-n", "^\\s"], ["-n", "\\bfoo\\b"], ["-n", "(?i)foo_b"], ["-r", "$1a $x ${1}b $$", "(f)oo"],
    ["-r", "${n}-$n", "(?P<n>f)oo"], ["-nU", "foo\\n"], ["-nUo", "foo\\n"], ["-U", "--count-matches", "foo\\n"],
    ["-U", "--vimgrep", "foo\\s+f"], ["-nUv", "foo\\n"], ["-nUC1", "two\\nt"],
    ["-nU", "--multiline-dotall", "one.*three"],
    ["-nU", "--multiline-dotall", "--no-multiline-dotall", "one.*three"],
    ["-nU", "one.*three"], ["-co", "foo"], ["-c", "--count-matches", "foo"], ["--vimgrep", "-M", "8", "foo"],
    ["--column", "-M", "8", "foo"], ["-oM2", "foo"], ["-nN", "foo"], ["-HI", "foo"], ["-g", "*.c", "foo"],
    ["-g", "!*.c", "-l", "foo"], ["-g", "!b/", "-l", "foo"], ["-g", "t/b/**", "-l", "foo"], ["-tc", "-l", "foo"],
    ["-Tc", "-l", "foo"], ["-tmd", "-tc", "-l", "foo"], ["-g", "*.c", "-tmd", "-l", "foo"], ["--stats", "foo"],
    ["--stats", "-q", "foo"], ["--stats", "-c", "foo"], ["-Uo", "foo\\n+"], ["-Uo", "[a-z]+\\n?"],
    ["-Uon", "o\\n\\nf"],
    ["-Uc", "foo"], ["-Uc", "foo\\n"], ["-Uc", "fo\\x6f"], ["-Um1", "fo\\x6f"], ["-Um1", "\\p{Lu}|foo"],
    ["-Um1", "(?m)^foo"], ["-Um1", "--multiline-dotall", "foo"], ["-U", "--vimgrep", "foo\\n\\n?f"],
    ["-w", "(?x)foo # c"], ["-e", "(?x)foo # c", "-e", "zz"], ["-S", "[[:upper:]]+"], ["-S", "\\w+O"],
    ["-S", "\\x46oo"],
    ["-S", "\\x66oo"], ["-l", "-g", "*.{c,md}", "foo"], ["-l", "-g", "{*.c,t/b/*}", "foo"],
    ["-l", "-g", "!{a.*,r.md}", "foo"],
    ["-g", "[", "foo"], ["-g", "{a", "foo"], ["-g", "a}", "foo"], ["--iglob", "*.C", "-l", "foo"],
    ["-l", "--files-without-match", "foo"], ["--files-without-match", "-l", "foo"], ["-C2", "--passthru", "two"],
    ["-M2", "--max-columns-preview", "-o", "foo"], ["-M8", "--max-columns-preview", "--vimgrep", "foo"],
    ["-f", "/dev/null"], ["--field-match-separator", "\\t", "-n", "foo"],
    ["--field-context-separator", "#", "-nC1", "two"], ["-r", "", "foo"], ["-o", "-r", "", "foo"], ["-uuu", "foo"],
    ["--no-messages", "--line-buffered", "--mmap", "-j3", "--no-ignore", "--path-separator=/", "foo"],
    ["-n", ".{32,}|foo"], ["-n", "\\S{3}"], ["-nr", "", ".*foo"], ["-nor", "", "last|.foo"],
    ["--vimgrep", "-r", "", "last|.foo"], ["-nb", "--column", "-r", "", "last|.foo"], ["-M5", "-r", "X", "foo"],
    ["-M4", "-r", "X", "foo"], ["-r", "${a b}$1${", "(f)oo"], ["--passthru", "-A1", "two"],
    ["-A1", "--passthru", "two"], ["--passthru", "-nC", "1", "two"], ["-n", "[^-a]$"],
  ]

  private static let colorCases: [[String]] = [
    ["-n", "foo"], ["--heading", "-n", "foo"], ["-vnC1", "foo"], ["-n", "-M9", "--max-columns-preview", "foo"],
    ["-nb", "--column", "-r", "[$0]", "foo"], ["-l", "foo"], ["-c", "foo"], ["--vimgrep", "foo"], ["-o", "foo"],
    ["--trim", "-n", "."], ["foo|f"], [""], ["-nU", "o\\n+"], ["-nA1", "--column", "foo"], ["-0l", "foo"],
  ]

  private static let jsonCases: [[String]] = [
    ["foo"], ["-A1", "foo"], ["-vA1", "foo"], ["-U", "foo\\n\\w"], ["-N", "foo"], ["nosuch"], ["--passthru", "one"],
  ]

  private static let singleCases: [[String]] = [
    ["-n", "foo", "t/b/c.c"], ["-c", "foo", "t/b/c.c"], ["-H", "foo", "t/b/c.c"], ["--vimgrep", "foo", "t/b/c.c"],
    ["foo", "t/b"],
  ]

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("t/a.txt", "one foo\ntwo\nthree foo foo\n\nfoo\r\nlast foo")
    try folder.write("t/b/c.c", "x foo\n")
    try folder.write("t/b/d/q.c", "\tint x = 1;\n\n\treturn foo(x) + Foo_bar;\n}\n// foofoo é foo\n")
    try folder.write("t/n.txt", "nothing\nhere\n")
    try folder.write("t/r.md", "# Title\n\nfoo *bar*\n")
    #expect(try folder.concord("index", "t").status == 0)
  }

  // One test for many cases, so that the folder is indexed once.

  @Test func outputEqualsThatOfRipgrep() throws {
    for arguments in GrepRipgrepTests.plainCases { try compare(arguments + ["t"]) }
  }

  @Test func coloursEqualThoseOfRipgrep() throws {
    for arguments in GrepRipgrepTests.colorCases { try compare(["--color", "always"] + arguments + ["t"]) }
  }

  @Test func jsonMessagesEqualThoseOfRipgrep() throws {
    // The additional key changes the byte counts, and ripgrep skips some of the counted documents.
    func comparable(_ text: String) -> String {
      text.replacing(/"(bytes_printed|bytes_searched|searches)":\d+/, with: "").replacing(/,"doc_id":"[^"]*"/, with: "")
    }
    for arguments in GrepRipgrepTests.jsonCases {
      let expected = try Ripgrep.run(["--json"] + arguments + ["t"], in: folder)
      let result = try ConcordProcess.run(["grep", "--json", "--sort", "path"] + arguments + ["t"], in: folder)
      #expect(comparable(Ripgrep.withoutTimes(result.output)) == comparable(expected.output), "\(arguments)")
      #expect(result.status == expected.status, "\(arguments)")
    }
  }

  @Test func nameOfASingleFileIsNotPrinted() throws {
    for arguments in GrepRipgrepTests.singleCases { try compare(arguments) }
  }

  private func compare(_ arguments: [String]) throws {
    let expected = try Ripgrep.run(arguments, in: folder)
    // With an index fewer files are searched, which changes the statistics.
    let options = arguments.contains("--stats") ? ["--sort", "path", "--no-index"] : ["--sort", "path"]
    let result = try ConcordProcess.run(["grep"] + options + arguments, in: folder)
    #expect(Ripgrep.withoutTimes(result.output) == expected.output, "\(arguments)")
    #expect(result.status == expected.status, "\(arguments) \(result.messages)")
  }
}
