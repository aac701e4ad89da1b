import ArgumentParser
@_spi(Command) import Concordance
import Foundation

struct OpenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Open the file of a document in its desktop application.",
    discussion: """
      xdg-open chooses the application. For a page, the whole file is opened; for a member of an archive, the archive.

        $ concord open report.pdf:12
        $ concord open --print report.pdf:12

      Exit status: 0 opened, 1 the document is missing or was not read from a file, 2 error.
      """)

  @Argument(
    help: ArgumentHelp(
      "The id of the document, as a search prints it; a line number after the id is ignored.", valueName: "hit"))
  var hit: String

  @Flag(name: .customLong("print"), help: "Print the path of the file instead of opening it.")
  var printsPath = false

  @OptionGroup
  var global: GlobalOptions

  func run() throws {
    let collection = try global.collection(in: try global.openForReading())
    let sources = try collection.importedSources(ofDocuments: DocumentIdentity.ids(ofHit: hit))
    guard let source = sources.lazy.compactMap({ $0 }).first else {
      throw CommandFailure(
        "no document \"\(DocumentIdentity.id(ofPath: hit))\" in \(collection.fullName) was read from a file",
        status: ExitStatus.nothingFound)
    }
    if printsPath { return StandardOutput().writeLine(source.path) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["xdg-open", source.path]
    do {
      try process.run()
    } catch {
      throw CommandFailure("xdg-open cannot be started: \(error.localizedDescription)")
    }
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw CommandFailure(
        "xdg-open failed with status \(process.terminationStatus); --print prints the path of the file")
    }
  }
}
