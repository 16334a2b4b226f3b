package io.hapax.internal.claim;

import io.hapax.internal.message.InFlightMessage;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import java.util.List;

/** Starts claim attempts for messages. */
public final class Claimer<M> {

  private final ClaimRequests requests;
  private final ClaimAttempt.Parts<M> parts;

  public Claimer(ClaimRequests requests, ClaimAttempt.Parts<M> parts) {
    this.requests = requests;
    this.parts = parts;
  }

  /**
   * Claims the messages.
   *
   * @param answered runs whenever more of them are answered or given up, on one thread at a time
   */
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
    ClaimAttempt<M> attempt = new ClaimAttempt<>(parts, messages, answered);
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
    ClaimAttempt<M> attempt = new ClaimAttempt<>(parts, List.of(message), answered);
    message.ask(request);
    attempt.begin();
  }
}
