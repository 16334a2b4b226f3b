package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.errors.RejectedMessageException;
import io.hapax.internal.Engine;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.mark.Bytes;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Resolution;
import io.hapax.mark.SettleAnswer;
import io.hapax.policy.StoreOutagePolicy;
import io.hapax.store.DedupStore;
import io.hapax.store.StoreLoss;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What a receiver remembers by itself of what is done, and what it must not. */
class DoneCacheTest extends FaultFixture {

  private static final Duration MAX_AGE = Duration.ofMinutes(5);
  private static final StoreLoss LOSS = new StoreLoss("node 7", StoreLoss.Extent.LATEST);

  private final List<String> verbs = new CopyOnWriteArrayList<>();
  private final List<String> hits = new CopyOnWriteArrayList<>();
  private final AtomicLong nanos = new AtomicLong();

  private final DedupStore store = faulty((verb, items, call) -> {
    verbs.add(verb);
    return call.go();
  });

  private final ReceiverListener listener = new ReceiverListener() {
    @Override
    public void onCacheHit(MessageKey key) {
      hits.add(key.id().toString());
    }
  };

  private ReceiverBuilder<String> remembering() {
    return builder().listener(listener).doneCache(new DoneCacheSettings(1000, MAX_AGE));
  }

  private IdempotentReceiver<String> recording(DedupStore over) {
    return open(remembering().leased(over, delivery -> effects.add(delivery.message())));
  }

  private static List<Outcome> receive(IdempotentReceiver<String> receiver, String... messages)
      throws InterruptedException {
    return receiver.receive(lane("p0", messages), PATIENCE);
  }

  private List<String> claims() {
    return verbs.stream().filter("claim"::equals).toList();
  }

  @Test
  void a_poll_of_remembered_duplicates_costs_no_call_to_the_store() throws Exception {
    IdempotentReceiver<String> receiver = recording(store);
    receive(receiver, "a", "b");
    verbs.clear();

    assertThat(receive(receiver, "a", "b", "a"))
        .containsOnly(new Outcome.Duplicate())
        .hasSize(3);
    assertThat(verbs).isEmpty();
    assertThat(hits).containsExactly("a", "b", "a");
    assertThat(effects).containsExactly("a", "b");
  }

  @Test
  void what_another_process_has_done_is_remembered_once_the_store_has_said_so() throws Exception {
    receive(open(builder().leased(marks, delivery -> {})), "a");
    IdempotentReceiver<String> receiver = recording(store);
    receive(receiver, "a");
    assertThat(hits).isEmpty();
    verbs.clear();

    assertThat(receive(receiver, "a", "b").get(0)).isEqualTo(new Outcome.Duplicate());
    assertThat(hits).containsExactly("a");
    assertThat(effects).containsExactly("b");
  }

  @Test
  void another_payload_under_a_remembered_id_is_left_to_the_store_to_judge() throws Exception {
    IdempotentReceiver<String> receiver = recording(store);
    receive(receiver, "a=1");

    assertThat(receive(receiver, "a=2").get(0)).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(buried)
        .singleElement()
        .satisfies(letter -> assertThat(letter.kind()).isEqualTo(DeadLetter.Kind.CONFLICT));
    assertThat(hits).isEmpty();
  }

  @Test
  void a_dead_message_is_not_remembered_so_that_it_runs_when_it_was_reopened() throws Exception {
    List<String> refused = new ArrayList<>(List.of("a"));
    IdempotentReceiver<String> receiver = open(remembering().leased(store, delivery -> {
      if (refused.remove(delivery.message())) {
        throw new RejectedMessageException("not like this");
      }
      effects.add(delivery.message());
    }));
    receive(receiver, "a");
    assertThat(receive(receiver, "a").get(0)).isInstanceOf(Outcome.DeadLettered.class);
    reopen("a");

    assertThat(receive(receiver, "a").get(0)).isInstanceOf(Outcome.Executed.class);
    assertThat(effects).containsExactly("a");
  }

  private void reopen(String id) {
    Mark seen = mark(id);
    assertThat(marks.resolve(key(id), seen.claim().token(), seen.state(), Resolution.REOPEN))
        .isTrue();
  }

  @Test
  void nothing_is_remembered_before_the_store_has_accepted_that_it_is_done() throws Exception {
    List<String> taken = new ArrayList<>(List.of("taken over"));
    DedupStore fencing = faulty((verb, items, call) -> {
      if (verb.equals("settle") && !taken.isEmpty()) {
        taken.clear();
        return List.of(new SettleAnswer.Fenced(MarkState.PROCESSING));
      }
      return call.go();
    });
    IdempotentReceiver<String> receiver = recording(fencing);

    assertThat(receive(receiver, "a").get(0)).isInstanceOf(Outcome.Deferred.class);
    assertThat(receive(receiver, "a").get(0)).isInstanceOf(Outcome.Deferred.class);
    assertThat(hits).isEmpty();
  }

  @Test
  void reopening_a_done_message_takes_effect_after_the_maximum_age() throws Exception {
    sparing = new EngineSettings.Sparing(
        Optional.of(new DoneCacheSettings(1000, MAX_AGE)), StoreOutagePolicy.failClosed());
    Engine<String> engine = engine(
        LeaseSettings.DEFAULT, nanos::get, store, delivery -> effects.add(delivery.message()));
    engine.receive(lane("p0", "a"), PATIENCE);
    reopen("a");

    nanos.addAndGet(MAX_AGE.minusSeconds(1).toNanos());
    engine.receive(lane("p0", "a"), PATIENCE); // a hit does not make it young again
    assertThat(effects).containsExactly("a");

    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    engine.receive(lane("p0", "a"), PATIENCE);
    assertThat(effects).containsExactly("a", "a");
  }

  @Test
  void a_cached_id_is_claimed_again_after_the_store_reports_a_loss() throws Exception {
    IdempotentReceiver<String> receiver = recording(store);
    receive(receiver, "a");
    verbs.clear();

    listeners.onDataLost(LOSS);
    receive(receiver, "a");

    assertThat(claims()).hasSize(1);
    assertThat(hits).isEmpty();
  }

  @Test
  void an_answer_from_before_a_loss_is_not_believed_after_it() throws Exception {
    DedupStore losing = faulty((verb, items, call) -> {
      Object answers = call.go();
      if (verb.equals("settle")) {
        listeners.onDataLost(LOSS);
      }
      return answers;
    });
    IdempotentReceiver<String> receiver = recording(losing);
    receive(receiver, "a");

    receive(receiver, "a");

    assertThat(hits).isEmpty();
  }

  @Test
  void an_open_mark_that_was_lost_makes_it_forget_what_was_done() throws Exception {
    DedupStore emptied = faulty((verb, items, call) -> {
      Object answers = call.go();
      return verb.equals("settle") && effects.contains("b")
          ? List.of(new SettleAnswer.Settled(true))
          : answers;
    });
    IdempotentReceiver<String> receiver = recording(emptied);
    receive(receiver, "a");

    receive(receiver, "b");
    receive(receiver, "a", "b");

    assertThat(hits).isEmpty();
  }

  @Test
  void a_result_reaches_its_duplicates_from_the_store() throws Exception {
    List<Bytes> answers = new CopyOnWriteArrayList<>();
    IdempotentReceiver<String> receiver = open(remembering()
        .onDuplicate((message, result) -> answers.add(result))
        .answering(store, delivery -> Bytes.utf8("receipt 7")));
    receive(receiver, "a");

    receive(receiver, "a");
    receive(receiver, "a");

    assertThat(answers).containsOnly(Bytes.utf8("receipt 7")).hasSize(2);
    assertThat(hits).isEmpty();
  }

  @Test
  void answering_a_remembered_duplicate_delays_no_other_message() throws Exception {
    CountDownLatch ran = new CountDownLatch(1);
    IdempotentReceiver<String> receiver = open(remembering()
        .onDuplicate((message, result) -> ran.await(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .leased(store, delivery -> {
          if (delivery.message().equals("b")) {
            ran.countDown();
          }
        }));
    receive(receiver, "a");

    assertThat(receive(receiver, "a", "b").get(0)).isEqualTo(new Outcome.Duplicate());
    assertThat(hits).containsExactly("a");
    assertThat(ran.getCount()).isZero();
  }

  @Test
  void no_more_is_remembered_than_was_allowed() throws Exception {
    IdempotentReceiver<String> receiver = open(builder()
        .listener(listener)
        .doneCache(new DoneCacheSettings(2, MAX_AGE))
        .leased(store, delivery -> {}));
    receive(receiver, "a", "b", "c", "d", "e");

    receive(receiver, "a", "b", "c", "d", "e");

    assertThat(hits).hasSizeLessThanOrEqualTo(2);
  }

  @Test
  void without_the_setting_every_message_is_claimed_in_the_store() throws Exception {
    IdempotentReceiver<String> receiver =
        open(builder().listener(listener).leased(store, delivery -> {}));
    receive(receiver, "a");
    verbs.clear();

    receive(receiver, "a");

    assertThat(claims()).hasSize(1);
    assertThat(hits).isEmpty();
  }
}
