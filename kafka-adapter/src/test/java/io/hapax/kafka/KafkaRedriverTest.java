package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.CompositeId;
import io.hapax.Delivery;
import io.hapax.IdExtractor;
import io.hapax.audit.ScannedRange;
import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicPart;
import io.hapax.generation.GenerationMove;
import io.hapax.generation.Generations;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Resolution;
import io.hapax.redrive.DeadLetterSelection;
import io.hapax.redrive.RedriveReport;
import io.hapax.redrive.RedriveResult;
import io.hapax.redrive.RedriveSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Dead letters come back on an operator's word, and still take effect once. */
@Timeout(120)
class KafkaRedriverTest extends WithReceivers {

  /** Not the partition that a producer takes for the key {@code poison}. */
  private static final int HOME = 0;

  private final String topic = Broker.topic(2);
  private final String graveyard = Broker.topic(1);
  private final AtomicBoolean mended = new AtomicBoolean();
  private final AtomicBoolean readable = new AtomicBoolean();
  private final List<Integer> attempts = new CopyOnWriteArrayList<>();

  @BeforeEach
  void consume() {
    var dead = open(KafkaDeadLetterPublisher.<String, String>to(graveyard, Broker.producer()));
    start(
        topic,
        open(builder()
            .fingerprint(this::fingerprint)
            .deadLetters(dead)
            .leased(store, this::handle)));
  }

  private Fingerprint fingerprint(ConsumerRecord<String, String> record) {
    if (!readable.get() && record.value().equals("unreadable")) {
      throw new IllegalStateException("no such schema");
    }
    return Fingerprint.of(record.value().getBytes(StandardCharsets.UTF_8));
  }

  private void handle(Delivery<ConsumerRecord<String, String>> delivery) {
    if (!mended.get() && delivery.message().key().equals("poison")) {
      throw new IllegalStateException("the price list is gone");
    }
    attempts.add(delivery.attempt());
    record(delivery);
  }

  private KafkaRedriver<String, String> redriver() {
    return redriver(RedriveSettings.to(topic, "gone-" + topic).acceptingUnmarked());
  }

  private KafkaRedriver<String, String> redriver(RedriveSettings settings) {
    return open(KafkaRedriver.of(store, "orders", KafkaIds.key(), settings, Broker.producer()));
  }

  private MarkState state(String id) {
    return store
        .find(List.of(MessageKey.of("orders", id)))
        .get(0)
        .map(mark -> mark.state())
        .orElse(MarkState.ABSENT);
  }

  private String kind(int letter) {
    return header(Broker.read(graveyard).get(letter), "hapax-kind");
  }

  private void send(String key, String value) throws Exception {
    try (KafkaProducer<String, String> producer = new KafkaProducer<>(Broker.producer())) {
      ProducerRecord<String, String> record = new ProducerRecord<>(topic, HOME, key, value);
      record.headers().add("tenant", "acme".getBytes(StandardCharsets.UTF_8));
      producer.send(record).get(30, TimeUnit.SECONDS);
    }
  }

  /** What was dead-lettered, once its marks are dead too. */
  private ConsumerRecord<String, String> poisoned() throws Exception {
    send("poison", "poison");
    await().atMost(BOUND).until(() -> state("poison") == MarkState.DEAD);
    return Broker.read(graveyard).get(0);
  }

  @Test
  void a_dead_letter_runs_again_where_it_came_from_with_fresh_attempts() throws Exception {
    ConsumerRecord<String, String> letter = poisoned();
    mended.set(true);

    assertThat(redriver().redrive(letter)).isEqualTo(new RedriveResult.Published());

    await().atMost(BOUND).until(() -> state("poison") == MarkState.DONE);
    assertThat(effects).containsExactly("poison");
    assertThat(attempts).containsExactly(1);
    assertThat(Broker.end(topic, HOME)).isEqualTo(2);
  }

  @Test
  void a_dead_letter_that_spring_published_runs_again_where_it_came_from() throws Exception {
    ConsumerRecord<String, String> letter = poisoned();
    for (Header header : letter.headers().toArray()) {
      if (header.key().startsWith("hapax-")) {
        letter.headers().remove(header.key());
      }
    }
    mended.set(true);

    assertThat(redriver().redrive(letter)).isEqualTo(new RedriveResult.Published());

    await().atMost(BOUND).until(() -> state("poison") == MarkState.DONE);
    assertThat(effects).containsExactly("poison");
    assertThat(Broker.end(topic, HOME)).isEqualTo(2);
  }

  private static void cameFrom(ConsumerRecord<String, String> letter, String coordinates) {
    letter
        .headers()
        .remove("hapax-coordinates")
        .add("hapax-coordinates", coordinates.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void a_record_of_a_missing_partition_is_refused_and_its_mark_is_kept() throws Exception {
    ConsumerRecord<String, String> letter = poisoned();

    cameFrom(letter, "gone-" + topic + "-0@7");
    assertThat(redriver().redrive(letter))
        .isEqualTo(
            new RedriveResult.Refused("its topic gone-" + topic + " does not exist any more"));
    cameFrom(letter, topic + "-2@7");
    assertThat(redriver().redrive(letter))
        .isEqualTo(new RedriveResult.Refused(
            "partition 2 of its topic " + topic + " does not exist any more"));

    assertThat(state("poison")).isEqualTo(MarkState.DEAD);
  }

  @Test
  void records_of_a_missing_topic_are_counted_as_refused_in_a_plan_too() throws Exception {
    poisoned();
    String gone = "gone-" + topic;
    Broker.send(graveyard, 0, "without a word");
    try (KafkaProducer<String, String> producer = new KafkaProducer<>(Broker.producer())) {
      ProducerRecord<String, String> letter = new ProducerRecord<>(graveyard, "poison", "poison");
      letter.headers().add("hapax-coordinates", (gone + "-0@7").getBytes(StandardCharsets.UTF_8));
      producer.send(letter).get(30, TimeUnit.SECONDS);
    }
    KafkaRedriver<String, String> redriver = redriver();

    RedriveReport plan = plan(redriver, 1);
    RedriveReport report = redriver.redrive(
        Broker.consumer("nobody"),
        TopicPart.all(graveyard),
        StartingPoint.offset(1),
        DeadLetterSelection.all());

    assertThat(List.of(plan, report))
        .allSatisfy(it -> assertThat(it.samples())
            .extracting(sample -> sample.answer().why())
            .containsExactly(
                "it does not name the place of its record",
                "its topic " + gone + " does not exist any more"));
    assertThat(state("poison")).isEqualTo(MarkState.DEAD);
  }

  private RedriveReport plan(KafkaRedriver<String, String> redriver, long from)
      throws InterruptedException {
    return redriver.plan(
        Broker.consumer("nobody"),
        TopicPart.all(graveyard),
        StartingPoint.offset(from),
        DeadLetterSelection.all());
  }

  @Test
  void a_plan_publishes_nothing_and_changes_no_mark() throws Exception {
    poisoned();

    assertThat(plan(redriver(), 0).published()).isEqualTo(1);
    assertThat(plan(redriver(), 1).ranges())
        .containsExactly(new ScannedRange(graveyard + "-0", 1, 1));

    assertThat(state("poison")).isEqualTo(MarkState.DEAD);
    assertThat(Broker.end(topic, HOME)).isEqualTo(1);
  }

  @Test
  void its_own_headers_come_back_and_those_of_its_death_do_not() throws Exception {
    List<Map<String, String>> headers = new CopyOnWriteArrayList<>();
    ConsumerRecord<String, String> letter = poisoned();
    String elsewhere = Broker.topic(1);
    cameFrom(letter, elsewhere + "-0@7");

    redriver(RedriveSettings.to(elsewhere)).redrive(letter);

    Broker.read(elsewhere).get(0).headers().forEach(it -> headers.add(Map.of(it.key(), "")));
    assertThat(headers).containsExactly(Map.of("tenant", ""));
  }

  @Test
  void a_record_whose_id_depends_on_its_topic_uses_its_original_topic() throws Exception {
    String placed = Broker.topic(1);
    IdExtractor<ConsumerRecord<String, String>> ids =
        record -> Optional.of(CompositeId.of(record.topic(), record.key()));
    var dead = open(KafkaDeadLetterPublisher.<String, String>to(graveyard, Broker.producer()));
    var receiver = open(builder().id(ids).deadLetters(dead).leased(store, this::handle));
    open(KafkaReceiver.start(receiver, Broker.consumer(placed), List.of(placed)));
    Broker.send(placed, 0, "poison");
    await().atMost(BOUND).until(() -> state(placed + "/poison") == MarkState.DEAD);
    mended.set(true);

    var redriver =
        open(KafkaRedriver.of(store, "orders", ids, RedriveSettings.to(placed), Broker.producer()));
    assertThat(redriver.redrive(Broker.read(graveyard).get(0)))
        .isEqualTo(new RedriveResult.Published());

    await().atMost(BOUND).until(() -> state(placed + "/poison") == MarkState.DONE);
    assertThat(effects).containsExactly("poison");
  }

  @Test
  void one_whose_id_is_looked_for_elsewhere_is_refused_and_not_published() throws Exception {
    ConsumerRecord<String, String> letter = poisoned();

    var redriver = open(KafkaRedriver.of(
        store,
        "orders",
        KafkaIds.<String, String>header("tenant"),
        RedriveSettings.to(topic),
        Broker.producer()));
    assertThat(redriver.redrive(letter))
        .isEqualTo(new RedriveResult.Refused("its id is acme here, but it died as poison"));

    assertThat(Broker.end(topic, HOME)).isEqualTo(1);
  }

  @Test
  void one_that_is_larger_than_a_producer_sends_by_itself_comes_back() throws Exception {
    Map<String, String> room = Map.of("max.message.bytes", "4000000");
    Broker.configure(topic, room);
    Broker.configure(graveyard, room);
    Map<String, Object> properties = new HashMap<>(Broker.producer());
    properties.put("max.request.size", "4000000");
    String large = "x".repeat(2_000_000);
    ProducerRecord<String, String> letter = new ProducerRecord<>(graveyard, "large", large);
    letter.headers().add("hapax-coordinates", (topic + "-0@7").getBytes(StandardCharsets.UTF_8));
    try (KafkaProducer<String, String> producer = new KafkaProducer<>(properties)) {
      producer.send(letter).get(30, TimeUnit.SECONDS);
    }

    assertThat(redriver().redrive(Broker.read(graveyard).get(0)))
        .isEqualTo(new RedriveResult.Published(true));

    await().atMost(BOUND).until(() -> state("large") == MarkState.DONE);
    assertThat(effects).containsExactly(large);
  }

  @Test
  void one_that_fits_compressed_only_comes_back() throws Exception {
    String large = "x".repeat(5_000_000);
    Broker.sendCompressed(new ProducerRecord<>(topic, HOME, "poison", large));
    await().atMost(BOUND).until(() -> state("poison") == MarkState.DEAD);
    mended.set(true);

    assertThat(redriver().redrive(Broker.read(graveyard).get(0)))
        .isEqualTo(new RedriveResult.Published());

    await().atMost(BOUND).until(() -> state("poison") == MarkState.DONE);
    assertThat(effects.get(0).equals(large)).as("it runs with its whole value").isTrue();
  }

  @Test
  void one_of_which_a_part_was_cut_off_is_refused_and_its_mark_is_not_touched() throws Exception {
    Broker.configure(graveyard, Map.of("max.message.bytes", "50000"));
    send("poison", Broker.noise(200_000));
    await().atMost(BOUND).until(() -> state("poison") == MarkState.DEAD);

    assertThat(redriver().redrive(Broker.read(graveyard).get(0)))
        .isEqualTo(
            new RedriveResult.Refused("it holds only a part of its value, which has 200000 bytes"));

    assertThat(state("poison")).isEqualTo(MarkState.DEAD);
    assertThat(Broker.end(topic, HOME)).isEqualTo(1);
  }

  @Test
  void one_without_its_key_or_without_a_header_is_refused() throws Exception {
    ConsumerRecord<String, String> letter = poisoned();

    letter.headers().add("hapax-left-out", "trace,tenant".getBytes(StandardCharsets.UTF_8));

    assertThat(redriver().redrive(letter))
        .isEqualTo(new RedriveResult.Refused("it does not hold the headers [trace]"));
    assertThat(state("poison")).isEqualTo(MarkState.DEAD);
  }

  /** Ends a redrive in mid-step. */
  public static final class Crashing extends StringSerializer {

    @Override
    public byte[] serialize(String topic, Headers headers, String value) {
      throw new IllegalStateException("it dies before it has published anything");
    }
  }

  @Test
  void a_crash_before_the_record_is_published_leaves_it_to_be_redriven_again() throws Exception {
    ConsumerRecord<String, String> letter = poisoned();
    mended.set(true);
    Map<String, Object> properties = new HashMap<>(Broker.producer());
    properties.put("value.serializer", Crashing.class);
    KafkaRedriver<String, String> crashing = open(
        KafkaRedriver.of(store, "orders", KafkaIds.key(), RedriveSettings.to(topic), properties));

    assertThatThrownBy(() -> crashing.redrive(letter)).isInstanceOf(IllegalStateException.class);
    assertThat(state("poison")).as("reopened first").isEqualTo(MarkState.RETRY);
    assertThat(Broker.end(topic, HOME)).isEqualTo(1);

    assertThat(redriver().redrive(letter)).isEqualTo(new RedriveResult.Published());
    await().atMost(BOUND).until(() -> state("poison") == MarkState.DONE);
    assertThat(effects).containsExactly("poison");
  }

  @Test
  void one_that_is_redriven_twice_takes_effect_once() throws Exception {
    ConsumerRecord<String, String> letter = poisoned();
    mended.set(true);
    Mark dead = store.find(List.of(MessageKey.of("orders", "poison"))).get(0).orElseThrow();
    store.resolve(dead.key(), dead.claim().token(), dead.state(), Resolution.REOPEN);
    send("poison", "poison");
    await().atMost(BOUND).until(() -> state("poison") == MarkState.DONE);

    assertThat(redriver().redrive(letter)).isEqualTo(new RedriveResult.NotDead("it is done"));

    assertThat(effects).containsExactly("poison");
    assertThat(Broker.end(topic, HOME)).isEqualTo(2);
  }

  @Test
  void one_of_an_earlier_generation_runs_under_the_present_one() throws Exception {
    ConsumerRecord<String, String> letter = poisoned();
    assertThat(Generations.advance(store, "orders", 0)).isEqualTo(new GenerationMove.Moved(1));

    assertThat(redriver().redrive(letter)).isEqualTo(new RedriveResult.Published(true));

    assertThat(state("poison")).as("under the earlier one").isEqualTo(MarkState.DEAD);
    assertThat(Broker.end(topic, HOME)).isEqualTo(2);
  }

  @Test
  void one_without_a_mark_is_refused_unless_that_is_accepted() throws Exception {
    ConsumerRecord<String, String> letter = poisoned();
    assertThat(Generations.advance(store, "orders", 0)).isEqualTo(new GenerationMove.Moved(1));

    assertThat(redriver(RedriveSettings.to(topic)).redrive(letter))
        .isEqualTo(new RedriveResult.Refused(
            "there is no mark of it in this store (unmarked records are not accepted)", true));

    assertThat(Broker.end(topic, HOME)).isEqualTo(1);
  }

  @Test
  void one_does_not_choose_the_topic_that_it_is_published_to() throws Exception {
    ConsumerRecord<String, String> letter = poisoned();
    String elsewhere = Broker.topic(1);
    cameFrom(letter, elsewhere + "-0@7");

    assertThat(redriver(RedriveSettings.to(topic)).redrive(letter))
        .isEqualTo(new RedriveResult.Refused(
            "it came from topic " + elsewhere + ", but only " + topic + " may be published to"));

    assertThat(Broker.end(elsewhere, 0)).isZero();
    assertThat(state("poison")).isEqualTo(MarkState.DEAD);
  }

  @Test
  void a_plan_shows_how_old_each_record_is() throws Exception {
    poisoned();

    assertThat(plan(redriver(), 0).samples())
        .singleElement()
        .satisfies(it -> assertThat(it.age())
            .hasValueSatisfying(
                age -> assertThat(age).isBetween(Duration.ZERO, Duration.ofMinutes(2))));
  }

  @Test
  void what_died_of_a_conflict_does_not_reopen_the_mark_of_another_message() throws Exception {
    poisoned();
    send("poison", "another payload");
    await().atMost(BOUND).until(() -> Broker.end(graveyard, 0) == 2);
    ConsumerRecord<String, String> conflict = Broker.read(graveyard).get(1);

    assertThat(redriver().redrive(conflict))
        .isEqualTo(new RedriveResult.Refused(
            "it died of a conflict: the mark under its id is another message's"));

    assertThat(state("poison")).isEqualTo(MarkState.DEAD);
    assertThat(Broker.end(topic, HOME)).isEqualTo(2);
  }

  @Test
  void a_record_of_another_consumer_is_refused() throws Exception {
    ConsumerRecord<String, String> letter = poisoned();
    KafkaRedriver<String, String> others = open(KafkaRedriver.of(
        store, "others", KafkaIds.key(), RedriveSettings.to(topic), Broker.producer()));

    assertThat(others.redrive(letter))
        .isEqualTo(new RedriveResult.Refused("it is a record of consumer orders"));

    assertThat(Broker.end(topic, HOME)).isEqualTo(1);
  }

  /** What was dead-lettered because it could not be told what it is. */
  private ConsumerRecord<String, String> uncompared(String id, int letter) throws Exception {
    send(id, "unreadable");
    await().atMost(BOUND).until(() -> Broker.end(graveyard, 0) == letter + 1);
    assertThat(kind(letter)).isEqualTo("MISSING_FINGERPRINT");
    return Broker.read(graveyard).get(letter);
  }

  @Test
  void what_could_not_be_compared_does_not_reopen_the_mark_of_another_message() throws Exception {
    poisoned();
    ConsumerRecord<String, String> letter = uncompared("poison", 1);

    assertThat(redriver().redrive(letter)).isInstanceOf(RedriveResult.Refused.class);

    assertThat(state("poison")).isEqualTo(MarkState.DEAD);
    assertThat(Broker.end(topic, HOME)).isEqualTo(2);
  }

  @Test
  void what_could_not_be_compared_is_not_taken_for_what_is_done_under_its_id() throws Exception {
    send("a", "a");
    await().atMost(BOUND).until(() -> state("a") == MarkState.DONE);
    ConsumerRecord<String, String> letter = uncompared("a", 0);
    readable.set(true);

    assertThat(redriver().redrive(letter)).isEqualTo(new RedriveResult.Published(true));

    await().atMost(BOUND).until(() -> Broker.end(graveyard, 0) == 2);
    assertThat(kind(1)).isEqualTo("CONFLICT");
    assertThat(effects).containsExactly("a");
  }

  @Test
  void what_could_not_be_compared_runs_once_it_can_be() throws Exception {
    ConsumerRecord<String, String> letter = uncompared("a", 0);
    readable.set(true);

    assertThat(redriver().redrive(letter)).isEqualTo(new RedriveResult.Published(true));

    await().atMost(BOUND).until(() -> state("a") == MarkState.DONE);
    assertThat(effects).containsExactly("unreadable");
  }
}
