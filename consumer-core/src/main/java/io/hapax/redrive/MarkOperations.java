package io.hapax.redrive;

import io.hapax.IdExtractor;
import io.hapax.generation.Generations;
import io.hapax.internal.store.RetryingReads;
import io.hapax.internal.store.StoreTime;
import io.hapax.mark.Bytes;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Resolution;
import io.hapax.redrive.RedriveResult.Refused;
import io.hapax.store.DedupStore;
import io.hapax.store.MarkQuery;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What an operator does about marks whose message does not come back: looks at them, has the
 * message delivered again, or decides. A stale mark is taken over by a delivery of its message and
 * by nothing else, so nothing here takes one over. For one thread.
 */
public final class MarkOperations {

  private final DedupStore store;
  private final String consumer;
  private final StoreTime time;
  private final RefusalReasons refusals = new RefusalReasons(this::now);

  /**
   * Fetches a message from where its mark says that it lies, and may publish it again.
   *
   * @param <X> what goes wrong
   */
  public interface Fetch<X extends Exception> {

    /**
     * Fetches the message.
     *
     * @param coordinates where the latest claim has found it
     * @param id its id
     * @return what became of it
     * @throws X if that is not known
     */
    RedriveResult at(String coordinates, Bytes id) throws X;
  }

  /**
   * Of a consumer.
   *
   * @param store the consumer's store; stays open
   * @param consumer the consumer's name, as its receiver's builder was told it
   * @throws IllegalArgumentException if it is no scope
   */
  public MarkOperations(DedupStore store, String consumer) {
    var unused = MessageKey.of(consumer, "probe"); // throws if it is no scope
    this.store = store;
    this.consumer = consumer;
    this.time = new StoreTime(store);
  }

  /**
   * Lists marks of the consumer's generation, asking for as many pages as it takes.
   *
   * @param kind which
   * @param limit at most so many; positive
   * @return the marks; as many as the limit if there are more
   * @throws io.hapax.store.StoreException if the store did not answer
   */
  public List<Mark> list(MarkQuery.Kind kind, int limit) {
    String scope = scope();
    List<Mark> marks = new ArrayList<>();
    List<Mark> page;
    int wanted;
    do {
      wanted = Math.min(limit - marks.size(), MarkQuery.MAX_LIMIT);
      Optional<Mark> last =
          marks.isEmpty() ? Optional.empty() : Optional.of(marks.get(marks.size() - 1));
      MarkQuery query = new MarkQuery(scope, kind, wanted, last);
      page = RetryingReads.of(() -> store.list(query));
      marks.addAll(page);
    } while (page.size() == wanted && marks.size() < limit);
    return marks;
  }

  /**
   * What time it is for the store, whose clock the times of marks are of. Changes nothing.
   *
   * @return the time, asked once and carried on by this process's monotonic clock
   * @throws io.hapax.store.StoreException if the store did not answer
   */
  public Instant now() {
    return time.now(MessageKey.of(scope(), "now"));
  }

  /**
   * Has the message of an open mark delivered again, unless somebody holds it. The next delivery
   * takes the mark over. If the message comes by itself meanwhile it still takes effect once.
   *
   * @param id the message's id, as a text; one that is no text as {@code 0x} and its bytes
   * @param fetch what fetches the message, and publishes it
   * @param <X> what goes wrong in that
   * @return what became of it
   * @throws IllegalArgumentException if it is no message's id
   * @throws io.hapax.store.StoreException if the store did not answer
   * @throws X if fetching goes wrong
   */
  public <X extends Exception> RedriveResult redeliver(String id, Fetch<X> fetch) throws X {
    Optional<Mark> found = find(id);
    Optional<String> refusal = refusals.ofDelivery(found);
    if (refusal.isPresent()) {
      return new Refused(refusal.get());
    }
    Mark mark = found.orElseThrow();
    if (mark.state() == MarkState.DEAD) {
      return new Refused("it is dead: bring its dead letter back");
    }
    String coordinates = mark.claim().origin().coordinates();
    return coordinates.isBlank()
        ? new Refused("its mark does not say where its message lies")
        : fetch.at(coordinates, mark.key().id());
  }

  /**
   * Carries out a decision on a mark: compares the token and the state that it reads first, so a
   * mark that moves meanwhile is left alone. A DONE mark is changed by the two decisions that take
   * any payload only, and a mark that an owner holds by a forced decision only.
   *
   * @param id the message's id, as for {@link #redeliver}
   * @param resolution the decision, see {@link Resolution} for what each may repeat or lose
   * @return why nothing was changed; empty if it was
   * @throws IllegalArgumentException if it is no message's id
   * @throws io.hapax.store.StoreException if the store did not answer; it was changed or not
   */
  public Optional<String> resolve(String id, Resolution resolution) {
    Optional<Mark> found = find(id);
    Optional<String> refusal = refusals.ofDecision(found, resolution);
    if (refusal.isPresent()) {
      return refusal;
    }
    Mark mark = found.orElseThrow();
    return store.resolve(mark.key(), mark.claim().token(), mark.state(), resolution)
        ? Optional.empty()
        : Optional.of("its mark moved while it was looked at");
  }

  /**
   * Why a message may not be delivered again. Changes nothing.
   *
   * @param id the message's id, as for {@link #redeliver}
   * @return the reason; empty if nothing speaks against it
   * @throws IllegalArgumentException if it is no message's id
   * @throws io.hapax.store.StoreException if the store did not answer
   */
  public Optional<String> refusal(String id) {
    return refusals.ofDelivery(find(id));
  }

  /**
   * Why a decision would change nothing. Changes nothing itself.
   *
   * @param id the message's id, as for {@link #redeliver}
   * @param resolution the decision
   * @return the reason; empty if {@link #resolve} would carry it out now
   * @throws IllegalArgumentException if it is no message's id
   * @throws io.hapax.store.StoreException if the store did not answer
   */
  public Optional<String> refusal(String id, Resolution resolution) {
    return refusals.ofDecision(find(id), resolution);
  }

  private Optional<Mark> find(String id) {
    String scope = scope();
    List<MessageKey> keys = new ArrayList<>(List.of(MessageKey.of(scope, id)));
    DeadLetterSelection.bytesOf(id).ifPresent(bytes -> keys.add(MessageKey.of(scope, bytes)));
    return RetryingReads.of(() -> store.find(keys)).stream()
        .flatMap(Optional::stream)
        .findFirst();
  }

  private String scope() {
    return RetryingReads.of(() -> Generations.scope(store, consumer));
  }

  /**
   * Whether what was fetched is the message that was meant. For adapters.
   *
   * @param id the id that was meant
   * @param coordinates where it was fetched from
   * @param message what was fetched
   * @param ids how the consumer's receiver finds a message's id
   * @param <M> the broker's message
   * @return why it is not; empty if it is
   */
  public static <M> Optional<String> otherMessage(
      Bytes id, String coordinates, M message, IdExtractor<M> ids) {
    Optional<Bytes> found = StoredDeadLetter.usableId(message, ids);
    return found.equals(Optional.of(id))
        ? Optional.empty()
        : Optional.of("what lies at " + coordinates + " is another message: "
            + found.map(Bytes::toString).orElse("one without an id"));
  }
}
