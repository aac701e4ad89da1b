import TestSupport
import Testing
import VersionVectors

private let a = author(1)
private let b = author(2)
private let c = author(3)

private func author(_ number: UInt8) -> SourceID {
  guard let id = SourceID([UInt8](repeating: number, count: 16)) else { return .revisionTree }
  return id
}

private func version(_ time: UInt64, _ author: SourceID?) throws -> Version {
  try #require(Version(time: time, author: author))
}

@Suite struct VersionVectorTests {
  @Test func aSaveReplacesTheEntryOfItsAuthor() throws {
    let vector = VersionVector(try version(1, a)).adding(try version(2, b)).adding(try version(3, a))
    #expect(vector.entries == [try version(3, a), try version(2, b)])
  }

  @Test func comparisonsHaveFourResults() throws {
    let base = VersionVector(try version(1, a))
    let left = base.adding(try version(2, b))
    let right = base.adding(try version(3, c))
    #expect(base.compare(with: base) == .same)
    #expect(base.compare(with: left) == .older)
    #expect(left.compare(with: base) == .newer)
    #expect(left.compare(with: right) == .conflicting)
  }

  @Test func aMergeIncludesBothSides() throws {
    let base = VersionVector(try version(1, a))
    let left = base.adding(try version(2, b))
    let right = base.adding(try version(3, c))
    let merge = left.merging(right, as: try version(5, a))
    #expect(merge.merged == [try version(3, c), try version(2, b)])
    #expect(merge.history.isEmpty)
    #expect(merge.compare(with: left) == .newer)
    #expect(right.compare(with: merge) == .older)
  }

  /// Regression test: the revision id with the greater digest was considered newer, so the other revision was lost.
  @Test func revisionIDsOfTheSameGenerationConflict() throws {
    func vector(_ text: String) throws -> VersionVector { try VersionVector(text: text) }
    let (one, two) = (try vector("3-aaaa"), try vector("3-bbbb"))
    #expect(one.compare(with: two) == .conflicting && two.compare(with: one) == .conflicting)
    #expect(!two.includes(one.current) && two.includes(two.current))
    #expect(one.compare(with: try vector("4-0000")) == .older)
    #expect(try vector("1803@\(a); 3-aaaa").compare(with: two) == .conflicting)
    #expect(try vector("1803@\(a); 3-bbbb").compare(with: two) == .newer)
    #expect(try vector("1803@\(a); 4-0000").compare(with: two) == .newer)
    // No version of one of them can win unchanged, because an author has one entry.
    #expect(!two.winning(over: one).includes(one.current))
  }

  @Test(arguments: ["+3-ab", "-3-ab", "-ab", "3-", "3-xy"]) func malformedRevisionIDsAreErrors(text: String) {
    #expect(throws: VersionError.self) { try Version(revisionID: text) }
  }

  @Test(arguments: [
    ("3-aaaa", "3-bbbb"), ("1700@\(b); 3-aaaa", "3-bbbb"), ("1700@\(b); 3-aaaa", "1701@\(c); 3-bbbb"),
    ("1700@\(a); 3-aaaa", "3-bbbb"), ("3-bbbb", "1700@\(b), 16ff@\(a), 3-aaaa;"), ("4194303-aa", "4194303-bb"),
  ])
  func mergesOfRevisionIDsIncludeBothSides(_ one: String, _ other: String) throws {
    let (one, two) = (try VersionVector(text: one), try VersionVector(text: other))
    for (left, right) in [(one, two), (two, one)] {
      let merge = left.merging(right, as: try version(0x1802, a))
      #expect(try VersionVector(text: merge.text()) == merge)
      #expect(try VersionVector(bytes: merge.bytes) == merge)
      // There is no generation after the last one, which Couchbase Lite never reaches.
      guard left.current.time >> 40 < 4_194_303 else { continue }
      for parent in [left, right] {
        #expect(merge.compare(with: parent) == .newer && parent.compare(with: merge) == .older)
        for entry in parent.entries { #expect(merge.includes(entry), "\(merge.text()) \(entry)") }
        #expect(merge.adding(try version(0x1900, b)).includes(parent.current))
      }
    }
  }

  /// The author of the merge also made one of the merged versions, as a client that resolves a conflict.
  @Test func theAuthorOfAMergeMayOccurTwice() throws {
    let mine = VersionVector(try version(4, a))
    let theirs = VersionVector(try version(6, b)).adding(try version(7, c))
    let merge = mine.merging(theirs, as: try version(9, a))
    #expect(merge.entries == [try version(9, a), try version(7, c), try version(4, a), try version(6, b)])
    #expect(merge.adding(try version(10, b)).entries == [try version(10, b), try version(9, a), try version(7, c)])
    #expect(try VersionVector(text: merge.text()) == merge)
    #expect(try VersionVector(bytes: merge.bytes) == merge)
  }

  @Test func theWinnerOfAConflictIsNotANewRevision() throws {
    let mine = VersionVector(try version(4, a))
    let theirs = VersionVector(try version(6, b)).adding(try version(7, c))
    let winner = theirs.winning(over: mine)
    #expect(winner.compare(with: theirs) == .same)
    #expect(mine.compare(with: winner) == .older)
    #expect(winner.entries == [try version(7, c), try version(6, b), try version(4, a)])
  }

  @Test func pruningKeepsTheLatestEntries() throws {
    var vector = VersionVector(try version(1, author(1)))
    for number in 2...20 as ClosedRange<UInt8> { vector = vector.adding(try version(UInt64(number), author(number))) }
    #expect(vector.pruned(to: 3).entries.map(\.time) == [20, 19, 18])
    #expect(vector.pruned(to: 0).entries.map(\.time) == [20])
  }

  @Test func aRepeatedAuthorIsAnError() throws {
    #expect(throws: VersionError.repeatedAuthor) {
      try VersionVector(current: try version(3, a), history: [try version(2, a)])
    }
  }

  /// Three databases that replicate with each other in random pairs, and resolve conflicts by merging.
  @Test(arguments: 0..<20) func databasesConverge(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let authors = [a, b, c]
    // The clocks of the machines differ by a minute.
    var clocks = [HybridClock](repeating: HybridClock(), count: 3)
    let leads: [UInt64] = [0, 60_000_000_000, 30_000_000_000]
    var systemTime: UInt64 = 1_700_000_000_000_000_000
    var vectors = [VersionVector](repeating: VersionVector(try version(systemTime, a)), count: 3)
    func exchange(_ one: Int, _ other: Int) throws {
      try clocks[one].observe(vectors[other], systemTime: systemTime + leads[one])
      try clocks[other].observe(vectors[one], systemTime: systemTime + leads[other])
      switch vectors[one].compare(with: vectors[other]) {
      case .same: break
      case .older: vectors[one] = vectors[other]
      case .newer: vectors[other] = vectors[one]
      case .conflicting:
        let time = clocks[one].next(systemTime: systemTime + leads[one])
        vectors[one] = vectors[one].merging(vectors[other], as: try version(time, authors[one]))
        vectors[other] = vectors[one]
      }
    }
    for _ in 0..<100 {
      systemTime += UInt64.random(in: 0...2_000_000_000, using: &generator)
      let index = Int.random(in: 0..<3, using: &generator)
      if Bool.random(using: &generator) {
        let time = clocks[index].next(systemTime: systemTime + leads[index])
        let changed = vectors[index].adding(try version(time, authors[index]))
        #expect(changed.compare(with: vectors[index]) == .newer)
        vectors[index] = changed
      } else {
        try exchange(index, (index + 1) % 3)
      }
    }
    for pair in [(0, 1), (1, 2), (0, 1), (0, 2)] { try exchange(pair.0, pair.1) }
    #expect(vectors[0].compare(with: vectors[1]) == .same)
    #expect(vectors[1].compare(with: vectors[2]) == .same)
  }
}

@Suite struct VersionVectorFormTests {
  @Test func aSourceIDIsBase64WithoutPadding() throws {
    let id = try #require(SourceID(Array(0..<16)))
    #expect("\(id)" == "AAECAwQFBgcICQoLDA0ODw")
    #expect(SourceID(text: "AAECAwQFBgcICQoLDA0ODw") == id)
    #expect("\(SourceID.revisionTree)" == "Revision+Tree+Encoding" || SourceID(text: "Revision+Tree+Encoding") == nil)
  }

  @Test func textsAreRead() throws {
    let vector = try VersionVector(text: "1803@\(c); 17f9@\(b), 17f5@*")
    #expect(vector.current == (try version(0x1803, c)))
    #expect(vector.history == [try version(0x17f9, b), try version(0x17f5, nil)])
    #expect(vector.text() == "1803@\(c); 17f9@\(b), 17f5@*")
    #expect(vector.text(localSource: a) == "1803@\(c); 17f9@\(b), 17f5@\(a)")
  }

  @Test func aRevisionAndItsHistoryAreAVector() throws {
    let merge = VersionVector(try version(2, a)).merging(VersionVector(try version(3, b)), as: try version(5, c))
    #expect(merge.restText() == "3@\(b), 2@\(a);")
    for vector in [
      merge, merge.adding(try version(9, a)), merge.adding(try version(9, author(9))), VersionVector(merge.current),
    ] {
      #expect(try VersionVector(revision: vector.current.text(), history: vector.restText()) == vector)
      #expect(try VersionVector(text: vector.text()) == vector)
    }
  }

  @Test func oldRevisionIDsAreVersions() throws {
    let old = try Version(revisionID: "3-a1b2c3d4e5f6")
    #expect(old.time == 3 << 40 | 0xA1B2C3D4E5)
    #expect(old.author == .revisionTree)
    #expect(try VersionVector(text: "5@\(a); 3-a1b2c3d4e5f6").history == [old])
  }

  @Test(arguments: [
    "", ";", "5", "@", "5@", "0@*", "G@*", "5@AAAA", "5@*,", "5@*;;", "FFFFFFFFFFFFFFFF@*", "ffffffffffffffff@*",
    "5@*, 4@*",
    "5@*, 4@AAAAAAAAAAAAAAAAAAAAAA; 3@AAECAwQFBgcICQoLDA0ODw", "0-ab", "1-", "5@AAECAwQFBgcICQoLDA0OD!",
  ]) func malformedTextsAreErrors(text: String) {
    #expect(throws: VersionError.self) { try VersionVector(text: text) }
  }

  /// Written by hand from the description: time 3 × 65,536 → 6, author me; 65,536 earlier → 2; 1 earlier → 3.
  @Test func bytesAreAsDescribed() throws {
    let vector = try VersionVector(
      current: try version(3 << 16, nil), history: [try version(2 << 16, a), try version(2 << 16 - 1, b)])
    #expect(vector.bytes == [0, 6, 0, 2, 16] + a.bytes + [3, 16] + b.bytes)
    #expect(try VersionVector(bytes: vector.bytes) == vector)
  }

  @Test(arguments: 0..<20) func randomVectorsKeepTheirContent(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      var authors = (0...30).map { author($0) as SourceID? }
      authors[0] = nil
      authors.shuffle(using: &generator)
      let versions = try authors.prefix(Int.random(in: 1...20, using: &generator)).map { author in
        let time =
          UInt64.random(in: 1...Version.maximumTime, using: &generator) >> UInt64.random(in: 0...40, using: &generator)
        return try version(max(1, Bool.random(using: &generator) ? time : time << 20 & Version.maximumTime), author)
      }
      let isMerge = versions.count > 2 && Bool.random(using: &generator)
      let vector = try VersionVector(
        current: versions[0], merged: isMerge ? Array(versions[1...2]) : [],
        history: Array(versions.dropFirst(isMerge ? 3 : 1)))
      #expect(try VersionVector(bytes: vector.bytes) == vector)
      #expect(try VersionVector(text: vector.text()) == vector)
      var bytes = vector.bytes
      bytes[Int.random(in: 0..<bytes.count, using: &generator)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      bytes.removeLast(Int.random(in: 0..<3, using: &generator))
      _ = try? VersionVector(bytes: bytes)
    }
  }

  @Test(arguments: [[], [1], [0], [0, 6], [0, 6, 1], [0, 6, 16, 1], [0, 0, 0], [0, 6, 0, 2, 0x80]] as [[UInt8]])
  func malformedBytesAreErrors(bytes: [UInt8]) {
    #expect(throws: VersionError.self) { try VersionVector(bytes: bytes) }
  }
}

@Suite struct HybridClockTests {
  @Test func timesGrowWhileTheMachinesClockStandsStill() {
    var clock = HybridClock()
    let times = (0..<3).map { _ in clock.next(systemTime: 5 << 16 + 99) }
    #expect(times == [5 << 16, 5 << 16 + 1, 5 << 16 + 2])
  }

  @Test func timesGrowWhenTheMachinesClockGoesBack() {
    var clock = HybridClock(last: 9 << 16)
    #expect(clock.next(systemTime: 5 << 16) == 9 << 16 + 1)
  }

  @Test func timesAreLaterThanReceivedOnes() throws {
    var clock = HybridClock()
    try clock.observe(7 << 16, systemTime: 5 << 16)
    #expect(clock.next(systemTime: 5 << 16) == 7 << 16 + 1)
  }

  @Test func timesInTheFutureAreRefused() throws {
    var clock = HybridClock()
    let time = HybridClock.maximumLead + 1001
    #expect(throws: VersionError.timeInFuture(time)) { try clock.observe(time, systemTime: 1000) }
    #expect(clock.last == 0)
    try clock.observe(time - 1, systemTime: 1000)
  }

  @Test func ofSeveralOldRevisionIDsTheLatestIsKept() throws {
    let third = try VersionVector(revision: "3-cccc", history: "2-bbbb, 1-aaaa")
    #expect(third == VersionVector(try Version(revisionID: "3-cccc")))
    let changed = try VersionVector(
      revision: try #require(Version(time: 5, author: a)).text(), history: "2-bbbb,1-aaaa")
    #expect(changed.history == [try Version(revisionID: "2-bbbb")])
  }

  @Test func oldRevisionIDsDoNotMoveTheClock() throws {
    var clock = HybridClock()
    let old = try Version(revisionID: "3-a1b2c3d4e5f6")
    try clock.observe(VersionVector(current: try #require(Version(time: 5, author: a)), history: [old]), systemTime: 10)
    #expect(clock.last == 5)
  }
  @Test func generationsWithTimesInTheFutureAreRefused() throws {
    let old = try Version(revisionID: "4194303-ff")
    #expect(throws: VersionError.generationTooLarge(4_194_303)) {
      try VersionVector(old).checkGeneration(systemTime: old.time - 1)
    }
    try VersionVector(old).checkGeneration(systemTime: old.time)
    // Only the current version becomes the revision of a document.
    let changed = try VersionVector(current: try #require(Version(time: 5, author: a)), history: [old])
    try changed.checkGeneration(systemTime: 10)
  }
}
