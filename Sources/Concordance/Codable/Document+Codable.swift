extension Document {
  /// Returns the document as a value of a `Decodable` type.
  ///
  /// ```swift
  /// let query = try database.createQuery("SELECT META().id FROM hotels WHERE stars = 5")
  /// for row in try query.execute() {
  ///   guard let id = row.string(at: 0), let document = try hotels.document(id: id) else { continue }
  ///   print(try document.data(as: Hotel.self).name)
  /// }
  /// ```
  ///
  /// The ``DocumentID`` of the value refers to this version of the document, so that ``Collection/save(from:)`` and
  /// ``Collection/save(from:concurrencyControl:)`` can save it.
  ///
  /// - Parameter type: the type of the value.
  /// - Throws: ``CBLError/decodingError`` if a property cannot be decoded; the message contains its path.
  public func data<T: DocumentDecodable>(as type: T.Type) throws -> T {
    do {
      let value = try PropertyDecoder(self) { _ in DocumentID(self) }.decode(type)
      // The decoder does not set ids that are not among the coding keys of the type.
      for (_, id) in DocumentID.properties(of: value) { id.document = self }
      return value
    } catch {
      throw CodingFailure.decoding(error, "the document \"\(id)\" as \(type)")
    }
  }
}

extension SearchHit {
  /// Returns the document of the hit as a value of a `Decodable` type.
  ///
  /// ```swift
  /// for hit in try hotels.search("ghia").hits { print(try hit.data(as: Hotel.self).name) }
  /// ```
  ///
  /// - Parameter type: the type of the value.
  /// - Throws: the same errors as ``Document/data(as:)``.
  public func data<T: DocumentDecodable>(as type: T.Type) throws -> T { try document.data(as: type) }
}
