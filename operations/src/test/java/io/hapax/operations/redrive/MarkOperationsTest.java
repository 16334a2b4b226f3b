package io.hapax.operations.redrive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.generation.GenerationMove;
import io.hapax.generation.Generations;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Resolution;
import io.hapax.mark.Verdict;
import io.hapax.operations.MarkFixture;
import io.hapax.operations.redrive.RedriveResult.Published;
import io.hapax.store.MarkQuery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Checks the list of open marks, and the decisions on their messages. */
class MarkOperationsTest extends MarkFixture {

  private static final Fingerprint FORGED = new Fingerprint(13);

  private final MarkOperations marks = new MarkOperations(store, "orders");
  private final List<String> fetched = new ArrayList<>();

  private RedriveResult redeliver(String id) {
    return marks.redeliver(id, (coordinates, bytes) -> {
      fetched.add(bytes + " at " + coordinates);
      return new Published();
    });
  }

  @Test
  void all_pages_are_listed_up_to_a_limit() {
    IntStream.range(0, 2_300).forEach(i -> claim("order-" + i));
    leasesEnd();

    assertThat(marks.list(MarkQuery.Kind.STALE, 5_000)).hasSize(2_300).doesNotHaveDuplicates();
    assertThat(marks.list(MarkQuery.Kind.STALE, 1_500)).hasSize(1_500);
    assertThat(marks.list(MarkQuery.Kind.DEAD, 10)).isEmpty();
    assertThat(marks.now()).isAfterOrEqualTo(now);
  }

  @Test
  void an_id_that_names_two_messages_is_refused_and_the_way_out_is_named() {
    claim("0x61");
    claim("a");

    assertThatThrownBy(() -> marks.find("0x61"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("0x61 names two messages: one with this text, one with these bytes."
            + " Write the text as 0x30783631, and the bytes as a");
    assertThat(marks.find("0x30783631")).contains(mark("0x61"));
    assertThat(marks.find("a")).contains(mark("a"));
  }

  @Test
  void bytes_that_are_not_text_have_no_other_name() {
    claim("0xff");
    claim(
        MessageKey.of("orders", Bytes.of(new byte[] {(byte) 0xFF})),
        "orders-0@8",
        Fingerprint.NONE);

    assertThatThrownBy(() -> marks.find("0xff"))
        .hasMessageEndingWith("one with these bytes. Write the text as 0x30786666");
    assertThat(marks.find("0x30786666")).contains(mark("0xff"));
  }

  @Test
  void the_message_of_a_stale_mark_is_fetched_from_where_it_lies() {
    claim("a");
    leasesEnd();

    assertThat(redeliver("a")).isEqualTo(new Published());

    assertThat(fetched).containsExactly("a at orders-0@7");
    assertThat(mark("a").state()).as("only a delivery takes over").isEqualTo(MarkState.PROCESSING);
  }

  @Test
  void what_waits_to_be_tried_again_is_fetched_too() {
    settle("a", new Verdict.Retry(Duration.ofHours(1), true));

    assertThat(redeliver("a")).isEqualTo(new Published());
  }

  @Test
  void an_id_that_is_no_text_is_named_by_its_bytes() {
    claim(
        MessageKey.of("orders", Bytes.of(new byte[] {(byte) 0xFF, 1})),
        "orders-0@8",
        Fingerprint.NONE);
    leasesEnd();

    assertThat(redeliver("0xff01")).isEqualTo(new Published());
    assertThat(fetched).containsExactly("0xff01 at orders-0@8");
  }

  @Test
  void a_mark_with_a_living_lease_is_left_alone() {
    claim("a");

    assertThat(redeliver("a"))
        .hasToString("Refused[why=its mark is not stale: host-17 holds it until " + now.plus(LEASE)
            + ", unmarked=false]");
    assertThat(marks.resolve("a", Resolution.FORCE_DONE)).isPresent();
    assertThat(mark("a").state()).isEqualTo(MarkState.PROCESSING);
    assertThat(fetched).isEmpty();
  }

  @Test
  void what_is_done_or_dead_or_not_there_is_not_fetched() {
    settle("done", Verdict.Done.WITHOUT_RESULT);
    settle("dead", new Verdict.Dead("no such item"));
    claim(MessageKey.of("orders", "nowhere"), "", Fingerprint.NONE);
    leasesEnd();

    assertThat(redeliver("done").why().toString()).isEqualTo("it is done");
    assertThat(redeliver("dead").why().toString()).contains("it is dead");
    assertThat(redeliver("unknown").why().toString()).contains("there is no mark");
    assertThat(redeliver("nowhere").why().toString()).contains("does not say where");
    assertThat(fetched).isEmpty();
    assertThatThrownBy(() -> redeliver("")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_decision_is_executed_on_marks_without_a_living_lease() {
    claim("a");
    settle("dead", new Verdict.Dead("no such item"));
    settle("done", Verdict.Done.WITHOUT_RESULT);
    leasesEnd();

    assertThat(marks.resolve("a", Resolution.FORCE_DONE)).isEmpty();
    assertThat(marks.resolve("dead", Resolution.REOPEN)).isEmpty();

    assertThat(mark("a").state()).isEqualTo(MarkState.DONE);
    assertThat(mark("dead").state()).isEqualTo(MarkState.RETRY);
    assertThat(marks.resolve("done", Resolution.REOPEN)).get().hasToString("it is done");
    assertThat(marks.resolve("unknown", Resolution.REOPEN)).isPresent();
  }

  @Test
  void any_payload_is_decided_on_what_is_done_too() {
    settle(claim("forged", FORGED), Verdict.Done.WITHOUT_RESULT);
    settle(claim("kept", FORGED), Verdict.Done.WITHOUT_RESULT);
    settle(claim("dead", FORGED), new Verdict.Dead("no such item"));

    assertThat(marks.refusal(marks.find("forged"), Resolution.REOPEN_ANY_PAYLOAD))
        .isEmpty();
    assertThat(marks.resolve("forged", Resolution.REOPEN_ANY_PAYLOAD)).isEmpty();
    assertThat(marks.resolve("kept", Resolution.DONE_ANY_PAYLOAD)).isEmpty();

    assertThat(mark("forged").state()).isEqualTo(MarkState.RETRY);
    assertThat(mark("forged").claim().fingerprint()).isEqualTo(Fingerprint.NONE);
    assertThat(mark("kept").state()).isEqualTo(MarkState.DONE);
    assertThat(mark("kept").claim().fingerprint()).isEqualTo(Fingerprint.NONE);
    assertThat(marks.resolve("kept", Resolution.DONE_ANY_PAYLOAD))
        .get()
        .hasToString("it is done, and takes any payload already");
    assertThat(marks.resolve("dead", Resolution.DONE_ANY_PAYLOAD))
        .get()
        .hasToString("it is not done");
    assertThat(marks.resolve("unknown", Resolution.DONE_ANY_PAYLOAD)).isPresent();
  }

  @Test
  void only_the_result_of_what_is_done_is_forgotten() {
    settle(claim("charged", FORGED), new Verdict.Done(Bytes.utf8("receipt")));
    settle(claim("dead", FORGED), new Verdict.Dead("no such item"));

    assertThat(marks.resolve("charged", Resolution.FORGET)).isEmpty();

    assertThat(mark("charged").detail()).isEqualTo(Bytes.EMPTY);
    assertThat(marks.resolve("charged", Resolution.FORGET))
        .get()
        .hasToString("it is done, and has no result that could be erased");
    assertThat(marks.resolve("dead", Resolution.FORGET))
        .get()
        .hasToString("it is not done, so its id and its owner are still needed");
  }

  @Test
  void a_mark_with_a_living_lease_is_resolved_by_force() {
    claim("a");

    assertThat(marks.refusal(marks.find("a"), Resolution.REOPEN)).isPresent();
    assertThat(marks.refusal(marks.find("a"), Resolution.REOPEN.force())).isEmpty();
    assertThat(marks.resolve("a", Resolution.REOPEN.force())).isEmpty();

    assertThat(mark("a").state()).isEqualTo(MarkState.RETRY);
  }

  @Test
  void marks_of_an_earlier_generation_are_not_looked_at() {
    claim("a");
    leasesEnd();
    assertThat(Generations.advance(store, "orders", 0)).isEqualTo(new GenerationMove.Moved(1));

    assertThat(marks.list(MarkQuery.Kind.STALE, 10)).isEmpty();
    assertThat(redeliver("a").why().toString()).contains("there is no mark");
  }
}
