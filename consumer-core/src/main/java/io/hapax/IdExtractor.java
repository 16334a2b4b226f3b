package io.hapax;

import io.hapax.mark.Bytes;
import io.hapax.policy.MissingIdPolicy;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the business id of a message. It must stay the same when the producer sends the message
 * again, when it is redelivered and when its topic is replayed. Offsets and broker ids do not.
 *
 * @param <M> the broker's message
 */
@FunctionalInterface
public interface IdExtractor<M> {

  /**
   * {@return the id of a message ({@link #composed} and {@link CompositeId} make one of several
   * parts); empty if it has none: then the {@link MissingIdPolicy} applies, as after an exception}
   *
   * @param message the message
   */
  Optional<Bytes> idOf(M message);

  /**
   * {@return the id of a value that an extractor has read; empty if the value is null or empty, or
   * if a text is not valid Unicode or holds U+FFFD (see {@link Bytes#isDamagedText()})} All
   * extractors of Hapax use this rule. Bytes remain bytes. A text, an integer, a {@link UUID} and
   * the name of an enum constant become UTF-8, so the integer 17 and the text "17" are the same id.
   * No other type has a text that identifies a message in each process.
   *
   * @param value the value; the position of a {@link ByteBuffer} remains
   * @throws IllegalArgumentException if the value has another type
   */
  static Optional<Bytes> ofValue(@Nullable Object value) {
    Optional<Bytes> id;
    if (value == null) {
      return Optional.empty();
    } else if (value instanceof Bytes bytes) {
      id = Optional.of(bytes);
    } else if (value instanceof byte[] bytes) {
      id = Optional.of(Bytes.of(bytes));
    } else if (value instanceof ByteBuffer buffer) {
      byte[] content = new byte[buffer.remaining()];
      buffer.duplicate().get(content);
      id = Optional.of(Bytes.of(content));
    } else {
      id = ofText(value instanceof Enum<?> constant ? constant.name() : text(value));
    }
    return id.filter(bytes -> bytes.length() > 0);
  }

  private static String text(Object value) {
    if (value instanceof CharSequence
        || value instanceof Long
        || value instanceof Integer
        || value instanceof Short
        || value instanceof Byte
        || value instanceof BigInteger
        || value instanceof UUID) {
      return value.toString();
    }
    throw new IllegalArgumentException("a value of " + value.getClass().getName()
        + " is no id: read a text, an integer, a UUID, an enum constant or bytes from it");
  }

  private static Optional<Bytes> ofText(String text) {
    try {
      return Optional.of(Bytes.utf8(text)).filter(bytes -> !bytes.isDamagedText());
    } catch (IllegalArgumentException malformed) {
      return Optional.empty();
    }
  }

  /**
   * {@return an extractor that tries extractors in their order and returns the first id that is
   * neither blank nor {@linkplain Bytes#isDamagedText() damaged}; empty if all of them have none}
   * If one throws, the next ones are not tried. If two extractors can give different messages the
   * same id, compose each id with its source.
   *
   * @param extractors the extractors, in their order; at least one
   * @param <M> the broker's message
   * @throws IllegalArgumentException if there are none
   */
  static <M> IdExtractor<M> firstOf(List<IdExtractor<M>> extractors) {
    List<IdExtractor<M>> all = atLeastOne(extractors);
    return message -> {
      for (IdExtractor<M> extractor : all) {
        Optional<Bytes> id = extractor.idOf(message);
        if (id.isPresent() && isUsable(id.get())) {
          return id;
        }
      }
      return Optional.empty();
    };
  }

  /**
   * {@return an extractor that joins several parts as {@link CompositeId} does; empty if a part is
   * missing, blank or {@linkplain Bytes#isDamagedText() damaged}: other messages could have the
   * same other parts} Different parts give different ids.
   *
   * @param extractors the extractors of the parts, in their order; at least one
   * @param <M> the broker's message
   * @throws IllegalArgumentException if there are none
   */
  static <M> IdExtractor<M> composed(List<IdExtractor<M>> extractors) {
    List<IdExtractor<M>> all = atLeastOne(extractors);
    return message -> {
      List<Bytes> parts = new ArrayList<>();
      for (IdExtractor<M> extractor : all) {
        Optional<Bytes> part = extractor.idOf(message);
        if (part.isEmpty() || !isUsable(part.get())) {
          return Optional.empty();
        }
        parts.add(part.get());
      }
      return Optional.of(CompositeId.of(parts));
    };
  }

  /**
   * {@return an extractor that prefixes an id with a place, for ids that are unique only within a
   * place: {@code orders/17}; empty if {@code extractor} is, if its id is blank, or if
   * {@code place} returns null}
   *
   * @param place the place of a message, for example its topic; without a slash, so that place and
   *     id stay separate.
   * @param extractor the id within that place
   * @param <M> the broker's message
   */
  static <M> IdExtractor<M> within(Function<M, String> place, IdExtractor<M> extractor) {
    return message -> extractor
        .idOf(message)
        .filter(id -> !id.isBlank())
        .flatMap(id -> Optional.ofNullable(place.apply(message)).map(found -> {
          byte[] before = (found + '/').getBytes(StandardCharsets.UTF_8);
          return Bytes.of(ByteBuffer.allocate(before.length + id.length())
              .put(before)
              .put(id.toByteArray())
              .array());
        }));
  }

  private static boolean isUsable(Bytes id) {
    return !id.isBlank() && !id.isDamagedText();
  }

  private static <E> List<E> atLeastOne(List<E> extractors) {
    if (extractors.isEmpty()) {
      throw new IllegalArgumentException("extractors is empty but must hold at least one");
    }
    return List.copyOf(extractors);
  }
}
