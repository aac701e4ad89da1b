import ArgumentParser

/// The root command. It only has subcommands.
@main
struct Concord: ParsableCommand {
  /// The version of the program. It is defined only here.
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "concord",
    abstract: "Full-text search over files and JSON documents, kept in one database file.",
    discussion: """
      A first search:

        $ concord index docs/
        $ concord search memory barrier

      The database is the file given by --database, else by $CONCORD_DATABASE, else corpus.concord in the current \
      folder. Results go to the standard output, messages to the standard error.

      Exit status: 0 success, 1 nothing found, a named document or index does not exist, or `verify` found damage, \
      2 error.
      """,
    version: version,
    subcommands: [
      IndexCommand.self, SearchCommand.self, GrepCommand.self, QueryCommand.self, ExplainCommand.self, GetCommand.self,
      PutCommand.self, DeleteCommand.self, ImportCommand.self, ExportCommand.self, IndexesCommand.self,
      CreateIndexCommand.self, DropIndexCommand.self, ViewCommand.self, StatsCommand.self, VerifyCommand.self,
      OptimizeCommand.self, AnalyzeCommand.self, SuggestCommand.self, TermsCommand.self, EvalCommand.self,
      ServeCommand.self, TokenCommand.self, SyncCommand.self, ListenCommand.self, ClusterCommand.self, CatCommand.self,
      OpenCommand.self,
      FormatsCommand.self,
      ExtractWorkerCommand.self,
    ])

  @OptionGroup
  var global: GlobalOptions

  static func main() {
    ProcessSignals.prepare()
    var started: (any ParsableCommand.Type)?
    do {
      try ArgumentChecks.checkEncoding()
      let arguments = Array(CommandLine.arguments.dropFirst())
      var command: any ParsableCommand =
        if let grepArguments = try GrepArguments.prepared(arguments) {
          if let common = GrepCommand.parsingCommonArguments(grepArguments) {
            common
          } else {
            try GrepCommand.parseAsRoot(grepArguments)
          }
        } else {
          try parseAsRoot(
            RepeatedCollections.joined(
              ViewSort.joiningValues(JoinedDatabase.separated(ArgumentChecks.checkedValues(arguments)))))
        }
      started = type(of: command)
      try command.run()
      OpenDatabases.close()
    } catch {
      OpenDatabases.close()
      ErrorReport.exit(with: error, of: started)
    }
  }
}
