package io.hapax.internal.claim;

import io.hapax.internal.message.InFlightMessage;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import java.util.List;

/** Claims messages: each call begins an attempt that goes on until all of them are answered. */
public final class Claimer<M> {

  private final ClaimRequests requests;
  private final ClaimAttempt.Parts<M> parts;

  public Claimer(ClaimRequests requests, ClaimAttempt.Parts<M> parts) {
    this.requests = requests;
    this.parts = parts;
  }

  /**
   * Claims all of the messages.
   *
   * @param answered run whenever more of them are answered or given up, by one thread at a time
   */
  public void claim(List<InFlightMessage<M>> messages, Runnable answered) {
    attempt(messages, answered).begin();
  }

  /** Claims all of the messages without a call to the store on the caller's thread. */
  public void claimElsewhere(List<InFlightMessage<M>> messages, Runnable answered) {
    attempt(messages, answered).beginElsewhere();
  }

  private ClaimAttempt<M> attempt(List<InFlightMessage<M>> messages, Runnable answered) {
    ClaimTerms terms = requests.terms(false);
    List<ClaimRequest> asked =
        messages.stream().map(message -> requests.of(message, terms)).toList();
    ClaimAttempt<M> attempt = new ClaimAttempt<>(parts, messages, answered);
    for (int i = 0; i < messages.size(); i++) { // only now: what is asked for waits for its answer
      messages.get(i).ask(asked.get(i));
    }
    return attempt;
  }

  /**
   * Claims one suspect by itself; its claim shares a call with those of others that come meanwhile.
   *
   * @param answered run whenever it may be answered or given up, by one thread at a time
   */
  public void claimSolo(InFlightMessage<M> message, Runnable answered) {
    ClaimRequest request = requests.of(message, true);
    ClaimAttempt<M> attempt = new ClaimAttempt<>(parts, List.of(message), answered);
    message.ask(request);
    attempt.begin();
  }
}
