public import ArgumentParser
public import CorpusReader
import DocumentFormats

/// Options that select the files to read and their format.
struct ReadingOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Read only files that match; may be repeated.", valueName: "glob"))
  var include: [String] = []

  @Option(help: ArgumentHelp("Exclude files and folders that match; may be repeated.", valueName: "glob"))
  var exclude: [String] = []

  @Flag(help: "Read files and folders whose names begin with a dot.")
  var hidden = false

  @Flag(name: .customLong("no-ignore"), help: "Read files that .gitignore and .ignore files exclude.")
  var noIgnore = false

  @Option(
    name: .customLong("max-filesize"),
    help: ArgumentHelp(
      "Skip files larger than this number of bytes, optionally followed by K, M or G.", valueName: "size"))
  var maximumFileSize: ByteSize?

  @Option(help: ArgumentHelp("The format of all files, regardless of their names.", valueName: "format"))
  var format: CorpusFormat?

  @Option(
    help: ArgumentHelp(
      "Read matching JSON, CSV and TSV files in folders as records instead of text; may be repeated.",
      valueName: "glob"))
  var records: [String] = []

  @Option(
    help: ArgumentHelp(
      "Run a command for files that match, and index its output; may be repeated.",
      discussion: "The path is the last argument of the command, and the file is its standard input. The option "
        + "must be given in each run.",
      valueName: "glob=command"))
  var pre: [String] = []

  @Option(
    name: .customLong("optional-formats"),
    help: ArgumentHelp(
      "Also read these formats: sqlite (schema and text), image and audio (metadata); separated by commas.",
      discussion: "Give the option in each run.", valueName: "a,b"))
  var optionalFormats: OptionalFormats?

  @Option(
    name: .customLong("id-field"),
    help: ArgumentHelp(
      "The property that contains the id of a record, instead of _id and id.", valueName: "property"))
  var idField: String?

  /// The formats that a configuration file sets for globs.
  var formatRules: [GlobRule<CorpusFormat>] = []
  /// The languages that a configuration file sets for globs.
  var languageRules: [GlobRule<String>] = []

  private enum CodingKeys: String, CodingKey {
    case include, exclude, hidden, noIgnore, maximumFileSize, format, records, pre, optionalFormats, idField
  }
}

extension ReadingOptions {
  /// - Throws: `GlobError`.
  var corpusOptions: CorpusOptions {
    get throws {
      var options = CorpusOptions()
      options.include = try include.flatMap { try GlobOption.expanded($0) }
      options.exclude = try exclude.flatMap { try GlobOption.expanded($0) }
      options.includesHidden = hidden
      options.ignoresIgnoreFiles = noIgnore
      options.maximumFileSize = maximumFileSize?.bytes
      options.format = format
      options.records = try records.flatMap { try GlobOption.expanded($0) }
      options.idField = idField
      options.optionalFormats = optionalFormats?.formats ?? []
      options.formatRules = formatRules
      options.languageRules = languageRules
      options.preprocessors = try pre.map { text in
        do {
          return try Preprocessor(text)
        } catch {
          throw ValidationError("--pre takes a glob, = and a command, such as '*.djvu=djvutxt', not '\(text)'.")
        }
      }
      return options
    }
  }
}

/// Optional formats as an argument: `sqlite,image`.
struct OptionalFormats: ExpressibleByArgument {
  static let names = ExtractedFormat.optional.map(\.rawValue).joined(separator: ", ")

  let formats: Set<ExtractedFormat>

  init?(argument: String) {
    let formats = argument.split(separator: ",").map { ExtractedFormat(rawValue: String($0)) }
    guard !formats.isEmpty, formats.allSatisfy({ $0?.isOptional == true }) else { return nil }
    self.formats = Set(formats.compactMap { $0 })
  }
}

/// A number of bytes as an argument: `1500`, `20K`, `5M`, `1G`, in powers of 1,024.
struct ByteSize: ExpressibleByArgument {
  let bytes: Int64

  init?(argument: String) {
    let units: [Character: Int64] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
    let unit = argument.last.flatMap { units[Character($0.uppercased())] }
    guard let number = Int64(unit == nil ? argument : String(argument.dropLast())), number >= 0 else {
      return nil
    }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: unit ?? 1)
    guard !overflow else { return nil }
    self.bytes = bytes
  }
}

extension CorpusFormat: ExpressibleByArgument {
  /// Documents in binary formats are recognized by their names, so this format cannot be selected.
  static let selectable = allCases.filter { $0 != .document }

  public static var allValueStrings: [String] { selectable.map(\.rawValue) }

  public init?(argument: String) {
    guard let format = CorpusFormat(rawValue: argument), format != .document else { return nil }
    self = format
  }
}
