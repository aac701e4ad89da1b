import JSONText
import Testing

@Suite struct TitleTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func title(_ name: String, _ text: String) throws -> String? {
    guard case .string(let title) = try folder.read(name, text)["title"] else { return nil }
    return title
  }

  @Test(arguments: [
    (#"\title{A Study of Boats}"#, "A Study of Boats"),
    (
      #"\documentclass{a}% \title{no}"# + "\n" + #"\title[Short]{Long \textbf{Bold}\\ of {Boats}~\& Nets\thanks{Me}}"#,
      "Long Bold of Boats & Nets"
    ),
    (#"\titleformat{x} \title"# + "\n" + #"  {On"# + "\n" + #"Boats}"#, "On Boats"),
  ])
  func latex(text: String, title: String) throws {
    #expect(try self.title("f.tex", text) == title)
  }

  @Test(arguments: [#"\title{unclosed"#, #"\title"#, #"%\title{x}"#, #"\title{}"#, ""])
  func latexWithoutATitle(text: String) throws {
    #expect(try title("f.tex", text) == nil)
  }

  @Test(.timeLimit(.minutes(10)), arguments: [#"\title["#, #"\title{"#])
  func manyUnclosedTitlesAreNotAllTried(command: String) throws {
    #expect(try title("f.tex", String(repeating: command, count: 200_000)) == nil)
  }

  @Test func notebooks() throws {
    let cells = #"""
      {"cells":[{"cell_type":"code","source":"# not this"},{"cell_type":"markdown","source":["Intro\n","\n","# The *Tides*\n","x"]}]}
      """#
    #expect(try title("f.ipynb", cells) == "The *Tides*")
    #expect(try title("f.ipynb", #"{"cells":[],"metadata":{"title":"Waves"}}"#) == "Waves")
    // Malformed notebooks are source code.
    #expect(try title("f.ipynb", "{oops") == "f.ipynb")
  }

  @Test func titleOfCodeIsItsPath() throws {
    #expect(try title("f.c", "/* A comment */\n\nint main;\n") == "f.c")
    #expect(try title("f.yaml", "a: 1\n") == "f.yaml")
  }

  @Test func centredHeadings() throws {
    let licence =
      "                    GNU GENERAL PUBLIC LICENSE\n                       Version 2, June 1991\n\n Copyright\n"
    #expect(try title("f", licence) == "GNU GENERAL PUBLIC LICENSE Version 2, June 1991")
    let memo = """
      Network Working Group                                         S. Bradner
      Request for Comments: 2119                            Harvard University


              Key words for use in RFCs to Indicate Requirement Levels

      Status of this Memo

      """
    #expect(try title("f.txt", memo) == "Key words for use in RFCs to Indicate Requirement Levels")
  }

  @Test func indentedParagraphsAreNotHeadings() throws {
    #expect(try title("f.txt", "One line\nand another\n\n        an indented example of a command\n\nmore\n") == nil)
    #expect(try title("f.txt", "One\ntwo\n\n                          * * * * * * * * * *\n\nmore\n") == nil)
  }

  @Test(arguments: [
    "<h1 align=\"center\">The Boats</h1>\n\ntext",
    "<div align=\"center\">\n  <h1>\n    <img src=\"x\">\n    The <b>Boats</b>\n  </h1>\n</div>",
    "<p align=\"center\"><H1>The Boats</H1></p>", "<h1><img alt=\"logo\"></h1>\n\n# The Boats\n",
    "```\n<h1>no</h1>\n```\n# The Boats\n",
  ])
  func headingsInHTML(text: String) throws {
    #expect(try title("f.md", text) == "The Boats")
  }

  @Test func onlyTheFirstHeadingsInHTMLAreParsed() throws {
    #expect(try title("f.md", String(repeating: "<h1></h1>\n", count: 100) + "<h1>no</h1>\n# yes") == "yes")
  }
}
