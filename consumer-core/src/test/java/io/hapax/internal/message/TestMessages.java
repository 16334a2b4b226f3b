package io.hapax.internal.message;

import io.hapax.ReceiverListener;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.health.Problem;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.ManualThreads;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.mark.Attempt;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimAnswer.Kind;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Messages in flight, and the parts of an engine that finish them, without the rest of it. */
public final class TestMessages implements Outcomes.Reactions<String> {

  public static final Attempt FIRST = new Attempt(1, false, true, false);
  public static final Attempt IN_DOUBT = new Attempt(2, false, true, true);
  public static final Duration LEASE = Duration.ofSeconds(30);

  public final ManualThreads threads = new ManualThreads();
  public final Events events;
  public final InFlightIds ids = new InFlightIds();
  public final BlockedMessages blocked;
  public final WaitingLanes waitingLanes = new WaitingLanes(threads);
  public final Submissions<String> submissions = new Submissions<>(threads);
  public final Outcomes<String> outcomes;
  public final Tasks<String> tasks;

  /** The messages whose claims were given back. */
  public final List<InFlightMessage<String>> released = new ArrayList<>();

  /** The messages that were passed on as conflicts. */
  public final List<InFlightMessage<String>> conflicts = new ArrayList<>();

  public TestMessages(ReceiverListener... listeners) {
    events = new Events(List.of(listeners), threads, () -> Instant.EPOCH);
    blocked = new BlockedMessages(threads.threads(), events);
    outcomes = new Outcomes<>(threads.env(), ids, events, blocked, waitingLanes, submissions);
    outcomes.connect(this);
    tasks = new Tasks<>(TestSettings.SCOPE, threads.threads(), outcomes, events);
  }

  /** Reads the messages of one submission and lane. */
  public List<InFlightMessage<String>> read(TestSettings settings, String... texts) {
    return read(
        settings, Optional.empty(), Stream.of(texts).map(TestMessages::incoming).toList());
  }

  /** Reads the messages of one submission, which has a position if its lanes outlive it. */
  public List<InFlightMessage<String>> read(
      TestSettings settings,
      Optional<ActiveSubmission.Position> position,
      List<Incoming<String>> incoming) {
    ActiveSubmission<String> submission = new ActiveSubmission<>(
        outcomes, (index, outcome) -> {}, incoming.size(), threads, position, Optional.empty());
    List<InFlightMessage<String>> messages = new MessageReader<>(
            TestSettings.SCOPE, settings.reading(), events)
        .read(submission, incoming);
    submission.items(messages);
    var unused = submissions.take(submission, () -> {});
    return messages;
  }

  private static Incoming<String> incoming(String text) {
    return incoming(text, "p0");
  }

  /** Returns a message of a lane that keeps an order. */
  public static Incoming<String> incoming(String text, String lane) {
    return new Incoming<>(text, lane, lane + "@" + text, false);
  }

  /** Reads the messages of one submission and lane. */
  public List<InFlightMessage<String>> read(String... texts) {
    return read(new TestSettings(), texts);
  }

  /** Reads the only message of a submission. */
  public InFlightMessage<String> message(String text) {
    return read(text).get(0);
  }

  /** Reads a message and gives it a claim. */
  public InFlightMessage<String> claimed(String text, Attempt attempt) {
    InFlightMessage<String> message = message(text);
    var unused = message.answered(acquired(message, attempt), threads.nanos() + LEASE.toNanos());
    return message;
  }

  /** Returns a claim of the message, with token 7. */
  public static Acquired acquired(InFlightMessage<String> message, Attempt attempt) {
    Claim claim = new Claim(
        message.requiredKey(), new Nonce(1, 2), 7, attempt, message.fingerprint, Origin.NONE);
    return new Acquired(claim, Kind.FRESH, Instant.EPOCH.plus(LEASE), Optional.empty());
  }

  /** Returns the outcome, which is a deferral. */
  public static Deferred deferral(InFlightMessage<String> message) {
    return (Deferred) message.outcome().orElseThrow();
  }

  /** Returns the kinds of the present problems. */
  public List<Problem.Kind> problems() {
    return events.problems().stream().map(Problem::kind).toList();
  }

  @Override
  public boolean answers(InFlightMessage<String> item, Outcome outcome) {
    return false;
  }

  @Override
  public void conflicts(InFlightMessage<String> follower) {
    conflicts.add(follower);
  }

  @Override
  public void release(InFlightMessage<String> item, Outcome outcome) {
    released.add(item);
    outcomes.finish(item, outcome);
  }
}
