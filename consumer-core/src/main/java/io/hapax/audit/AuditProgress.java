package io.hapax.audit;

/** Is told how far an audit is, by the thread that runs it. */
@FunctionalInterface
public interface AuditProgress {

  /** Nobody is told. */
  AuditProgress NONE = (done, all) -> {};

  /**
   * Some more was looked at. Should return at once.
   *
   * @param done how many offsets are behind it
   * @param all how many offsets there are; the same at each call
   */
  void at(long done, long all);
}
