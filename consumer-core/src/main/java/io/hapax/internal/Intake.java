package io.hapax.internal;

import io.hapax.Incoming;
import io.hapax.MissingIdPolicy;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.mark.MessageKeys;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the id and the fingerprint of each message of a submission, once. */
final class Intake<M> {

  private static final Logger LOG = LoggerFactory.getLogger(Intake.class);

  private final MessageKeys keys;
  private final EngineSettings.Reading<M> reading;
  private final Events events;

  Intake(String scope, EngineSettings.Reading<M> reading, Events events) {
    this.events = events;
    this.keys = new MessageKeys(scope);
    this.reading = reading;
  }

  List<Item<M>> read(Batch<M> batch, List<Incoming<M>> messages) {
    List<Item<M>> items = new ArrayList<>(messages.size());
    for (Incoming<M> message : messages) {
      Optional<MessageKey> key = keyOf(message);
      Fingerprint fingerprint = key.isEmpty() ? Fingerprint.NONE : fingerprintOf(message);
      items.add(new Item<>(batch, items.size(), message, key, fingerprint));
    }
    return List.copyOf(items);
  }

  private Optional<MessageKey> keyOf(Incoming<M> message) {
    Optional<MessageKey> own = ownKeyOf(message);
    if (own.isEmpty()) {
      events.tell(it -> it.onMissingId(message.coordinates()));
    }
    return own.isPresent() || reading.missingIds() != MissingIdPolicy.COORDINATES
        ? own
        : Optional.of(keys.of(coordinatesOf(message)));
  }

  /** An extractor that throws has found no id: the policy for missing ids speaks. */
  private Optional<MessageKey> ownKeyOf(Incoming<M> message) {
    try {
      Optional<Bytes> id = reading.ids().idOf(message.message());
      if (id.isPresent() && !id.get().isBlank()) {
        return Optional.of(keys.of(id.get()));
      }
      LOG.warn("No id at {}", message.coordinates());
    } catch (RuntimeException | Error e) {
      LOG.warn("No usable id at {}", message.coordinates(), e);
    }
    return Optional.empty();
  }

  /** Begins with a byte that no text holds, so that it is nobody's id. */
  private static Bytes coordinatesOf(Incoming<?> message) {
    byte[] text = message.coordinates().getBytes(StandardCharsets.UTF_8);
    return Bytes.of(
        ByteBuffer.allocate(1 + text.length).put((byte) 0xFF).put(text).array());
  }

  private Fingerprint fingerprintOf(Incoming<M> message) {
    try {
      return Objects.requireNonNull(reading.fingerprint().apply(message.message()), "fingerprint");
    } catch (RuntimeException | Error e) {
      LOG.warn("No fingerprint at {}: payloads are not compared", message.coordinates(), e);
      return Fingerprint.NONE;
    }
  }
}
