// The stages of building a query. Each stage is a complete query. The router protocols to which its class conforms
// determine the clauses that may follow.

/// A query that selects results. See ``QueryBuilder``.
///
/// `Sendable` like ``Query``, whose state is protected by a lock.
public final class Select: Query, FromRouter, @unchecked Sendable {}

/// A query that has a source.
///
/// `Sendable` like ``Query``, whose state is protected by a lock.
public final class From: Query, JoinRouter, WhereRouter, GroupByRouter, OrderByRouter, LimitRouter, @unchecked Sendable
{}

/// A query that has several sources.
///
/// `Sendable` like ``Query``, whose state is protected by a lock.
public final class Joins: Query, WhereRouter, GroupByRouter, OrderByRouter, LimitRouter, @unchecked Sendable {}

/// A query that has a condition.
///
/// `Sendable` like ``Query``, whose state is protected by a lock.
public final class Where: Query, GroupByRouter, OrderByRouter, LimitRouter, @unchecked Sendable {}

/// A query that has groups.
///
/// `Sendable` like ``Query``, whose state is protected by a lock.
public final class GroupBy: Query, HavingRouter, OrderByRouter, LimitRouter, @unchecked Sendable {}

/// A query that has a condition on its groups.
///
/// `Sendable` like ``Query``, whose state is protected by a lock.
public final class Having: Query, OrderByRouter, LimitRouter, @unchecked Sendable {}

/// A query that has a sort order.
///
/// `Sendable` like ``Query``, whose state is protected by a lock.
public final class OrderBy: Query, LimitRouter, @unchecked Sendable {}

/// A query that has a maximum number of rows.
///
/// `Sendable` like ``Query``, whose state is protected by a lock.
public final class Limit: Query, @unchecked Sendable {}
