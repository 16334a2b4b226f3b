package io.hapax.cli;

import io.hapax.audit.AuditProgress;
import io.hapax.audit.AuditReport;
import io.hapax.audit.ReplayPlan;
import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicPart;
import io.hapax.redrive.DeadLetterSelection;
import io.hapax.redrive.MarkOperations;
import io.hapax.redrive.RedriveReport;
import io.hapax.redrive.RedriveResult;
import io.hapax.redrive.RedriveSettings;
import io.hapax.store.DedupStore;

/** What the commands ask a broker for. */
interface Broker {

  /** Audits a topic. */
  AuditReport audit(DedupStore store, TopicPart part, StartingPoint from, AuditProgress progress)
      throws Exception;

  /** Begins a replay of a group. */
  Replay replay(String group) throws Exception;

  /** Audits what a replay would bring again. */
  AuditReport auditAgain(DedupStore store, ReplayPlan plan, AuditProgress progress)
      throws Exception;

  /** Audits what a replay would skip. */
  AuditReport auditSkipped(DedupStore store, ReplayPlan plan, AuditProgress progress)
      throws Exception;

  /** Begins to bring dead letters back. */
  Redriver redriver(DedupStore store, RedriveSettings settings) throws Exception;

  /** Begins to have messages of open marks delivered again. */
  Redelivery redelivery(MarkOperations marks) throws Exception;

  /**
   * A redelivery.
   *
   * @param plan says what would become of a message
   * @param execute publishes it again
   * @param connections closed with this
   */
  record Redelivery(ById plan, ById execute, AutoCloseable connections) implements AutoCloseable {

    @Override
    public void close() throws Exception {
      connections.close();
    }
  }

  /** What is done about the message of an id. */
  @FunctionalInterface
  interface ById {

    RedriveResult answer(String id) throws Exception;
  }

  /** A redrive. */
  interface Redriver extends AutoCloseable {

    RedriveReport plan(TopicPart letters, StartingPoint from, DeadLetterSelection which)
        throws Exception;

    RedriveReport redrive(TopicPart letters, StartingPoint from, DeadLetterSelection which)
        throws Exception;
  }

  /** A replay. */
  interface Replay extends AutoCloseable {

    void requireStopped(String topic) throws Exception;

    ReplayPlan plan(TopicPart part, StartingPoint to) throws Exception;

    void execute(ReplayPlan plan) throws Exception;
  }
}
