import HTTPTypes
import JSONText

/// The description of the API as OpenAPI 3.1, generated from the endpoints.
enum OpenAPIDocument {
  static let bytes: [UInt8] = {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("openapi", "3.1.0")
      writer.member("info") { writer in
        writer.object { writer in
          writer.member("title", "Concordance")
          writer.member("version", "1")
        }
      }
      writer.member("paths") { writer in
        writer.object { writer in
          for (path, endpoints) in grouped {
            writer.member(path) { writer in
              writer.object { writer in
                for endpoint in endpoints {
                  writer.member(endpoint.method.rawValue.lowercased()) { write(endpoint, to: &$0) }
                }
              }
            }
          }
        }
      }
      writer.object("components") { writer in
        writer.object("securitySchemes") { $0.member("token") { $0.write(rawJSON: token.utf8) } }
        writer.object("schemas") { writer in
          for component in SchemaComponent.allCases {
            writer.member(component.rawValue) { $0.write(rawJSON: component.schema.text.utf8) }
          }
        }
      }
    }
    return writer.bytes
  }()

  private static var grouped: [(String, [Endpoint])] {
    Dictionary(grouping: ConcordanceServer.endpoints, by: \.path).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private static let token = #"{"type":"http","scheme":"bearer"}"#

  private static func write(_ endpoint: Endpoint, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("operationId", endpoint.operation)
      writer.member("summary", endpoint.summary)
      if let scope = endpoint.scope {
        writer.member("security") { $0.write(rawJSON: "[{},{\"token\":[\"\(scope.rawValue)\"]}]".utf8) }
      }
      writer.member("parameters") { writer in
        writer.array { writer in
          for name in endpoint.variables {
            parameter(name, "path", nil, .string, isRequired: true, to: &writer)
          }
          for one in endpoint.parameters {
            parameter(
              one.name, one.isHeader ? "header" : "query", one.summary, one.schema, isRequired: one.isRequired,
              to: &writer)
          }
          if endpoint.hasQueryParameters { writer.write(rawJSON: queryParameters.utf8) }
        }
      }
      if let body = endpoint.body {
        writer.member("requestBody") { writer in
          writer.object { writer in
            writer.member("required", true)
            content([(body.mediaType, body.schema.text)], to: &writer)
          }
        }
      }
      writer.member("responses") { responses(of: endpoint, to: &$0) }
    }
  }

  /// Parameters of SQL++ queries, whose names are chosen by the client.
  private static let queryParameters =
    #"{"name":"parameters","in":"query","description":"Values of the query's parameters: $name=3. A value that is not "#
    + #"JSON is a string.","required":false,"style":"form","explode":true,"schema":{"type":"object","#
    + #""propertyNames":{"pattern":"^\\$[A-Za-z_][A-Za-z0-9_]*$"},"additionalProperties":{"type":"string"}}}"#

  private static func parameter(
    _ name: String, _ location: String, _ summary: String?, _ schema: JSONSchema, isRequired: Bool,
    to writer: inout JSONWriter
  ) {
    writer.object { writer in
      writer.member("name", name)
      writer.member("in", location)
      if let summary { writer.member("description", summary) }
      writer.member("required", isRequired)
      writer.member("schema") { $0.write(rawJSON: schema.text.utf8) }
    }
  }

  private static func responses(of endpoint: Endpoint, to writer: inout JSONWriter) {
    writer.object { writer in
      let statuses = Dictionary(grouping: endpoint.responses, by: \.status).sorted { $0.key < $1.key }
      for (status, responses) in statuses {
        writer.member("\(status)") { writer in
          writer.object { writer in
            writer.member("description", responses.first?.description ?? "")
            let types = responses.compactMap(\.mediaType)
            if !types.isEmpty {
              content(types.map { ($0, $0 == "application/json" ? endpoint.result?.text ?? "{}" : "{}") }, to: &writer)
            }
          }
        }
      }
      writer.member("default") { writer in
        writer.object { writer in
          writer.member("description", "An error.")
          content([("application/problem+json", JSONSchema.component(.problem).text)], to: &writer)
        }
      }
    }
  }

  private static func content(_ types: [(String, String)], to writer: inout JSONWriter) {
    writer.member("content") { writer in
      writer.object { writer in
        for (type, schema) in types {
          writer.member(type) { writer in
            writer.object { writer in writer.member("schema") { $0.write(rawJSON: schema.utf8) } }
          }
        }
      }
    }
  }
}
