package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.Mark;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.MarkQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Ids: two that differ in any byte are different messages, and each is returned unchanged. */
interface IdentityContract extends Bench {

  private List<MessageKey> keys() {
    return lookAlikes().stream().map(id -> MessageKey.of(scope(), id)).toList();
  }

  private List<ClaimAnswer> claim(List<MessageKey> keys) {
    return store().claim(keys.stream().map(Bench::request).toList(), LEASE);
  }

  private static void assertFresh(List<ClaimAnswer> answers) {
    assertThat(answers)
        .allSatisfy(answer -> assertThat(answer)
            .isInstanceOfSatisfying(
                Acquired.class, it -> assertThat(it.kind()).isEqualTo(ClaimAnswer.Kind.FRESH)));
  }

  private List<Bytes> lookAlikes() {
    Stream<String> texts = Stream.of(
        "order",
        "Order",
        "ORDER",
        "order ",
        " order",
        "order\t",
        "order\n",
        "order\u0000",
        "order\u0000\u0000",
        "órder",
        "o\u0301rder",
        "\u00c5",
        "\u212b",
        "A\u030a",
        "straße",
        "strasse",
        "ı",
        "i",
        "0",
        "00",
        "😀",
        "😁",
        "%",
        "_",
        "'; --",
        "{order}",
        "x".repeat(10_000),
        "x".repeat(9_999) + "y",
        "x".repeat(MessageKey.MAX_ID_BYTES));
    Stream<byte[]> raw =
        Stream.of(new byte[] {0}, new byte[] {-1}, new byte[] {(byte) 0xC3}, new byte[] {'x'});
    return Stream.concat(texts.map(Bytes::utf8), raw.map(Bytes::of)).toList();
  }

  @Test
  default void ids_that_look_alike_are_different_messages() {
    assertFresh(claim(keys()));
  }

  @Test
  default void ids_and_scopes_come_back_as_they_went_in() {
    List<MessageKey> keys = keys();
    claim(keys);

    List<Optional<Mark>> marks = store().find(keys);

    assertThat(marks).extracting(mark -> mark.orElseThrow().key()).isEqualTo(keys);
    assertThat(marks).extracting(mark -> mark.orElseThrow().key().id()).isEqualTo(lookAlikes());
    assertThat(marks).extracting(mark -> mark.orElseThrow().key().scope()).containsOnly(scope());
  }

  @Test
  default void messages_that_look_alike_end_each_in_its_own_way() {
    List<MessageKey> keys = keys();
    List<Verdict> ends = List.of(DONE, DEAD, RETRY_LATER);
    List<Settlement> settlements = new ArrayList<>();
    for (ClaimAnswer answer : claim(keys)) {
      Verdict end = ends.get(settlements.size() % ends.size());
      settlements.add(new Settlement(Bench.acquired(answer).claim(), end));
    }
    store().settle(settlements);

    List<ClaimAnswer> again = claim(keys);

    List<Class<?>> expected =
        List.of(ClaimAnswer.Done.class, ClaimAnswer.Dead.class, ClaimAnswer.Busy.class);
    for (int i = 0; i < keys.size(); i++) {
      assertThat(again.get(i)).as("%s", keys.get(i)).isInstanceOf(expected.get(i % 3));
    }
  }

  @Test
  default void operators_are_shown_ids_that_look_alike_as_they_are() {
    store()
        .settle(claim(keys()).stream()
            .map(answer -> new Settlement(Bench.acquired(answer).claim(), DEAD))
            .toList());

    List<Mark> dead =
        store().list(MarkQuery.first(scope(), MarkQuery.Kind.DEAD, MarkQuery.MAX_LIMIT));

    assertThat(dead)
        .extracting(mark -> mark.key().id())
        .containsExactlyInAnyOrderElementsOf(lookAlikes());
  }

  @Test
  default void scopes_that_look_alike_are_different() {
    assertFresh(claim(Stream.of("", "a", "A", "á", "a\u0301", " ", "%", "_")
        .map(end -> MessageKey.of(scope() + end, "m"))
        .toList()));
  }

  @Test
  default void the_same_id_in_another_scope_is_another_message() {
    settled("m", DONE);
    MessageKey elsewhere = MessageKey.of(scope() + "#2", "m");

    assertThat(claim(Bench.request(elsewhere))).isInstanceOf(Acquired.class);
  }

  @Test
  default void where_scope_ends_and_id_begins_matters() {
    claim(Bench.request(MessageKey.of(scope() + "a", "bc")));

    ClaimAnswer answer = claim(Bench.request(MessageKey.of(scope() + "ab", "c")));

    assertThat(answer).isInstanceOf(Acquired.class);
  }
}
