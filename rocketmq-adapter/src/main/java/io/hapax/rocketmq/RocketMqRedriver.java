package io.hapax.rocketmq;

import io.hapax.IdExtractor;
import io.hapax.audit.AuditFailedException;
import io.hapax.audit.AuditProgress;
import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicPart;
import io.hapax.redrive.DeadLetterMetadata;
import io.hapax.redrive.DeadLetterSelection;
import io.hapax.redrive.Redrive;
import io.hapax.redrive.RedriveFailedException;
import io.hapax.redrive.RedriveReport;
import io.hapax.redrive.RedriveResult;
import io.hapax.redrive.RedriveRun;
import io.hapax.redrive.RedriveSettings;
import io.hapax.redrive.Redriver;
import io.hapax.redrive.StoredDeadLetter;
import io.hapax.store.DedupStore;
import java.util.List;
import java.util.Optional;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.RPCHook;
import org.jspecify.annotations.Nullable;

/**
 * Redrives dead-letter records that {@link RocketMqDeadLetterPublisher} published: returns their
 * messages to where they came from. An operator starts it once the cause of the failures is fixed.
 *
 * <p>First the message's mark is reopened, with no attempts and no doubt. Then the message is sent,
 * and the broker stores it. The order is never reversed, because a consumer that receives the
 * message while its mark is DEAD acknowledges it without running it. A crash in between leaves a
 * mark that may be claimed and a record whose message is not published: redrive it again. A record
 * that is redriven twice takes effect once, like any message that is delivered twice.
 *
 * <p>The message goes to the topic that it was sent to, also if it died in the group's retry topic.
 * It keeps its body, keys, tags, properties and {@code UNIQ_KEY}. It goes to the queue that it came
 * from, if that queue is known and still exists. All groups of that topic get it, and those without
 * a business id and a store run it again. Records are read as the group of RocketMQ's own tools: no
 * group's offsets move, and the records remain in their topic. A record from which a part was cut
 * off is refused.
 *
 * <p>{@link RedriveSettings} name the topics that may be published to, without a namespace. A
 * record that came from another topic is refused, whatever its properties contain. A record without
 * a mark in the store is refused too, unless the settings accept it.
 *
 * <p>Thread-safe.
 */
public final class RocketMqRedriver implements Redriver {

  private final Redrive marks;
  private final RedriveSettings settings;
  private final IdExtractor<MessageExt> ids;
  private final BrokerView brokers;

  private RocketMqRedriver(
      Redrive marks, RedriveSettings settings, IdExtractor<MessageExt> ids, BrokerView brokers) {
    this.marks = marks;
    this.settings = settings;
    this.ids = ids;
    this.brokers = brokers;
  }

  /**
   * Connects.
   *
   * @param store the consumer's store; stays open when this is closed
   * @param consumer the consumer's name, as it was passed to its receiver's builder; with a wrapped
   *     listener the name of the group, within its namespace
   * @param ids how that receiver finds a message's id
   * @param settings the topics that may be published to
   * @param like a client, or its settings: name server, namespace, TLS, time-outs. It is not
   *     started
   * @return a redriver, to be closed by the caller
   * @throws IllegalArgumentException if the consumer's name breaks its rule
   * @throws AuditFailedException if the client cannot start
   */
  public static RocketMqRedriver of(
      DedupStore store,
      String consumer,
      IdExtractor<MessageExt> ids,
      RedriveSettings settings,
      ClientConfig like) {
    return connect(store, consumer, ids, settings, like, null);
  }

  /**
   * Connects with credentials.
   *
   * @param store the consumer's store; stays open when this is closed
   * @param consumer the consumer's name, as it was passed to its receiver's builder; with a wrapped
   *     listener the name of the group, within its namespace
   * @param ids how that receiver finds a message's id
   * @param settings the topics that may be published to
   * @param like a client, or its settings: name server, namespace, TLS, time-outs. It is not
   *     started
   * @param credentials the hook that signs requests
   * @return a redriver, to be closed by the caller
   * @throws IllegalArgumentException if the consumer's name breaks its rule
   * @throws AuditFailedException if the client cannot start
   */
  public static RocketMqRedriver of(
      DedupStore store,
      String consumer,
      IdExtractor<MessageExt> ids,
      RedriveSettings settings,
      ClientConfig like,
      RPCHook credentials) {
    return connect(store, consumer, ids, settings, like, credentials);
  }

  private static RocketMqRedriver connect(
      DedupStore store,
      String consumer,
      IdExtractor<MessageExt> ids,
      RedriveSettings settings,
      ClientConfig like,
      @Nullable RPCHook credentials) {
    Redrive marks = new Redrive(store, consumer, settings);
    return new RocketMqRedriver(marks, settings, ids, BrokerView.open(like, credentials));
  }

  /**
   * Redrives one dead-letter record. Its message gets a new birth time so that it is not too old at
   * once.
   *
   * @param letter the message, as it was read from the dead-letter topic
   * @return what became of it
   * @throws io.hapax.store.StoreException if the store did not answer; the mark may be reopened
   * @throws AuditFailedException if the brokers do not answer; the mark is as it was
   * @throws RedriveFailedException if the broker did not take the message; the mark is reopened
   * @throws InterruptedException if the thread was interrupted; the mark may be reopened
   */
  public RedriveResult redrive(MessageExt letter) throws InterruptedException {
    RedriveRun run = marks.run(true, DeadLetterSelection.all());
    MessageQueue queue =
        new MessageQueue(letter.getTopic(), letter.getBrokerName(), letter.getQueueId());
    return redrive(read(letter, Coordinates.of(queue, letter.getQueueOffset())), run);
  }

  private RedriveResult redrive(Letter letter, RedriveRun run) throws InterruptedException {
    RedriveResult answer = marks.reopen(destined(letter));
    if (!(answer instanceof RedriveResult.Published)) {
      return answer;
    }
    try {
      brokers.send(letter.message(), letter.found().metadata().coordinates());
    } catch (AuditFailedException e) {
      throw run.failed(letter.found(), e);
    }
    return answer;
  }

  /**
   * Says what would become of the letters of a topic. Publishes nothing and changes no mark.
   *
   * @param letters the dead-letter topic, {@code %DLQ%} and the group's name or another
   * @param from where to begin; it ends where the topic ends now
   * @param which the letters that are meant
   * @return what would be
   * @throws IllegalArgumentException if the topic or a queue does not exist, or ends before the
   *     starting point
   * @throws AuditFailedException if the brokers do not answer
   * @throws io.hapax.store.StoreException if the store does not answer
   * @throws InterruptedException if the thread was interrupted
   */
  @Override
  public RedriveReport plan(TopicPart letters, StartingPoint from, DeadLetterSelection which)
      throws InterruptedException {
    RedriveRun run = marks.run(false, which);
    return read(letters, from, run, letter -> marks.look(destined(letter)));
  }

  /**
   * Brings the letters of a topic back, one after the other, as {@link #redrive(MessageExt)} does;
   * of several letters of one message one. They stay in their topic. If it fails in between some
   * are published and others not: do it again.
   *
   * @param letters the dead-letter topic, {@code %DLQ%} and the group's name or another
   * @param from where to begin; it ends where the topic ends now
   * @param which the letters that are meant
   * @return what became of them
   * @throws IllegalArgumentException if the topic or a queue does not exist, or ends before the
   *     starting point
   * @throws AuditFailedException if the letters cannot be read on
   * @throws RedriveFailedException if the broker did not take a message; its mark is reopened
   * @throws io.hapax.store.StoreException if the store did not answer; a mark may be reopened
   * @throws InterruptedException if the thread was interrupted; a mark may be reopened
   */
  @Override
  public RedriveReport redrive(TopicPart letters, StartingPoint from, DeadLetterSelection which)
      throws InterruptedException {
    RedriveRun run = marks.run(true, which);
    return read(letters, from, run, letter -> redrive(letter, run));
  }

  /** A dead-letter record, and the message that it brings back. */
  private record Letter(StoredDeadLetter found, MessageExt message) {}

  /** The step for each selected dead-letter record. */
  private interface Step {
    RedriveResult take(Letter letter) throws InterruptedException;
  }

  private RedriveReport read(TopicPart letters, StartingPoint from, RedriveRun run, Step step)
      throws InterruptedException {
    QueueScan.Sink sink = (message, coordinates) -> {
      Letter letter = read(message, coordinates);
      run.next(letter.found(), () -> step.take(letter));
    };
    List<QueueRange> ranges = List.copyOf(brokers.ranges(letters, from).values());
    new QueueScan(brokers, sink, AuditProgress.NONE).read(ranges);
    return run.report(ranges.stream().map(QueueRange::range).toList());
  }

  private Letter read(MessageExt letter, String coordinates) {
    MessageExt message = RevivedMessage.of(letter);
    StoredDeadLetter found = StoredDeadLetter.of(
        coordinates,
        letter.getStoreTimestamp(),
        DeadLetterMetadata.read(name -> Optional.ofNullable(letter.getProperty(name))),
        message,
        ids,
        message.getTopic().isEmpty()
            ? Optional.of("it does not name the place of its message")
            : settings.refusal(message.getTopic()).or(() -> RevivedMessage.missing(letter)));
    return new Letter(found, message);
  }

  /** Adds a flaw if the topic is gone: a broker might recreate it without any consumer. */
  private StoredDeadLetter destined(Letter letter) throws InterruptedException {
    String topic = letter.message().getTopic();
    return letter.found().flaw().isPresent() || brokers.knows(topic)
        ? letter.found()
        : letter.found().withFlaw("its topic " + topic + " does not exist any more");
  }

  /** Closes the connection. The store stays open. */
  @Override
  public void close() {
    brokers.close();
  }
}
