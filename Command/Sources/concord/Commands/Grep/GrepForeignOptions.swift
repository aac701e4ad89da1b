/// Options of ripgrep that editors pass and users type out of habit, but that `concord grep` does not support because
/// indexing has already determined which files are searched and how they are decoded. Options without effect are
/// ignored; the others are rejected with the reason.
enum GrepForeignOptions {
  /// Ignored options without a value.
  private static let ignored: Set<String> = [
    "--line-buffered", "--no-line-buffered", "--block-buffered", "--no-block-buffered", "--mmap", "--no-mmap",
    "--no-config",
    "--unrestricted", "-u", "--hidden", "--no-hidden", "-.", "--no-follow", "--one-file-system",
    "--no-one-file-system", "--ignore", "--no-ignore", "--no-ignore-dot", "--no-ignore-exclude", "--no-ignore-files",
    "--no-ignore-global", "--no-ignore-messages", "--no-ignore-parent", "--no-ignore-vcs", "--require-git",
    "--no-require-git",
    "--text", "--no-text", "-a", "--binary", "--no-binary", "--no-encoding", "--no-crlf", "--no-multiline",
    "--no-fixed-strings", "--messages", "--no-json", "--no-stats", "--no-trim", "--no-max-columns-preview",
    // The text of compressed files is in the database.
    "--search-zip", "-z", "--no-search-zip",
    "--no-pcre2", "--auto-hybrid-regex", "--no-auto-hybrid-regex", "--unicode", "--pcre2-unicode",
    "--no-pre", "--no-glob-case-insensitive", "--ignore-dot", "--ignore-exclude", "--ignore-files",
    "--ignore-global", "--ignore-parent", "--ignore-vcs", "--ignore-file-case-insensitive",
    "--no-ignore-file-case-insensitive", "--no-sort-files",
  ]
  /// Ignored options with a number as their value.
  private static let ignoredNumbers: Set<String> = ["--threads", "-j", "--max-depth", "--maxdepth"]
  /// Ignored options with a value.
  private static let ignoredValued: Set<String> = ignoredNumbers.union([
    "--dfa-size-limit", "--regex-size-limit", "--max-filesize", "--ignore-file",
  ])
  private static let decoded =
    "files were converted to UTF-8 when they were indexed, so only auto and utf-8 are allowed"
  private static let links =
    "`concord index` decides which files are searched, and follows a symbolic link that is given as a path: concord index LINK"
  private static let walks = "the files were chosen by `concord index`"
  /// Rejected options without a value.
  private static let refused = [
    "--null-data": "lines always end with line breaks", "--follow": links, "-L": links,
    "--no-unicode": "patterns always use Unicode; write [a-z0-9_] for \\w and [0-9] for \\d",
    "--no-pcre2-unicode": "patterns always use Unicode; write [a-z0-9_] for \\w and [0-9] for \\d",
    "--files": "`concord query 'SELECT META().id FROM _'` lists the documents",
    "--debug": "--stats shows how much was searched",
    "--trace": "--stats shows how much was searched",
    "--glob-case-insensitive": "use --iglob for globs that ignore case",
    "--pcre2-version": "PCRE2 is always used",
  ]
  /// Rejected options with a value.
  private static let refusedValued = [
    "--pre": walks, "--pre-glob": walks, "--colors": "the colours of ripgrep are always used",
  ]
  /// The only allowed value of `--path-separator`.
  private static let pathSeparator = "/"

  /// The long options of this type that take a value.
  static let valued: Set<String> = ignoredValued.union(refusedValued.keys).union([
    "--path-separator", "--encoding", "--engine",
  ])

  /// Returns the parts of an argument without the ignored options. Only the last option may have a value, which is the
  /// next part or follows `=`.
  ///
  /// - Throws: ``CommandFailure`` for a rejected option.
  static func removingIgnoredOptions(from parts: [String]) throws -> [String] {
    var kept: [String] = []
    var rest = parts[...]
    while let part = rest.popFirst() {
      guard part.hasPrefix("-") else {
        kept.append(part)
        continue
      }
      let pieces = part.hasPrefix("--") ? part.split(separator: "=", maxSplits: 1).map(String.init) : [part]
      let name = pieces.first ?? part
      func nextValue() throws -> String {
        guard let value = pieces.count == 2 ? pieces[1] : rest.popFirst() else {
          throw CommandFailure("missing value for \(name)")
        }
        return value
      }
      if let reason = refused[name] ?? refusedValued[name] {
        throw CommandFailure("`concord grep` does not support \(name): \(reason)")
      }
      if name == "--path-separator" {
        guard try nextValue() == pathSeparator else {
          throw CommandFailure("--path-separator can only be / in `concord grep`: ids are printed as they are")
        }
      } else if name == "--encoding" || name == "-E" {
        let encoding = try nextValue()
        guard ["auto", "utf-8", "utf8"].contains(encoding.lowercased()) else {
          throw CommandFailure("`concord grep` does not support \(name) \(encoding): \(decoded)")
        }
      } else if name == "--engine" {
        let engine = try nextValue()
        guard ["pcre2", "auto"].contains(engine) else {
          throw CommandFailure("`concord grep` does not support \(name) \(engine): PCRE2 is always used")
        }
      } else if ignoredValued.contains(name) {
        let value = try nextValue()
        if ignoredNumbers.contains(name), UInt64(value) == nil {
          throw CommandFailure("\(name) takes a whole number of 0 or more, not \"\(value)\"")
        }
      } else if !ignored.contains(name) {
        // The next part is a value only if it was typed after this option.
        return kept + [part] + (try takesNoValue(part) ? removingIgnoredOptions(from: Array(rest)) : Array(rest))
      }
    }
    return kept
  }

  /// Returns whether a part is a short option without a value, after which other short options may follow.
  private static func takesNoValue(_ option: String) -> Bool {
    option.count == 2 && !GrepArguments.takesShortValue(option)
  }
}
