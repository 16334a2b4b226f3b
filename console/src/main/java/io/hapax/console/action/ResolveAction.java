package io.hapax.console.action;

import io.hapax.console.action.ActionResult.Executed;
import io.hapax.console.action.ActionResult.Planned;
import io.hapax.console.action.ActionResult.Refused;
import io.hapax.console.operations.Deployment;
import io.hapax.console.operations.MarkText;
import io.hapax.mark.Mark;
import io.hapax.mark.Resolution;
import io.hapax.operations.redrive.MarkOperations;
import io.hapax.operations.text.Text;
import java.util.List;
import java.util.Optional;

/** Reopens a mark or sets it to DONE, if the mark has not changed since the dry run. */
public record ResolveAction(Deployment deployment, Resolution resolution)
    implements MessageAction.Change {

  @Override
  public ActionResult plan(String id) {
    MarkOperations marks = new MarkOperations(deployment.store(), deployment.consumer());
    Optional<Mark> found = marks.find(id); // read once: execute() compares it
    Optional<Text> refusal = marks.refusal(found, resolution);
    if (refusal.isPresent()) {
      return new Refused(refusal.get());
    }
    Mark mark = found.orElseThrow();
    List<Text> lines = List.of(
        MarkText.of(mark, marks.now()),
        Text.of("change.planned", id, MarkText.effect(resolution.kind())));
    return new Planned(Text.plain(id), List.of(id), lines, () -> execute(id, mark));
  }

  private ActionResult execute(String id, Mark seen) {
    boolean changed =
        deployment.store().resolve(seen.key(), seen.claim().token(), seen.state(), resolution);
    return changed
        ? new Executed(List.of(Text.of("change.made", id, MarkText.effect(resolution.kind()))))
        : new Refused(Text.of("mark.changed-or-held"));
  }
}
