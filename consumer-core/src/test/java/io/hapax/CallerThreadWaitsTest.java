package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.mark.Bytes;
import io.hapax.mark.MarkState;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages of a calling thread that wait, for another message, an answer or a time. */
class CallerThreadWaitsTest extends CallerThreadFixture {

  private static Stream<UnknownOutcomePolicy<String>> policies() {
    return Stream.of(
        UnknownOutcomePolicy.rerun(),
        UnknownOutcomePolicy.deadLetter(),
        UnknownOutcomePolicy.probe(delivery -> OutcomeProbe.Answer.APPLIED, AT_ONCE));
  }

  /** Ten messages in two lanes of this thread, whose ids other threads receive, too. */
  private static List<Incoming<String>> shared(int first) {
    String here = Thread.currentThread().getName();
    return IntStream.range(first, first + 10)
        .mapToObj(i -> new Incoming<>("m" + i + "=" + here, "lane " + i % 2, here + "@" + i, false))
        .toList();
  }

  @Test
  void the_probe_of_a_message_in_doubt_runs_on_the_calling_thread() throws Exception {
    OutcomeProbe<String> probe = delivery -> {
      ran("probe");
      return delivery.message().equals("a")
          ? OutcomeProbe.Answer.APPLIED
          : OutcomeProbe.Answer.NOT_APPLIED;
    };
    AtomicBoolean fails = new AtomicBoolean(true);
    IdempotentReceiver<String> receiver = open(watching()
        .onUnknownOutcome(UnknownOutcomePolicy.probe(probe, AT_ONCE))
        .leased(store, delivery -> {
          ran("handler");
          effects.add(delivery.message());
          if (fails.get()) {
            throw new IllegalStateException("the reply timed out");
          }
        }));
    List<Incoming<String>> messages = both(lane("p0", "a"), lane("p1", "b"));
    receive(receiver, messages);
    clock.advance(Duration.ofHours(1));
    fails.set(false);

    List<Outcome> outcomes = receive(receiver, messages);

    assertThat(outcomes).hasExactlyElementsOfTypes(Outcome.Duplicate.class, Outcome.Executed.class);
    assertThat(effects).containsExactlyInAnyOrder("a", "b", "b");
    assertRanHere("probe", "handler");
  }

  @Test
  @DisplayName("the handler of the first message lasts until the second one is given back")
  void patience_ends_while_a_handler_runs() throws Exception {
    IdempotentReceiver<String> receiver = open(watching()
        .leased(store, delivery -> eventually(() -> mark("b").state() == MarkState.RETRY)));

    List<Outcome> outcomes = receiver.receiveOnCallerThread(
        both(lane("p0", "a"), lane("p1", "b")), Duration.ofMillis(50));

    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Executed.class);
    assertThat(reason(outcomes.get(1))).isEqualTo(Outcome.Reason.ABANDONED);
  }

  @Test
  void without_patience_nothing_waits_for_a_store_that_is_away() throws Exception {
    IdempotentReceiver<String> receiver = open(watching()
        .leased(
            faulty(before("claim", items -> {
              throw new StoreException("away");
            })),
            delivery -> ran("handler")));

    List<Outcome> outcomes = receiver.receiveOnCallerThread(lane("p0", "a"), Duration.ZERO);

    assertThat(reason(outcomes.get(0))).isEqualTo(Outcome.Reason.ABANDONED);
    assertThat(threads).doesNotContainKey("handler");
  }

  @Test
  void a_follower_of_another_submission_is_answered_on_the_calling_thread() throws Exception {
    Gate handler = new Gate();
    IdempotentReceiver<String> receiver = open(watching().leased(store, delivery -> {
      ran("handler of " + delivery.message());
      if (delivery.message().equals("a")) {
        handler.pass();
      } else {
        handler.open();
      }
    }));
    Submission holder = receiver.submit(lane("p0", "a"), IGNORED);
    handler.awaitReached();
    threads.remove("id");

    List<Outcome> outcomes = receive(receiver, both(lane("p1", "a"), lane("p2", "b")));

    awaitAll(holder);
    assertThat(outcomes).hasExactlyElementsOfTypes(Outcome.Duplicate.class, Outcome.Executed.class);
    assertRanHere("id", "duplicate", "handler of b");
    assertRanElsewhere("handler of a");
  }

  @Test
  void a_follower_from_elsewhere_is_answered_on_a_worker() throws Exception {
    List<Submission> followers = new CopyOnWriteArrayList<>();
    List<IdempotentReceiver<String>> receivers = new CopyOnWriteArrayList<>();
    CountDownLatch otherRan = new CountDownLatch(1);
    receivers.add(open(watching().leased(store, delivery -> {
      ran("handler of " + delivery.message());
      if (delivery.message().equals("a")) {
        followers.add(receivers.get(0).submit(both(lane("p1", "a"), lane("p2", "b")), IGNORED));
        otherRan.await();
      } else {
        otherRan.countDown();
      }
    })));

    List<Outcome> outcomes = receive(receivers.get(0), lane("p0", "a"));

    assertThat(outcomes).hasOnlyElementsOfType(Outcome.Executed.class);
    awaitAll(followers.get(0));
    assertRanHere("handler of a");
    assertRanElsewhere("duplicate", "handler of b");
  }

  @ParameterizedTest
  @MethodSource("policies")
  @DisplayName("invariant 12: threads that receive the same ids at once each handle their own")
  void threads_that_receive_the_same_ids_wait_for_each_other(UnknownOutcomePolicy<String> policy)
      throws Exception {
    IdempotentReceiver<String> receiver =
        open(builder().noFingerprint().workers(1).onUnknownOutcome(policy).leased(store, it -> {
          effects.add(it.messageId());
          assertThat(it.message()).endsWith("=" + Thread.currentThread().getName());
        }));
    ExecutorService pool = Executors.newFixedThreadPool(6);
    try {
      List<Future<List<Outcome>>> calls = new ArrayList<>();
      for (int call = 0; call < 120; call++) {
        int first = call / 6;
        calls.add(pool.submit(() -> receive(receiver, shared(first))));
      }
      for (Future<List<Outcome>> call : calls) {
        assertThat(call.get()).hasSize(10).allMatch(Outcome::mayAcknowledge);
      }
    } finally {
      pool.shutdown();
    }
    assertThat(effects).hasSize(29).doesNotHaveDuplicates();
  }

  @Test
  void ids_are_read_on_the_calling_thread_once_the_generation_is_known() throws Exception {
    AtomicInteger unreadable = new AtomicInteger(3);
    IdempotentReceiver<String> receiver = open(watching()
        .lease(LeaseSettings.of(Duration.ofMillis(600)))
        .leased(
            faulty((verb, items, call) -> {
              if (verb.equals("find") && unreadable.getAndDecrement() > 0) {
                throw new StoreException("no permissions");
              }
              return watched.through(verb, items, call);
            }),
            delivery -> ran("handler")));

    List<Outcome> outcomes = receive(receiver, lane("p0", "a"));

    assertThat(outcomes).hasOnlyElementsOfType(Outcome.Executed.class);
    assertRanHere("id", "fingerprint", "handler");
    assertRanElsewhere("claim", "settle");
  }

  @Test
  void the_handlers_own_call_for_the_same_receiver_is_refused() throws Exception {
    List<IdempotentReceiver<String>> receivers = new CopyOnWriteArrayList<>();
    IdempotentReceiver<String> other = open(builder().leased(marks, this::record));
    List<Throwable> refused = new CopyOnWriteArrayList<>();
    receivers.add(open(IdempotentReceiver.<String>builder("invoices")
        .id(text -> Optional.of(Bytes.utf8(text)))
        .noFingerprint()
        .leased(marks, delivery -> {
          effects.addAll(receive(other, lane("p0", "of the other")).stream()
              .map(it -> "answered")
              .toList());
          try {
            receive(receivers.get(0), lane("p1", "b"));
          } catch (IllegalStateException e) {
            refused.add(e);
          }
        })));

    List<Outcome> outcomes = receive(receivers.get(0), lane("p0", "a"));
    List<Outcome> afterwards = receive(receivers.get(0), lane("p0", "a"));

    assertThat(outcomes).hasOnlyElementsOfType(Outcome.Executed.class);
    assertThat(afterwards).hasOnlyElementsOfType(Outcome.Duplicate.class);
    assertThat(effects).containsExactly("of the other", "answered");
    assertThat(refused)
        .singleElement()
        .extracting(Throwable::getMessage)
        .asString()
        .contains("receiveOnCallerThread", "invoices");
  }
}
