/// A type that can be saved as a document: an `Encodable` class or struct with one ``DocumentID`` property.
///
/// ```swift
/// struct Hotel: Codable {
///   @DocumentID var id: String?
///   var name: String
///   var stars: Int?
///   var opened: Date
///   var photo: Blob?
/// }
/// try hotels.save(from: Hotel(name: "Ghia", opened: Date()))
/// ```
///
/// Values are stored as follows:
///
/// | Swift | document |
/// |---|---|
/// | `Date` | an ISO 8601 string with as many digits as are necessary to decode an equal date |
/// | `Data` | a Base64 string |
/// | ``Blob`` | a blob |
/// | `URL`, `UUID` | a string |
/// | nil | null |
///
/// This is a type alias, so a type need not declare conformance to it. In Couchbase Lite, `DocumentEncodable` is a
/// protocol for classes.
public typealias DocumentEncodable = Encodable

/// A type that documents can be decoded as: any `Decodable` type. See ``DocumentEncodable``.
public typealias DocumentDecodable = Decodable

/// A type that can be saved as a document and decoded from one: any `Codable` type. See ``DocumentEncodable``.
public typealias DocumentCodable = Codable
