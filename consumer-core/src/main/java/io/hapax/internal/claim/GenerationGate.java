package io.hapax.internal.claim;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.internal.message.ActiveSubmission;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.MessageReader;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.message.Tasks;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.internal.store.GenerationWatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Admits submissions and reads their ids in the scope of the consumer's generation. While no claim
 * may be sent under the generation, submissions wait.
 */
public final class GenerationGate<M> {

  private final GenerationWatch generation;
  private final EngineSettings.Reading<M> reading;
  private final Outcomes<M> outcomes;
  private final Events events;
  private final Tasks<M> tasks;
  private final BiConsumer<ActiveSubmission<M>, List<InFlightMessage<M>>> next;
  private volatile @Nullable MessageReader<M> intake;

  public GenerationGate(
      GenerationWatch generation,
      EngineSettings.Reading<M> reading,
      Outcomes<M> outcomes,
      Events events,
      Tasks<M> tasks,
      BiConsumer<ActiveSubmission<M>, List<InFlightMessage<M>>> next) {
    this.generation = generation;
    this.reading = reading;
    this.outcomes = outcomes;
    this.events = events;
    this.tasks = tasks;
    this.next = next;
  }

  /**
   * Returns an action that admits a submission, now or once claims may be sent. The action does not
   * throw: each message gets an outcome. Everything needed after an error is allocated in advance.
   */
  public Runnable of(ActiveSubmission<M> batch, List<Incoming<M>> messages) {
    return new Entry(batch, messages);
  }

  /** Admits one submission. Used by one thread at a time. */
  private final class Entry implements Runnable {

    private final ActiveSubmission<M> batch;
    private final List<Incoming<M>> messages;
    private final boolean[] replaced;
    private final Runnable letIn = this::letIn;
    private final Runnable refusal = this::refuse;

    /** Placeholders for the messages while the generation is unknown; otherwise empty. */
    private List<InFlightMessage<M>> held = List.of();

    /** The messages, once they are read. */
    private List<InFlightMessage<M>> read = List.of();

    private @Nullable Throwable error;

    Entry(ActiveSubmission<M> batch, List<Incoming<M>> messages) {
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
      } catch (RuntimeException | Error e) { // before any message was admitted
        refuse(e);
      }
    }

    private void hold() {
      held = standIns();
      if (batch.abandoned()) {
        outcomes.giveUp(held, Deferrals.ABANDONED);
      }
      Runnable entry = batch.runsOnCallerThread() ? tasks.queueing(held.get(0), letIn) : letIn;
      generation.whenOpen(() -> !batch.over(), entry);
    }

    private void letIn() {
      try {
        read = read(batch, messages);
        next.accept(batch, held.isEmpty() ? read : replacing());
      } catch (RuntimeException | Error e) {
        refuse(e);
      }
    }

    /** A message that was given up has its outcome; the others are from now on these items. */
    private List<InFlightMessage<M>> replacing() {
      List<InFlightMessage<M>> wanted = new ArrayList<>(read.size());
      for (int i = 0; i < read.size(); i++) {
        if (held.get(i).finish(Deferrals.ABANDONED)) { // the placeholder's outcome goes to no sink
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

    /** Defers the messages that have no outcome yet. */
    private void refuse() {
      Outcome.Deferred broken = tasks.broke(Objects.requireNonNull(error));
      if (held.isEmpty()) {
        outcomes.giveUp(read.isEmpty() ? standIns() : read, broken);
      }
      for (int i = 0; i < held.size(); i++) {
        outcomes.giveUp(List.of(replaced[i] ? read.get(i) : held.get(i)), broken);
      }
    }

    /** Creates placeholders for messages before they are read, so that they can be given up. */
    private List<InFlightMessage<M>> standIns() {
      List<InFlightMessage<M>> known = batch.items();
      if (!known.isEmpty()) {
        return known;
      }
      List<InFlightMessage<M>> standIns = held(batch, messages);
      batch.items(standIns);
      return standIns;
    }
  }

  private List<InFlightMessage<M>> read(ActiveSubmission<M> batch, List<Incoming<M>> messages) {
    MessageReader<M> known = intake;
    if (known == null) {
      known = new MessageReader<>(generation.scope().orElseThrow(), reading, events);
      intake = known;
    }
    return known.read(batch, messages);
  }

  private static <M> List<InFlightMessage<M>> held(
      ActiveSubmission<M> batch, List<Incoming<M>> messages) {
    return IntStream.range(0, messages.size())
        .mapToObj(i -> InFlightMessage.unmarked(batch, i, messages.get(i), Optional.empty()))
        .toList();
  }
}
