package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.Delivery;
import io.hapax.adapter.Outcome;
import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicPart;
import io.hapax.errors.RejectedMessageException;
import io.hapax.mark.MarkState;
import io.hapax.redrive.DeadLetterSelection;
import io.hapax.redrive.RedriveFailedException;
import io.hapax.redrive.RedriveReport;
import io.hapax.redrive.RedriveResult;
import io.hapax.redrive.RedriveSample;
import io.hapax.redrive.RedriveSettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.common.TopicConfig;
import org.apache.rocketmq.common.constant.PermName;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageClientExt;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Dead letters come back on an operator's word, and still take effect once. */
@Timeout(120)
class RocketMqRedriverTest extends WithConsumers {

  private final AtomicBoolean mended = new AtomicBoolean();
  private final List<Delivery<MessageExt>> handled = new CopyOnWriteArrayList<>();
  private final String graveyard = "%DLQ%" + group;
  private RocketMqRedriver redriver;

  private void handle(Delivery<MessageExt> delivery) {
    if (!mended.get()) {
      throw new RejectedMessageException("the price list is gone");
    }
    handled.add(delivery);
  }

  /** Once it is dead-lettered its mark is dead too. */
  private void awaitDead(int letters) {
    await().atMost(BOUND).until(() -> count(Outcome.DeadLettered.class) == letters);
  }

  @BeforeEach
  void connect() {
    redriver = redriver(group);
  }

  private RocketMqRedriver redriver(String consumer) {
    return redriver(consumer, RedriveSettings.to(topic, "no-such-topic").acceptingUnmarked());
  }

  private RocketMqRedriver redriver(String consumer, RedriveSettings settings) {
    return open(RocketMqRedriver.of(
        store, consumer, RocketMqIds.standard(), settings, client(new ClientConfig())));
  }

  private RedriveReport redrive(DeadLetterSelection which) throws InterruptedException {
    return redriver.redrive(TopicPart.all(graveyard), StartingPoint.beginning(), which);
  }

  private RedriveReport plan(String letters) throws InterruptedException {
    return redriver.plan(
        TopicPart.all(letters), StartingPoint.beginning(), DeadLetterSelection.all());
  }

  @Test
  void a_dead_letter_runs_again_where_it_came_from_with_fresh_attempts() throws Exception {
    createTopic(2);
    sendTo(1, "poison", "other");
    receive(this::handle);
    awaitDead(2);
    mended.set(true);
    assertThat(plan(graveyard).published()).isEqualTo(2);
    assertThat(mark("poison").state()).as("a plan changes nothing").isEqualTo(MarkState.DEAD);

    RedriveReport report = redrive(DeadLetterSelection.of(List.of(topic + "/poison")));

    assertThat(report.published()).isEqualTo(1);
    assertThat(report.complete()).isTrue();
    await().atMost(BOUND).until(() -> isDone("poison"));
    assertThat(handled).singleElement().satisfies(delivery -> {
      assertThat(delivery.attempt()).isEqualTo(1);
      assertThat(delivery.message().getQueueId()).isEqualTo(1);
    });
    assertThat(mark("other").state()).isEqualTo(MarkState.DEAD);

    RedriveReport again = redrive(DeadLetterSelection.of(List.of(topic + "/poison")));

    assertThat(again.samples())
        .extracting(RedriveSample::answer)
        .containsExactly(new RedriveResult.NotDead("it is done"));
    assertThat(handled).hasSize(1);
    assertThat(plan(graveyard).records()).as("they stay there").isEqualTo(2);
    assertThat(redriver
            .plan(TopicPart.all(graveyard), StartingPoint.newest(1), DeadLetterSelection.all())
            .records())
        .isEqualTo(1);
  }

  @Test
  void a_message_that_died_in_the_retry_topic_comes_back_to_its_own_as_it_was() throws Exception {
    createTopic(1);
    Message poison = message("poison", "body");
    poison.setTags("blue");
    poison.setFlag(7);
    poison.putUserProperty("tenant", "acme");
    send(poison);
    receive(delivery -> {
      if (!mended.get()) {
        throw new IllegalStateException("the price list is gone"); // is sent back to be tried again
      }
      handled.add(delivery);
    });
    awaitDead(1);
    MessageExt letter = read(graveyard, 1).get(0);
    assertThat(letter.getProperty("hapax-coordinates")).startsWith("%RETRY%" + group);
    mended.set(true);

    assertThat(redriver.redrive(letter)).isEqualTo(new RedriveResult.Published());

    await().atMost(BOUND).until(() -> handled.size() == 1);
    MessageExt revived = handled.get(0).message();
    assertThat(revived.getTopic()).isEqualTo(topic);
    assertThat(body(revived)).isEqualTo("body");
    assertThat(revived.getKeys()).isEqualTo("poison");
    assertThat(revived.getTags()).isEqualTo("blue");
    assertThat(revived.getFlag()).isEqualTo(7);
    assertThat(revived.getProperty("tenant")).isEqualTo("acme");
    assertThat(revived.getProperties().keySet()).noneMatch(name -> name.startsWith("hapax-"));
  }

  @Test
  void one_that_is_known_by_its_unique_key_comes_back_as_the_same_message() throws Exception {
    createTopic(1);
    Message poison = message("", "body");
    poison.setKeys("two keys");
    send(poison);
    String unique = poison.getProperty("UNIQ_KEY");
    receive(this::handle);
    awaitDead(1);
    mended.set(true);

    assertThat(redrive(DeadLetterSelection.all()).published()).isEqualTo(1);

    await().atMost(BOUND).until(() -> isDone(unique));
    assertThat(handled).hasSize(1);
  }

  @Test
  void one_that_a_tool_resends_and_a_redrive_publishes_takes_effect_once() throws Exception {
    createTopic(1);
    send("poison");
    Message nameless = message("", "body");
    nameless.setKeys("two keys");
    send(nameless);
    receive(this::handle);
    awaitDead(2);
    mended.set(true);

    String client =
        operator().api().getConsumerIdListByGroup(broker(), group, 10_000).get(0);
    for (MessageExt letter : read(graveyard, 2)) { // as the resend of RocketMQ's dashboard does
      var unused = operator()
          .api()
          .consumeMessageDirectly(
              broker(),
              group,
              client,
              graveyard,
              ((MessageClientExt) letter).getOffsetMsgId(),
              20_000);
    }
    assertThat(handled).as("their marks are dead").isEmpty();
    assertThat(redrive(DeadLetterSelection.all()).published()).isEqualTo(2);

    await().atMost(BOUND).until(() -> isDone("poison"));
    await().atMost(BOUND).until(() -> isDone(nameless.getProperty("UNIQ_KEY")));
    assertThat(handled).hasSize(2);
  }

  @Test
  void one_that_the_broker_does_not_take_is_reopened_and_to_be_redriven_again() throws Exception {
    createTopic(1);
    send("poison");
    receive(this::handle);
    awaitDead(1);
    mended.set(true);
    permit(PermName.PERM_READ);

    assertThatThrownBy(() -> redrive(DeadLetterSelection.all()))
        .isInstanceOf(RedriveFailedException.class)
        .hasMessageContaining("its mark is reopened: redrive it again");
    assertThat(mark("poison").state()).isEqualTo(MarkState.RETRY);
    assertThat(handled).isEmpty();

    permit(PermName.PERM_READ | PermName.PERM_WRITE);
    assertThat(redrive(DeadLetterSelection.all()).published()).isEqualTo(1);
    await().atMost(BOUND).until(() -> isDone("poison"));
    assertThat(handled).hasSize(1);
  }

  private void permit(int permission) throws Exception {
    TopicConfig config = new TopicConfig(topic, 1, 1, permission);
    operator().api().createTopic(broker(), "TBW102", config, 10_000);
  }

  @Test
  void records_of_another_consumer_and_missing_records_are_reported() throws Exception {
    createTopic(1);
    send("poison");
    receive(this::handle);
    awaitDead(1);
    RocketMqRedriver others = redriver("others");

    RedriveReport report = others.redrive(
        TopicPart.all(graveyard),
        StartingPoint.beginning(),
        DeadLetterSelection.of(List.of(topic + "/poison", topic + "/gone")));

    assertThat(report.samples())
        .extracting(sample -> sample.answer().why())
        .containsExactly("it is a record of consumer " + group);
    assertThat(report.missing()).containsExactly(topic + "/gone");
    assertThat(mark("poison").state()).isEqualTo(MarkState.DEAD);
    assertThatThrownBy(() -> plan("%DLQ%nobody"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("topic %DLQ%nobody does not exist");
  }

  @Test
  void one_does_not_choose_the_topic_that_it_is_published_to() throws Exception {
    createTopic(1);
    send(letter("tenant", "acme", topic));

    RedriveReport report = redriver(group, RedriveSettings.to("elsewhere").acceptingUnmarked())
        .redrive(TopicPart.all(topic), StartingPoint.beginning(), DeadLetterSelection.all());

    assertThat(report.samples()).singleElement().satisfies(it -> {
      assertThat(it.answer())
          .isEqualTo(new RedriveResult.Refused(
              "it came from topic " + topic + ", but only elsewhere may be published to"));
      assertThat(it.age())
          .hasValueSatisfying(
              age -> assertThat(age).isBetween(Duration.ZERO, Duration.ofMinutes(2)));
    });
    assertThat(plan(topic).records()).as("nothing was sent there").isEqualTo(1);
  }

  @Test
  void one_without_a_mark_is_refused_unless_that_is_accepted() throws Exception {
    createTopic(1);
    send(letter("tenant", "acme", topic));

    RedriveReport report = redriver(group, RedriveSettings.to(topic))
        .redrive(TopicPart.all(topic), StartingPoint.beginning(), DeadLetterSelection.all());

    assertThat(report.unmarked()).isEqualTo(1);
    assertThat(report.samples())
        .extracting(RedriveSample::answer)
        .containsExactly(new RedriveResult.Refused(
            "there is no mark of it in this store (unmarked records are not accepted)", true));
    assertThat(plan(topic).records()).as("nothing was sent there").isEqualTo(1);
  }

  @Test
  void a_record_that_does_not_contain_its_message_is_refused() throws Exception {
    createTopic(1);
    send(letter("hapax-body-bytes", "100000", topic));
    send(letter("hapax-left-out", "tenant", topic));
    send(letter("tenant", "acme", "no-such-topic"));
    send(message("nobodys", "body"));

    RedriveReport report = plan(topic);

    assertThat(report.samples())
        .extracting(sample -> sample.answer().why())
        .containsExactly(
            "it holds only a part of its body, which has 100000 bytes",
            "it does not hold the properties [tenant]",
            "its topic no-such-topic does not exist any more",
            "it does not name the place of its message");
  }

  private Message letter(String property, String value, String from) {
    Message letter = message("key", "body");
    letter.putUserProperty(property, value);
    letter.putUserProperty("hapax-topic", from);
    return letter;
  }
}
