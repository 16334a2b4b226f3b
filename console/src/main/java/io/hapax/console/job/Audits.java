package io.hapax.console.job;

import io.hapax.mark.Bytes;
import io.hapax.operations.audit.AuditReport;
import io.hapax.operations.lookup.TopicSearch;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Stores the report of the latest audit, and the latest searches of the topic. Thread-safe. */
public final class Audits {

  private static final int SEARCHES = 100;

  private volatile Optional<AuditReport> last = Optional.empty();
  private final Map<Bytes, TopicSearch> searches = new LinkedHashMap<>() {
    @Override
    protected boolean removeEldestEntry(Map.Entry<Bytes, TopicSearch> eldest) {
      return size() > SEARCHES;
    }
  };

  /** Creates a holder without an audit. */
  public Audits() {}

  /** Stores a report. */
  public void ended(AuditReport report) {
    last = Optional.of(report);
  }

  /** {@return the latest report; empty before the first audit} */
  public Optional<AuditReport> last() {
    return last;
  }

  /** Stores what a search for an id has found. */
  public void searched(Bytes id, TopicSearch found) {
    synchronized (searches) {
      searches.remove(id);
      searches.put(id, found);
    }
  }

  /** {@return the latest search for an id; empty if there was none, or many others since} */
  public Optional<TopicSearch> search(Bytes id) {
    synchronized (searches) {
      return Optional.ofNullable(searches.get(id));
    }
  }
}
