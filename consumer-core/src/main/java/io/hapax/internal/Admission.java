package io.hapax.internal;

import io.hapax.Incoming;
import io.hapax.Outcome;
import java.util.ArrayList;
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
  private final Tasks<M> tasks;
  private final BiConsumer<Batch<M>, List<Item<M>>> next;
  private volatile @Nullable Intake<M> intake;

  Admission(
      GenerationWatch<M> generation,
      EngineSettings.Reading<M> reading,
      Outcomes<M> outcomes,
      Events events,
      Tasks<M> tasks,
      BiConsumer<Batch<M>, List<Item<M>>> next) {
    this.generation = generation;
    this.reading = reading;
    this.outcomes = outcomes;
    this.events = events;
    this.tasks = tasks;
    this.next = next;
  }

  /** Lets a submission in, now or when claims may be sent. Every message gets an outcome. */
  void admit(Batch<M> batch, List<Incoming<M>> messages) {
    try {
      if (generation.open()) {
        letIn(batch, messages, List.of());
      } else {
        hold(batch, messages);
      }
    } catch (RuntimeException | Error e) { // before anything was let in
      tasks.untilItSucceeds(() -> outcomes.giveUp(standIns(batch, messages), tasks.broke(e)));
    }
  }

  private void hold(Batch<M> batch, List<Incoming<M>> messages) {
    List<Item<M>> held = standIns(batch, messages);
    if (batch.abandoned()) {
      outcomes.giveUp(held, Deferrals.ABANDONED);
    }
    generation.whenOpen(() -> !batch.over(), () -> letIn(batch, messages, held));
  }

  /**
   * Reads the messages and begins with them. If an error ends that, those without an outcome are
   * deferred.
   *
   * @param held what stood for the messages until now; empty if nothing did
   */
  private void letIn(Batch<M> batch, List<Incoming<M>> messages, List<Item<M>> held) {
    boolean[] replaced = new boolean[held.size()];
    List<Item<M>> items = held;
    try {
      items = read(batch, messages);
      next.accept(batch, held.isEmpty() ? items : replacing(held, items, replaced));
    } catch (RuntimeException | Error e) {
      List<Item<M>> read = items;
      tasks.untilItSucceeds(
          () -> refuse(read == held ? List.of() : read, held, replaced, batch, messages, e));
    }
  }

  /** A message that was given up has its outcome; the others are from now on these items. */
  private static <M> List<Item<M>> replacing(
      List<Item<M>> held, List<Item<M>> items, boolean[] replaced) {
    List<Item<M>> wanted = new ArrayList<>(items.size());
    for (int i = 0; i < items.size(); i++) {
      if (held.get(i).finish(Deferrals.ABANDONED)) { // its outcome is handed on to nobody
        replaced[i] = true;
        wanted.add(items.get(i));
      }
    }
    return wanted;
  }

  private void refuse(
      List<Item<M>> read,
      List<Item<M>> held,
      boolean[] replaced,
      Batch<M> batch,
      List<Incoming<M>> messages,
      Throwable error) {
    Outcome.Deferred broken = tasks.broke(error);
    if (held.isEmpty()) {
      outcomes.giveUp(read.isEmpty() ? standIns(batch, messages) : read, broken);
    }
    for (int i = 0; i < held.size(); i++) {
      outcomes.giveUp(List.of(replaced[i] ? read.get(i) : held.get(i)), broken);
    }
  }

  /** Stands for the messages of a submission until they are read, so that they can be given up. */
  private List<Item<M>> standIns(Batch<M> batch, List<Incoming<M>> messages) {
    List<Item<M>> known = batch.items();
    if (!known.isEmpty()) {
      return known;
    }
    List<Item<M>> held = held(batch, messages);
    batch.items(held);
    return held;
  }

  private List<Item<M>> read(Batch<M> batch, List<Incoming<M>> messages) {
    Intake<M> known = intake;
    if (known == null) {
      known = new Intake<>(generation.scope().orElseThrow(), reading, events);
      intake = known;
    }
    return known.read(batch, messages);
  }

  private static <M> List<Item<M>> held(Batch<M> batch, List<Incoming<M>> messages) {
    return IntStream.range(0, messages.size())
        .mapToObj(i -> Item.unmarked(batch, i, messages.get(i), Optional.empty()))
        .toList();
  }
}
