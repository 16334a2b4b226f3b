package io.hapax.console.action;

import io.hapax.console.action.ActionResult.Executed;
import io.hapax.console.action.ActionResult.Planned;
import io.hapax.console.action.ActionResult.Refused;
import io.hapax.console.operations.Deployment;
import io.hapax.console.operations.MarkText;
import io.hapax.mark.Mark;
import io.hapax.mark.Resolution;
import io.hapax.operations.redrive.MarkOperations;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Reopens a mark or sets it to DONE, if the mark has not changed since the dry run. */
public final class ResolveAction implements Action {

  private final Deployment deployment;
  private final Resolution.Kind kind;

  public ResolveAction(Deployment deployment, Resolution.Kind kind) {
    this.deployment = deployment;
    this.kind = kind;
  }

  @Override
  public ActionResult plan(Fields fields, Function<Planned, String> confirmed) {
    String id = fields.require("id");
    Resolution resolution = new Resolution(kind, fields.isOn("force"));
    MarkOperations marks = new MarkOperations(deployment.store(), deployment.consumer());
    Optional<Mark> found = marks.find(id); // read once: execute() compares it
    Optional<String> refusal = marks.refusal(found, resolution);
    if (refusal.isPresent()) {
      return new Refused(refusal.get());
    }
    Mark mark = found.orElseThrow();
    List<String> lines = List.of(
        MarkText.of(mark, marks.now()).strip(),
        id + " would be " + MarkText.effect(resolution.kind()));
    return new Planned(id, List.of(id), lines, () -> execute(id, mark, resolution));
  }

  private ActionResult execute(String id, Mark seen, Resolution resolution) {
    boolean changed =
        deployment.store().resolve(seen.key(), seen.claim().token(), seen.state(), resolution);
    return changed
        ? new Executed(List.of(id + " was " + MarkText.effect(resolution.kind())))
        : new Refused("its mark has changed since the dry run, or an owner holds it");
  }
}
