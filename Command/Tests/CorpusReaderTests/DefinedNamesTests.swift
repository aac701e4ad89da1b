import JSONText
import TestSupport
import Testing

@Suite struct DefinedNamesTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func symbols(_ name: String, _ text: String) throws -> String? {
    guard case .string(let symbols) = try folder.read(name, text)["symbols"] else { return nil }
    return symbols
  }

  @Test(arguments: [
    ("static __always_inline __alloc_size(1) void *kmalloc(size_t size, gfp_t flags)\n{\n", "kmalloc"),
    ("static int\ncompare(const char *a,\n\tconst char *b)\n{\n\treturn other(a);\n}\n", "compare"),
    ("void *__kmalloc(size_t size)\n{\n}\n", "__kmalloc"),
    ("static void wait(void) __acquires(lock)\n{\n", "wait"),
    ("struct page *alloc_page(gfp_t flags)\n{\n", "alloc_page"),
    ("SYSCALL_DEFINE3(open, const char __user *, name, int, flags)\n{\n", "open"),
    ("#define GFP_KERNEL (1)\n# define list_entry(p) \\\n", "GFP_KERNEL list_entry"),
    ("struct list_head {\n\tstruct list_head *next;\n};\ntypedef unsigned int gfp_t;\n", "list_head gfp_t"),
    ("enum state\n{\n", "state"),
    ("class Reader(Base):\n    def read_all(self):\n        pass\n", "Reader read_all"),
    ("public final class Store: Base {\n  private func open() {}\n", "Store open"),
    ("func (s *Server) Serve(l net.Listener) error {\ntype Handler interface {\n", "Serve Handler"),
    ("pub fn parse(text: &str) -> Result {\nmod tests {\n", "parse"),
    ("export default function render() {\n", "render"),
    ("pub(crate) fn helper() {\npub(super) struct Inner {\n", "helper Inner"),
    ("pub unsafe extern \"C\" fn ffi(a: i32) {\n", "ffi"), ("extern \"C\" int entry(int a) {\n", "entry"),
    ("template <class T> class Line {\ntemplate <class T, int n = size<int>()> T largest(T a) {\n", "Line largest"),
    ("template <int N = (1 > 0)> class Foo {\n", "Foo"),
    ("start() {\n  echo \"$1\"\n}\n", "start"),
  ])
  func definitionsAreFound(text: String, names: String) throws {
    #expect(try symbols("f.c", text) == names)
  }

  @Test(arguments: [
    "int kmalloc(size_t size);\n", "EXPORT_SYMBOL(kmalloc);\n", "struct page;\n", "struct page *page;\n",
    "\tp = kmalloc(8);\n", "if (ready(x)) {\n", "int numbers[] = {\n", "describe(\"x\", function() {\n", "{\n", "#\n",
    "",
    "typedef", "#define", "class", "foo(", "struct page *f(int a",
  ])
  func usesAreNotDefinitions(text: String) throws {
    #expect(try symbols("f.c", text) == nil)
  }

  @Test func onlySourceCodeHasDefinedNames() throws {
    #expect(try symbols("f.txt", "def f():\n") == nil)
    #expect(try symbols("f.md", "# T\n\nclass A {\n") == nil)
  }

  @Test func numberOfNamesIsLimited() throws {
    let text = (0..<20_000).map { "#define REGISTER_\($0) \($0)\n" }.joined()
    let names = try #require(try symbols("f.h", text))
    #expect(names.utf8.count < 66_000)
    #expect(names.hasPrefix("REGISTER_0 REGISTER_1 "))
  }

  /// Lines that begin like functions whose bodies are far away are not read again and again.
  @Test func manyUnclosedHeadsTakeLinearTime() throws {
    let isLinear = try takesLinearTime(50_000) { count in
      try #expect(symbols("f.c", String(repeating: "f(", count: 2 * count)) == nil)
      try #expect(symbols("g.c", String(repeating: "f(\n", count: count)) == nil)
    }
    #expect(isLinear)
  }
}
