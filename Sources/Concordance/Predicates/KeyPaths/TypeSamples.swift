import Foundation
import JSONText

/// The sample instances of a type: a base instance, and for each requested path an instance in which the value at that
/// path is different. Instances are created on demand and cached.
final class TypeSamples<T: Decodable> {
  /// The origin of a property's value.
  enum Source {
    /// The value is decoded from this property.
    case found(ResolvedKeyPath)
    /// The value depends on several keys, or is changed after it is decoded.
    case mixed
    /// The value does not depend on any key that samples can change. The associated value lists the keys whose value is
    /// always equal to it.
    case unknown([String])
  }

  private typealias Run = (value: T?, session: SampleSession)

  private lazy var base: Run = SampleSession.run(T.self)
  private var changed: [[PropertyPath.Component]: Run] = [:]

  /// Whether the type cannot be decoded from sample values.
  var isEmpty: Bool { base.value == nil }

  /// Whether the type decodes a ``DocumentID``.
  var holdsDocumentID: Bool { base.session.records.contains { $0.isDocumentID } }

  /// Returns whether the type has a coding key with this name.
  func hasKey(_ key: String) -> Bool { base.session.hasKey.contains { $0(key) } }

  /// Returns the origin of the value at a key path.
  ///
  /// The search descends from the top level of the document. At each level, exactly one key must change the value.
  ///
  /// - Complexity: the first calls decode the type once for each of its coding keys; the instances are cached.
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

  /// Returns the top-level keys whose value equals this one in both runs, for example the key of an enum with one case.
  private func constantKeys(holding value: Any) -> [String] {
    next(after: []).compactMap { step in
      guard case .key(let key) = step else { return nil }
      let values = [base, run([step])].map { self.value(at: [step], of: $0) }
      return values.allSatisfy { $0.map { ValueShape.isSame($0, value) } ?? false } ? key : nil
    }
  }

  /// Returns the property at `path` if the value at the key path is the value decoded there, both in the base instance
  /// and in the instance in which that value is different; otherwise nil.
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

  /// Returns the distinct components that follow a path in the recorded requests.
  private func next(after prefix: [PropertyPath.Component]) -> [PropertyPath.Component] {
    var seen: Set<PropertyPath.Component> = []
    return base.session.records.compactMap { record in
      guard record.path.count > prefix.count, record.path.starts(with: prefix) else { return nil }
      return seen.insert(record.path[prefix.count]).inserted ? record.path[prefix.count] : nil
    }
  }

  /// Returns the run in which the values at and below a path are different.
  private func run(_ path: [PropertyPath.Component]) -> Run {
    if let run = changed[path] { return run }
    let run = SampleSession.run(T.self, changed: path)
    changed[path] = run
    return run
  }

  /// Returns the value that a run decoded at a path; nil if the run did not request a value there.
  private func value(at path: [PropertyPath.Component], of run: Run) -> Any? {
    run.session.records.last { $0.path == path }?.value
  }
}
