package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.policy.MissingIdPolicy;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/** Messages without a usable id, and ids of several parts. */
class MessageIdTest extends FaultFixture {

  private IdempotentReceiver<String> receiver(MissingIdPolicy policy, IdExtractor<String> ids) {
    return open(builder()
        .id(ids)
        .missingId(policy)
        .fingerprint(text -> Fingerprint.of(Bytes.utf8(text).toByteArray()))
        .leased(marks, this::record));
  }

  static Stream<IdExtractor<String>> unusable() {
    return Stream.of(
        text -> Optional.empty(),
        text -> Optional.of(Bytes.EMPTY),
        text -> Optional.of(Bytes.utf8(" \t\r\n")),
        text -> Optional.of(Bytes.of(new byte[MessageKey.MAX_ID_BYTES + 1])),
        text -> Optional.of(Bytes.utf8("order-\ufffd")),
        text -> {
          throw new IllegalStateException("not JSON");
        },
        text -> {
          throw new HookErrorsTest.Unprintable();
        },
        text -> {
          throw FaultFixture.<RuntimeException>sneaky(new IOException("no registry"));
        });
  }

  @ParameterizedTest
  @MethodSource("unusable")
  void a_message_without_a_usable_id_is_dead_lettered(IdExtractor<String> ids) throws Exception {
    Outcome outcome = receiver(MissingIdPolicy.DEAD_LETTER, ids)
        .receive(lane("p0", "a"), PATIENCE)
        .get(0);

    assertThat(outcome).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(buried).extracting(DeadLetter::kind).containsExactly(DeadLetter.Kind.MISSING_ID);
    assertThat(effects).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("unusable")
  void a_message_without_a_usable_id_stops_its_lane(IdExtractor<String> ids) throws Exception {
    IdempotentReceiver<String> receiver = receiver(
        MissingIdPolicy.FAIL,
        text -> text.startsWith("b") ? Optional.of(Bytes.utf8(text)) : ids.idOf(text));

    List<Outcome> outcomes = receive(receiver, "a", "b");

    assertThat(outcomes)
        .extracting(it -> ((Outcome.Deferred) it).reason())
        .containsExactly(Outcome.Reason.MISSING_ID, Outcome.Reason.BLOCKED);
    assertThat(buried).isEmpty();
    assertThat(effects).isEmpty();
    assertThat(receiver.problems()).asString().contains("p0@0 has no usable id");
  }

  @ParameterizedTest
  @MethodSource("unusable")
  void its_coordinates_recognise_a_redelivery_and_nothing_else(IdExtractor<String> ids)
      throws Exception {
    IdempotentReceiver<String> receiver = receiver(MissingIdPolicy.COORDINATES, ids);

    receive(receiver, "a", "a");
    List<Outcome> again = receive(receiver, "a", "a");

    assertThat(effects).containsExactly("a", "a");
    assertThat(again).allMatch(Outcome.Duplicate.class::isInstance);
  }

  @ParameterizedTest
  @MethodSource("unusable")
  void the_use_of_coordinates_as_id_is_logged_as_a_warning(IdExtractor<String> ids)
      throws Exception {
    Logger intake = (Logger) LoggerFactory.getLogger("io.hapax.internal.message.MessageReader");
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    intake.setLevel(Level.WARN); // the tests' own settings say OFF
    intake.addAppender(log);
    try {
      receiver(MissingIdPolicy.COORDINATES, ids).receive(lane("p0", "a"), PATIENCE);
    } finally {
      intake.detachAppender(log);
      intake.setLevel(null);
    }

    assertThat(effects).containsExactly("a");
    assertThat(log.list).singleElement().satisfies(line -> {
      assertThat(line.getLevel()).isEqualTo(Level.WARN);
      assertThat(line.getFormattedMessage()).startsWith("No ").endsWith("id at p0@0");
    });
  }

  @Test
  void a_message_whose_coordinates_are_too_long_for_an_id_is_dead_lettered() throws Exception {
    IdempotentReceiver<String> receiver =
        receiver(MissingIdPolicy.COORDINATES, text -> Optional.empty());
    String coordinates = "x".repeat(MessageKey.MAX_ID_BYTES);
    Incoming<String> message = new Incoming<>("a", "p0", coordinates, false);

    List<Outcome> outcomes = receiver.receive(List.of(message), PATIENCE);

    assertThat(outcomes).hasOnlyElementsOfType(Outcome.DeadLettered.class);
    assertThat(buried).extracting(DeadLetter::kind).containsExactly(DeadLetter.Kind.MISSING_ID);
    assertThat(effects).isEmpty();
  }

  @Test
  @DisplayName("invariant 11: a topic made anew is not taken for the old one")
  void other_payloads_at_known_coordinates_are_dead_lettered() throws Exception {
    IdempotentReceiver<String> receiver =
        receiver(MissingIdPolicy.COORDINATES, text -> Optional.empty());

    receive(receiver, "old");
    receive(receiver, "new");

    assertThat(buried).extracting(DeadLetter::kind).containsExactly(DeadLetter.Kind.CONFLICT);
  }

  @Test
  @DisplayName("invariant 15: an id never equals coordinates")
  void a_message_whose_id_reads_like_coordinates_is_another_message() throws Exception {
    IdempotentReceiver<String> receiver = receiver(
        MissingIdPolicy.COORDINATES,
        text -> text.isEmpty() ? Optional.empty() : Optional.of(Bytes.utf8(text)));

    receive(receiver, "");
    receiver.receive(lane("p1", "p0@0"), PATIENCE);

    assertThat(effects).containsExactly("", "p0@0");
  }

  @Test
  void an_id_that_only_begins_with_a_blank_is_an_id() throws Exception {
    receiver(MissingIdPolicy.DEAD_LETTER, text -> Optional.of(Bytes.utf8(" " + text)))
        .receive(lane("p0", "a"), PATIENCE);

    assertThat(effects).containsExactly("a");
  }

  @Test
  @DisplayName("invariant 15: parts cannot flow into each other")
  void different_parts_make_different_ids() {
    assertThat(Stream.of(
            CompositeId.of("ab", "c"),
            CompositeId.of("a", "bc"),
            CompositeId.of("a/b", "c"),
            CompositeId.of("a", "b/c"),
            CompositeId.of("a", "b", "c"),
            CompositeId.of("a%2Fb", "c"),
            CompositeId.of("a", "", "bc"),
            CompositeId.of("", "a", "bc"),
            CompositeId.of("a", "bc", "")))
        .doesNotHaveDuplicates();
    assertThat(CompositeId.of("tenant 7", "order/9")).hasToString("tenant 7/order%2F9");
    assertThatThrownBy(() -> CompositeId.of("a", "\ud800"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> CompositeId.of("a", "\ufffd"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
