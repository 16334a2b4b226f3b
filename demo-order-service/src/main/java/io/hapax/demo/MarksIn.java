package io.hapax.demo;

/** Where the order service keeps its marks. */
enum MarksIn {
  /** In the shop's own database. */
  DATABASE,
  /** In Redis. */
  REDIS
}
