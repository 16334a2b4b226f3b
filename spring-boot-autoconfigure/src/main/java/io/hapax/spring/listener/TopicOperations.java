package io.hapax.spring.listener;

import io.hapax.audit.AuditProgress;
import io.hapax.audit.GroupReplay;
import io.hapax.audit.TopicAudit;
import io.hapax.redrive.MarkOperations;
import io.hapax.redrive.Redelivery;
import io.hapax.redrive.RedriveSettings;
import io.hapax.redrive.Redriver;

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
   * Connects for a redrive of dead-letter records.
   *
   * @param settings the permitted topics and records
   * @return the redriver; the caller closes it
   * @throws io.hapax.audit.AuditFailedException if the client cannot start
   */
  Redriver redriver(RedriveSettings settings);

  /**
   * Connects for a redelivery of messages of open marks.
   *
   * @param marks the marks of the listener's consumer
   * @return the redelivery; the caller closes it
   * @throws io.hapax.audit.AuditFailedException if the client cannot start
   */
  Redelivery redelivery(MarkOperations marks);

  /**
   * Connects to the group of the listener, to read its lag and members.
   *
   * @return the group; the caller closes it
   * @throws io.hapax.audit.AuditFailedException if the client cannot start
   */
  GroupReplay group();
}
