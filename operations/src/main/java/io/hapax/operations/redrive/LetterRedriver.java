package io.hapax.operations.redrive;

import io.hapax.IdExtractor;
import io.hapax.errors.AuditFailedException;
import io.hapax.mark.Bytes;
import io.hapax.operations.internal.LetterBroker;
import io.hapax.operations.internal.LetterBroker.Letter;
import io.hapax.operations.internal.TopicReader;
import io.hapax.operations.redrive.RedriveResult.Published;
import io.hapax.operations.redrive.RedriveResult.Refused;
import io.hapax.operations.text.Text;
import io.hapax.operations.topic.AuditProgress;
import io.hapax.operations.topic.ScannedRange;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import io.hapax.store.DedupStore;
import java.util.ArrayList;
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
    return new Run(which, settings, false).read(letters, from);
  }

  @Override
  public RedriveReport redrive(
      TopicPart letters, StartingPoint from, DeadLetterSelection which, RedriveSettings settings)
      throws InterruptedException {
    return new Run(which, settings, true).read(letters, from);
  }

  /** One run through the records of a dead-letter topic. */
  private final class Run implements TopicReader.Sink<M> {

    private final RedriveSettings settings;
    private final boolean executes;
    private final RedriveRun run;
    /** The answers of the brokers to a plan, by the homes of messages. */
    private final Map<String, Optional<Text>> homeless = new HashMap<>();

    Run(DeadLetterSelection which, RedriveSettings settings, boolean executes) {
      this.settings = settings;
      this.executes = executes;
      this.run = new RedriveRun(store, consumer, which, settings, executes);
    }

    RedriveReport read(TopicPart letters, StartingPoint from) throws InterruptedException {
      List<ScannedRange> ranges = broker.reader().ranges(letters, from);
      broker.reader().read(letters, ranges, this, settings.control());
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
              ? Optional.of(Text.of("record.no-origin"))
              : settings.refusal(letter.topic().get()).or(letter::missing));
      run.next(found, () -> take(letter, found));
    }

    /**
     * Checks the home of the message before its mark is reopened: a producer would find out later,
     * and could make the brokers create the topic anew, without a consumer that reads it.
     */
    private RedriveResult take(Letter<M> letter, StoredDeadLetter found)
        throws InterruptedException {
      Optional<Text> flaw = found.flaw().isPresent() ? found.flaw() : homelessOf(letter.message());
      RedriveResult answer = run.reopen(flaw.map(found::withFlaw).orElse(found));
      if (executes && answer instanceof Published) {
        try {
          broker.publish(letter.message(), letter.metadata().coordinates());
        } catch (AuditFailedException e) {
          throw run.failed(found, e);
        }
      }
      return answer;
    }

    /** Asks for each message of a redrive: a topic may be deleted during the run. */
    private Optional<Text> homelessOf(M message) throws InterruptedException {
      String home = broker.home(message);
      if (executes || !homeless.containsKey(home)) {
        homeless.put(home, broker.homeless(message));
      }
      return homeless.getOrDefault(home, Optional.empty());
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
              ? new Refused(Text.of("place.own-topic", topic))
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
    Optional<List<LetterBroker.Place>> places = broker.places(coordinates);
    if (places.isEmpty()) {
      return new Refused(Text.of("place.none", coordinates));
    }
    if (places.get().isEmpty()) {
      return new Refused(Text.of("place.topic-gone", coordinates));
    }
    Optional<M> message = Optional.empty();
    for (LetterBroker.Place place : places.get()) {
      message = message.isPresent() ? message : fetch(place);
    }
    if (message.isEmpty()) {
      return new Refused(Text.of("place.empty", coordinates));
    }
    Optional<Bytes> found = StoredDeadLetter.usableId(message.get(), ids);
    return found.equals(Optional.of(id))
        ? use.of(message.get(), coordinates)
        : new Refused(Text.of(
            "place.other",
            coordinates,
            found.map(it -> Text.plain(it.toString())).orElse(Text.of("place.no-id"))));
  }

  /** Fetches the message at its place; empty if it is not there any more. */
  private Optional<M> fetch(LetterBroker.Place place) throws InterruptedException {
    long offset = place.offset();
    boolean there = broker.reader().ranges(place.part(), StartingPoint.beginning()).stream()
        .filter(it -> it.place().equals(place.queue()))
        .anyMatch(it -> it.from() <= offset && offset < it.to());
    List<M> found = new ArrayList<>();
    if (there) {
      ScannedRange one = new ScannedRange(place.queue(), offset, offset + 1);
      broker.reader().read(place.part(), List.of(one), new Fetched<>(found), AuditProgress.NONE);
    }
    return found.stream().findFirst();
  }

  private record Fetched<M>(List<M> messages) implements TopicReader.Sink<M> {

    @Override
    public void add(M message, String coordinates) {
      messages.add(message);
    }

    @Override
    public void addUnreadable(String coordinates, String why) {
      throw Text.of("place.unreadable", coordinates, why).failure();
    }
  }

  private RedriveResult reachable(M message) throws InterruptedException {
    Optional<Text> homeless = broker.homeless(message);
    return homeless.isPresent() ? new Refused(homeless.get()) : new Published();
  }

  @Override
  public void close() {
    broker.close();
  }
}
