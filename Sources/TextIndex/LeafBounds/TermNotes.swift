import Synchronization

/// What is known in a state of an index of terms whose postings were not all read.
final class TermNotes: Sendable {
  private let notes = Mutex<[String: Note]>([:])

  private struct Note {
    let documentFrequency: Int
    var wasSearched = false
  }

  private static let limit = 4096

  /// In how many documents a term stands, where that was found out.
  func documentFrequency(of term: String) -> Int? { notes.withLock { $0[term]?.documentFrequency } }

  /// Whether a term was searched for.
  func wasSearched(_ term: String) -> Bool { notes.withLock { $0[term]?.wasSearched ?? false } }

  /// Notes in how many documents a term stands, and whether it was searched for.
  func note(_ term: String, documentFrequency: Int, isSearched: Bool) {
    notes.withLock { notes in
      if notes.count >= TermNotes.limit { notes.removeAll() }
      let wasSearched = notes[term]?.wasSearched ?? false
      notes[term] = Note(documentFrequency: documentFrequency, wasSearched: wasSearched || isSearched)
    }
  }
}
