import Foundation
import JSONText

/// Sample values of a type: one that all others are compared with, and one for each coding key that was changed.
final class TypeSamples<T: Decodable> {
  /// The origin of a property's value.
  enum Source {
    case found(ResolvedKeyPath)
    /// From several keys, or changed after decoding.
    case mixed
    /// From no key that samples could change. Of these keys, which they could not, it might be.
    case unknown([String])
  }

  private typealias Run = (value: T?, session: SampleSession)

  private lazy var base: Run = SampleSession.run(T.self)
  private var changed: [[PropertyPath.Component]: Run] = [:]

  /// Whether the type takes no sample values.
  var isEmpty: Bool { base.value == nil }

  /// Whether an id of a document is decoded.
  var holdsDocumentID: Bool { base.session.records.contains { $0.isDocumentID } }

  /// Whether the type has a coding key of this name.
  func hasKey(_ key: String) -> Bool { base.session.hasKey.contains { $0(key) } }

  /// Returns the origin of the value at a key path.
  ///
  /// - Complexity: a run of the type's decoder for each of its coding keys, once.
  func source(of keyPath: PartialKeyPath<T>) -> Source {
    guard let value = base.value?[keyPath: keyPath] else { return .unknown([]) }
    var prefix: [PropertyPath.Component] = []
    while true {
      if let path = decoded(value, keyPath, at: prefix) { return .found(path) }
      let hits = next(after: prefix).filter { step in
        let run = run(prefix + [step])
        return run.value.map { !ValueShape.isSame($0[keyPath: keyPath], value) } ?? false
      }
      guard hits.count == 1, let step = hits.first else {
        return prefix.isEmpty && hits.isEmpty ? .unknown(constantKeys(holding: value)) : .mixed
      }
      prefix.append(step)
    }
  }

  /// The keys at the top that hold this value in every run, as of an enum with one case.
  private func constantKeys(holding value: Any) -> [String] {
    next(after: []).compactMap { step in
      guard case .key(let key) = step else { return nil }
      let values = [base, run([step])].map { self.value(at: [step], of: $0) }
      return values.allSatisfy { $0.map { ValueShape.isSame($0, value) } ?? false } ? key : nil
    }
  }

  /// The path, if the value at the key path is the one that was decoded there, now and when it is changed.
  private func decoded(
    _ value: Any, _ keyPath: PartialKeyPath<T>, at path: [PropertyPath.Component]
  ) -> ResolvedKeyPath? {
    let run = run(path)
    guard let other = run.value?[keyPath: keyPath], !ValueShape.isSame(other, value) else { return nil }
    let records = base.session.records.filter { $0.path == path && ValueShape.isSame($0.value, value) }
    guard let record = records.first,
      run.session.records.contains(where: { $0.path == path && ValueShape.isSame($0.value, other) })
    else { return nil }
    return ResolvedKeyPath(components: path, isDocumentID: record.isDocumentID && path.count == 1)
  }

  /// The steps that lead on from a path.
  private func next(after prefix: [PropertyPath.Component]) -> [PropertyPath.Component] {
    var seen: Set<PropertyPath.Component> = []
    return base.session.records.compactMap { record in
      guard record.path.count > prefix.count, record.path.starts(with: prefix) else { return nil }
      return seen.insert(record.path[prefix.count]).inserted ? record.path[prefix.count] : nil
    }
  }

  private func run(_ path: [PropertyPath.Component]) -> Run {
    if let run = changed[path] { return run }
    let run = SampleSession.run(T.self, changed: path)
    changed[path] = run
    return run
  }

  private func value(at path: [PropertyPath.Component], of run: Run) -> Any? {
    run.session.records.last { $0.path == path }?.value
  }
}
