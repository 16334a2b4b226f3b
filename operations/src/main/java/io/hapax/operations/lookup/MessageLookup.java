package io.hapax.operations.lookup;

import io.hapax.generation.Generations;
import io.hapax.mark.Bytes;
import io.hapax.mark.ConsumerScope;
import io.hapax.mark.Mark;
import io.hapax.mark.MessageKey;
import io.hapax.operations.internal.RetryingCalls;
import io.hapax.operations.redrive.MarkOperations;
import io.hapax.operations.redrive.MessageNames;
import io.hapax.store.DedupStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Says what happened to a message and whether anything has to be done, from its marks in the
 * present generation and the one before, its dead-letter records, the action log and the topic.
 * Changes nothing.
 */
public final class MessageLookup {

  private final DedupStore store;
  private final String consumer;
  private final MessageSources sources;
  private final MarkOperations marks;

  /**
   * Looks up messages of a consumer.
   *
   * @param store the store; stays open
   * @param consumer the consumer's name
   * @param sources what is known beside the marks
   * @throws IllegalArgumentException if the name is not a valid scope
   */
  public MessageLookup(DedupStore store, String consumer, MessageSources sources) {
    this.store = store;
    this.consumer = consumer;
    this.sources = sources;
    this.marks = new MarkOperations(store, consumer);
  }

  /**
   * {@return the answer for an id as it was typed, then for the bytes that it names, of these two
   * what is known, then for the same without blanks at the edges} A store keeps digests of ids, so
   * a part of an id finds nothing.
   *
   * @param typed the id, or {@code 0x} and its bytes in hexadecimal; not blank
   * @throws IllegalArgumentException if it is not a valid id
   * @throws Exception if the store or another source does not answer
   */
  public List<MessageAnswer> of(String typed) throws Exception {
    int generation = RetryingCalls.of(() -> Generations.current(store, consumer));
    List<MessageAnswer> answers = new ArrayList<>();
    Optional<Bytes> bytes = MessageNames.bytesOf(typed);
    MessageAnswer exact = answer(generation, Bytes.utf8(typed));
    if (bytes.isEmpty() || exact.isKnown()) {
      answers.add(exact);
    }
    if (bytes.isPresent()) {
      MessageAnswer named = answer(generation, bytes.get());
      if (answers.isEmpty() || named.isKnown()) {
        answers.add(named);
      }
    }
    if (!typed.equals(typed.strip())) {
      answers.addAll(of(typed.strip()));
    }
    return answers;
  }

  private MessageAnswer answer(int generation, Bytes id) throws Exception {
    Optional<TopicSearch> search = sources.search(id); // first: the group goes on meanwhile
    String scope = new ConsumerScope(consumer, generation).joined();
    List<MessageKey> keys = new ArrayList<>(List.of(MessageKey.of(scope, id)));
    if (generation > 0) {
      keys.add(MessageKey.of(new ConsumerScope(consumer, generation - 1).joined(), id));
    }
    List<Optional<Mark>> found = RetryingCalls.of(() -> store.find(keys));
    Optional<Mark> mark = found.get(0);
    Instant now = marks.now();
    Evidence evidence = new Evidence(
        mark,
        generation > 0 ? found.get(1) : Optional.empty(),
        sources.letters(id, mark),
        sources.actions(MessageNames.of(id)),
        search,
        now);
    return new Judge(evidence, now.minus(store.retention()), sources).answer(id, scope);
  }
}
