/// File types by the names of files, with the type names of ripgrep.
struct FileTypes {
  private var table = FileTypes.standard

  /// Creates the built-in types.
  init() {}

  /// Creates the built-in types with changes.
  ///
  /// - Parameters:
  ///   - cleared: the types whose globs are removed.
  ///   - definitions: see ``add(_:)``.
  init(clearing cleared: [String], adding definitions: [String]) throws {
    for name in cleared { table.removeAll { $0.name == name } }
    for definition in definitions { try add(definition) }
  }

  /// Adds a glob to a type, which may be a new one: `web:*.html`; or the globs of other types: `web:include:html,css`.
  ///
  /// - Throws: ``CommandFailure`` for a malformed definition or an unknown type.
  mutating func add(_ definition: String) throws {
    let parts = definition.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    let name = parts[0]
    let isName = !name.isEmpty && name != "all" && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    if isName, parts.count == 2, !parts[1].isEmpty { return append([parts[1]], to: name) }
    guard isName, parts.count == 3, parts[1] == "include", !parts[2].isEmpty else {
      throw CommandFailure(
        "invalid definition of a file type: \(definition); expected TYPE:GLOB, as in web:*.html, or "
          + "TYPE:include:TYPE,TYPE"
      )
    }
    for other in parts[2].split(separator: ",").map(String.init) {
      guard let globs = globs(of: other) else {
        throw CommandFailure("unrecognized file type: \(other), in \(definition); --type-list shows all")
      }
      append(globs, to: name)
    }
  }

  /// Returns the globs of a type; nil for an unknown type. `all` stands for every type.
  func globs(of type: String) -> [String]? {
    type == "all" ? table.flatMap(\.globs) : table.first { $0.name == type }?.globs
  }

  /// A line for each type with its name and its globs.
  var list: String {
    table.sorted { $0.name < $1.name }.map { "\($0.name): \($0.globs.joined(separator: ", "))\n" }.joined()
  }

  private mutating func append(_ globs: [String], to name: String) {
    if let index = table.firstIndex(where: { $0.name == name }) {
      table[index].globs += globs
    } else {
      table.append((name, globs))
    }
  }

  private static let standard: [(name: String, globs: [String])] = [
    ("agda", ["*.agda", "*.lagda"]),
    ("aidl", ["*.aidl"]),
    ("amake", ["*.bp", "*.mk"]),
    ("asciidoc", ["*.adoc", "*.asc", "*.asciidoc"]),
    ("asm", ["*.S", "*.asm", "*.s"]),
    ("asp", ["*.ascx", "*.ascx.cs", "*.ascx.vb", "*.aspx", "*.aspx.cs", "*.aspx.vb"]),
    ("ats", ["*.ats", "*.dats", "*.hats", "*.sats"]),
    ("avro", ["*.avdl", "*.avpr", "*.avsc"]),
    ("awk", ["*.awk"]),
    ("bazel", ["*.BUILD", "*.bazel", "*.bazelrc", "*.bzl", "BUILD", "WORKSPACE"]),
    ("bitbake", ["*.bb", "*.bbappend", "*.bbclass", "*.conf", "*.inc"]),
    ("brotli", ["*.br"]),
    ("buildstream", ["*.bst"]),
    ("bzip2", ["*.bz2", "*.tbz2"]),
    ("c", ["*.[chH]", "*.[chH].in", "*.cats"]),
    ("cabal", ["*.cabal"]),
    ("cbor", ["*.cbor"]),
    ("ceylon", ["*.ceylon"]),
    ("clojure", ["*.clj", "*.cljc", "*.cljs", "*.cljx"]),
    ("cmake", ["*.cmake", "CMakeLists.txt"]),
    ("coffeescript", ["*.coffee"]),
    ("config", ["*.cfg", "*.conf", "*.config", "*.ini"]),
    ("coq", ["*.v"]),
    (
      "cpp",
      [
        "*.[ChH]", "*.[ChH].in", "*.[ch]pp", "*.[ch]pp.in", "*.[ch]xx", "*.[ch]xx.in", "*.cc", "*.cc.in", "*.hh",
        "*.hh.in", "*.inl",
      ]
    ),
    ("creole", ["*.creole"]),
    ("crystal", ["*.cr", "Projectfile"]),
    ("cs", ["*.cs"]),
    ("csharp", ["*.cs"]),
    ("cshtml", ["*.cshtml"]),
    ("css", ["*.css", "*.scss"]),
    ("csv", ["*.csv"]),
    ("cython", ["*.pxd", "*.pxi", "*.pyx"]),
    ("d", ["*.d"]),
    ("dart", ["*.dart"]),
    ("dhall", ["*.dhall"]),
    ("diff", ["*.diff", "*.patch"]),
    ("docker", ["*Dockerfile*"]),
    ("dts", ["*.dts", "*.dtsi"]),
    ("dvc", ["*.dvc", "Dvcfile"]),
    ("ebuild", ["*.ebuild"]),
    ("edn", ["*.edn"]),
    ("elisp", ["*.el"]),
    ("elixir", ["*.eex", "*.ex", "*.exs"]),
    ("elm", ["*.elm"]),
    ("erb", ["*.erb"]),
    ("erlang", ["*.erl", "*.hrl"]),
    ("fidl", ["*.fidl"]),
    ("fish", ["*.fish"]),
    ("flatbuffers", ["*.fbs"]),
    ("fortran", ["*.F", "*.F77", "*.F90", "*.F95", "*.f", "*.f77", "*.f90", "*.f95", "*.pfo"]),
    ("fsharp", ["*.fs", "*.fsi", "*.fsx"]),
    ("fut", ["*.fut"]),
    ("gap", ["*.g", "*.gap", "*.gd", "*.gi", "*.tst"]),
    ("gn", ["*.gn", "*.gni"]),
    ("go", ["*.go"]),
    ("gradle", ["*.gradle"]),
    ("graphql", ["*.graphql", "*.graphqls"]),
    ("groovy", ["*.gradle", "*.groovy"]),
    ("gzip", ["*.gz", "*.tgz"]),
    ("h", ["*.h", "*.hpp"]),
    ("haml", ["*.haml"]),
    ("haskell", ["*.c2hs", "*.cpphs", "*.hs", "*.hsc", "*.lhs"]),
    ("hbs", ["*.hbs"]),
    ("hs", ["*.hs", "*.lhs"]),
    ("html", ["*.ejs", "*.htm", "*.html"]),
    ("idris", ["*.idr", "*.lidr"]),
    ("java", ["*.java", "*.jsp", "*.jspx", "*.properties"]),
    ("jinja", ["*.j2", "*.jinja", "*.jinja2"]),
    ("jl", ["*.jl"]),
    ("js", ["*.cjs", "*.js", "*.jsx", "*.mjs", "*.vue"]),
    ("json", ["*.json", "composer.lock"]),
    ("jsonl", ["*.jsonl"]),
    ("julia", ["*.jl"]),
    ("jupyter", ["*.ipynb", "*.jpynb"]),
    ("k", ["*.k"]),
    ("kotlin", ["*.kt", "*.kts"]),
    ("less", ["*.less"]),
    (
      "license",
      [
        "*[.-]LICEN[CS]E*", "AGPL-*[0-9]*", "APACHE-*[0-9]*", "BSD-*[0-9]*", "CC-BY-*", "COPYING", "COPYING[.-]*",
        "COPYRIGHT", "COPYRIGHT[.-]*", "EULA", "EULA[.-]*", "GFDL-*[0-9]*", "GNU-*[0-9]*", "GPL-*[0-9]*",
        "LGPL-*[0-9]*", "LICEN[CS]E", "LICEN[CS]E[.-]*", "MIT-*[0-9]*", "MPL-*[0-9]*", "NOTICE", "NOTICE[.-]*",
        "OFL-*[0-9]*", "PATENTS", "PATENTS[.-]*", "UNLICEN[CS]E", "UNLICEN[CS]E[.-]*", "agpl[.-]*", "gpl[.-]*",
        "lgpl[.-]*", "licen[cs]e", "licen[cs]e.*",
      ]
    ),
    ("lisp", ["*.el", "*.jl", "*.lisp", "*.lsp", "*.sc", "*.scm"]),
    ("lock", ["*.lock", "package-lock.json"]),
    ("log", ["*.log"]),
    ("lua", ["*.lua"]),
    ("lz4", ["*.lz4"]),
    ("lzma", ["*.lzma"]),
    ("m4", ["*.ac", "*.m4"]),
    ("mail", ["*.eml", "*.mbox", "mbox"]),
    (
      "make",
      [
        "*.mak", "*.mk", "[Gg][Nn][Uu]makefile", "[Gg][Nn][Uu]makefile.am", "[Gg][Nn][Uu]makefile.in", "[Mm]akefile",
        "[Mm]akefile.am", "[Mm]akefile.in",
      ]
    ),
    ("mako", ["*.mako", "*.mao"]),
    ("man", ["*.[0-9][cEFMmpSx]", "*.[0-9lnpx]"]),
    ("markdown", ["*.markdown", "*.md", "*.mdown", "*.mkdn"]),
    ("matlab", ["*.m"]),
    ("md", ["*.markdown", "*.md", "*.mdown", "*.mkdn"]),
    ("meson", ["meson.build", "meson_options.txt"]),
    ("minified", ["*.min.css", "*.min.html", "*.min.js"]),
    ("mint", ["*.mint"]),
    ("mk", ["mkfile"]),
    ("ml", ["*.ml"]),
    ("msbuild", ["*.csproj", "*.fsproj", "*.proj", "*.props", "*.targets", "*.vcxproj"]),
    ("nim", ["*.nim", "*.nimble", "*.nimf", "*.nims"]),
    ("nix", ["*.nix"]),
    ("objc", ["*.h", "*.m"]),
    ("objcpp", ["*.h", "*.mm"]),
    ("ocaml", ["*.ml", "*.mli", "*.mll", "*.mly"]),
    ("org", ["*.org", "*.org_archive"]),
    ("pascal", ["*.dpr", "*.inc", "*.lpr", "*.pas", "*.pp"]),
    ("pdf", ["*.pdf"]),
    ("perl", ["*.PL", "*.perl", "*.pl", "*.plh", "*.plx", "*.pm", "*.t"]),
    ("php", ["*.php", "*.php3", "*.php4", "*.php5", "*.phtml"]),
    ("po", ["*.po"]),
    ("pod", ["*.pod"]),
    ("postscript", ["*.eps", "*.ps"]),
    ("protobuf", ["*.proto"]),
    ("ps", ["*.cdxml", "*.ps1", "*.ps1xml", "*.psd1", "*.psm1"]),
    ("puppet", ["*.erb", "*.pp", "*.rb"]),
    ("purs", ["*.purs"]),
    ("py", ["*.py", "*.pyi"]),
    ("python", ["*.py", "*.pyi"]),
    ("qmake", ["*.prf", "*.pri", "*.pro"]),
    ("qml", ["*.qml"]),
    ("r", ["*.R", "*.Rmd", "*.Rnw", "*.r"]),
    ("racket", ["*.rkt"]),
    ("rdoc", ["*.rdoc"]),
    ("readme", ["*README", "README*"]),
    ("red", ["*.r", "*.red", "*.reds"]),
    ("robot", ["*.robot"]),
    ("rst", ["*.rst"]),
    ("ruby", ["*.gemspec", "*.rb", "*.rbw", ".irbrc", "Gemfile", "Rakefile", "config.ru"]),
    ("rust", ["*.rs"]),
    ("sass", ["*.sass", "*.scss"]),
    ("scala", ["*.sbt", "*.scala"]),
    (
      "sh",
      [
        "*.bash", "*.bashrc", "*.csh", "*.cshrc", "*.ksh", "*.kshrc", "*.sh", "*.tcsh", "*.zsh", ".bash_login",
        ".bash_logout", ".bash_profile", ".bashrc", ".cshrc", ".kshrc", ".login", ".logout", ".profile", ".tcshrc",
        ".zlogin", ".zlogout", ".zprofile", ".zshenv", ".zshrc", "bash_login", "bash_logout", "bash_profile",
        "bashrc", "profile", "zlogin", "zlogout", "zprofile", "zshenv", "zshrc",
      ]
    ),
    ("slim", ["*.skim", "*.slim", "*.slime"]),
    ("smarty", ["*.tpl"]),
    ("sml", ["*.sig", "*.sml"]),
    ("soy", ["*.soy"]),
    ("spark", ["*.spark"]),
    ("spec", ["*.spec"]),
    ("sql", ["*.psql", "*.sql"]),
    ("stylus", ["*.styl"]),
    ("sv", ["*.h", "*.sv", "*.svh", "*.v", "*.vg"]),
    ("svg", ["*.svg"]),
    ("swift", ["*.swift"]),
    ("swig", ["*.def", "*.i"]),
    (
      "systemd",
      [
        "*.automount", "*.conf", "*.device", "*.link", "*.mount", "*.path", "*.scope", "*.service", "*.slice",
        "*.socket", "*.swap", "*.target", "*.timer",
      ]
    ),
    ("taskpaper", ["*.taskpaper"]),
    ("tcl", ["*.tcl"]),
    ("tex", ["*.bib", "*.cls", "*.dtx", "*.ins", "*.ltx", "*.sty", "*.tex"]),
    ("textile", ["*.textile"]),
    ("tf", ["*.tf"]),
    ("thrift", ["*.thrift"]),
    ("toml", ["*.toml", "Cargo.lock"]),
    ("ts", ["*.cts", "*.mts", "*.ts", "*.tsx"]),
    ("tsv", ["*.tsv"]),
    ("twig", ["*.twig"]),
    ("txt", ["*.txt"]),
    ("typescript", ["*.cts", "*.mts", "*.ts", "*.tsx"]),
    ("typoscript", ["*.ts", "*.typoscript"]),
    ("vala", ["*.vala"]),
    ("vb", ["*.vb"]),
    ("vcl", ["*.vcl"]),
    ("verilog", ["*.sv", "*.svh", "*.v", "*.vh"]),
    ("vhdl", ["*.vhd", "*.vhdl"]),
    ("vim", ["*.vim"]),
    ("vimscript", ["*.vim"]),
    ("webidl", ["*.idl", "*.webidl", "*.widl"]),
    ("wiki", ["*.mediawiki", "*.wiki"]),
    ("xml", ["*.dtd", "*.rng", "*.sch", "*.xhtml", "*.xjb", "*.xml", "*.xml.dist", "*.xsd", "*.xsl", "*.xslt"]),
    ("xz", ["*.txz", "*.xz"]),
    ("yacc", ["*.y"]),
    ("yaml", ["*.yaml", "*.yml"]),
    ("yang", ["*.yang"]),
    ("z", ["*.Z"]),
    ("zig", ["*.zig"]),
    (
      "zsh",
      [
        "*.zsh", ".zlogin", ".zlogout", ".zprofile", ".zshenv", ".zshrc", "zlogin", "zlogout", "zprofile", "zshenv",
        "zshrc",
      ]
    ),
    ("zstd", ["*.zst", "*.zstd"]),
  ]
}
