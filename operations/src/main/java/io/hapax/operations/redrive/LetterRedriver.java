package io.hapax.operations.redrive;

import io.hapax.IdExtractor;
import io.hapax.errors.AuditFailedException;
import io.hapax.mark.Bytes;
import io.hapax.operations.internal.Letter;
import io.hapax.operations.internal.LetterBroker;
import io.hapax.operations.internal.TopicReader;
import io.hapax.operations.redrive.RedriveResult.Published;
import io.hapax.operations.redrive.RedriveResult.Refused;
import io.hapax.operations.topic.AuditProgress;
import io.hapax.operations.topic.ScannedRange;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import io.hapax.store.DedupStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Redrives and redelivers on any broker. For the brokers of this module, which make it.
 *
 * @param <M> the broker's message
 */
public final class LetterRedriver<M> implements Redriver {

  private final LetterBroker<M> broker;
  private final DedupStore store;
  private final String consumer;
  private final IdExtractor<M> ids;
  private final MarkOperations marks;

  /**
   * Makes a redriver.
   *
   * @param broker the connection to the brokers, which {@link #close} closes
   * @param store the store of the marks; stays open
   * @param consumer the consumer's name
   * @param ids how the consumer's receiver finds a message's id
   * @throws IllegalArgumentException if the consumer's name breaks its rule
   */
  public LetterRedriver(
      LetterBroker<M> broker, DedupStore store, String consumer, IdExtractor<M> ids) {
    this.broker = broker;
    this.store = store;
    this.consumer = consumer;
    this.ids = ids;
    this.marks = new MarkOperations(store, consumer);
  }

  @Override
  public RedriveReport plan(
      TopicPart letters, StartingPoint from, DeadLetterSelection which, RedriveSettings settings)
      throws InterruptedException {
    return new Run(new Redrive(store, consumer, settings), settings, false, which)
        .read(letters, from);
  }

  @Override
  public RedriveReport redrive(
      TopicPart letters, StartingPoint from, DeadLetterSelection which, RedriveSettings settings)
      throws InterruptedException {
    return new Run(new Redrive(store, consumer, settings), settings, true, which)
        .read(letters, from);
  }

  /** One run through the records of a dead-letter topic. */
  private final class Run implements TopicReader.Sink<M> {

    private final Redrive redrive;
    private final RedriveSettings settings;
    private final boolean executes;
    private final RedriveRun run;

    /** The answers of the brokers to a plan, by the homes of messages. */
    private final Map<String, Optional<String>> homeless = new HashMap<>();

    Run(Redrive redrive, RedriveSettings settings, boolean executes, DeadLetterSelection which) {
      this.redrive = redrive;
      this.settings = settings;
      this.executes = executes;
      this.run = redrive.run(executes, which);
    }

    RedriveReport read(TopicPart letters, StartingPoint from) throws InterruptedException {
      List<ScannedRange> ranges = broker.reader().ranges(letters, from);
      broker.reader().read(letters, ranges, this, AuditProgress.NONE);
      return run.report(ranges);
    }

    @Override
    public void add(M record, String coordinates) throws InterruptedException {
      Letter<M> letter = broker.letter(record);
      StoredDeadLetter found = StoredDeadLetter.of(
          coordinates,
          letter.diedAt(),
          letter.metadata(),
          letter.message(),
          ids,
          letter.topic().isEmpty()
              ? Optional.of("it does not name the place of its message")
              : settings.refusal(letter.topic().get()).or(letter::missing));
      run.next(found, () -> take(letter, found));
    }

    /**
     * Checks the home of the message before its mark is reopened: a producer would find out later,
     * and could make the brokers create the topic anew, without a consumer that reads it.
     */
    private RedriveResult take(Letter<M> letter, StoredDeadLetter found)
        throws InterruptedException {
      Optional<String> flaw =
          found.flaw().isPresent() ? found.flaw() : homelessOf(letter.message());
      StoredDeadLetter destined = flaw.map(found::withFlaw).orElse(found);
      if (!executes) {
        return redrive.look(destined);
      }
      RedriveResult answer = redrive.reopen(destined);
      if (answer instanceof Published) {
        try {
          broker.publish(letter.message(), letter.metadata().coordinates());
        } catch (AuditFailedException e) {
          throw run.failed(found, e);
        }
      }
      return answer;
    }

    private Optional<String> homelessOf(M message) throws InterruptedException {
      if (executes) {
        return broker.homeless(message); // a topic may be deleted during the run
      }
      String home = broker.home(message);
      Optional<String> known = homeless.get(home);
      if (known == null) {
        known = broker.homeless(message);
        homeless.put(home, known);
      }
      return known;
    }

    @Override
    public void addUnreadable(String coordinates, String why) {
      run.unreadable(coordinates, why);
    }
  }

  @Override
  public RedriveResult plan(String id) throws InterruptedException {
    return found(id, (message, coordinates) -> reachable(message));
  }

  @Override
  public RedriveResult redeliver(String id) throws InterruptedException {
    return found(id, (message, coordinates) -> {
      RedriveResult answer = reachable(message);
      if (answer instanceof Published) {
        broker.publish(message, coordinates);
      }
      return answer;
    });
  }

  @Override
  public RedriveResult deadLetter(String id, String topic) throws InterruptedException {
    try (LetterBroker.Graveyard<M> graveyard = broker.graveyard(topic)) {
      return found(
          id,
          (message, coordinates) -> broker.topic(message).equals(topic)
              ? new Refused(topic + " is the topic of the message, not a dead-letter topic")
              : marks.deadLetter(id, coordinates, message, graveyard));
    }
  }

  /** Uses a message that was found at its place. */
  private interface Use<M> {
    RedriveResult of(M message, String coordinates) throws InterruptedException;
  }

  private RedriveResult found(String id, Use<M> use) throws InterruptedException {
    return marks.redeliver(id, (coordinates, bytes) -> found(bytes, coordinates, use));
  }

  private RedriveResult found(Bytes id, String coordinates, Use<M> use)
      throws InterruptedException {
    Optional<String> noPlace = broker.noPlace(coordinates);
    if (noPlace.isPresent()) {
      return new Refused(noPlace.get());
    }
    Optional<M> message = broker.fetch(coordinates);
    if (message.isEmpty()) {
      return new Refused("there is no message at " + coordinates + " any more");
    }
    Optional<String> other = MarkOperations.otherMessage(id, coordinates, message.get(), ids);
    return other.isPresent() ? new Refused(other.get()) : use.of(message.get(), coordinates);
  }

  private RedriveResult reachable(M message) throws InterruptedException {
    Optional<String> homeless = broker.homeless(message);
    return homeless.isPresent() ? new Refused(homeless.get()) : new Published();
  }

  @Override
  public void close() {
    broker.close();
  }
}
