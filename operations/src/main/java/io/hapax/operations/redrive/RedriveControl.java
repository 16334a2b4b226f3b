package io.hapax.operations.redrive;

import io.hapax.operations.topic.AuditProgress;

/**
 * Selects records of a run through dead-letter records, slows it down, stops and follows it. A run
 * calls it on its own thread, for one record after the other: {@link #selects}, {@link #mayTake},
 * and when the record has its result, {@link #taken}. Also reports the progress through the topic.
 * A control is for one run, unless it is thread-safe and has no state of a run.
 *
 * <p>A run acknowledges nothing: it reads the dead-letter topic without a group, and every record
 * stays there. An exception of a control ends the run and reaches its caller; so does an
 * {@link Error}. What was published before stays published, and a later run finds its marks
 * reopened or done.
 */
public interface RedriveControl extends AuditProgress {

  /** Lets every record pass, as fast as possible. */
  RedriveControl NONE = new RedriveControl() {};

  /**
   * {@return whether a record is selected to be redriven or planned, beside the selection of its
   * id} A record that is not is only counted as read. Nothing has been done with the record: a
   * crash here leaves its mark as it was.
   *
   * @param record the record; one that cannot be read has no id and empty metadata
   */
  default boolean selects(StoredDeadLetter record) {
    return true;
  }

  /**
   * Returns whether a selected record may be redriven or planned. It may wait: the run holds no
   * lease meanwhile, and reads the mark afterwards. After a {@code false} the records that follow
   * are only counted, and the report names what was done before. Not called for a record that
   * cannot be read, which is refused, nor after a {@code false}.
   *
   * <p>It has no way to throw {@link InterruptedException}. An implementation that waits returns
   * {@code false} when it is interrupted, and sets the interrupt again; the run may then end with
   * that exception.
   *
   * @param record the record; nothing has been done with it, and a crash here leaves its mark as it
   *     was
   * @return whether the run goes on
   */
  default boolean mayTake(StoredDeadLetter record) {
    return true;
  }

  /**
   * Reports the result of a record, in a dry run the one that it would have. If it is
   * {@link RedriveResult.Published}, the brokers have acknowledged the message before.
   *
   * <p>So a crash before this call can leave a message that was published and not reported. Nor is
   * a record reported whose publication failed or is unknown: the run ends with an exception, and
   * the mark is reopened.
   *
   * @param sample the record and the result
   */
  default void taken(RedriveSample sample) {}

  @Override
  default void at(long done, long all) {}
}
