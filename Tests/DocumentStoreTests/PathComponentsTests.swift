import Testing

@testable import DocumentStore

@Suite struct PathComponentsTests {
  @Test(arguments: [
    ("a", ".", "a"), (".", ".", "."), ("./", ".", "."), ("..", ".", ".."), ("é", ".", "é"), ("~", ".", "~"),
    ("", ".", ""),
    ("/", "/", ""), ("//", "/", ""), ("/a", "/", "a"), ("a/", ".", "a"), ("a//b", "a", "b"), ("./a", ".", "a"),
    ("/x/y.concord", "/x", "y.concord"), ("x/%41?#", "x", "%41?#"),
  ]) func pathsAreSplitAtTheLastSlash(path: String, folder: String, name: String) {
    #expect(PathComponents.folder(of: path) == folder)
    #expect(PathComponents.name(of: path) == name)
  }

  @Test(arguments: [
    ("/x/travel.concord", "travel"), ("a", "a"), (".concord", ".concord"), ("a.", "a."), ("a.b.c", "a.b"), ("/", ""),
  ]) func stemsHaveNoExtension(path: String, stem: String) { #expect(PathComponents.stem(of: path) == stem) }
}
