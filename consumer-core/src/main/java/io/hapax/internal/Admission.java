package io.hapax.internal;

import io.hapax.Incoming;
import io.hapax.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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

  /**
   * Returns what lets a submission in, now or when claims may be sent, and does not throw: every
   * message gets an outcome. All that this needs after an error is allocated here.
   */
  Runnable of(Batch<M> batch, List<Incoming<M>> messages) {
    return new Entry(batch, messages);
  }

  /** A submission on its way in. For one thread at a time. */
  private final class Entry implements Runnable {

    private final Batch<M> batch;
    private final List<Incoming<M>> messages;
    private final boolean[] replaced;
    private final Runnable letIn = this::letIn;
    private final Runnable refusal = this::refuse;

    /** Placeholders for the messages while they are held back; otherwise empty. */
    private List<Item<M>> held = List.of();

    /** The messages, once they are read. */
    private List<Item<M>> read = List.of();

    private @Nullable Throwable error;

    Entry(Batch<M> batch, List<Incoming<M>> messages) {
      this.batch = batch;
      this.messages = messages;
      this.replaced = new boolean[messages.size()];
    }

    @Override
    public void run() {
      try {
        if (generation.open()) {
          letIn();
        } else {
          hold();
        }
      } catch (RuntimeException | Error e) { // before anything was let in
        refuse(e);
      }
    }

    private void hold() {
      held = standIns();
      if (batch.abandoned()) {
        outcomes.giveUp(held, Deferrals.ABANDONED);
      }
      generation.whenOpen(() -> !batch.over(), letIn);
    }

    /** Reads the messages and begins with them. */
    private void letIn() {
      try {
        read = read(batch, messages);
        next.accept(batch, held.isEmpty() ? read : replacing());
      } catch (RuntimeException | Error e) {
        refuse(e);
      }
    }

    /** A message that was given up has its outcome; the others are from now on these items. */
    private List<Item<M>> replacing() {
      List<Item<M>> wanted = new ArrayList<>(read.size());
      for (int i = 0; i < read.size(); i++) {
        if (held.get(i).finish(Deferrals.ABANDONED)) { // its outcome is handed on to nobody
          replaced[i] = true;
          wanted.add(read.get(i));
        }
      }
      return wanted;
    }

    private void refuse(Throwable thrown) {
      error = thrown;
      tasks.untilItSucceeds(refusal);
    }

    /** Defers those that have no outcome yet. */
    private void refuse() {
      Outcome.Deferred broken = tasks.broke(Objects.requireNonNull(error));
      if (held.isEmpty()) {
        outcomes.giveUp(read.isEmpty() ? standIns() : read, broken);
      }
      for (int i = 0; i < held.size(); i++) {
        outcomes.giveUp(List.of(replaced[i] ? read.get(i) : held.get(i)), broken);
      }
    }

    /** Represents the messages until they are read, so that they can be given up. */
    private List<Item<M>> standIns() {
      List<Item<M>> known = batch.items();
      if (!known.isEmpty()) {
        return known;
      }
      List<Item<M>> standIns = held(batch, messages);
      batch.items(standIns);
      return standIns;
    }
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
