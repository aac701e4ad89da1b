extension AsyncCollection {
  /// Deletes an index. See ``Collection/deleteIndex(forName:)``.
  ///
  /// - Parameter name: the name of the index.
  /// - Throws: the same errors as ``Collection/deleteIndex(forName:)``; `CancellationError`.
  public func deleteIndex(forName name: String) async throws { try await write { try $0.deleteIndex(forName: name) } }

  /// Rebuilds an index from the documents. See ``Collection/rebuildIndex(forName:progress:)``.
  ///
  /// - Parameter name: the name of the index.
  /// - Throws: the same errors as ``Collection/rebuildIndex(forName:progress:)``; `CancellationError`.
  public func rebuildIndex(forName name: String) async throws { try await write { try $0.rebuildIndex(forName: name) } }

  /// Merges the segments of an index into one. See ``Collection/optimizeIndex(forName:)``.
  ///
  /// - Parameter name: the name of the index.
  /// - Throws: the same errors as ``Collection/optimizeIndex(forName:)``; `CancellationError`.
  public func optimizeIndex(forName name: String) async throws {
    try await write { try $0.optimizeIndex(forName: name) }
  }
}
