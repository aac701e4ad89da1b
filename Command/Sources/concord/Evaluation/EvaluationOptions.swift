import ArgumentParser
@_spi(Command) import Concordance
import Foundation

// `concord eval` and its subcommands share these options. A parent command parses the options that it declares even
// after the name of a subcommand, and passes them on only if both commands declare them in a group of the same type.

/// The judgements and the measures.
struct JudgementOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The judgements, in the format of TREC or BEIR.", valueName: "file"), completion: .file())
  var qrels: String?

  @Option(
    help: ArgumentHelp("The measures, separated by spaces, as in ir_measures.", valueName: "names"),
    transform: MeasureList.init(parsing:))
  var measures = MeasureList.standard

  @Flag(help: "Also print the measures of each query.")
  var perQuery = false

  @Flag(help: "Print JSON objects.")
  var json = false

  /// The path of the judgements.
  ///
  /// - Throws: `ValidationError` if it is not given.
  func path() throws -> String {
    guard let qrels else { throw ValidationError("Missing expected argument '--qrels <file>'") }
    return qrels
  }
}

/// The files with plots to write.
struct PlotOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Write an HTML page with tables and plots to this file.", valueName: "file"))
  var report: String?

  @Option(help: ArgumentHelp("Write each plot as an SVG file into this folder.", valueName: "folder"))
  var plots: String?

  /// Whether any file is requested.
  var isGiven: Bool { report != nil || plots != nil }

  /// Creates the folder, and checks that the page can be written, before a long evaluation.
  func prepare() throws {
    if let report { try PlotOptions.requireWritable(report) }
    guard let plots else { return }
    do {
      try FileManager.default.createDirectory(atPath: plots, withIntermediateDirectories: true)
    } catch {
      throw CommandFailure("\(plots): the folder cannot be created: \(error.localizedDescription)")
    }
  }

  /// Throws if a file can evidently not be written.
  static func requireWritable(_ path: String) throws {
    let files = FileManager.default
    var isFolder: ObjCBool = false
    if files.fileExists(atPath: path, isDirectory: &isFolder) {
      if isFolder.boolValue { throw CommandFailure("\(path): this is a folder; name a file") }
      guard files.isWritableFile(atPath: path) else { throw CommandFailure("\(path): the file is not writable") }
      return
    }
    let folder = FilePathComponents(path).folder
    guard files.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
      throw CommandFailure("\(path): there is no folder \(folder)")
    }
    guard files.isWritableFile(atPath: folder) else {
      throw CommandFailure("\(path): the folder \(folder) is not writable")
    }
  }

  /// Writes the page and the plots that are requested. `prepare()` has created the folder.
  func write(_ page: @autoclosure () -> String, _ plots: [(name: String, svg: String)]) throws {
    if let report { try PlotOptions.write(page(), to: report) }
    guard let folder = self.plots else { return }
    for plot in plots { try PlotOptions.write(plot.svg, to: "\(folder)/\(plot.name).svg") }
  }

  private static func write(_ text: String, to path: String) throws {
    let file = try ResultOutput(path: path)
    try file.write(text.utf8)
    try file.finish()
  }
}

/// The run to write.
struct RunOptions: ParsableArguments {
  @Option(
    name: .customLong("run"), help: ArgumentHelp("Write the hits to this file as a TREC run.", valueName: "file"),
    completion: .file())
  var runFile: String?

  @Option(help: ArgumentHelp("The name of the run in this file, its last column.", valueName: "name"))
  var tag: String?

  @Option(help: ArgumentHelp("The number of hits per query.", valueName: "count"))
  var depth = 1000

  func validate() throws {
    if depth < 1 { throw ValidationError("--depth takes 1 or more, not \(depth).") }
    if let tag, tag.isEmpty || tag.contains(where: \.isWhitespace) {
      throw ValidationError("--tag takes a name without white space, not \"\(tag)\".")
    }
  }

  /// Writes a run.
  func write(_ run: EvaluationRun, to path: String, defaultTag: String) throws {
    let output = try ResultOutput(path: path)
    try output.write(try run.text(name: tag ?? defaultTag).utf8)
    try output.finish()
  }
}
