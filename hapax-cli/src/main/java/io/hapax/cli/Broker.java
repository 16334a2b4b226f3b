package io.hapax.cli;

import io.hapax.audit.AuditProgress;
import io.hapax.audit.AuditReport;
import io.hapax.audit.ReplayPlan;
import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicPart;
import io.hapax.store.DedupStore;

/** What both commands ask a broker for. */
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

  /** A replay. */
  interface Replay extends AutoCloseable {

    ReplayPlan plan(TopicPart part, StartingPoint to) throws Exception;

    void execute(ReplayPlan plan) throws Exception;
  }
}
