package io.hapax.internal.claim;

import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.message.Tasks;
import io.hapax.internal.runtime.Environment;
import io.hapax.internal.store.GenerationWatch;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import java.util.List;

/** Starts claim attempts for messages. */
public record Claimer<M>(
    ClaimRequests requests,
    ClaimSender<M> sender,
    GenerationWatch generation,
    Outcomes<M> outcomes,
    Tasks<M> tasks,
    Environment env) {

  /** The action runs whenever more are answered or given up, on one thread at a time. */
  public void claim(List<InFlightMessage<M>> messages, Runnable answered) {
    attempt(messages, answered).begin();
  }

  /** Claims the messages without a call to the store on the caller's thread. */
  public void claimElsewhere(List<InFlightMessage<M>> messages, Runnable answered) {
    attempt(messages, answered).beginElsewhere();
  }

  private ClaimAttempt<M> attempt(List<InFlightMessage<M>> messages, Runnable answered) {
    ClaimTerms terms = requests.terms(false);
    List<ClaimRequest> asked =
        messages.stream().map(message -> requests.of(message, terms)).toList();
    ClaimAttempt<M> attempt = new ClaimAttempt<>(this, messages, answered);
    for (int i = 0; i < messages.size(); i++) { // last, because such a message waits for its answer
      messages.get(i).ask(asked.get(i));
    }
    return attempt;
  }

  /**
   * Claims one suspect in an attempt of its own; the call to the store may contain other claims.
   *
   * @param answered runs when it may be answered or given up, on one thread at a time
   */
  public void claimSolo(InFlightMessage<M> message, Runnable answered) {
    ClaimRequest request = requests.of(message, true);
    ClaimAttempt<M> attempt = new ClaimAttempt<>(this, List.of(message), answered);
    message.ask(request);
    attempt.begin();
  }
}
