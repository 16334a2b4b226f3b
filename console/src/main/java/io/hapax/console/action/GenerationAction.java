package io.hapax.console.action;

import io.hapax.console.action.ActionResult.Executed;
import io.hapax.console.action.ActionResult.Planned;
import io.hapax.console.action.ActionResult.Refused;
import io.hapax.console.operations.Deployment;
import io.hapax.console.operations.GenerationForecast;
import io.hapax.console.operations.MarkText;
import io.hapax.generation.GenerationMove;
import io.hapax.generation.GenerationMove.GroupRuns;
import io.hapax.generation.GenerationMove.Moved;
import io.hapax.generation.GenerationMove.Unexpected;
import io.hapax.generation.Generations;
import io.hapax.operations.replay.GroupReplay;
import io.hapax.operations.text.Text;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Moves a stopped consumer to its next generation. */
public final class GenerationAction implements Action {

  private final Deployment deployment;

  public GenerationAction(Deployment deployment) {
    this.deployment = deployment;
  }

  @Override
  public ActionResult plan(Fields fields, Function<Planned, String> confirmed) throws Exception {
    String expected = fields.require("expected");
    if (!expected.matches("\\d{1,9}")) {
      throw Text.of("generation.expected", expected).refusal();
    }
    int from = Integer.parseInt(expected);
    Optional<String> group = fields.get("group");
    String topic = fields.get("topic").orElse(deployment.topic());
    requireStopped(group, topic);
    GenerationMove answer = GenerationForecast.of(deployment.store(), deployment.consumer(), from);
    if (answer instanceof Moved moved) {
      Text consumer = Text.plain(deployment.consumer());
      Text line = Text.of("generation.would-move", consumer, moved.generation());
      return new Planned(consumer, List.of(), List.of(line), () -> execute(from, group, topic));
    }
    return refused(answer);
  }

  private void requireStopped(Optional<String> group, String topic) throws Exception {
    if (group.isPresent()) {
      try (GroupReplay replay = deployment.requireBroker().replay(group.get())) {
        replay.requireStopped(topic);
      }
    }
  }

  private ActionResult execute(int from, Optional<String> group, String topic) throws Exception {
    requireStopped(group, topic);
    GenerationMove answer = Generations.advance(deployment.store(), deployment.consumer(), from);
    return answer instanceof Moved moved
        ? new Executed(
            List.of(Text.of("generation.moved", deployment.consumer(), moved.generation())))
        : refused(answer);
  }

  private static ActionResult refused(GenerationMove answer) {
    if (answer instanceof Unexpected unexpected) {
      return new Refused(Text.of("generation.other", unexpected.current()));
    }
    Text running = Text.of("generation.runs");
    return new Refused(
        answer instanceof GroupRuns runs
            ? Text.of("because", running, MarkText.held(runs.leased().get(0)))
            : running);
  }
}
