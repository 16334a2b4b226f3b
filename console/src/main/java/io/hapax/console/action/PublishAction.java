package io.hapax.console.action;

import io.hapax.console.action.ActionResult.Executed;
import io.hapax.console.action.ActionResult.Planned;
import io.hapax.console.action.ActionResult.Refused;
import io.hapax.console.operations.Deployment;
import io.hapax.operations.Broker;
import io.hapax.operations.redrive.MarkOperations;
import io.hapax.operations.redrive.RedriveResult;
import io.hapax.operations.redrive.Redriver;
import java.util.List;
import java.util.function.Function;

/** Publishes the message of an open mark: again to its topic, or to the dead-letter topic. */
public final class PublishAction implements Action {

  /** Publishes a message. */
  @FunctionalInterface
  private interface Call {
    RedriveResult on(Redriver redriver) throws InterruptedException;
  }

  /** The publication of one message. */
  private record Publication(String effect, Call call) {}

  private final Deployment deployment;
  private final Function<String, Publication> publications;

  private PublishAction(Deployment deployment, Function<String, Publication> publications) {
    this.deployment = deployment;
    this.publications = publications;
  }

  /** Creates an action that publishes the message again, so that it is redelivered. */
  public static PublishAction again(Deployment deployment) {
    return new PublishAction(
        deployment,
        id -> new Publication(
            "published again: the next delivery takes its mark over",
            redriver -> redriver.redeliver(id)));
  }

  /** Creates an action that publishes the message as a dead letter, and sets its mark to DEAD. */
  public static PublishAction deadLetter(Deployment deployment) {
    return new PublishAction(deployment, id -> {
      String topic = letters(deployment, id);
      return new Publication(
          "published to " + topic + ", and does not run until it is redriven",
          redriver -> redriver.deadLetter(id, topic));
    });
  }

  private static String letters(Deployment deployment, String id) {
    Broker broker = deployment.requireBroker();
    return new MarkOperations(deployment.store(), deployment.consumer())
        .find(id)
        .flatMap(mark -> broker.deadLetterTopic(mark.claim().origin().coordinates()))
        .orElse(deployment.letters());
  }

  @Override
  public ActionResult plan(Fields fields, Function<Planned, String> confirmed) throws Exception {
    String id = fields.require("id");
    try (Redriver redriver = connect()) {
      RedriveResult answer = redriver.plan(id);
      if (!(answer instanceof RedriveResult.Published)) {
        return new Refused(answer.why());
      }
      Publication publication = publications.apply(id);
      return new Planned(
          id,
          List.of(id),
          List.of(id + " would be " + publication.effect()),
          () -> execute(id, publication));
    }
  }

  private ActionResult execute(String id, Publication publication) throws Exception {
    try (Redriver redriver = connect()) {
      RedriveResult answer = publication.call().on(redriver);
      return answer instanceof RedriveResult.Published
          ? new Executed(List.of(id + " was " + publication.effect()))
          : new Refused(answer.why());
    }
  }

  private Redriver connect() {
    return deployment.requireBroker().redriver(deployment.store());
  }
}
