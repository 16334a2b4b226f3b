package io.hapax;

import io.hapax.mark.Bytes;
import io.hapax.policy.MissingIdPolicy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Finds the business message id of a message: what stays the same when the producer sends it again,
 * when it is redelivered and when its topic is replayed. Offsets and broker ids do not.
 *
 * @param <M> the broker's message
 */
@FunctionalInterface
public interface IdExtractor<M> {

  /**
   * The id of a message. An exception is treated like a missing id.
   *
   * @param message the message
   * @return its id, {@link #composed} or {@link CompositeId} for one of several parts; empty if it
   *     has none, and then the {@link MissingIdPolicy} speaks
   */
  Optional<Bytes> idOf(M message);

  /**
   * The first id that is found and not blank. Those behind it are not asked, nor if one throws. All
   * ids are of one kind: where two sources can say the same of different messages, compose each
   * with its source.
   *
   * @param extractors asked in this order; at least one
   * @param <M> the broker's message
   * @return an extractor that answers empty where all do
   * @throws IllegalArgumentException if there are none
   */
  static <M> IdExtractor<M> firstOf(List<IdExtractor<M>> extractors) {
    List<IdExtractor<M>> all = atLeastOne(extractors);
    return message -> {
      for (IdExtractor<M> extractor : all) {
        Optional<Bytes> id = extractor.idOf(message);
        if (id.isPresent() && !id.get().isBlank()) {
          return id;
        }
      }
      return Optional.empty();
    };
  }

  /**
   * An id of several parts, joined as {@link CompositeId} does. Parts that differ never give the
   * same whole, wherever one ends.
   *
   * @param extractors the parts, in this order; at least one
   * @param <M> the broker's message
   * @return an extractor that answers empty where a part is missing or blank: what is left would be
   *     the id of other messages too
   * @throws IllegalArgumentException if there are none
   */
  static <M> IdExtractor<M> composed(List<IdExtractor<M>> extractors) {
    List<IdExtractor<M>> all = atLeastOne(extractors);
    return message -> {
      List<Bytes> parts = new ArrayList<>();
      for (IdExtractor<M> extractor : all) {
        Optional<Bytes> part = extractor.idOf(message);
        if (part.isEmpty() || part.get().isBlank()) {
          return Optional.empty();
        }
        parts.add(part.get());
      }
      return Optional.of(CompositeId.of(parts));
    };
  }

  /**
   * An id that is another one in another place: {@code orders/17}.
   *
   * @param place where the message is, as its topic; without a slash, or places and ids flow into
   *     each other
   * @param extractor the id within that place
   * @param <M> the broker's message
   * @return an extractor that answers empty where that one does, or is blank: what is left would be
   *     the id of other messages too
   */
  static <M> IdExtractor<M> within(Function<M, String> place, IdExtractor<M> extractor) {
    return message -> extractor.idOf(message).filter(id -> !id.isBlank()).map(id -> {
      byte[] before = (place.apply(message) + '/').getBytes(StandardCharsets.UTF_8);
      return Bytes.of(ByteBuffer.allocate(before.length + id.length())
          .put(before)
          .put(id.toByteArray())
          .array());
    });
  }

  private static <E> List<E> atLeastOne(List<E> extractors) {
    if (extractors.isEmpty()) {
      throw new IllegalArgumentException("extractors is empty but must hold at least one");
    }
    return List.copyOf(extractors);
  }
}
