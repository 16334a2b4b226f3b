package io.hapax.kafka;

import io.hapax.DeadLetter;
import io.hapax.Generations;
import io.hapax.IdExtractor;
import io.hapax.mark.Bytes;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Resolution;
import io.hapax.store.DedupStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Brings dead letters that {@link KafkaDeadLetterPublisher} published back to where they came from,
 * on an operator's word: once what killed them is mended.
 *
 * <p>First the message's mark is reopened, with no attempts and no doubt, and then the record is
 * published and acknowledged by the brokers; never the other way round, because a consumer that
 * meets the record while its mark is DEAD acknowledges it without running it. A crash in between
 * leaves a mark that may be claimed and a dead letter that is not published: redrive it again. One
 * that is redriven twice takes effect once, like anything that is delivered twice.
 *
 * <p>Thread-safe.
 *
 * @param <K> the record's key
 * @param <V> the record's value
 */
public final class KafkaRedriver<K, V> implements AutoCloseable {

  /** What became of a dead letter. */
  public enum Redriven {
    /** It is published, and its mark lets it run. */
    PUBLISHED,
    /**
     * Nothing was done: its message has been done meanwhile, or is on its way already, or its mark
     * moved while it was looked at.
     */
    NOT_DEAD,
    /**
     * Nothing was done: it has no usable id; or died of a conflict, so that the mark under its id
     * is another message's; or it does not say where it came from.
     */
    REFUSED
  }

  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Pattern COORDINATES = Pattern.compile("(.+)-(\\d+)@\\d+");

  private final DedupStore store;
  private final String consumer;
  private final IdExtractor<ConsumerRecord<K, V>> ids;
  private final Producer<K, V> producer;

  private KafkaRedriver(
      DedupStore store,
      String consumer,
      IdExtractor<ConsumerRecord<K, V>> ids,
      Producer<K, V> producer) {
    this.store = store;
    this.consumer = consumer;
    this.ids = ids;
    this.producer = producer;
  }

  /**
   * Connects.
   *
   * @param store the consumer's store; stays open when this is closed
   * @param consumer the consumer's name, as its receiver's builder was told it
   * @param ids how that receiver finds a message's id
   * @param producerProperties properties of the producer, as for {@link KafkaDeadLetterPublisher}
   * @param <K> the record's key
   * @param <V> the record's value
   * @return a redriver, to be closed by the caller
   * @throws IllegalArgumentException if a property breaks its rule
   */
  public static <K, V> KafkaRedriver<K, V> of(
      DedupStore store,
      String consumer,
      IdExtractor<ConsumerRecord<K, V>> ids,
      Map<?, ?> producerProperties) {
    return new KafkaRedriver<>(
        store,
        consumer,
        ids,
        new KafkaProducer<>(KafkaDeadLetterPublisher.durable(producerProperties)));
  }

  /**
   * Brings one dead letter back to the partition that it came from. It gets a new timestamp, lest
   * the topic's retention removes it at once.
   *
   * @param letter the record, as it was read from the dead-letter topic
   * @return what became of it
   * @throws io.hapax.store.StoreException if the store did not answer; the mark may be reopened
   * @throws ExecutionException if the brokers refused the record; the mark is reopened
   * @throws TimeoutException if they did not acknowledge it in time; the mark is reopened
   * @throws InterruptedException if the thread was interrupted; the mark is reopened
   */
  public Redriven redrive(ConsumerRecord<K, V> letter)
      throws ExecutionException, TimeoutException, InterruptedException {
    Matcher origin = COORDINATES.matcher(text(letter, "hapax-coordinates"));
    Optional<Bytes> id = ids.idOf(letter);
    boolean conflict = text(letter, "hapax-kind").equals(DeadLetter.Kind.CONFLICT.name());
    if (conflict || id.isEmpty() || !origin.matches()) {
      return Redriven.REFUSED;
    }
    if (!mayRun(MessageKey.of(Generations.scope(store, consumer), id.get()))) {
      return Redriven.NOT_DEAD;
    }
    int partition = Integer.parseInt(origin.group(2));
    producer
        .send(new ProducerRecord<>(
            origin.group(1), partition, letter.key(), letter.value(), headers(letter)))
        .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    return Redriven.PUBLISHED;
  }

  /** Whether a delivery may run from here on. A mark that is gone, or reopened before, lets it. */
  private boolean mayRun(MessageKey key) {
    Optional<Mark> mark = store.find(List.of(key)).get(0);
    if (mark.isEmpty()) {
      return true;
    }
    Mark it = mark.get();
    if (it.state() == MarkState.DEAD) {
      return store.resolve(key, it.claim().token(), Resolution.REOPEN);
    }
    return it.state() == MarkState.RETRY && it.claim().attempt().number() == 0;
  }

  private static String text(ConsumerRecord<?, ?> letter, String name) {
    Header header = letter.headers().lastHeader(name);
    return header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
  }

  private static Headers headers(ConsumerRecord<?, ?> letter) {
    Headers headers = new RecordHeaders(letter.headers().toArray());
    KafkaDeadLetterPublisher.HEADERS.forEach(headers::remove);
    return headers;
  }

  /** Closes the producer. */
  @Override
  public void close() {
    producer.close(TIMEOUT);
  }
}
