package io.hapax.chaos;

import io.hapax.operations.audit.AuditReport;
import java.util.ArrayList;
import java.util.List;

/** Finds the violations in an audit of a whole topic. */
final class AuditViolations {

  private AuditViolations() {}

  static List<String> of(AuditReport audit, int published, int distinct, Poison poison) {
    List<String> violations = new ArrayList<>();
    if (audit.messages() != published) {
      violations.add(
          "the audit read " + audit.messages() + " messages, but " + published + " were published");
    }
    if (audit.wouldRunAgain() > 0) {
      violations.add("orders that would run again: " + audit.wouldRunAgain());
    }
    if (audit.ids().done() != distinct) {
      violations.add("orders whose marks are DONE: " + audit.ids().done() + " of " + distinct);
    }
    int dead = poison.count() - poison.withoutId();
    if (audit.ids().dead() != dead) {
      violations.add("messages whose marks are DEAD: " + audit.ids().dead() + " of " + dead);
    }
    if (audit.missingIds() != poison.withoutId()) {
      violations.add("messages without an id: " + audit.missingIds() + ", but " + poison.withoutId()
          + " were published");
    }
    audit.samples().stream()
        .filter(sample -> !poison.explains(sample))
        .map(sample -> sample.id() + " at " + sample.coordinates() + " is " + sample.finding()
            + " in the audit")
        .forEach(violations::add);
    return violations;
  }
}
