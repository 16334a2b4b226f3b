package io.hapax.operations.redrive;

import io.hapax.DeadLetterPublisher;
import io.hapax.generation.Generations;
import io.hapax.internal.store.StoreClock;
import io.hapax.mark.Bytes;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Resolution;
import io.hapax.operations.internal.RetryingCalls;
import io.hapax.operations.redrive.RedriveResult.Refused;
import io.hapax.operations.text.Text;
import io.hapax.store.DedupStore;
import io.hapax.store.MarkQuery;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Lists, redelivers and resolves marks whose message is not redelivered by its broker, for
 * operators. Nothing here takes a stale mark over: only a delivery of its message does. For one
 * thread.
 */
public final class MarkOperations {

  private final DedupStore store;
  private final String consumer;
  private final StoreClock clock = new StoreClock();
  private final RefusalReasons refusals = new RefusalReasons(this::now);

  /**
   * Fetches a message from the coordinates in its mark, and may publish it again.
   *
   * @param <X> what it throws
   */
  public interface Fetch<X extends Exception> {

    /**
     * Fetches the message.
     *
     * @param coordinates where the message lay at its latest claim
     * @param id its id
     * @return the result
     * @throws X if the result is unknown
     */
    RedriveResult at(String coordinates, Bytes id) throws X;
  }

  /**
   * Operates on the marks of a consumer.
   *
   * @param store the consumer's store; stays open
   * @param consumer the consumer's name, as its receiver has it
   * @throws IllegalArgumentException if the name is not a valid scope
   */
  public MarkOperations(DedupStore store, String consumer) {
    var unused = MessageKey.of(consumer, "probe"); // throws if it is not a valid scope
    this.store = store;
    this.consumer = consumer;
  }

  /**
   * {@return marks of the consumer's generation, which are read page by page}
   *
   * @param kind the kind of marks
   * @param limit the maximum number of marks; positive
   * @throws io.hapax.store.StoreException if the store did not answer
   */
  public List<Mark> list(MarkQuery.Kind kind, int limit) {
    List<Mark> marks = new ArrayList<>();
    read(kind, limit, marks::add);
    return marks;
  }

  /**
   * {@return the number of marks of the consumer's generation, which are read page by page}
   *
   * @param kind the kind of marks
   * @throws io.hapax.store.StoreException if the store did not answer
   */
  public long count(MarkQuery.Kind kind) {
    return read(kind, Long.MAX_VALUE, mark -> {});
  }

  private long read(MarkQuery.Kind kind, long limit, Consumer<Mark> marks) {
    String scope = scope();
    Optional<Mark> last = Optional.empty();
    List<Mark> page;
    long count = 0;
    int wanted;
    do {
      wanted = (int) Math.min(limit - count, MarkQuery.MAX_LIMIT);
      MarkQuery query = new MarkQuery(scope, kind, wanted, last);
      page = RetryingCalls.of(() -> store.list(query));
      page.forEach(marks);
      count += page.size();
      last = page.isEmpty() ? last : Optional.of(page.get(page.size() - 1));
    } while (page.size() == wanted && count < limit);
    return count;
  }

  /**
   * {@return whether anything in the store has the name of the consumer: its generation was moved,
   * or it has an open or dead mark; false if a wrong name would give the same answer} A DONE mark
   * does not have the name.
   *
   * @throws io.hapax.store.StoreException if the store did not answer
   */
  public boolean knowsConsumer() {
    return Generations.current(store, consumer) > 0
        || Arrays.stream(MarkQuery.Kind.values())
            .anyMatch(kind -> !list(kind, 1).isEmpty());
  }

  /**
   * {@return the store's time, by which the times in marks are read, asked once and advanced by
   * this process's monotonic clock} Changes nothing.
   *
   * @throws io.hapax.store.StoreException if the store did not answer
   */
  public Instant now() {
    return clock.now(() -> store.now(MessageKey.of(scope(), "now")));
  }

  /**
   * Has the message of an open mark delivered again, unless an owner holds its lease. The next
   * delivery takes the mark over. If the broker redelivers the message too, it still takes effect
   * once.
   *
   * @param id the message's id as text; an id that is not text as {@code 0x} and its bytes in
   *     hexadecimal
   * @param fetch fetches the message and publishes it
   * @param <X> what {@code fetch} throws
   * @return the result
   * @throws IllegalArgumentException if {@code id} is not a valid message id
   * @throws io.hapax.store.StoreException if the store did not answer
   * @throws X if fetching or publishing failed
   */
  public <X extends Exception> RedriveResult redeliver(String id, Fetch<X> fetch) throws X {
    Optional<Mark> found = find(id);
    Optional<Text> refusal = ofOpen(found);
    if (refusal.isPresent()) {
      return new Refused(refusal.get());
    }
    Mark mark = found.orElseThrow();
    return fetch.at(mark.claim().origin().coordinates(), mark.key().id());
  }

  /** Returns why nothing can be done with a message because of its mark. */
  private Optional<Text> ofOpen(Optional<Mark> found) {
    Optional<Text> refusal = refusals.ofDelivery(found);
    if (refusal.isPresent()) {
      return refusal;
    }
    Mark mark = found.orElseThrow();
    if (mark.state() == MarkState.DEAD) {
      return Optional.of(Text.of("mark.dead"));
    }
    return mark.claim().origin().coordinates().isBlank()
        ? Optional.of(Text.of("mark.no-place"))
        : Optional.empty();
  }

  /**
   * Dead-letters the message of an open mark, as {@link Redriver#deadLetter} describes.
   *
   * @param coordinates where the message lies
   * @param letters publishes the record
   */
  <M> RedriveResult deadLetter(
      String id, String coordinates, M message, DeadLetterPublisher<M> letters)
      throws InterruptedException {
    Optional<Mark> found = find(id);
    Optional<Text> refusal = ofOpen(found);
    if (refusal.isPresent()) {
      return new Refused(refusal.get());
    }
    try {
      return new DeadLettering(store, consumer)
          .run(found.orElseThrow(), coordinates, message, letters, now());
    } catch (InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw Text.of("letters.refused", e).failure(e);
    }
  }

  /**
   * Resolves a mark. It reads the mark first and compares token and state when it writes, so that a
   * mark that changes in between stays as it is. A DONE mark is changed only by the two resolutions
   * that take any payload, and by one that forgets its result. A mark whose lease is alive is
   * changed only by a forced resolution.
   *
   * @param id the message's id, as for {@link #redeliver}
   * @param resolution the resolution; {@link Resolution} says what each may repeat or lose
   * @return why the mark was not changed; empty if it was
   * @throws IllegalArgumentException if {@code id} is not a valid message id
   * @throws io.hapax.store.StoreException if the store did not answer; the mark may be changed
   */
  public Optional<Text> resolve(String id, Resolution resolution) {
    Optional<Mark> found = find(id);
    Optional<Text> refusal = refusals.ofDecision(found, resolution);
    if (refusal.isPresent()) {
      return refusal;
    }
    Mark mark = found.orElseThrow();
    return store.resolve(mark.key(), mark.claim().token(), mark.state(), resolution)
        ? Optional.empty()
        : Optional.of(Text.of("mark.changed"));
  }

  /**
   * {@return the reason why a resolution would not change the given mark; empty if it may be
   * changed} A caller that executes the resolution later passes the token and the state of this
   * mark to the store. The store then refuses the resolution if the mark has changed.
   *
   * @param found what {@link #find} returned
   * @param resolution the resolution
   * @throws io.hapax.store.StoreException if the store did not return its time
   */
  public Optional<Text> refusal(Optional<Mark> found, Resolution resolution) {
    return refusals.ofDecision(found, resolution);
  }

  /**
   * {@return the mark of a message; empty if there is none}
   *
   * @param id the message's id, as for {@link #redeliver}
   * @throws IllegalArgumentException if {@code id} is not a valid message id, or names two
   *     messages; the text says how to name one of them
   * @throws io.hapax.store.StoreException if the store did not answer
   */
  public Optional<Mark> find(String id) {
    String scope = scope();
    Optional<Bytes> bytes = MessageNames.bytesOf(id);
    List<MessageKey> keys = new ArrayList<>(List.of(MessageKey.of(scope, id)));
    bytes.ifPresent(it -> keys.add(MessageKey.of(scope, it)));
    List<Mark> found = RetryingCalls.of(() -> store.find(keys)).stream()
        .flatMap(Optional::stream)
        .toList();
    if (found.size() > 1) {
      throw twoMessages(id, bytes.orElseThrow()).refusal();
    }
    return found.stream().findFirst();
  }

  /**
   * Names both messages so that each is the only one. Bytes that are not text have no other name.
   */
  private static Text twoMessages(String id, Bytes bytes) {
    byte[] text = id.getBytes(StandardCharsets.UTF_8);
    String other = new String(bytes.toByteArray(), StandardCharsets.UTF_8);
    Text two = Text.of("id.two", id, HexFormat.of().formatHex(text));
    return Bytes.utf8(other).equals(bytes) ? Text.of("id.two-names", two, other) : two;
  }

  private String scope() {
    return RetryingCalls.of(() -> Generations.scope(store, consumer));
  }
}
