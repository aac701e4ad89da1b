import Replication
import Testing
import VersionVectors

@Suite struct ChangeListTests {
  private let a = SourceID([UInt8](repeating: 1, count: 16))
  private let b = SourceID([UInt8](repeating: 2, count: 16))

  private func version(_ time: UInt64, _ author: SourceID?) throws -> Version {
    let known = try #require(author)
    return try #require(Version(time: time, author: known))
  }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func proposalsAreWrittenAndRead() throws {
    let changes = [
      ProposedChange(id: "hotel \"1\"", version: try version(20, a), known: try version(16, b), size: 100),
      ProposedChange(id: "h2", version: try version(255, b), known: nil, size: 0),
    ]
    let text = ProposedChanges.body(changes)
    #expect(
      String(decoding: text, as: UTF8.self)
        == #"[["hotel \"1\"","14@AQEBAQEBAQEBAQEBAQEBAQ","10@AgICAgICAgICAgICAgICAg",100],"#
        + #"["h2","ff@AgICAgICAgICAgICAgICAg","",0]]"#)
    #expect(try ProposedChanges.parse(text) == changes)
  }

  @Test func aWholeVectorIsAcceptedAsAVersion() throws {
    let text = #"[["h","14@AQEBAQEBAQEBAQEBAQEBAQ; 10@AgICAgICAgICAgICAgICAg"]]"#
    #expect(try ProposedChanges.parse(bytes(text)).first?.version == version(20, a))
  }

  @Test func proposalsHaveTheStatusOfTheStoredRevision() throws {
    let base = VersionVector(try version(10, a))
    let proposal = ProposedChange(id: "h", version: try version(20, b), known: try version(10, a), size: 0)
    let blind = ProposedChange(id: "h", version: try version(20, b), known: nil, size: 0)
    #expect(proposal.status(stored: nil, isDeleted: false) == .wanted)
    #expect(proposal.status(stored: base, isDeleted: false) == .wanted)
    #expect(proposal.status(stored: base.adding(try version(15, a)), isDeleted: false).code == 409)
    #expect(proposal.status(stored: base.adding(try version(20, b)), isDeleted: false) == .exists)
    #expect(proposal.status(stored: base.adding(try version(25, b)), isDeleted: false) == .exists)
    #expect(blind.status(stored: base, isDeleted: false).code == 409)
    #expect(blind.status(stored: base, isDeleted: true) == .wanted)
  }

  @Test func answersToProposalsAreShortened() throws {
    let statuses: [ProposedChange.Status] = [
      .wanted, .exists, .conflict(current: nil), .refused(403), .wanted, .wanted,
    ]
    let text = ProposedChanges.responseBody(statuses)
    #expect(String(decoding: text, as: UTF8.self) == "[0,304,409,403]")
    #expect(try ProposedChanges.parseResponse(text, count: 6) == statuses)
  }

  @Test func anAnswerWithTheRevisionOfAConflictIsRead() throws {
    let text = bytes(#"[0,{"status":409,"rev":"10@AgICAgICAgICAgICAgICAg"}]"#)
    #expect(try ProposedChanges.parseResponse(text, count: 2).map(\.code) == [0, 409])
  }

  @Test func changesAreWrittenAndRead() throws {
    let sequence = try #require(RemoteSequence(text: #""2:7""#))
    let change = RemoteChange(sequence: sequence, id: "h", version: try version(20, a), flags: .deleted, size: 9)
    let text = RemoteChanges.body([change])
    #expect(String(decoding: text, as: UTF8.self) == #"[["2:7","h","14@AQEBAQEBAQEBAQEBAQEBAQ",1,9]]"#)
    #expect(try RemoteChanges.parse(text) == [change])
    #expect(try RemoteChanges.parse(bytes("[]")).isEmpty)
  }

  @Test(arguments: [(0, false), (1, false), (2, true), (3, true), (4, true), (5, false), (6, true), (8, false)])
  func removalsAreRecognized(flags: Int, isRemoval: Bool) {
    #expect(RemoteChange.Flags(rawValue: flags).isRemoval == isRemoval)
  }

  @Test func answersToChangesAreReadBack() throws {
    let responses: [RemoteChanges.Response] = [
      .wanted(known: []), .unwanted, .wanted(known: ["1-ab"]), .refused(409), .unwanted,
    ]
    let text = RemoteChanges.responseBody(responses)
    #expect(String(decoding: text, as: UTF8.self) == #"[[],0,["1-ab"],409]"#)
    #expect(try RemoteChanges.parseResponse(text, count: 5) == responses)
    #expect(try RemoteChanges.parseResponse(bytes("[null]"), count: 1) == [.unwanted])
  }

  @Test(arguments: [
    "", "{}", "[1]", "[[]]", #"[["h"]]"#, #"[["","14@AQEBAQEBAQEBAQEBAQEBAQ"]]"#, #"[["h","14"]]"#,
    #"[["h","14@AQEBAQEBAQEBAQEBAQEBAQ","x"]]"#,
  ]) func malformedProposalsAreErrors(text: String) {
    #expect(throws: ReplicationError.self) { try ProposedChanges.parse(bytes(text)) }
    #expect(throws: ReplicationError.self) { try RemoteChanges.parse(bytes(text)) }
  }

  @Test func moreAnswersThanChangesAreAnError() {
    #expect(throws: ReplicationError.self) { try ProposedChanges.parseResponse(bytes("[0,0]"), count: 1) }
    #expect(throws: ReplicationError.self) { try RemoteChanges.parseResponse(bytes("[0,0]"), count: 1) }
  }
}
