import ArgumentParser
import Concordance

struct DropViewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drop",
    abstract: "Delete views.",
    discussion: """
      The documents are kept.

      Exit status: 0 done, 1 a view does not exist, 2 error.
      """)

  @Argument(help: ArgumentHelp("The names of the views.", valueName: "name"))
  var names: [String]

  @OptionGroup
  var global: GlobalOptions

  func run() throws {
    try DatabaseAddress.requireFile(global.databasePath, for: "views are")
    let messages = global.makeMessages()
    let database = try global.openForWriting()
    let collection = try global.collection(in: database)
    var hasFailed = false
    for name in names {
      if let view = try collection.existingView(named: name) {
        try view.delete()
        messages.note("view \(name) deleted")
      } else {
        messages.error("there is no view \"\(name)\" in \(collection.fullName)")
        hasFailed = true
      }
    }
    try database.close()
    if hasFailed { throw ExitCode(ExitStatus.nothingFound) }
  }
}
