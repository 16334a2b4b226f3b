package io.hapax.spring.listener;

import io.hapax.operations.audit.TopicAudit;
import io.hapax.operations.redrive.Redriver;
import io.hapax.operations.replay.GroupReplay;
import io.hapax.operations.topic.AuditProgress;

/**
 * The operations of an operator on the topics of one listener. Each connects to the brokers as the
 * listener does, but in no group. It finds ids and fingerprints as the listener does, and uses the
 * listener's store.
 *
 * <p>No method checks whether the listener reads a topic: the caller does. Thread-safe; each
 * returned object is for one thread.
 */
public interface TopicOperations {

  /**
   * Returns the kind and the addresses of the brokers, without credentials. Does not connect.
   *
   * @return the text, for people
   */
  String broker();

  /**
   * Creates an audit. It connects when it runs.
   *
   * @param progress is notified of the progress
   * @return the audit
   */
  TopicAudit audit(AuditProgress progress);

  /**
   * Connects for redrives of dead-letter records and redeliveries of messages of open marks.
   *
   * @return the redriver; the caller closes it
   * @throws io.hapax.errors.AuditFailedException if the client cannot start
   */
  Redriver redriver();

  /**
   * Connects to the group of the listener, to read its lag and members.
   *
   * @return the group; the caller closes it
   * @throws io.hapax.errors.AuditFailedException if the client cannot start
   */
  GroupReplay group();
}
