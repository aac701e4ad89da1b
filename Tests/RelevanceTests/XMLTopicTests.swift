import TestSupport
import Testing

@testable import Relevance

/// Topics in XML, as in TREC's Web and COVID tracks.
@Suite struct XMLTopicTests {
  private static let covid = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!-- Round 1 -->
    <topics task="COVIDSearch2020" batch="5">
      <topic number="1">
        <query>coronavirus  origin</query>
        <question>what is the origin of COVID-19 &amp; SARS&#x2D;1</question>
        <narrative>seeking information
          about <![CDATA[a < b]]></narrative>
      </topic>
      <topic number='2'><query>masks</query><question>do masks help</question></topic>
    </topics>

    """
  private static let web = """
    <webtrack2009>
     <topic number="1" type="faceted">
      <query>obama family tree</query>
      <description>
        Find information on his family history.
      </description>
      <subtopic number="1" type="nav"> Find the magazine <query>ignored</query></subtopic>
     </topic>
    </webtrack2009>

    """

  private func texts(_ text: String, _ fields: String) throws -> [String] {
    let fields = try #require(EvaluationQuery.TopicFields(rawValue: fields))
    return try EvaluationQuery.queries(in: text, name: "t.xml", fields: fields).map { "\($0.id) \($0.text)" }
  }

  @Test(arguments: [
    ("title", ["1 coronavirus origin", "2 masks"]), ("query", ["1 coronavirus origin", "2 masks"]),
    ("question", ["1 what is the origin of COVID-19 & SARS-1", "2 do masks help"]),
    ("description", ["1 what is the origin of COVID-19 & SARS-1", "2 do masks help"]),
    ("query+narrative", ["1 coronavirus origin seeking information about a < b", "2 masks"]),
    ("narrative+query", ["1 seeking information about a < b coronavirus origin", "2 masks"]),
  ])
  func topicsOfTheCOVIDTrackAreRead(fields: String, expected: [String]) throws {
    #expect(try texts(XMLTopicTests.covid, fields) == expected)
  }

  @Test func topicsOfTheWebTrackAreRead() throws {
    #expect(try texts(XMLTopicTests.web, "title") == ["1 obama family tree"])
    #expect(try texts(XMLTopicTests.web, "description") == ["1 Find information on his family history."])
    #expect(
      try texts(XMLTopicTests.web, "all") == ["1 obama family tree Find information on his family history."])
  }

  /// Topics of the clinical trials tracks have no elements for their parts.
  @Test func textOfTopicsWithoutElementsIsRead() throws {
    let text = """
      <topics task="2021 TREC Clinical Trials">
        <topic number="1">
      Patient is a 45-year-old man
      with <![CDATA[a]]> cough
        </topic>
        <topic number="2"><age>7</age> Patient is a girl</topic>
      </topics>
      """
    for fields in ["title", "narrative", "all"] {
      #expect(
        try texts(text, fields) == ["1 Patient is a 45-year-old man with a cough", "2 Patient is a girl"])
    }
    #expect(try texts("<topic number=\"1\">ignored <query>tea</query> ignored</topic>", "title") == ["1 tea"])
  }

  @Test func attributesMayHaveSpacesAndEitherQuotationMark() throws {
    let text = "<topic a=\"x=1 number='8'\" b c = 'd' Number = '7'\tkind=none><query>tea</query></topic>"
    #expect(try texts(text, "title") == ["7 tea"])
  }

  /// The time of the search for attributes grew with the square of the length of a word.
  @Test func longTagsAreReadInLinearTime() throws {
    let isLinear = try takesLinearTime(50_000) { count in
      let word = String(repeating: "a", count: count)
      try #expect(texts("<topic \(word) number=\"1\"><query>tea</query></topic>", "title") == ["1 tea"])
    }
    #expect(isLinear)
  }

  @Test func fieldsHaveNames() {
    #expect(EvaluationQuery.TopicFields(rawValue: "title+description") == .titleAndDescription)
    #expect(EvaluationQuery.TopicFields.all.rawValue == "title+description+narrative")
    for name in ["", "title+", "titel", "title+title", "all+title"] {
      #expect(EvaluationQuery.TopicFields(rawValue: name) == nil)
    }
  }

  @Test(arguments: [
    ("<topics>\n<topic>\n<query>x</query></topic></topics>", "line 2: the topic has no number, as in <topic number="),
    (
      "<topics>\n<topic number=\"1\"><query>x</topic></topics>", "line 2: </topic> where </query> of line 2 is expected"
    ),
    ("<topics>\n<topic number=\"1\">\n<query>x</query>", "line 2: the element <topic> has no </topic>"),
    ("<topics><topic number=\"1\">\n<topic number=\"2\">", "line 1: the topic has no </topic>"),
    ("<topics><topic number=\"1\"/></topics>", "line 1: the topic is empty"),
    (
      "<topics><topic number=\"1\"><query>a < b</query></topic></topics>",
      "line 1: < b</query is not a tag; write &lt; for <"
    ),
    ("<topics><topic number=\"1\"><query>a\n<b", "line 2: the tag is not closed with >"),
    ("<topics><topic number=\"1\"><!-- x", "line 1: the comment or processing instruction is not closed"),
    ("<topic number=\"1\"><query>x</query></topic></topics>", "line 1: </topics> without <topics>"),
    (
      "<topic number=\"7\">\n<narrative>x</narrative></topic>",
      "line 1: the topic \"7\" has no <title>; it has <narrative>"
    ),
    (
      "<t><topic number=\"1\"><query>x</query></topic>\n<topic number=\"1\"><query>y</query></topic></t>",
      "line 2: the query \"1\" was already defined in line 1"
    ),
    ("<topic number=\"a b\"><query>x</query></topic>", "line 1: the id of a query must not be empty or contain white"),
    ("<?xml version=\"1.0\"?>\n<rss></rss>", "line 2: the file contains no topics"),
  ])
  func malformedTopicsThrow(text: String, message: String) throws {
    let error = #expect(throws: EvaluationFileError.self) { try texts(text, "title") }
    let description = error?.description ?? ""
    #expect(description.hasPrefix("t.xml, \(message)"))
  }

  /// Cut anywhere, and with any byte replaced, topics are read or rejected.
  @Test func damagedTopicsAreReadOrRejected() {
    let bytes = Array(XMLTopicTests.covid.utf8)
    for position in bytes.indices {
      var changed = bytes
      changed[position] = UInt8(ascii: position % 2 == 0 ? "<" : "\"")
      for text in [String(decoding: bytes[..<position], as: UTF8.self), String(decoding: changed, as: UTF8.self)] {
        do {
          for query in try EvaluationQuery.queries(in: text, name: "t") { #expect(!query.text.isEmpty) }
        } catch { #expect(error is EvaluationFileError) }
      }
    }
  }
}
