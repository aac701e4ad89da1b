import ArgumentParser

struct ClusterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cluster",
    abstract: "Create and maintain databases on PostgreSQL.",
    discussion: """
      The other commands use such a database with --database:

        $ concord cluster init postgresql://db.example.com/corpus
        $ concord -d postgresql://db.example.com/corpus index docs/
        $ concord -d postgresql://db.example.com/corpus search memory barrier

      The server, user, password and TLS are found as by psql.
      """,
    subcommands: [InitClusterCommand.self, ClusterStatusCommand.self, MergeClusterCommand.self])
}
