package io.hapax.console.action;

import io.hapax.console.action.Outcome.Executed;
import io.hapax.console.action.Outcome.Planned;
import io.hapax.console.action.Outcome.Refused;
import io.hapax.console.operations.Deployment;
import io.hapax.redrive.MarkOperations;
import io.hapax.redrive.Redelivery;
import io.hapax.redrive.RedriveResult;
import java.util.List;

/** Publishes the record of an open mark to the dead-letter topic, and sets the mark to DEAD. */
public final class DeadLetterAction implements Action {

  private final Deployment deployment;

  /**
   * Creates the action.
   *
   * @param deployment the consumer
   */
  public DeadLetterAction(Deployment deployment) {
    this.deployment = deployment;
  }

  @Override
  public Outcome plan(Fields fields, Confirmation confirmed) throws Exception {
    String id = fields.require("id");
    if (deployment.letters().isEmpty()) {
      return new Refused("the console was started without a dead-letter topic");
    }
    try (Redelivery redelivery = connect()) {
      RedriveResult answer = redelivery.plan(id);
      return answer instanceof RedriveResult.Published
          ? new Planned(id, List.of(id + " would be " + what()), () -> execute(id))
          : new Refused(answer.why());
    }
  }

  private Outcome execute(String id) throws Exception {
    try (Redelivery redelivery = connect()) {
      RedriveResult answer = redelivery.deadLetter(id, deployment.letters());
      return answer instanceof RedriveResult.Published
          ? new Executed(List.of(id + " was " + what()))
          : new Refused(answer.why());
    }
  }

  private String what() {
    return "published to " + deployment.letters() + ", and does not run until it is redriven";
  }

  private Redelivery connect() throws Exception {
    return deployment
        .requireBroker()
        .redelivery(new MarkOperations(deployment.store(), deployment.consumer()));
  }
}
