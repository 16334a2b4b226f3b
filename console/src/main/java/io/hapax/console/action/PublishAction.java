package io.hapax.console.action;

import io.hapax.console.action.ActionResult.Executed;
import io.hapax.console.action.ActionResult.Planned;
import io.hapax.console.action.ActionResult.Refused;
import io.hapax.console.operations.Deployment;
import io.hapax.mark.Mark;
import io.hapax.operations.Broker;
import io.hapax.operations.redrive.MarkOperations;
import io.hapax.operations.redrive.RedriveResult;
import io.hapax.operations.redrive.Redriver;
import io.hapax.operations.text.Text;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Publishes the message of an open mark: again to its topic, or to the dead-letter topic. */
public final class PublishAction implements MessageAction.Change {

  private final Deployment deployment;
  private final boolean again;
  private @Nullable Redriver connection;

  /** Publishes messages again, so that they are redelivered; otherwise as dead letters. */
  public PublishAction(Deployment deployment, boolean again) {
    this.deployment = deployment;
    this.again = again;
  }

  @Override
  public ActionResult plan(String id) throws Exception {
    Optional<Mark> seen = find(id);
    RedriveResult answer = redriver().plan(id);
    if (!(answer instanceof RedriveResult.Published)) {
      return new Refused(answer.why());
    }
    String topic = again ? "" : letters(id);
    Text effect = again ? Text.of("effect.published") : Text.of("effect.dead-lettered", topic);
    return new Planned(
        Text.plain(id),
        List.of(id),
        List.of(Text.of("change.planned", id, effect)),
        () -> find(id).map(PublishAction::state).equals(seen.map(PublishAction::state))
            ? executed(
                again ? redriver().redeliver(id) : redriver().deadLetter(id, topic),
                Text.of("change.made", id, effect))
            : new Refused(Text.of("mark.changed-since")));
  }

  private Optional<Mark> find(String id) {
    return new MarkOperations(deployment.store(), deployment.consumer()).find(id);
  }

  /** Returns what changes whenever a consumer claims or settles the message. */
  private static List<Object> state(Mark mark) {
    return List.of(mark.claim().token(), mark.state());
  }

  private static ActionResult executed(RedriveResult answer, Text text) {
    return answer instanceof RedriveResult.Published
        ? new Executed(List.of(text))
        : new Refused(answer.why());
  }

  private String letters(String id) {
    Broker broker = deployment.requireBroker();
    return find(id)
        .flatMap(mark -> broker.deadLetterTopic(mark.claim().origin().coordinates()))
        .orElse(deployment.letters());
  }

  private Redriver redriver() {
    Redriver open = connection;
    if (open == null) {
      open = deployment.requireBroker().redriver(deployment.store());
      connection = open;
    }
    return open;
  }

  @Override
  public void close() {
    Redriver open = connection;
    connection = null;
    if (open != null) {
      open.close();
    }
  }
}
