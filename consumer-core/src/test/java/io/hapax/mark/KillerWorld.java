package io.hapax.mark;

import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimAnswer.Suspect;
import io.hapax.mark.ExploredInvariants.Broken;
import io.hapax.mark.KillerTask.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A few processes that share messages, of which the first kills each process that runs it. A
 * process that dies loses its claims at once: what the others see until its leases end changes
 * nothing.
 *
 * @param messages the killer, and behind it the innocent ones
 * @param processes what each process does with each message
 * @param crashes how many processes may still die by themselves
 * @param failures how many handlers may still fail
 */
record KillerWorld(
    List<KillerMessage> messages, List<List<KillerTask>> processes, int crashes, int failures) {

  static final int MAX_ATTEMPTS = 3;

  private static final int KILLER = 0;

  /** What decides whether a suspect runs while no other suspect runs. Mutants override it. */
  static class Rules {

    boolean runsAlone(Suspect suspect) {
      return suspect.runsAlone(MAX_ATTEMPTS);
    }
  }

  static KillerWorld atFirst(int innocent, int processes, int crashes, int failures) {
    return new KillerWorld(
        Collections.nCopies(1 + innocent, KillerMessage.ABSENT),
        Collections.nCopies(processes, Collections.nCopies(1 + innocent, KillerTask.WAITING)),
        crashes,
        failures);
  }

  boolean isOver() {
    return messages.get(KILLER).state() == MarkState.DEAD
        && messages.stream().skip(1).allMatch(it -> it.state() == MarkState.DONE);
  }

  /** All worlds that one step leads to. */
  List<KillerWorld> next(Rules rules) {
    List<KillerWorld> next = new ArrayList<>();
    for (int process = 0; process < processes.size(); process++) {
      next.add(claim(process, 0, messages.size()));
      for (int message = 0; message < messages.size(); message++) {
        next.add(claim(process, message, message + 1));
        go(process, message, rules).ifPresent(next::add);
        if (failures > 0 && message != KILLER && task(process, message).step() == Step.RUNNING) {
          next.add(
              settled(process, message, new Verdict.Retry(Duration.ZERO, true), KillerTask.WAITING)
                  .with(crashes, failures - 1));
        }
      }
      if (crashes > 0) {
        next.add(died(process, false).with(crashes - 1, failures));
      }
    }
    return next;
  }

  private KillerTask task(int process, int message) {
    return processes.get(process).get(message);
  }

  /** Claims these messages in one call, if they wait for it. */
  private KillerWorld claim(int process, int from, int to) {
    KillerWorld world = this;
    for (int message = from; message < to; message++) {
      if (task(process, message).step() == Step.WAITING && isDeliveredTo(process, message)) {
        Transition<ClaimAnswer> it = messages.get(message).claim(false);
        world = world.with(process, message, it.next(), told(it.answer()));
      }
    }
    return world;
  }

  /** A broker delivers a message to one process at a time. */
  private boolean isDeliveredTo(int process, int message) {
    return IntStream.range(0, processes.size())
        .noneMatch(other -> other != process && task(other, message).isUnderWay());
  }

  private static KillerTask told(ClaimAnswer answer) {
    if (answer instanceof Suspect suspect) {
      return KillerTask.suspected(suspect);
    }
    boolean over = answer instanceof ClaimAnswer.Done || answer instanceof ClaimAnswer.Dead;
    return answer instanceof Acquired
        ? KillerTask.HOLDING
        : over ? KillerTask.OVER : KillerTask.WAITING;
  }

  private Optional<KillerWorld> go(int process, int message, Rules rules) {
    KillerTask task = task(process, message);
    return switch (task.step()) {
      case SUSPECT ->
        hasRoom(process, rules.runsAlone(task.suspect().orElseThrow()))
            ? Optional.of(claimSolo(process, message, task.suspect().orElseThrow(), rules))
            : Optional.empty();
      case HOLDING -> run(process, message, task);
      case RUNNING ->
        Optional.of(settled(process, message, Verdict.Done.WITHOUT_RESULT, KillerTask.OVER));
      case WAITING, OVER -> Optional.empty();
    };
  }

  private boolean hasRoom(int process, boolean alone) {
    return processes.get(process).stream()
        .noneMatch(other -> other.isClaimedSuspect() && (alone || other.alone()));
  }

  private KillerWorld claimSolo(int process, int message, Suspect suspect, Rules rules) {
    Transition<ClaimAnswer> it = messages.get(message).claim(true);
    KillerWorld claimed = with(process, message, it.next(), told(it.answer()));
    if (!(it.answer() instanceof Acquired acquired)) {
      return claimed;
    }
    Attempt attempt = acquired.claim().attempt();
    if (attempt.number() > MAX_ATTEMPTS) {
      return claimed.settled(process, message, new Verdict.Dead("it kills"), KillerTask.OVER);
    }
    KillerTask holding =
        new KillerTask(Step.HOLDING, Optional.of(suspect), rules.runsAlone(suspect));
    return claimed.with(process, message, it.next(), holding);
  }

  private Optional<KillerWorld> run(int process, int message, KillerTask task) {
    return Optional.of(
        message == KILLER
            ? died(process, true)
            : with(process, message, messages.get(message).mark(), task.at(Step.RUNNING)));
  }

  private KillerWorld died(int process, boolean byTheKiller) {
    boolean suspected = byTheKiller && messages.get(KILLER).attempt().solo();
    List<KillerMessage> after = new ArrayList<>(messages);
    for (int i = 0; i < messages.size(); i++) {
      if (task(process, i).holdsClaim()) {
        KillerMessage it = messages.get(i);
        Broken.unless(
            i == KILLER
                || !suspected
                || it.attempt().number() < MAX_ATTEMPTS
                || !it.attempt().solo(),
            10,
            "an innocent message lost its last attempt to a suspect");
        after.set(i, it.ownerDied(byTheKiller && i != KILLER));
      }
    }
    List<KillerTask> anew = Collections.nCopies(messages.size(), KillerTask.WAITING);
    return new KillerWorld(
        List.copyOf(after), Listed.with(processes, process, anew), crashes, failures);
  }

  private KillerWorld settled(int process, int message, Verdict verdict, KillerTask task) {
    KillerMessage settled = messages.get(message).settle(verdict);
    return with(process, message, settled.mark(), task);
  }

  private KillerWorld with(int process, int message, Mark mark, KillerTask task) {
    KillerMessage changed = messages.get(message).as(mark);
    List<KillerTask> tasks = Listed.with(processes.get(process), message, task);
    return new KillerWorld(
        Listed.with(messages, message, changed),
        Listed.with(processes, process, tasks),
        crashes,
        failures);
  }

  private KillerWorld with(int crashesLeft, int failuresLeft) {
    return new KillerWorld(messages, processes, crashesLeft, failuresLeft);
  }

  /** Says in one line what each process does with each message. */
  @Override
  public String toString() {
    return IntStream.range(0, processes.size())
            .mapToObj(i -> processes.get(i).stream()
                .map(it -> it.step() + (it.alone() ? " alone" : ""))
                .toList()
                .toString())
            .toList()
        + " "
        + messages.stream().map(it -> it.state() + "#" + it.attempt().number()).toList();
  }
}
