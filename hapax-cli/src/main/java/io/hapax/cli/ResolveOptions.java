package io.hapax.cli;

import io.hapax.mark.Resolution;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for a decision on a mark. */
final class ResolveOptions {

  @Option(
      names = "--resolve",
      paramLabel = "DECISION",
      description = {
        "Changes the mark of the message, and publishes nothing.",
        "reopen: the message runs when it is delivered.",
        "force_done: the message has taken effect, and does not run.",
        "reopen_any_payload: as reopen, also for a done mark, and for any payload. For an id"
            + " that another payload took first. The first message that is delivered with this"
            + " id runs.",
        "done_any_payload: the mark stays done, and every message with this id is acknowledged"
            + " as a duplicate WITHOUT RUNNING. For a message that took effect before the"
            + " fingerprint function was changed. If another payload took the id first, this"
            + " loses the genuine message.",
        "forget: erases the result of a done mark, which stays done."
      })
  private Resolution.@Nullable Kind decision;

  @Option(
      names = "--force",
      description = "With --resolve: also changes a mark that an owner holds. If that owner is"
          + " alive, its handler continues and the effect MAY HAPPEN TWICE: stop it first. For"
          + " leases of hours or days, which a store writes while its clock is ahead.")
  private boolean force;

  Optional<Resolution> resolution() {
    return Optional.ofNullable(decision).map(kind -> new Resolution(kind, force));
  }

  boolean isForcedWithoutDecision() {
    return force && decision == null;
  }
}
