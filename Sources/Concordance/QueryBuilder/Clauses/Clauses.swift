// The stages of a query, each a complete query. The routers of a class are the calls that may follow.

/// A query that selects results. See ``QueryBuilder``.
///
/// `Sendable` as ``Query`` is, whose state has a lock.
public final class Select: Query, FromRouter, @unchecked Sendable {}

/// A query that has a source.
///
/// `Sendable` as ``Query`` is, whose state has a lock.
public final class From: Query, JoinRouter, WhereRouter, GroupByRouter, OrderByRouter, LimitRouter, @unchecked Sendable
{}

/// A query that has several sources.
///
/// `Sendable` as ``Query`` is, whose state has a lock.
public final class Joins: Query, WhereRouter, GroupByRouter, OrderByRouter, LimitRouter, @unchecked Sendable {}

/// A query that has a condition.
///
/// `Sendable` as ``Query`` is, whose state has a lock.
public final class Where: Query, GroupByRouter, OrderByRouter, LimitRouter, @unchecked Sendable {}

/// A query that has groups.
///
/// `Sendable` as ``Query`` is, whose state has a lock.
public final class GroupBy: Query, HavingRouter, OrderByRouter, LimitRouter, @unchecked Sendable {}

/// A query that has a condition on its groups.
///
/// `Sendable` as ``Query`` is, whose state has a lock.
public final class Having: Query, OrderByRouter, LimitRouter, @unchecked Sendable {}

/// A query that has an order.
///
/// `Sendable` as ``Query`` is, whose state has a lock.
public final class OrderBy: Query, LimitRouter, @unchecked Sendable {}

/// A query that has a maximum number of rows.
///
/// `Sendable` as ``Query`` is, whose state has a lock.
public final class Limit: Query, @unchecked Sendable {}
