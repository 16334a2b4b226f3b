package io.hapax.console.action;

import io.hapax.console.action.Outcome.Executed;
import io.hapax.console.action.Outcome.Planned;
import io.hapax.console.action.Outcome.Refused;
import io.hapax.console.operations.Deployment;
import io.hapax.redrive.MarkOperations;
import io.hapax.redrive.Redelivery;
import io.hapax.redrive.RedriveResult;
import java.util.List;

/** Publishes the message of an open mark: again to its topic, or to the dead-letter topic. */
public final class PublishAction implements Action {

  /** Publishes a message. */
  @FunctionalInterface
  private interface Publication {
    RedriveResult of(Redelivery redelivery, String id) throws InterruptedException;
  }

  private final Deployment deployment;
  private final String effect;
  private final Publication publication;

  private PublishAction(Deployment deployment, String effect, Publication publication) {
    this.deployment = deployment;
    this.effect = effect;
    this.publication = publication;
  }

  /**
   * Creates an action that publishes the message again, so that it is redelivered.
   *
   * @param deployment the consumer
   * @return the action
   */
  public static PublishAction again(Deployment deployment) {
    return new PublishAction(
        deployment, "published again: the next delivery takes its mark over", Redelivery::execute);
  }

  /**
   * Creates an action that publishes the message as a dead letter, and sets its mark to DEAD.
   *
   * @param deployment the consumer; it {@linkplain Deployment#canDeadLetter() can dead-letter}
   * @return the action
   */
  public static PublishAction deadLetter(Deployment deployment) {
    String topic = deployment.letters();
    return new PublishAction(
        deployment,
        "published to " + topic + ", and does not run until it is redriven",
        (redelivery, id) -> redelivery.deadLetter(id, topic));
  }

  @Override
  public Outcome plan(Fields fields, Confirmation confirmed) throws Exception {
    String id = fields.require("id");
    try (Redelivery redelivery = connect()) {
      RedriveResult answer = redelivery.plan(id);
      return answer instanceof RedriveResult.Published
          ? new Planned(id, List.of(id + " would be " + effect), () -> execute(id))
          : new Refused(answer.why());
    }
  }

  private Outcome execute(String id) throws Exception {
    try (Redelivery redelivery = connect()) {
      RedriveResult answer = publication.of(redelivery, id);
      return answer instanceof RedriveResult.Published
          ? new Executed(List.of(id + " was " + effect))
          : new Refused(answer.why());
    }
  }

  private Redelivery connect() throws Exception {
    return deployment
        .requireBroker()
        .redelivery(new MarkOperations(deployment.store(), deployment.consumer()));
  }
}
