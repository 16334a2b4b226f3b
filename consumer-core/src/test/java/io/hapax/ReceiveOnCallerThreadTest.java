package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.mark.Bytes;
import io.hapax.mark.MarkState;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** All of the user's code runs on the thread that calls {@code receiveOnCallerThread}. */
class ReceiveOnCallerThreadTest extends CallerThreadFixture {

  @Test
  void leased_code_runs_on_the_calling_thread_and_store_calls_elsewhere() throws Exception {
    IdempotentReceiver<String> receiver =
        open(watching().leased(store, delivery -> ran("handler")));

    List<Outcome> outcomes = receive(receiver, both(lane("p0", "a", "a=other"), lane("p1", "b")));
    List<Outcome> again = receive(receiver, lane("p0", "a"));

    assertThat(outcomes)
        .hasExactlyElementsOfTypes(
            Outcome.Executed.class, Outcome.DeadLettered.class, Outcome.Executed.class);
    assertThat(again).hasOnlyElementsOfType(Outcome.Duplicate.class);
    assertRanHere("id", "fingerprint", "handler", "duplicate", "conflict", "publisher");
    assertRanElsewhere("claim", "settle");
  }

  @Test
  void answering_and_batch_handlers_run_on_the_calling_thread() throws Exception {
    IdempotentReceiver<String> answering = open(watching().answering(store, delivery -> {
      ran("answering");
      return Bytes.utf8("result");
    }));
    IdempotentReceiver<String> batches =
        open(watching().leasedBatches(store, deliveries -> ran("batch of " + deliveries.size())));

    receive(answering, lane("p0", "a"));
    receive(batches, lane("p0", "b", "c"));

    assertRanHere("answering", "batch of 2");
  }

  @Test
  void an_outcome_is_passed_on_before_the_call_returns() throws Exception {
    CountDownLatch firstIsDone = new CountDownLatch(1);
    IdempotentReceiver<String> receiver = open(watching().leased(store, delivery -> {
      if (delivery.message().equals("b")) {
        assertThat(firstIsDone.await(20, TimeUnit.SECONDS)).isTrue();
      }
    }));

    List<Outcome> outcomes = receiver
        .port()
        .receiveOnCallerThread(lane("p0", "a", "b"), PATIENCE, (index, outcome) -> {
          if (index == 0) {
            firstIsDone.countDown();
          }
        });

    assertThat(outcomes).hasOnlyElementsOfType(Outcome.Executed.class);
  }

  @Test
  void a_transaction_and_its_handler_run_on_the_calling_thread() throws Exception {
    IdempotentReceiver<String> receiver =
        open(watching().transactional(transactions(watched), (transaction, deliveries) -> {
          ran("handler");
          deliveries.forEach(this::record);
        }));

    List<Outcome> outcomes = receive(receiver, both(lane("p0", "a", "b"), lane("p1", "c")));
    List<Outcome> conflict = receive(receiver, lane("p0", "a=other"));

    assertThat(outcomes).hasOnlyElementsOfType(Outcome.Executed.class);
    assertThat(conflict).hasOnlyElementsOfType(Outcome.DeadLettered.class);
    assertThat(effects).containsExactly("a", "b", "c");
    assertRanHere("id", "runOnce", "handler", "conflict", "publisher");
  }

  @Test
  void messages_of_one_by_one_mode_run_on_the_calling_thread() throws Exception {
    IdempotentReceiver<String> receiver = open(watching()
        .transactional(transactions(watched), (transaction, deliveries) -> ran("handler")));

    List<Outcome> outcomes = receive(receiver, List.of(new Incoming<>("a", "p0", "p0@0", true)));

    assertThat(outcomes).hasOnlyElementsOfType(Outcome.Executed.class);
    assertRanHere("completeWith", "handler");
    assertRanElsewhere("claim");
  }

  @Test
  void lanes_interleave_in_the_order_of_the_list_after_one_claim_call() throws Exception {
    IdempotentReceiver<String> receiver = open(watching().leased(store, this::record));
    List<Incoming<String>> messages = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      String lane = "p" + (i * 7 % 5);
      messages.add(new Incoming<>("m" + i, lane, lane + "@" + i, false));
    }

    receive(receiver, messages);

    assertThat(effects)
        .containsExactlyElementsOf(messages.stream().map(Incoming::message).toList());
    assertThat(claims).singleElement().satisfies(call -> assertThat(call).hasSize(60));
  }

  @Test
  void an_error_of_a_handler_is_a_failure_like_any_other() throws Exception {
    IdempotentReceiver<String> receiver = open(watching().leased(store, delivery -> {
      if (delivery.message().equals("a")) {
        throw new OutOfMemoryError("Java heap space");
      }
      throw new StackOverflowError();
    }));

    List<Outcome> outcomes = receive(receiver, both(lane("p0", "a"), lane("p1", "b")));

    assertThat(outcomes).allSatisfy(it -> assertThat(reason(it)).isEqualTo(Outcome.Reason.RETRY));
    assertThat(mark("a").state()).isEqualTo(MarkState.RETRY);
  }
}
