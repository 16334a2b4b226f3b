package io.hapax.console.data;

import io.hapax.console.figures.Figures;
import io.hapax.console.job.Audits;
import io.hapax.console.operations.Deployment;
import io.hapax.console.view.ConflictsView;
import io.hapax.console.view.ConflictsView.Conflict;
import io.hapax.console.view.DuplicatesView;
import io.hapax.errors.AuditFailedException;
import io.hapax.operations.audit.AuditReport;
import io.hapax.operations.audit.Finding;
import io.hapax.operations.text.Text;
import io.hapax.operations.text.TextExceptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Reads duplicates and conflicts from the application's meters, or else from the latest audit. */
public final class Findings {

  private final Deployment deployment;
  private final Figures figures;
  private final Audits audits;
  private final Letters letters;

  public Findings(Deployment deployment, Figures figures, Audits audits, Letters letters) {
    this.deployment = deployment;
    this.figures = figures;
    this.audits = audits;
    this.letters = letters;
  }

  /** {@return the duplicates} */
  public DuplicatesView duplicates() {
    Figures.Duplicates known = figures.duplicates();
    String source = "meters";
    Optional<AuditReport> audit = audits.last();
    if (known.duplicates().isEmpty()) {
      source = audit.isPresent() ? "audit" : "none";
      known = audit
          .map(report -> new Figures.Duplicates(
              OptionalLong.of(report.messages()), OptionalLong.of(report.duplicates()), List.of()))
          .orElse(known);
    }
    return new DuplicatesView(
        known.messages(),
        known.duplicates(),
        ratio(known.duplicates(), known.messages()),
        deployment.store().retention(),
        known.ages(),
        audit.map(AuditReport::frequent).orElse(List.of()),
        source);
  }

  private static OptionalDouble ratio(OptionalLong part, OptionalLong whole) {
    return part.isEmpty() || whole.isEmpty() || whole.getAsLong() == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of((double) part.getAsLong() / whole.getAsLong());
  }

  /** Returns the conflicts. */
  public ConflictsView conflicts() throws Exception {
    List<Conflict> conflicts = new ArrayList<>();
    Optional<AuditReport> audit = audits.last();
    audit.ifPresent(report -> report.samples().stream()
        .filter(sample -> sample.finding() == Finding.CONFLICT)
        .map(sample -> new Conflict(sample.id(), sample.coordinates(), sample.detail()))
        .forEach(conflicts::add));
    Text failure = Text.NONE;
    if (conflicts.isEmpty() && letters.hasTopic()) {
      try {
        letters.conflicts().stream()
            .map(row -> new Conflict(row.id(), row.from(), Text.plain(row.detail())))
            .forEach(conflicts::add);
      } catch (AuditFailedException | IllegalArgumentException e) {
        failure = TextExceptions.text(e); // the number is shown all the same
      }
    }
    OptionalLong count = figures.conflicts();
    if (count.isEmpty() && audit.isPresent()) {
      count = OptionalLong.of(audit.get().conflicts());
    }
    String source = audit.isPresent() ? "audit" : conflicts.isEmpty() ? "none" : "letters";
    return new ConflictsView(count, conflicts, source, failure);
  }
}
