package io.hapax.internal.claim;

import io.hapax.LeaseSettings;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.runtime.Ticker;
import io.hapax.internal.store.CheckedStore;
import io.hapax.internal.store.StoreClock;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import java.util.List;

/** Sends one claim call, and updates the store clock from its answers. */
public record ClaimCall(
    CheckedStore store,
    LeaseSettings lease,
    ClaimRequests requests,
    StoreClock clock,
    Ticker ticker) {

  private static final int MOST_TRIES = 3;

  /** The store's answers, and when the call was sent, which begins the leases. */
  record Answers(List<ClaimAnswer> answers, long sentNanos) {}

  /** Sends the requests of the messages in one call. */
  <M> Answers send(List<InFlightMessage<M>> messages) {
    limitByStoreTime(messages);
    long sent = ticker.nanos();
    List<ClaimAnswer> answers = store.claim(
        messages.stream().map(InFlightMessage::requiredRequest).toList(), lease.lease());
    learnTime(answers, sent);
    return new Answers(answers, sent);
  }

  /** Reads the store's time before the first claim, so that each claim has a time limit. */
  private void limitByStoreTime(List<? extends InFlightMessage<?>> messages) {
    if (clock.unknown()) {
      var unused = clock.now(() -> store.now(messages.get(0).requiredKey()));
      ClaimTerms terms = requests.terms(false);
      messages.forEach(message -> message.ask(requests.of(message, terms)));
    }
  }

  /** Reads the store's time from a new lease, which shows whether the store's clock was set. */
  private void learnTime(List<ClaimAnswer> answers, long sent) {
    for (ClaimAnswer answer : answers) {
      if (answer instanceof Acquired acquired) {
        clock.learn(acquired.leaseUntil().minus(lease.lease()), sent);
        return;
      }
    }
  }

  /** Creates a new request for a message whose claim reached the store too late. */
  void askAnew(InFlightMessage<?> message, ClaimAnswer.TooLate late, long sent) {
    clock.learn(late.storeTime(), sent);
    message.ask(requests.of(message, message.requiredRequest().terms().solo()));
  }

  /** Claims one message alone on the caller's thread, independently of its submission. */
  public ClaimAnswer claimNow(InFlightMessage<?> message) {
    for (int tries = 1; ; tries++) {
      ClaimRequest request = requests.of(message, true);
      long sent = ticker.nanos();
      ClaimAnswer answer = store.claim(List.of(request), lease.lease()).get(0);
      if (!(answer instanceof ClaimAnswer.TooLate late) || tries == MOST_TRIES) {
        return answer;
      }
      clock.learn(late.storeTime(), sent);
    }
  }
}
