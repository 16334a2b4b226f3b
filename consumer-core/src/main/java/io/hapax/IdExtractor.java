package io.hapax;

import io.hapax.mark.Bytes;
import java.util.Optional;

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
   * @return its id, {@link CompositeId} for one of several parts; empty if it has none, and then
   *     the {@link MissingIdPolicy} speaks
   */
  Optional<Bytes> idOf(M message);
}
