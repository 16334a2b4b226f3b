package io.hapax.operations.internal;

import io.hapax.operations.text.Text;
import io.hapax.operations.topic.ScannedRange;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A connection that reads and moves the offsets of one group. What the brokers do not answer is an
 * {@link io.hapax.errors.AuditFailedException}. For one thread.
 */
public interface GroupOffsets extends AutoCloseable {

  /**
   * The members of the group.
   *
   * @param running why the group is not stopped, as the end of a sentence about it; empty if it is
   */
  record Members(int count, Optional<Text> running) {}

  /** Returns the group's name, as the brokers know it. */
  String group();

  /** Returns the offsets from a starting point to the present end, as {@link TopicReader} does. */
  List<ScannedRange> ranges(TopicPart part, StartingPoint from) throws InterruptedException;

  /**
   * Returns the members of the group, which reads that topic.
   *
   * @throws IllegalArgumentException if the group does not exist
   */
  Members members(String topic) throws InterruptedException;

  /** Returns the committed offsets by partition or queue; no entry where there is none. */
  Map<String, Long> committed(TopicPart part) throws InterruptedException;

  /**
   * Commits offsets by partition or queue, and returns when they hold.
   *
   * @return false if nothing was moved, because the group has members by now
   */
  boolean commit(TopicPart part, Map<String, Long> offsets) throws InterruptedException;

  /** Closes the connection. */
  @Override
  void close();
}
