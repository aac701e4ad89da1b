import CorpusReader
import Testing

struct PathGlobsTests {
  @Test(
    arguments: [
      (["*.c"], "src/a.c", true), (["*.c"], "src/a.h", false), (["!*.c"], "src/a.c", false), (["!*.c"], "src/a.h", nil),
      (["*.c", "!b.c"], "src/b.c", false), (["!b.c", "*.c"], "src/b.c", true), (["src/*.c"], "src/a.c", true),
      (["src/*.c"], "lib/src/a.c", false), (["src/**"], "src/x/a.c", true), (["!x/"], "src/x/a.c", false),
      (["!x/"], "src/x", nil), (["!x"], "src/x/a.c", false), (["x"], "src/x/a.c", false),
      (["/top/*.c"], "/top/a.c", true),
      ([], "a", nil), (["/"], "a", nil), (["!src/", "src/a.c"], "src/a.c", false), (["*"], "", true),
    ] as [([String], String, Bool?)]) func lastMatchingGlobDecides(globs: [String], path: String, verdict: Bool?)
  {
    #expect(PathGlobs(globs).verdict(on: path) == verdict)
  }
}
