import ArgumentParser
import Concordance
import Foundation

struct CatCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cat",
    abstract: "Print the text of documents: of a file, a page, a sheet, or a member of an archive.",
    discussion: """
      The text is read from the database. A document without text is printed as JSON.

        $ concord cat notes/tea.md
        $ concord cat report.pdf:12
        $ concord cat box.zip/letters/a.docx

      Exit status: 0 all found, 1 one is missing, 2 error.
      """)

  @Argument(
    help: ArgumentHelp(
      "The ids of the documents, as a search prints them; a line number after an id is ignored.", valueName: "hit"))
  var hits: [String]

  @OptionGroup
  var global: GlobalOptions

  func run() throws {
    let messages = global.makeMessages()
    let collection = try global.collection(in: try global.openForReading())
    let output = StandardOutput()
    var isAnyMissing = false
    for hit in hits {
      guard let document = try document(ofHit: hit, in: collection) else {
        output.flush()
        messages.error("there is no document \"\(DocumentIdentity.id(ofPath: hit))\" in \(collection.fullName)")
        isAnyMissing = true
        continue
      }
      if let text = document.string(forKey: "text") {
        output.writeDocument(text)
      } else {
        output.writeJSON(document.toJSON())
      }
    }
    output.flush()
    if isAnyMissing { throw ExitCode(ExitStatus.nothingFound) }
  }

  private func document(ofHit hit: String, in collection: Collection) throws -> Document? {
    for id in DocumentIdentity.ids(ofHit: hit) {
      if let document = try collection.document(id: id) { return document }
    }
    return nil
  }
}
