package io.hapax.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.Verdict;
import io.hapax.operations.TestBroker.Sent;
import io.hapax.operations.redrive.RedriveResult;
import io.hapax.operations.redrive.RedriveResult.Published;
import io.hapax.operations.redrive.RedriveResult.Refused;
import io.hapax.operations.redrive.Redriver;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** An operator delivers the message of a stale mark again, or dead-letters it. */
@ParameterizedClass
@MethodSource("io.hapax.operations.TestBroker#all")
class RedeliveryTest extends OperationsFixture {

  private static final Sent FIRST = new Sent("poison", "first", Map.of("tenant", "acme"));

  RedeliveryTest(TestBroker broker) {
    super(broker);
  }

  /** Returns the planned answer and the real one, which must agree. */
  private RedriveResult answer(String id) throws InterruptedException {
    Redriver redriver = redriver();
    RedriveResult planned = redriver.plan(id);
    assertThat(redriver.redeliver(id)).isEqualTo(planned);
    return planned;
  }

  /** Sends two messages to the second part, of which the first was lost with its consumer. */
  private void lost() throws Exception {
    broker.send(topic, 1, List.of(FIRST, new Sent("poison", "second", Map.of())));
    vanishedWith("poison", first(1));
  }

  @Test
  void a_message_is_redelivered_unchanged_to_where_it_came_from() throws Exception {
    lost();
    Redriver redriver = redriver();

    assertThat(redriver.plan("poison")).isEqualTo(new Published());
    assertThat(broker.read(topic, 1)).as("a plan publishes nothing").hasSize(2);
    assertThat(redriver.redeliver("poison")).isEqualTo(new Published());

    assertThat(broker.read(topic, 1, 3)).hasSize(3).element(2).isEqualTo(FIRST);
    assertThat(mark("poison").state()).isEqualTo(MarkState.PROCESSING);
  }

  @Test
  void the_message_of_a_stale_mark_is_dead_lettered() throws Exception {
    String letters = broker.topic(1);
    lost();
    long token = mark("poison").claim().token();

    assertThat(redriver().deadLetter("poison", letters)).isEqualTo(new Published());

    assertThat(mark("poison").state()).isEqualTo(MarkState.DEAD);
    assertThat(mark("poison").claim().token()).isGreaterThan(token);
    assertThat(broker.read(letters, 0, 1)).singleElement().satisfies(letter -> {
      assertThat(letter.body()).isEqualTo("first");
      assertThat(letter.headers())
          .containsEntry("tenant", "acme")
          .containsEntry("hapax-kind", "IN_DOUBT")
          .containsEntry("hapax-in-doubt", "true")
          .containsEntry("hapax-detail", "given up by an operator")
          .containsEntry("hapax-coordinates", first(1));
    });
    assertThat(redriver().deadLetter("poison", letters))
        .hasToString("Refused[why=it is dead: redrive its dead-letter record, unmarked=false]");
    assertThat(broker.read(letters, 0)).hasSize(1);
  }

  @Test
  void what_an_owner_holds_or_was_done_is_neither_redelivered_nor_dead_lettered() throws Exception {
    String letters = broker.topic(1);
    broker.send(topic, 0, "held", "done");
    claim("held", first(0));
    settle("done", Verdict.Done.WITHOUT_RESULT);

    assertThat(answer("held")).isInstanceOf(Refused.class);
    assertThat(redriver().deadLetter("held", letters)).isInstanceOf(Refused.class);
    assertThat(redriver().deadLetter("done", letters))
        .hasToString("Refused[why=it is done, unmarked=false]");
    assertThat(broker.read(letters, 0)).isEmpty();
    assertThat(broker.read(topic, 0)).hasSize(2);
  }

  @Test
  void a_dead_letter_topic_exists_and_is_not_that_of_the_message() throws Exception {
    lost();
    Mark before = mark("poison");
    Redriver redriver = redriver();

    assertThat(redriver.deadLetter("poison", topic).why().toString())
        .isEqualTo(topic + " is the topic of the message, not a dead-letter topic");
    assertThatThrownBy(() -> redriver.deadLetter("poison", "no-such-topic"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("create it first");
    assertThat(mark("poison")).isEqualTo(before);
    assertThat(broker.read(topic, 1)).hasSize(2);
  }

  @Test
  void a_message_that_is_gone_or_another_one_is_refused() throws Exception {
    broker.send(topic, 0, "other");
    vanishedWith("poison", first(0));
    vanishedWith("gone", broker.place(topic, 0) + "@7");
    vanishedWith("nonsense", "somewhere");
    String nowhere = broker.place(topic, 0).replace(topic, "no-such-topic") + "@0";
    vanishedWith("topic", nowhere);

    assertThat(answer("poison").why().toString()).contains("is another one: other");
    assertThat(answer("gone").why().toString())
        .isEqualTo("there is no message at " + broker.place(topic, 0) + "@7 any more");
    assertThat(answer("nonsense").why().toString())
        .contains("somewhere, which is not the place of a message");
    assertThat(answer("topic").why().toString())
        .isEqualTo("the topic of " + nowhere + " or its partition does not exist any more");
    assertThat(broker.read(topic, 0)).hasSize(1);
  }
}
