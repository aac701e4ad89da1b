import DocumentFormats
import Foundation

/// The state of a walk.
struct Walk {
  private let options: CorpusOptions
  private let filter: PathFilter
  /// The globs of the options for files of records.
  private let recordFilter: PathFilter
  /// The absolute paths of the roots that are files, if there are several roots: another root may be a folder that
  /// contains such a file. Compared by bytes like `seen`.
  private let namedFiles: Set<[UInt8]>
  /// The absolute paths of the reported files, if there are several roots, which may contain the same file. Compared by
  /// bytes because equal Swift strings may name two files.
  private var seen: Set<[UInt8]>?
  /// The absolute path and the displayed path of the current directory; extended and truncated during the walk.
  private var absolute: [UInt8] = []
  private var shown: [UInt8] = []
  /// The number of bytes of the root in the displayed path, including the slash after it.
  private var rootLength = 0

  /// Called with the absolute path of each folder before its entries are read.
  private let enterFolder: (String) -> Void
  private let formatRules: [(filter: PathFilter, format: CorpusFormat)]
  private let languageRules: [(filter: PathFilter, language: String)]

  init(roots: [String], options: CorpusOptions, folder: @escaping (String) -> Void) {
    self.options = options
    enterFolder = folder
    formatRules = options.formatRules.map { (PathFilter(include: $0.globs), $0.value) }
    languageRules = options.languageRules.map { (PathFilter(include: $0.globs), $0.value) }
    filter = PathFilter(options)
    recordFilter = PathFilter(include: options.records)
    seen = roots.count > 1 ? [] : nil
    namedFiles = roots.count > 1 ? Set(roots.compactMap(Walk.filePath)) : []
  }

  private static func filePath(_ root: String) -> [UInt8]? {
    guard let path = try? FileSystem.realPath(root), let status = try? FileSystem.status(path), status.isRegular
    else { return nil }
    return Array(path.utf8)
  }

  mutating func visit(root: String, body: (SourceFile) throws -> Void, problem: ProblemSink) throws {
    let typed = DisplayPath.normalized(root)
    let path: String
    let status: stat
    do {
      path = try FileSystem.realPath(root)
      status = try FileSystem.status(path)
    } catch {
      // The path of a shell's process substitution, `<(…)`, cannot be resolved.
      let exists = (try? FileSystem.status(root)) != nil
      return problem(exists ? Walk.notAFile(typed) : error.problem(typed.isEmpty ? root : typed))
    }
    absolute = Array(path.utf8)
    shown = Array(typed.utf8)
    rootLength = 0
    let nameStart = (shown.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1
    if isExcluded(nameStart: nameStart, isDirectory: status.isDirectory) { return }
    let isIncluded = isIncluded(nameStart: nameStart, isDirectory: status.isDirectory)
    if status.isDirectory {
      if path == "/" { absolute = [] }
      if !shown.isEmpty, shown.last != UInt8(ascii: "/") { shown.append(UInt8(ascii: "/")) }
      rootLength = shown.count
      let rules = options.ignoresIgnoreFiles ? nil : IgnoreRules(above: path)
      try visitDirectory(rules: rules, isIncluded: isIncluded, body: body, problem: problem)
    } else if status.isRegular || status.isPipe {
      if isIncluded, options.scope?.contains(file: path) != false {
        try report(status, nameStart: nameStart, isNamed: true, body: body, problem: problem)
      }
    } else {
      problem(Walk.notAFile(typed))
    }
  }

  private static func notAFile(_ path: String) -> CorpusProblem {
    CorpusProblem(path: path, kind: .unreadable, reason: "neither a regular file nor a directory")
  }

  private static func notUTF8(_ path: ArraySlice<UInt8>) -> CorpusProblem {
    CorpusProblem(path: String(decoding: path, as: UTF8.self), kind: .unreadable, reason: "the name is not UTF-8")
  }

  /// Visits the directory whose paths are ``absolute`` (without a trailing slash) and ``shown`` (with one).
  private mutating func visitDirectory(
    rules: IgnoreRules?, isIncluded: Bool, body: (SourceFile) throws -> Void, problem: ProblemSink
  ) throws {
    guard let path = String(validating: absolute, as: UTF8.self) else {
      return problem(Walk.notUTF8(shown.dropLast()))
    }
    if let scope = options.scope, !scope.enters(path) { return }
    let visitsFiles = options.scope?.contains(folder: path) != false
    enterFolder(path)
    let directory: OpenDirectory
    do {
      directory = try OpenDirectory(path.isEmpty ? "/" : path)
    } catch {
      let name = shown.isEmpty ? "." : String(decoding: shown.dropLast(), as: UTF8.self)
      return problem(error.problem(name))
    }
    var rules = rules
    rules?.enter(path, listing: directory)
    absolute.append(UInt8(ascii: "/"))
    let absoluteLength = absolute.count
    let shownLength = shown.count
    defer {
      absolute.removeLast(absolute.count - absoluteLength + 1)
      shown.removeLast(shown.count - shownLength)
    }

    // The directory is read completely before descending, so that a deep tree keeps one descriptor open instead of one
    // per level.
    var kept: [Kept] = []
    let isMailFolder = Maildir.isFolder(directory)
    for entry in directory.entries where entry.kind != .other {
      if isMailFolder, Maildir.isUnfinished(entry, of: directory) { continue }
      move(to: directory.name(entry), absoluteLength, shownLength)
      let isMailSubfolder = isMailFolder && Maildir.isSubfolder(entry, of: directory, at: absolute)
      let filtered = filter(
        entry, rules: rules, isIncluded: isIncluded, readsHidden: isMailSubfolder || options.includesHidden,
        absoluteStart: absoluteLength, shownStart: shownLength)
      guard let isIncluded = filtered else { continue }
      if entry.kind == .directory {
        kept.append(Kept(entry: entry, status: nil, isIncluded: isIncluded))
      } else if visitsFiles, let status = directory.status(entry), status.isRegular {
        kept.append(Kept(entry: entry, status: status, isIncluded: true))
      }
    }
    directory.close()

    for item in kept {
      move(to: directory.name(item.entry), absoluteLength, shownLength)
      if let status = item.status {
        try report(status, nameStart: shownLength, body: body, problem: problem)
      } else {
        shown.append(UInt8(ascii: "/"))
        try visitDirectory(rules: rules, isIncluded: item.isIncluded, body: body, problem: problem)
      }
    }
  }

  private struct Kept {
    var entry: OpenDirectory.Entry
    /// Nil for a directory.
    var status: stat?
    var isIncluded: Bool
  }

  private mutating func move(to name: ArraySlice<UInt8>, _ absoluteLength: Int, _ shownLength: Int) {
    absolute.removeLast(absolute.count - absoluteLength)
    absolute.append(contentsOf: name)
    shown.removeLast(shown.count - shownLength)
    shown.append(contentsOf: name)
  }

  /// Decides whether an entry is visited.
  ///
  /// - Returns: nil to exclude the entry, else whether a glob has included it.
  private func filter(
    _ entry: OpenDirectory.Entry, rules: IgnoreRules?, isIncluded: Bool, readsHidden: Bool, absoluteStart: Int,
    shownStart: Int
  ) -> Bool? {
    let isDirectory = entry.kind == .directory
    if shown[shownStart] == UInt8(ascii: ".") {
      if !readsHidden || shown[shownStart...].elementsEqual(".git".utf8) { return nil }
    }
    if let rules {
      let isIgnored = absolute.withUnsafeBytes {
        rules.ignores($0, nameStart: absoluteStart, isDirectory: isDirectory)
      }
      if isIgnored { return nil }
    }
    guard !filter.isEmpty else { return true }
    if isExcluded(nameStart: shownStart, isDirectory: isDirectory) { return nil }
    let isIncluded = isIncluded || self.isIncluded(nameStart: shownStart, isDirectory: isDirectory)
    return isDirectory || isIncluded ? isIncluded : nil
  }

  private func isIncluded(nameStart: Int, isDirectory: Bool) -> Bool {
    filter.includesAll
      || shown.withUnsafeBytes {
        filter.includes($0, rootLength: rootLength, nameStart: nameStart, isDirectory: isDirectory)
      }
  }

  private func isExcluded(nameStart: Int, isDirectory: Bool) -> Bool {
    shown.withUnsafeBytes {
      filter.excludes($0, rootLength: rootLength, nameStart: nameStart, isDirectory: isDirectory)
    }
  }

  private mutating func report(
    _ status: stat, nameStart: Int, isNamed: Bool = false, body: (SourceFile) throws -> Void, problem: ProblemSink
  ) throws {
    guard let path = String(validating: shown, as: UTF8.self),
      let absolutePath = String(validating: absolute, as: UTF8.self)
    else { return problem(Walk.notUTF8(shown[...])) }
    if seen?.insert(Array(absolutePath.utf8)).inserted == false { return }
    let size = Int64(status.st_size)
    if let limit = options.maximumFileSize, size > limit {
      return problem(.tooLarge(path, what: "the file", size: size, limit: limit))
    }
    let name = String(decoding: shown[nameStart...], as: UTF8.self)
    let ruleFormat = formatRules.last { matches($0.filter, nameStart: nameStart, isNamed: isNamed) }?.format
    let chosenFormat = options.format ?? ruleFormat
    var format = chosenFormat ?? CorpusFormat(fileName: name)
    if !options.optionalFormats.isEmpty, chosenFormat == nil, format == .text,
      let optional = ExtractedFormat(name: name), options.optionalFormats.contains(optional)
    {
      format = .document
    }
    if chosenFormat == nil, format == .text, Maildir.contains(absolutePath) { format = .mail }
    let language = languageRules.last { matches($0.filter, nameStart: nameStart, isNamed: isNamed) }?.language
    func file(_ format: CorpusFormat, recordFormat: CorpusFormat? = nil, isCertain: Bool) -> SourceFile {
      SourceFile(
        path: path, absolutePath: absolutePath, size: size, modified: status.modified, format: format,
        recordFormat: recordFormat, language: language,
        // A pipe cannot be read twice.
        isFormatCertain: isCertain || status.isPipe, isPipe: status.isPipe)
    }
    if let preprocessor = options.preprocessors.last(where: { PathGlobs([$0.glob]).verdict(on: path) == true }) {
      return try body(file(.text, isCertain: true).preprocessed(by: preprocessor))
    }
    guard chosenFormat == nil, format.holdsRecords else { return try body(file(format, isCertain: true)) }
    // JSON with comments and tables with ragged rows are common, so the format of such files is never certain.
    let isRequested = isNamed || namedFiles.contains(absolute)
    if format.alwaysHoldsRecords { return try body(file(format, isCertain: isRequested)) }
    let holdsRecords = isRequested ? true : isInRecords(nameStart: nameStart)
    if holdsRecords == true {
      try body(file(format, isCertain: false))
    } else {
      try body(file(format.asDocument, recordFormat: holdsRecords == false ? nil : format, isCertain: true))
    }
  }

  /// Returns whether the globs of a rule select the file.
  private func matches(_ filter: PathFilter, nameStart: Int, isNamed: Bool) -> Bool {
    shown.withUnsafeBytes {
      filter.verdict(onFile: $0, rootLength: rootLength, nameStart: nameStart, isNamed: isNamed) == true
    }
  }

  /// Returns whether the record globs of the options select the file; nil if no glob matches it.
  private func isInRecords(nameStart: Int) -> Bool? {
    guard !recordFilter.isEmpty else { return nil }
    return shown.withUnsafeBytes { recordFilter.verdict(onFile: $0, rootLength: rootLength, nameStart: nameStart) }
  }
}

extension IgnoreRules {
  /// Adds the rules of a directory whose entries were read.
  fileprivate mutating func enter(_ path: String, listing directory: OpenDirectory) {
    var isRepository = false
    var hasGitIgnore = false
    var hasIgnore = false
    directory.names.withUnsafeBytes { names in
      for entry in directory.entries where entry.count <= 10 && names[entry.start] == UInt8(ascii: ".") {
        let name = names[entry.start..<(entry.start + entry.count)]
        if name.elementsEqual(".git".utf8) { isRepository = true }
        if name.elementsEqual(".gitignore".utf8) { hasGitIgnore = true }
        if name.elementsEqual(".ignore".utf8) { hasIgnore = true }
      }
    }
    enter(path, isRepository: isRepository, hasGitIgnore: hasGitIgnore, hasIgnore: hasIgnore)
  }
}
