import Concordance
import TestSupport
import Testing

/// Misspelt words that some documents have, corrected by the words next to them.
@Suite struct SpellingContextTests {
  let files: TemporaryDatabase

  init() throws {
    files = try TemporaryDatabase()
    try files.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["text"]))
    try files.database.inBatch {
      for number in 0..<220 {
        try files.save("m\(number)", #"{"text":"the memory allocation of the kernel takes a certain time"}"#)
      }
      for number in 0..<40 {
        try files.save("b\(number)", #"{"text":"a memory barrier orders pthread_mutex_lock calls"}"#)
      }
      // Misspellings by authors, each in a different document.
      for (number, text) in [
        "memmory is full", "an alocation fails", "memroy leaks", "this barier of stones", "use mutx here",
      ].enumerated() {
        try files.save("typo\(number)", "{\"text\":\"\(text)\"}")
      }
      try files.save("play", #"{"text":"the curtain falls on the theorem"}"#)
    }
  }

  private func didYouMean(_ query: String) throws -> String? {
    let results = try files.collection.search(query)
    #expect(results.didYouMean == nil || !results.hits.isEmpty, "\(query)")
    return results.relaxation?.matchesAnyWord == true ? nil : results.didYouMean
  }

  @Test(arguments: [
    ("memmory alocation", "memory allocation"), ("memroy barier", "memory barrier"),
    ("Memmory allocation", "memory allocation"),
    ("memory alocation", "memory allocation"),
    ("the memmory alocation of the kernel", "the memory allocation of the kernel"),
    // One of the words is in no document.
    ("memmory barrrier", "memory barrier"), ("mmeory alocation", "memory allocation"),
  ])
  func wordsNextToEachOtherAreCorrectedTogether(typed: String, meant: String) throws {
    #expect(try didYouMean(typed) == meant)
  }

  /// Two letters are swapped in a word of four letters, and a single insertion would give a rare word of five letters.
  @Test(arguments: [("memory laek", "memory leak"), ("lsit memory", "list memory"), ("laek", "leak")])
  func swappedLettersOfShortWordsAreCorrected(typed: String, meant: String) throws {
    for number in 0..<6 { try files.save("l\(number)", #"{"text":"a list of every leak of memory, leak by leak"}"#) }
    try files.save("rare", #"{"text":"laeko lsbit"}"#)
    #expect(try didYouMean(typed) == meant)
  }

  /// A correction is neither used nor suggested if no document contains all of its words.
  @Test func wordsThatAreNotFoundTogetherAreNotCorrected() throws {
    try files.save("rare", #"{"text":"lsbit ptarmigan"}"#)
    for query in ["lsbitt memory", "ptarmgan memory allocation"] {
      let results = try files.collection.search(query)
      #expect(results.didYouMean == nil && results.suggestedQuery == nil, "\(query)")
      #expect(results.relaxation?.query == query && results.hits.allSatisfy { $0.id != "rare" }, "\(query)")
    }
  }

  /// The most likely correction of the word alone differs from the most likely one that occurs with the other words.
  @Test func correctionThatOccursWithTheOtherWordsIsChosen() throws {
    for number in 0..<9 { try files.save("s\(number)", #"{"text":"marble"}"#) }
    try files.save("w", #"{"text":"warble, and then a good many other words before the nightingale"}"#)
    #expect(try didYouMean("narble") == "marble")
    #expect(try didYouMean("narble nightingale") == "warble nightingale")
  }

  @Test func identifiersAreCorrectedByTheirParts() throws {
    #expect(try didYouMean("pthread_mutx_lock") == "pthread_mutex_lock")
    #expect(try didYouMean("ptread_mutx_lock") == "pthread_mutex_lock")
    // Transposed letters may be the first or last ones of a part.
    for typed in ["pthread_mutex_lokc", "pthread_mutex_olck", "ptherad_umtex_lock"] {
      #expect(try didYouMean(typed) == "pthread_mutex_lock")
    }
    // The last part is not misspelt, but a different word.
    #expect(try didYouMean("pthread_mutex_unlock") == nil)
    #expect(try didYouMean("pthread_mutex_locks") == nil)
  }

  @Test func identifiersAreCorrectedIfTheirPartsAreIndexed() throws {
    var config = FullTextIndexConfiguration(["text"])
    config.analyzer.code = true
    try files.collection.createIndex(withName: "search", config: config)
    #expect(try didYouMean("pthread_mutx_lock") == "pthread_mutex_lock")
  }

  @Test func singleMisspeltWordIsFoundAndTheCommonWordSuggested() throws {
    for number in 0..<40 { try files.save("n\(number)", #"{"text":"memory"}"#) }
    try files.save("typo9", #"{"text":"memmory again"}"#)
    let results = try files.collection.search("memmory")
    #expect(Set(results.hits.map(\.id)) == ["typo0", "typo9"] && results.didYouMean == nil)
    #expect(results.suggestedQuery == "memory")
  }

  @Test func wordsThatOccurTogetherAreFoundAndTheCommonOnesSuggested() throws {
    try files.save("both", #"{"text":"memmory alocation"}"#)
    let results = try files.collection.search("memmory alocation")
    #expect(results.hits.map(\.id) == ["both"] && results.didYouMean == nil)
    #expect(results.suggestedQuery == "memory allocation")
  }

  @Test(arguments: ["curtain theorem", "curtain memory", "stones theorem", "curtain falls kernel", "theorem memmory"])
  func rareWordsAreNotChanged(query: String) throws {
    #expect(try didYouMean(query) == nil)
  }

  /// For random queries: a corrected query, searched for unchanged, finds the same hits.
  @Test func correctedQueryFindsSameHits() throws {
    var random = SeededGenerator(seed: 17)
    let words = [
      "memmory", "alocation", "memroy", "barier", "barrrier", "mutx", "curtain", "theorem", "kernal",
      "pthread_mutx_lock", "memory",
      "zebra", "certian", "stones", "-kernel", "OR",
    ]
    var corrected = 0
    for _ in 0..<300 {
      let query = (0..<Int.random(in: 1...3, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
        .joined(separator: " ")
      let results = try files.collection.search(query)
      guard let relaxation = results.relaxation, !relaxation.corrections.isEmpty, !relaxation.matchesAnyWord else {
        continue
      }
      corrected += 1
      var request = SearchRequest(relaxation.query)
      request.relaxes = false
      #expect(try files.collection.search(request).hits.map(\.id) == results.hits.map(\.id), "\(query)")
      #expect(!results.hits.isEmpty, "\(query)")
    }
    #expect(corrected > 30)
  }
}
