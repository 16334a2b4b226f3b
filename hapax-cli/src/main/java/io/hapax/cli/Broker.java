package io.hapax.cli;

import io.hapax.audit.AuditProgress;
import io.hapax.audit.GroupReplay;
import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicAudit;
import io.hapax.audit.TopicPart;
import io.hapax.redrive.DeadLetterSelection;
import io.hapax.redrive.MarkOperations;
import io.hapax.redrive.Redelivery;
import io.hapax.redrive.RedriveReport;
import io.hapax.redrive.RedriveSettings;
import io.hapax.store.DedupStore;

/** What the commands ask a broker for. */
interface Broker {

  /** Returns an audit whose progress is reported. */
  TopicAudit audit(DedupStore store, AuditProgress progress) throws Exception;

  /** Connects for a replay of a group. */
  GroupReplay replay(String group) throws Exception;

  /** Connects for a redrive of dead letters. */
  Redriver redriver(DedupStore store, RedriveSettings settings) throws Exception;

  /** Connects for a redelivery of messages of open marks. */
  Redelivery redelivery(MarkOperations marks) throws Exception;

  /** A redrive. */
  interface Redriver extends AutoCloseable {

    RedriveReport plan(TopicPart letters, StartingPoint from, DeadLetterSelection which)
        throws Exception;

    RedriveReport redrive(TopicPart letters, StartingPoint from, DeadLetterSelection which)
        throws Exception;
  }
}
