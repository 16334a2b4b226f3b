package io.hapax.internal.settle;

import io.hapax.ReceiverListener;
import io.hapax.internal.handler.UserCodeCalls;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.TestMessages;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.internal.store.CheckedStore;
import io.hapax.internal.store.TestStore;
import io.hapax.mark.Attempt;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.policy.TooOldPolicy;
import java.time.Duration;
import java.util.List;

/** The parts that settle claims, on a store in memory. */
public final class TestSettling {

  public static final Duration RETENTION = Duration.ofDays(8);

  public final TestMessages messages;
  public final TestStore store;
  public final UserCodeCalls calls;
  public final CheckedStore checked;
  public final Settler<String> settler;
  public final DeadLetters<String> deadLetters;
  public final MessageAges<String> ages;
  public final Failures<String> failures;
  public final Results<String> results;
  public final UnmarkedMessages<String> unmarked;
  public final Conflicts<String> conflicts;
  private long nonces;

  public TestSettling(TestSettings settings, ReceiverListener... listeners) {
    messages = new TestMessages(listeners);
    store = new TestStore(messages.threads);
    calls = new UserCodeCalls(messages.threads.threads());
    checked = new CheckedStore(store, messages.events);
    settler =
        new Settler<>(checked, messages.threads.env(), messages.events, messages.outcomes);
    deadLetters = new DeadLetters<>(settings.build(), calls, messages.events, messages.blocked);
    ages = new MessageAges<>(messages.events, TooOldPolicy.PROCESS, RETENTION);
    failures =
        new Failures<>(settings.build(), deadLetters, ages, settler, calls, messages.blocked);
    results = new Results<>(settings.build(), calls, messages.tasks, messages.outcomes);
    unmarked =
        new UnmarkedMessages<>(settings.build(), deadLetters, messages.blocked, messages.outcomes);
    conflicts = new Conflicts<>(
        settings.build(), calls, messages.events, messages.outcomes, messages.blocked, unmarked);
  }

  /** Reads a message and claims it in the store. */
  public InFlightMessage<String> claim(String text) {
    InFlightMessage<String> message = messages.message(text);
    ClaimAnswer answer =
        store.claim(List.of(request(message)), TestMessages.LEASE).get(0);
    var unused = message.answered(answer, messages.threads.nanos() + TestMessages.LEASE.toNanos());
    store.calls.clear();
    return message;
  }

  /** Returns a request with a new nonce for a claim that may also take over a lost one. */
  public ClaimRequest request(InFlightMessage<String> message) {
    return new ClaimRequest(
        message.requiredKey(),
        new Nonce(1, ++nonces),
        message.fingerprint,
        Origin.NONE,
        new ClaimTerms(true, true, ClaimTerms.ANY_TIME));
  }

  /** Returns a claim of this attempt, which no store has. */
  public static Acquired attempt(InFlightMessage<String> message, int number, boolean inDoubt) {
    return TestMessages.acquired(message, new Attempt(number, false, true, inDoubt));
  }
}
