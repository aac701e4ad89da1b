import Foundation
import Testing

@Suite struct DocumentTests {
  /// The map of the code and the decisions name files of the repository, by their paths or by names that only one file
  /// has. Paths of files that a build makes, and of the user's machine, begin with a dot.
  @Test(arguments: ["ARCHITECTURE.md", "CONTRIBUTING.md"] + decisions()) func everyPathExists(page: String) throws {
    let counts = DocumentTests.fileCounts
    for path in try paths(in: page) where !Repository.exists(path) {
      #expect(counts[path] == 1, "\(page) names \(path), which \(counts[path] ?? 0) files have as their name")
    }
  }

  /// The number of files with each name.
  private static let fileCounts: [String: Int] = {
    let folders = [
      "Sources", "Tests", "Command/Sources", "Command/Tests", "Server/Sources", "Server/Tests", "Scripts", "Benchmarks",
      "Corpora", "docs",
    ]
    let names = folders.flatMap { Repository.files(in: $0, ending: "") }.map {
      String($0.split(separator: "/").last ?? "")
    }
    return Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
  }()

  @Test func theArchitectureNamesPaths() throws {
    #expect(try paths(in: "ARCHITECTURE.md").count > 40, "the scan does not find the paths")
    #expect(try DocumentTests.decisions().flatMap(paths).count > 40, "the scan does not find the paths")
  }

  @Test func theArchitectureIsShortEnoughToReadAtOnce() throws {
    #expect(try Repository.text("ARCHITECTURE.md").utf8.count <= 16_500)
    #expect(try Repository.text("README.md").utf8.count <= 7_000)
  }

  @Test func decisionsAreNumberedAndListed() throws {
    let index = try Repository.text("docs/decisions/README.md")
    let names = try Repository.entries(of: "docs/decisions").filter { $0 != "README.md" }
    #expect(names.count > 20)
    for (number, name) in names.enumerated() {
      let digits = String(number + 1)
      #expect(
        name.hasPrefix(String(repeating: "0", count: 3 - digits.count) + digits + "-"),
        "docs/decisions/\(name) should have the number \(number + 1)")
      #expect(index.contains("](\(name))"), "docs/decisions/README.md does not list \(name)")
    }
  }

  @Test(arguments: decisions()) func aDecisionHasItsSections(page: String) throws {
    let headings = try MarkdownLines(page).lines.map(\.text).filter { $0.hasPrefix("#") }
    let number = try #require(page.split(separator: "/").last?.prefix(3))
    #expect(headings.first?.hasPrefix("# \(number). ") == true, "\(page) begins with # \(number). and its title")
    #expect(headings.dropFirst().starts(with: ["## Context", "## Decision", "## Consequences"]), "\(page)")
    #expect(headings.count == 4 || headings.last == "## Figures", "\(page)")
  }

  /// Benchmarks/pages.py copies rows of docs/benchmarks.md into the README.
  @Test func figuresOfTheReadmeAreThoseOfTheBenchmarks() throws {
    let readme = try Repository.text("README.md")
    let measured = try Repository.text("docs/benchmarks.md").components(separatedBy: "\n").filter { $0.hasPrefix("|") }
    let table = try #require(readme.firstMatch(of: /<!-- bench summary -->\n([\s\S]*?)<!-- \/bench summary -->/))
    let rows = table.1.split(separator: "\n").dropFirst(2)
    #expect(rows.count >= 5)
    for row in rows {
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      let peer = try #require(cells[2].split(separator: ": ").last)
      #expect(
        measured.contains { $0.contains("| \(cells[1]) |") && $0.contains("| \(peer) |") },
        "docs/benchmarks.md has no row with \(cells[1]) and \(peer): run Benchmarks/pages.py")
    }
  }

  @Test(arguments: documents()) func everyRelativeLinkResolves(path: String) throws {
    let folder = path.contains("/") ? path.split(separator: "/").dropLast().joined(separator: "/") + "/" : ""
    for (number, line) in try MarkdownLines(path).lines {
      for match in withoutCode(line).matches(of: /\]\(([^)\s]+)\)/) {
        let link = String(match.1)
        if link.contains(/^[a-z]+:/) { continue }
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(
          String.init)
        let target = parts[0].isEmpty ? path : normalized(folder + parts[0])
        #expect(Repository.exists(target), "\(path):\(number): \(link) leads nowhere")
        if parts.count == 2, target.hasSuffix(".md"), Repository.exists(target) {
          let anchors = try MarkdownLines(target).anchors
          #expect(anchors.contains(parts[1]), "\(path):\(number): \(target) has no heading for #\(parts[1])")
        }
      }
    }
  }

  @Test func theHandbooksTableOfContentsIsComplete() throws {
    let contents = try Repository.text("Corpora/handbook/README.md")
    for page in try Repository.entries(of: "Corpora/handbook") where page != "README.md" {
      #expect(contents.contains("](\(page))"), "the table of contents of the handbook does not name \(page)")
    }
  }

  /// The pages with examples of Swift, and the file that contains the same lines.
  private static let examplePages = [
    ("README.md", "Tests/ConcordanceTests/HandbookTests.swift"),
    ("Corpora/handbook/library.md", "Tests/ConcordanceTests/HandbookTests.swift"),
    ("Corpora/handbook/documents.md", "Tests/ConcordanceTests/HandbookDocumentsTests.swift"),
    ("Corpora/handbook/live-queries.md", "Tests/ConcordanceTests/HandbookLiveQueriesTests.swift"),
    ("Corpora/handbook/replication.md", "Tests/ConcordanceTests/HandbookReplicationTests.swift"),
    ("Corpora/handbook/views.md", "Tests/ConcordanceTests/HandbookViewsTests.swift"),
    ("Corpora/handbook/sqlpp.md", "Tests/ConcordanceTests/HandbookQueryTests.swift"),
    ("Corpora/handbook/query-builder.md", "Tests/ConcordanceTests/HandbookQueryBuilderTests.swift"),
    ("Corpora/handbook/postgresql.md", "Tests/PostgresStoreTests/HandbookPostgreSQLTests.swift"),
    ("Corpora/handbook/server.md", "Server/Tests/ConcordanceServerTests/HandbookServer.swift"),
  ]

  @Test func everyPageWithSwiftIsListed() throws {
    let listed = Set(DocumentTests.examplePages.map(\.0))
    for page in DocumentTests.documents() where try Repository.text(page).contains("```swift\n") {
      #expect(listed.contains(page), "\(page) has examples of Swift; add it to examplePages with their test")
    }
  }

  /// Examples of Swift are also in a test, so that they compile and do what the pages say.
  @Test(arguments: examplePages) func everySwiftExampleIsCompiled(path: String, suite: String) throws {
    let tests = lines(try Repository.text(suite))
    let network = lines(try Repository.text("Server/Tests/ConcordanceNetworkTests/HandbookNetworkTests.swift"))
    let examples = try Repository.text(path).matches(of: /```swift\n([\s\S]*?)```/).map {
      lines(String($0.1))
    }
    #expect(!examples.isEmpty)
    for example in examples where !example.contains("import PackageDescription") {
      let wanted = example.filter { !$0.hasPrefix("import ") }.map {
        $0.replacing("\"notes.concord\"", with: "path")
          .replacing("\"postgresql://db.example.com/corpus\"", with: "url")
      }
      let suiteLines = example.contains("import ConcordanceNetwork") ? network : tests
      let isThere = suiteLines.indices.contains { suiteLines[$0...].starts(with: wanted) }
      #expect(isThere, "\(path): \(suite) does not hold:\n\(wanted.joined(separator: "\n"))")
    }
  }

  /// The lines without indentation and without those that are blank.
  private func lines(_ text: String) -> [String] {
    text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  /// Pages that must read the same for everybody hold no path of somebody's machine.
  @Test(arguments: documents()) func noPathOfAMachine(path: String) throws {
    for (number, line) in try Repository.text(path).components(separatedBy: "\n").enumerated() {
      #expect(!line.contains(/\/(home|root|Users)\/\w/), "\(path):\(number + 1): \(line)")
    }
  }

  private static func documents() -> [String] {
    let root = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
    let readmes = ["Corpora/README.md", "Corpora/travel/README.md", "Corpora/polyglot/README.md"]
    return root + readmes + Repository.files(in: "Corpora/handbook", ending: ".md")
      + Repository.files(in: "docs", ending: ".md")
  }

  private static func decisions() -> [String] {
    Repository.files(in: "docs/decisions", ending: ".md").filter { !$0.hasSuffix("README.md") }
  }

  /// What a page names as code and looks like a path or the name of a file.
  private func paths(in page: String) throws -> [String] {
    var paths: [String] = []
    for (_, line) in try MarkdownLines(page).lines {
      for match in line.matches(of: /`([A-Za-z0-9_.+\/-]+)`/) {
        let path = String(match.1)
        if path.hasPrefix(".") && !path.hasPrefix(".ci") || path.contains("/.build") { continue }
        if path.contains("/") || path.contains(/\.(swift|md|sh|py|c|h|cpp)$/) { paths.append(path) }
      }
    }
    return paths
  }

  private func withoutCode(_ line: String) -> String { line.replacing(/`[^`]*`/, with: "") }

  /// `a/b/../c` as `a/c`.
  private func normalized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", !parts.isEmpty { parts.removeLast() } else { parts.append(part) }
    }
    return parts.joined(separator: "/")
  }
}

/// The lines of a Markdown file outside fenced code, with their numbers.
struct MarkdownLines {
  let lines: [(number: Int, text: String)]

  init(_ path: String) throws {
    var isInFence = false
    var kept: [(Int, String)] = []
    for (index, line) in try Repository.text(path).components(separatedBy: "\n").enumerated() {
      if line.hasPrefix("```") {
        isInFence.toggle()
      } else if !isInFence {
        kept.append((index + 1, line))
      }
    }
    lines = kept
  }

  /// The anchors that the headings make: lower case, punctuation left out, spaces as hyphens.
  var anchors: Set<String> {
    Set(
      lines.compactMap { _, line in
        guard let heading = line.wholeMatch(of: /#{1,6}\s+(.*)/) else { return nil }
        return String(
          heading.1.lowercased().compactMap { character in
            character == " "
              ? "-"
              : character.isLetter || character.isNumber || character == "-" || character == "_"
                ? character : nil
          })
      })
  }
}
