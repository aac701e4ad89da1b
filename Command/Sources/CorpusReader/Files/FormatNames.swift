import DocumentFormats

/// The names and extensions that determine the format of a file.
enum FormatNames {
  static func format(of fileName: String) -> CorpusFormat {
    if codeNames.contains(fileName) { return .code }
    guard let dot = fileName.utf8.lastIndex(of: UInt8(ascii: ".")) else { return .text }
    let ending = fileName[fileName.utf8.index(after: dot)...].lowercased()
    if let format = formats[ending] { return format }
    if codeExtensions.contains(ending) { return .code }
    if let format = ExtractedFormat(name: fileName) { return format.isOptional ? .text : .document }
    if ManualPage.isName(ending: ending) { return .man }
    if ending.hasPrefix("info-"), Int(ending.dropFirst("info-".count)) != nil { return .info }
    // Matches names such as Makefile.am, Kconfig.debug and Dockerfile.test.
    let stem = String(fileName.prefix { $0 != "." })
    return codeStems.contains(stem) ? .code : .text
  }

  /// Returns whether a name determines the format of the file; false if the file is only assumed to be text.
  static func isKnown(_ fileName: String) -> Bool {
    let name = CompressedName.inner(of: fileName) ?? fileName
    if format(of: name) != .text || ExtractedFormat(name: name) != nil { return true }
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return false }
    return formats[name[name.utf8.index(after: dot)...].lowercased()] != nil
  }

  private static let formats: [String: CorpusFormat] = [
    "ipynb": .notebook, "info": .info, "srt": .subtitles, "vtt": .subtitles,
    "md": .markdown, "markdown": .markdown, "mdown": .markdown, "mkd": .markdown,
    "html": .html, "htm": .html, "xhtml": .html,
    "json": .json, "jsonl": .jsonl, "ndjson": .jsonl,
    "csv": .csv, "tsv": .tsv, "tab": .tsv,
    "mbox": .mbox, "eml": .mail,
    "txt": .text, "text": .text, "rst": .text, "log": .text,
  ]

  private static let codeStems: Set<String> = [
    "Makefile", "makefile", "GNUmakefile", "Kconfig", "Kbuild", "Dockerfile", "Containerfile",
  ]

  private static let codeNames: Set<String> = codeStems.union([
    "BUILD", "Brewfile", "Cargo.lock", "CMakeLists.txt", "Caddyfile", "Gemfile", "Guardfile", "Jenkinsfile",
    "Justfile", "justfile", "Podfile", "Procfile", "Rakefile", "SConscript", "SConstruct", "Vagrantfile",
    "WORKSPACE", "configure", "go.mod", "go.sum", "meson.build", "requirements.txt",
  ])

  private static let codeExtensions = Set(
    """
    c h cc cpp cxx c++ hh hpp hxx h++ inl ipp tcc m mm swift go rs zig d nim v odin cu cuh cl metal
    s asm inc ld lds dts dtsi dtso
    java kt kts scala sc groovy gradle clj cljs cljc edn cs csx fs fsi fsx vb
    py pyi pyx pxd rb erb rake gemspec pl pm t raku php phtml lua tcl r jl
    js mjs cjs jsx ts mts cts tsx vue svelte astro coffee dart elm css scss sass less styl
    hs lhs ml mli mll mly ex exs erl hrl lisp lsp el scm ss rkt sml idr agda lean
    f f77 f90 f95 f03 f08 for pas pp lpr ada adb ads cob cbl
    sh bash zsh fish ksh csh ps1 psm1 bat cmd awk sed
    sql psql graphql gql proto thrift capnp fbs wat wast
    vhd vhdl sv svh
    mk mak cmake bzl bazel ninja am ac m4 in nix tf tfvars hcl
    yaml yml toml ini cfg conf properties xml xsd xsl xslt svg plist rnc
    y l yy ll lex g4 peg cocci sol vim
    """.split { $0.isWhitespace }.map(String.init))
}
