import JSONText
import Yams

/// The YAML between `---` and `---` at the start of a Markdown file.
///
/// Scalars have the types of YAML's core schema, except that a number must be in canonical form: `yes`, `2024-05-01`
/// and `007` remain strings.
struct FrontMatter {
  /// A syntax error and its line in the file.
  struct Fault: Error {
    let line: Int
    let reason: String
  }

  /// The member `title`, as text.
  private(set) var title: String?
  /// The other members, as JSON object text; nil if there are none.
  private(set) var meta: [UInt8]?
  /// The offset of the text after the front matter.
  let end: Int

  /// The maximum size in bytes. A longer block is text between two thematic breaks.
  private static let maximumCount = 256 << 10

  /// Reads the front matter. Returns nil if the file has none, or if the text between the delimiters is not a YAML
  /// mapping.
  init?(_ file: UnsafeRawBufferPointer) throws(Fault) {
    var lines = TextLines(file)
    guard let opening = lines.next(), opening.elementsEqual("---".utf8) else { return nil }
    let start = lines.position
    var yamlEnd: Int?
    while yamlEnd == nil {
      let position = lines.position
      guard let line = lines.next() else { return nil }
      if line.trimmingJSONSpace.elementsEqual("---".utf8) || line.elementsEqual("...".utf8) {
        yamlEnd = position
      }
    }
    guard let yamlEnd, yamlEnd - start <= FrontMatter.maximumCount else { return nil }
    end = lines.position
    let yaml = String(decoding: file[start..<yamlEnd], as: UTF8.self)
    guard let mapping = try FrontMatter.mapping(yaml) else { return nil }

    var writer = YAMLWriter()
    var rest: [(key: Node, value: Node)] = []
    for (key, value) in mapping {
      if key.scalar?.string == "title", let title = value.scalar?.string {
        self.title = title.isEmpty ? nil : title
      } else {
        rest.append((key, value))
      }
    }
    if !rest.isEmpty { meta = try writer.object(rest) }
  }

  private static func mapping(_ yaml: String) throws(Fault) -> Node.Mapping? {
    do {
      try YAMLExpansion.check(yaml)
      return try Yams.compose(yaml: yaml, .basic)?.mapping
    } catch let fault as Fault {
      throw fault
    } catch {
      throw Fault(line: FrontMatter.line(of: error), reason: "front matter: \(FrontMatter.reason(of: error))")
    }
  }

  /// Returns the line of an error in the file, whose first line is the opening delimiter.
  private static func line(of error: any Error) -> Int {
    switch error as? YamlError {
    case .scanner(_, _, let mark, _), .parser(_, _, let mark, _), .composer(_, _, let mark, _): mark.line + 1
    default: 1
    }
  }

  private static func reason(of error: any Error) -> String {
    switch error as? YamlError {
    case .scanner(_, let problem, _, _), .parser(_, let problem, _, _), .composer(_, let problem, _, _),
      .reader(let problem, _, _, _):
      problem
    case .duplicatedKeysInMapping: "a key occurs twice"
    default: "not YAML"
    }
  }
}
