package io.hapax.console.action;

import io.hapax.console.action.Outcome.Executed;
import io.hapax.console.action.Outcome.Planned;
import io.hapax.console.action.Outcome.Refused;
import io.hapax.console.operations.Deployment;
import io.hapax.redrive.MarkOperations;
import io.hapax.redrive.Redelivery;
import io.hapax.redrive.RedriveResult;
import java.util.List;

/** Publishes the message of an open mark again, so that it is redelivered. */
public final class RedeliverAction implements Action {

  private static final String WHAT = "published again: the next delivery takes its mark over";

  private final Deployment deployment;

  /**
   * Creates the action.
   *
   * @param deployment the consumer
   */
  public RedeliverAction(Deployment deployment) {
    this.deployment = deployment;
  }

  @Override
  public Outcome plan(Fields fields, Confirmation confirmed) throws Exception {
    String id = fields.require("id");
    try (Redelivery redelivery = connect()) {
      RedriveResult answer = redelivery.plan(id);
      return answer instanceof RedriveResult.Published
          ? new Planned(id, List.of(id + " would be " + WHAT), () -> execute(id))
          : new Refused(answer.why());
    }
  }

  private Outcome execute(String id) throws Exception {
    try (Redelivery redelivery = connect()) {
      RedriveResult answer = redelivery.execute(id);
      return answer instanceof RedriveResult.Published
          ? new Executed(List.of(id + " was " + WHAT))
          : new Refused(answer.why());
    }
  }

  private Redelivery connect() throws Exception {
    return deployment
        .requireBroker()
        .redelivery(new MarkOperations(deployment.store(), deployment.consumer()));
  }
}
