package io.hapax.internal;

import io.hapax.Incoming;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Lets submissions in: their ids are read under the scope of the consumer's generation, and as long
 * as that may not be claimed under they are held back, like messages whose store does not answer.
 */
final class Admission<M> {

  private final GenerationWatch<M> generation;
  private final EngineSettings.Reading<M> reading;
  private final Outcomes<M> outcomes;
  private final Events events;
  private final BiConsumer<Batch<M>, List<Item<M>>> next;
  private volatile @Nullable Intake<M> intake;

  Admission(
      GenerationWatch<M> generation,
      EngineSettings.Reading<M> reading,
      Outcomes<M> outcomes,
      Events events,
      BiConsumer<Batch<M>, List<Item<M>>> next) {
    this.generation = generation;
    this.reading = reading;
    this.outcomes = outcomes;
    this.events = events;
    this.next = next;
  }

  void admit(Batch<M> batch, List<Incoming<M>> messages) {
    if (generation.open()) {
      next.accept(batch, read(batch, messages));
      return;
    }
    List<Item<M>> held = held(batch, messages);
    batch.items(held);
    if (batch.abandoned()) {
      outcomes.giveUp(held, Deferrals.ABANDONED);
    }
    generation.whenOpen(() -> !batch.over(), () -> {
      List<Item<M>> items = read(batch, messages);
      // Who was given up has its outcome; who was not is never told this one.
      next.accept(
          batch,
          held.stream()
              .filter(it -> it.finish(Deferrals.ABANDONED))
              .map(it -> items.get(it.index))
              .toList());
    });
  }

  private List<Item<M>> read(Batch<M> batch, List<Incoming<M>> messages) {
    Intake<M> known = intake;
    if (known == null) {
      known = new Intake<>(generation.scope().orElseThrow(), reading, events);
      intake = known;
    }
    return known.read(batch, messages);
  }

  /** In place of the messages, for who gives them up. */
  private static <M> List<Item<M>> held(Batch<M> batch, List<Incoming<M>> messages) {
    return IntStream.range(0, messages.size())
        .mapToObj(i -> Item.unmarked(batch, i, messages.get(i), Optional.empty()))
        .toList();
  }
}
