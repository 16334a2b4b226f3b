package io.hapax.demo;

/** The place where the order service keeps its marks. */
enum MarkLocation {
  /** In the shop's own database. */
  DATABASE,
  /** In Redis. */
  REDIS
}
