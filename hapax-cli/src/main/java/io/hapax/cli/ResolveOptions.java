package io.hapax.cli;

import io.hapax.mark.Resolution;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is decided on a mark. */
final class ResolveOptions {

  @Option(
      names = "--resolve",
      paramLabel = "DECISION",
      description = {
        "Decides on it, and publishes nothing.",
        "reopen: it runs when it is delivered.",
        "force_done: it has taken effect, and does not run.",
        "reopen_any_payload: as reopen, also if it is done, and whatever its payload is. For an id"
            + " that another payload took first; what is delivered first under the id runs.",
        "done_any_payload: it stays done, and whatever is delivered under its id is acknowledged as"
            + " a duplicate WITHOUT RUNNING. For a message that took effect before the fingerprint"
            + " function was changed; if another payload took the id first, this loses the genuine"
            + " message."
      })
  private Resolution.@Nullable Kind decision;

  @Option(
      names = "--force",
      description = "With --resolve: also if an owner holds the mark. If that owner is alive its"
          + " handler goes on, and the effect MAY HAPPEN TWICE: stop it first. For leases of hours"
          + " or days, which a store writes while its clock is ahead.")
  private boolean force;

  Optional<Resolution> resolution() {
    return Optional.ofNullable(decision).map(kind -> new Resolution(kind, force));
  }

  boolean isForcedWithoutDecision() {
    return force && decision == null;
  }

  /** Says what a decision does, behind "was" or "would be". */
  static String text(Resolution.Kind kind) {
    return switch (kind) {
      case REOPEN -> "reopened: it runs when it is delivered";
      case FORCE_DONE -> "marked as done: it does not run";
      case REOPEN_ANY_PAYLOAD ->
        "reopened for any payload: what is delivered first under its id runs";
      case DONE_ANY_PAYLOAD ->
        "kept as done for any payload: what is delivered under its id does not run";
    };
  }
}
