package io.hapax.demo;

import io.hapax.audit.AuditReport;
import java.util.ArrayList;
import java.util.List;

/** What an audit of a whole topic finds other than it must be. */
final class AuditFaults {

  private AuditFaults() {}

  static List<String> of(AuditReport audit, int published, int distinct, Poison poison) {
    List<String> faults = new ArrayList<>();
    if (audit.messages() != published) {
      faults.add(
          "the audit read " + audit.messages() + " messages, but " + published + " were published");
    }
    if (audit.wouldRunAgain() > 0) {
      faults.add("orders that would run again: " + audit.wouldRunAgain());
    }
    if (audit.ids().done() != distinct) {
      faults.add("orders whose marks are DONE: " + audit.ids().done() + " of " + distinct);
    }
    int dead = poison.count() - poison.withoutId();
    if (audit.ids().dead() != dead) {
      faults.add("messages whose marks are DEAD: " + audit.ids().dead() + " of " + dead);
    }
    if (audit.missingIds() != poison.withoutId()) {
      faults.add("messages without an id: " + audit.missingIds() + ", but " + poison.withoutId()
          + " were published");
    }
    audit.samples().stream()
        .filter(sample -> !poison.explains(sample))
        .map(sample -> sample.id() + " at " + sample.coordinates() + " is " + sample.finding()
            + " to the audit")
        .forEach(faults::add);
    return faults;
  }
}
