package io.hapax.internal.run;

import io.hapax.Delivery;
import io.hapax.LeaseSettings;
import io.hapax.adapter.Incoming;
import io.hapax.internal.claim.Suspects;
import io.hapax.internal.claim.TestClaims;
import io.hapax.internal.handler.HandlerInvoker;
import io.hapax.internal.message.ActiveSubmission;
import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.OpenLanes;
import io.hapax.internal.message.SubmissionOrder;
import io.hapax.internal.message.TestMessages;
import io.hapax.internal.runtime.ManualThreads;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.internal.settle.Completions;
import io.hapax.internal.settle.MessageAges;
import io.hapax.internal.settle.TestSettling;
import io.hapax.internal.settle.UnacquiredClaims;
import io.hapax.internal.store.TestStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The parts that run messages, on a store in memory. The handler records what it is called for. */
final class TestRunning {

  static final Duration MARGIN = LeaseSettings.DEFAULT.margin();

  final TestSettings settings;
  final TestClaims claims;
  final TestSettling settling;
  final TestStore store;
  final TestMessages messages;
  final ManualThreads threads;
  final HandlerInvoker<String> invoker;
  final MessageAges<String> ages;
  final UnacquiredClaims<String> unacquired;
  final HandlerStep.Parts<String> parts;
  final TransactionCalls<String, List<String>> transactions;
  final FailedAttempts<String> failedAttempts;

  /** The messages in the order of the handler's calls. */
  final List<String> handled = new ArrayList<>();

  /** What the handler throws, by message. */
  final Map<String, Exception> errors = new HashMap<>();

  TestRunning(TestSettings settings) {
    this.settings = settings;
    claims = new TestClaims(settings);
    claims.clock.learn(TestStore.START, claims.threads.nanos());
    settling = claims.settling;
    store = settling.store;
    messages = settling.messages;
    threads = claims.threads;
    ages = settling.ages;
    invoker =
        new HandlerInvoker<>(threads.env(), messages.events, settling.calls, Optional.empty());
    unacquired = new UnacquiredClaims<>(messages.events, messages.outcomes, settling.conflicts);
    parts = new HandlerStep.Parts<>(
        invoker,
        new Completions<>(settling.results, settling.settler),
        settling.failures,
        messages.outcomes);
    transactions = new TransactionCalls<>(
        store, this::handle, invoker, messages.events, TestMessages.LEASE, threads);
    failedAttempts = new FailedAttempts<>(
        claims.call,
        settling.checked,
        settling.failures,
        unacquired,
        messages.events,
        messages.outcomes);
  }

  void handle(Delivery<String> delivery) throws Exception {
    handled.add(delivery.message());
    Optional<Exception> error = Optional.ofNullable(errors.get(delivery.message()));
    if (error.isPresent()) {
      throw error.get();
    }
  }

  private void handle(List<String> effects, List<Delivery<String>> deliveries) throws Exception {
    for (Delivery<String> delivery : deliveries) {
      handle(delivery);
      effects.add(delivery.message());
    }
  }

  TransactionStep<String, List<String>> transactionStep() {
    return new TransactionStep<>(
        transactions,
        settling.failures,
        settling.settler,
        messages.outcomes,
        messages.events,
        () -> 0.5);
  }

  BatchResults<String> results() {
    return new BatchResults<>(
        settling.failures, ages, unacquired, failedAttempts, messages.events, messages.outcomes);
  }

  DuplicateLookup<String> lookup() {
    return new DuplicateLookup<>(
        new BatchIntake<>(messages.ids, settling.unmarked, messages.outcomes),
        transactions,
        batchClaims(),
        unacquired,
        claims.generation);
  }

  BatchClaims<String> batchClaims() {
    return new BatchClaims<>(claims.requests, messages.outcomes);
  }

  BatchTransaction<String, List<String>> batches() {
    return new BatchTransaction<>(
        new BatchTransaction.Parts<>(
            lookup(), batchClaims(), transactions, results(), claims.generation, messages.tasks),
        () -> 0.5);
  }

  /** Returns what lanes use, with the handler of one message. */
  Lanes<String> lanes() {
    return lanes(HandlerStep.single(parts, this::handle));
  }

  Lanes<String> lanes(Step<String> step) {
    InDoubtResolver<String> doubts = new InDoubtResolver<>(
        settings.onUnknownOutcome,
        Optional.empty(),
        settling.failures,
        settling.results,
        messages.tasks,
        threads);
    return new Lanes<>(
        step,
        new HandlerBatch<>(ages, MARGIN),
        new MessageStart<>(
            doubts, settling.failures, settling.unmarked, unacquired, settling.settler, MARGIN),
        claims.claimer,
        new Suspects<>(settings.build(), threads.threads(), messages.tasks, messages.events),
        messages.outcomes,
        messages.tasks);
  }

  /** Claims a message in the store and starts it. */
  ClaimedMessage<String> started(String text) {
    InFlightMessage<String> message = settling.claim(text);
    message.start();
    return new ClaimedMessage<>(message, message.acquired().orElseThrow());
  }

  /** Reads the messages of one submission, which hold their ids or follow those that do. */
  List<InFlightMessage<String>> read(List<Incoming<String>> incoming) {
    return registered(messages.read(settings, Optional.empty(), incoming));
  }

  /** Reads the messages of one submission to open lanes. */
  List<InFlightMessage<String>> read(OpenLanes lanes, List<Incoming<String>> incoming) {
    ActiveSubmission.Position position =
        new ActiveSubmission.Position(lanes, Set.of(), new SubmissionOrder.Place());
    return registered(messages.read(settings, Optional.of(position), incoming));
  }

  private List<InFlightMessage<String>> registered(List<InFlightMessage<String>> read) {
    for (InFlightMessage<String> message : read) {
      var unused = messages.ids.register(message.requiredKey(), message);
    }
    return read;
  }
}
