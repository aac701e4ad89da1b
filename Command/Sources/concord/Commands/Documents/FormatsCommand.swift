import ArgumentParser
import DocumentFormats
import Foundation

struct FormatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "formats",
    abstract: "List the binary formats that are read, with the libraries that read them.",
    discussion: """
      Text formats, and records such as JSON and mail, are always read. A library that is not installed is marked; \
      files that need it are skipped until it is installed. Optional formats are read with `concord index \
      --optional-formats`.

        $ concord formats
      """)

  @Flag(help: "Print each format as a JSON object.")
  var json = false

  @OptionGroup
  var global: GlobalOptions

  func run() throws {
    let versions = Dictionary(
      FormatLibraries.all.map { ($0.name, $0.version) }, uniquingKeysWith: { first, _ in first })
    let output = StandardOutput()
    var table = Table(["format", "names", "library"])
    for format in ExtractedFormat.allCases {
      let libraries = (format.library ?? "").components(separatedBy: ", ").filter { !$0.isEmpty }
      let texts = libraries.map { name in
        (versions[name] ?? nil).map { "\(name) \($0)" } ?? "\(name): not installed"
      }
      let isRead = libraries.allSatisfy { versions[$0] ?? nil != nil }
      if json {
        var line = JSONLine()
        line.add("format", format.rawValue)
        line.add("names", format.extensions.map { ".\($0)" }.joined(separator: " "))
        line.add("library", texts.joined(separator: ", "))
        line.add("optional", json: format.isOptional ? "true" : "false")
        line.add("read", json: isRead ? "true" : "false")
        output.writeJSON(line.text)
      } else {
        table.add([
          format.isOptional ? "\(format.rawValue) (optional)" : format.rawValue,
          format.extensions.map { ".\($0)" }.joined(separator: " "),
          texts.isEmpty ? "built in" : texts.joined(separator: ", "),
        ])
      }
    }
    if !json { output.write(table.text(global.outputStyle)) }
    output.flush()
  }
}
