package io.hapax.operations.topic;

/** Receives the progress of an audit, on the thread that runs it. */
@FunctionalInterface
public interface AuditProgress {

  /** Ignores the progress. */
  AuditProgress NONE = (done, all) -> {};

  /**
   * Reports that more offsets were read. Should return at once.
   *
   * @param done the number of offsets read so far
   * @param all the number of all offsets; the same at each call
   */
  void at(long done, long all);
}
