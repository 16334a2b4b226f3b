package io.hapax.mark;

import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ExploredInvariants.Broken;
import io.hapax.mark.ExploredInvariants.Executed;
import io.hapax.mark.ExploredTask.Step;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * All that can happen next in a world: processes claim messages together or alone, renew, run and
 * settle; what was under way arrives; time passes. And all that can go wrong: a process dies, a
 * reply is lost, a command is late, the store loses a mark. Both are in one long class, so that
 * each step can be compared with its faults.
 */
final class ExploredSteps {

  static final Verdict DONE = Verdict.Done.WITHOUT_RESULT;
  static final Verdict RETRY = new Verdict.Retry(ExploredWorld.BACK_OFF, false);
  static final Verdict IN_DOUBT = new Verdict.Retry(ExploredWorld.BACK_OFF, true);
  static final Verdict DEFER = new Verdict.Defer(ExploredWorld.BACK_OFF);
  static final Verdict RELEASE = new Verdict.Release();
  static final Verdict DEAD = new Verdict.Dead("poison");
  static final List<Verdict> VERDICTS = List.of(DONE, RETRY, IN_DOUBT, DEFER, RELEASE, DEAD);

  private static final List<Verdict> BEFORE_RUN = List.of(RETRY, DEFER, RELEASE, DEAD);
  private static final List<Verdict> AFTER_RUN = List.of(DONE, IN_DOUBT);

  private final ExploredInvariants store;
  private final ExploredClient client;
  private final int deliveries;
  private final Consumer<ExploredWorld> arrivals;
  private final StepName doing = new StepName();

  ExploredSteps(
      ExploredStore store,
      ExploredClient client,
      int deliveries,
      Consumer<ExploredWorld> arrivals) {
    this.store = new ExploredInvariants(store);
    this.client = client;
    this.deliveries = deliveries;
    this.arrivals = arrivals;
  }

  static ClaimRequest request(int message, Nonce nonce, ClaimTerms terms) {
    return new ClaimRequest(
        ExploredWorld.key(message), nonce, SampleMarks.PAYLOAD, SampleMarks.ORIGIN, terms);
  }

  /** What is being done at the moment, also when a rule is found broken. */
  String doing() {
    return doing.toString();
  }

  /** Takes every step that is no fault. */
  void takeAll(ExploredWorld world) {
    world.late().ifPresent(late -> arrive(world, late));
    for (ExploredOwner owner : world.owners()) {
      claimWaiting(world, owner);
      for (int message = 0; message < world.messages().size(); message++) {
        goOn(world, owner, message);
      }
    }
  }

  /** Takes every step that is a fault. */
  void failAll(ExploredWorld world) {
    doing.nobody("a moment passes");
    arrivals.accept(world.after(ExploredWorld.SHORT_PAUSE));
    doing.nobody("a lease goes by");
    arrivals.accept(world.after(ExploredWorld.LONG_PAUSE));
    for (int message = 0; message < world.messages().size(); message++) {
      if (world.messages().get(message).mark().state() != MarkState.ABSENT) {
        doing.nobody("the store loses the mark of ", message);
        arrivals.accept(world.with(message, world.messages().get(message).lost()));
      }
    }
    for (ExploredOwner owner : world.owners()) {
      beginAgain(world, owner);
      claimInVain(world, owner);
      for (int message = 0; message < world.messages().size(); message++) {
        settleInVain(world, owner, message);
      }
    }
  }

  private void arrive(ExploredWorld before, LateCommand late) {
    ExploredWorld world = before.with(Optional.empty());
    int index = late.message();
    ExploredMessage message = world.messages().get(index);
    if (late.request().isPresent()) {
      doing.nobody("a claim comes late to ", index);
      ClaimRequest request = late.request().get();
      arrivals.accept(
          world.with(index, store.claim(message, request, world.now()).message()));
    } else if (late.verdict().isPresent()) {
      doing.nobody("a settlement comes late to ", index);
      Settlement settlement =
          new Settlement(late.claim().orElseThrow(), late.verdict().get());
      arrivals.accept(
          world.with(index, store.settle(message, settlement, world.now()).message()));
    } else {
      doing.nobody("a renewal comes late to ", index);
      Claim claim = late.claim().orElseThrow();
      arrivals.accept(world.with(index, store.renew(message, claim, world.now()).message()));
    }
  }

  private ClaimRequest newRequest(
      ExploredWorld world, ExploredOwner owner, int message, boolean solo) {
    ClaimTerms terms = new ClaimTerms(solo, true, world.now().plus(ExploredWorld.BACK_OFF));
    return request(message, client.nonce(owner.index(), owner.delivery()), terms);
  }

  private static boolean is(Step step, ExploredOwner owner, int message) {
    return owner.tasks().get(message).step() == step && !owner.isAtWorkBeside(message);
  }

  /** What waits is claimed together, and a suspect alone. */
  private void claimWaiting(ExploredWorld world, ExploredOwner owner) {
    ExploredWorld together = world;
    doing.owner(owner, " claims whatever it waits for");
    for (int message = 0; message < world.messages().size(); message++) {
      if (is(Step.WAITING, owner, message)) {
        together = claim(together, owner, message, newRequest(world, owner, message, false));
      }
    }
    arrivals.accept(together);
    for (int message = 0; message < world.messages().size(); message++) {
      if (is(Step.SUSPECT, owner, message)) {
        doing.owner(owner, " claims alone ", message);
        ClaimRequest request = newRequest(world, owner, message, true);
        arrivals.accept(claim(world, owner, message, request));
      }
    }
  }

  /** Looks a message up before it is claimed, and acknowledges it if it is known to be done. */
  private void lookUp(ExploredWorld world, ExploredOwner owner, int index) {
    ExploredMessage message = world.messages().get(index);
    ClaimRequest request = newRequest(world, owner, index, false);
    if (store.findDone(message, request, world.now()).isPresent()) {
      doing.owner(owner, " looks up ", index);
      ExploredRules.checkAcknowledged(message);
      arrivals.accept(world.with(owner, index, ExploredTask.OVER));
    }
  }

  /** Claims and gets the answer. */
  private ExploredWorld claim(
      ExploredWorld world, ExploredOwner owner, int index, ClaimRequest request) {
    Executed<ClaimAnswer> it = store.claim(world.messages().get(index), request, world.now());
    return world.with(index, it.message()).with(owner, index, told(it.message(), it.answer()));
  }

  /** A message that is busy or suspect is claimed again later. */
  private ExploredTask told(ExploredMessage message, ClaimAnswer answer) {
    if (answer instanceof Acquired acquired) {
      return ExploredTask.holding(acquired.claim());
    }
    Broken.unless(!client.runs(answer), 2, "a handler runs without a claim");
    if (client.acknowledges(answer)) {
      ExploredRules.checkAcknowledged(message);
      return ExploredTask.OVER;
    }
    if (answer instanceof ClaimAnswer.Suspect) {
      return ExploredTask.SUSPECT;
    }
    return answer instanceof ClaimAnswer.Busy ? ExploredTask.WAITING : ExploredTask.OVER;
  }

  private void goOn(ExploredWorld world, ExploredOwner owner, int message) {
    ExploredTask task = owner.tasks().get(message);
    if (owner.isAtWorkBeside(message)) {
      return;
    }
    switch (task.step()) {
      case CLAIMING -> claimAgain(world, owner, message, task.request().orElseThrow());
      case HOLDING -> {
        run(world, owner, message, task);
        renew(world, owner, message, task.held());
        BEFORE_RUN.forEach(verdict -> settle(world, owner, message, verdict));
      }
      case RAN -> {
        renew(world, owner, message, task.held());
        AFTER_RUN.forEach(verdict -> settle(world, owner, message, verdict));
      }
      case SETTLING -> settle(world, owner, message, task.verdict().orElseThrow());
      case WAITING -> lookUp(world, owner, message);
      case SUSPECT, OVER -> {}
    }
  }

  private void claimAgain(
      ExploredWorld world, ExploredOwner owner, int message, ClaimRequest request) {
    doing.owner(owner, " sends its claim again for ", message);
    arrivals.accept(claim(world, owner, message, request));
    if (world.now().isAfter(request.terms().notAfter())) {
      doing.owner(owner, " gives up its claim for ", message);
      arrivals.accept(world.with(owner, message, ExploredTask.OVER));
    }
  }

  private void run(ExploredWorld world, ExploredOwner owner, int index, ExploredTask task) {
    doing.owner(owner, " runs ", index);
    ExploredMessage message = world.messages().get(index);
    ExploredRules.checkRuns(message, task.held());
    ExploredMessage after = message.ranBy(task.held());
    if (client.acknowledgesBeforeSettling()) {
      ExploredRules.checkAcknowledged(after);
    }
    arrivals.accept(world.with(index, after).with(owner, index, task.ran()));
  }

  private void renew(ExploredWorld world, ExploredOwner owner, int index, Claim claim) {
    doing.owner(owner, " renews ", index);
    Executed<RenewAnswer> it = store.renew(world.messages().get(index), claim, world.now());
    ExploredWorld next = world.with(index, it.message());
    boolean fenced = it.answer() instanceof RenewAnswer.Fenced;
    arrivals.accept(fenced ? next.with(owner, index, ExploredTask.OVER) : next);
  }

  private Executed<SettleAnswer> settled(
      ExploredWorld world, ExploredOwner owner, int index, Verdict verdict) {
    doing.owner(owner, " settles as ", verdict, index);
    Claim claim = owner.tasks().get(index).held();
    return store.settle(world.messages().get(index), new Settlement(claim, verdict), world.now());
  }

  private void settle(ExploredWorld world, ExploredOwner owner, int index, Verdict verdict) {
    Executed<SettleAnswer> it = settled(world, owner, index, verdict);
    if (client.acknowledges(verdict, it.answer())) {
      ExploredRules.checkAcknowledged(it.message(), verdict, it.answer());
    }
    arrivals.accept(world.with(index, it.message()).with(owner, index, ExploredTask.OVER));
  }

  /** After a crash, or because the broker delivers again what it has delivered. */
  private void beginAgain(ExploredWorld world, ExploredOwner owner) {
    boolean again = owner.delivery() + 1 < deliveries;
    if (owner.isOver() && again) {
      doing.owner(owner, " is given everything again");
      arrivals.accept(world.with(owner.atNextDelivery()));
    } else if (!owner.isOver() && !owner.isIdle()) {
      doing.owner(owner, again ? " dies and begins again" : " dies");
      arrivals.accept(world.with(again ? owner.atNextDelivery() : owner.gone()));
    }
  }

  /** All claims of a call, or one of them, are executed unheard or not yet. */
  private void claimInVain(ExploredWorld world, ExploredOwner owner) {
    int messages = world.messages().size();
    ExploredWorld together = world;
    for (int message = 0; message < messages; message++) {
      if (is(Step.SUSPECT, owner, message)) {
        claimInVain(world, owner, message, true);
      } else if (is(Step.WAITING, owner, message)) {
        claimInVain(world, owner, message, false);
        doing.owner(owner, " claims whatever it waits for, and the reply is lost");
        together = unheard(together, owner, message, newRequest(world, owner, message, false));
      }
    }
    arrivals.accept(together);
  }

  private void claimInVain(ExploredWorld world, ExploredOwner owner, int message, boolean solo) {
    ClaimRequest request = newRequest(world, owner, message, solo);
    doing.owner(owner, solo ? " claims alone, reply lost, " : " claims, reply lost, ", message);
    arrivals.accept(unheard(world, owner, message, request));
    if (world.late().isEmpty()) {
      doing.owner(owner, solo ? " claims alone, but late, " : " claims, but late, ", message);
      ExploredWorld waiting = world.with(owner, message, ExploredTask.claiming(request));
      arrivals.accept(waiting.with(Optional.of(LateCommand.claim(message, request))));
    }
  }

  private ExploredWorld unheard(
      ExploredWorld world, ExploredOwner owner, int index, ClaimRequest request) {
    Executed<ClaimAnswer> it = store.claim(world.messages().get(index), request, world.now());
    return world.with(index, it.message()).with(owner, index, ExploredTask.claiming(request));
  }

  private void settleInVain(ExploredWorld world, ExploredOwner owner, int message) {
    ExploredTask task = owner.tasks().get(message);
    if (owner.isAtWorkBeside(message)) {
      return;
    }
    if (task.step() == Step.HOLDING) {
      renewLate(world, owner, message, task.held());
      BEFORE_RUN.forEach(verdict -> settleInVain(world, owner, message, verdict));
    } else if (task.step() == Step.RAN) {
      renewLate(world, owner, message, task.held());
      AFTER_RUN.forEach(verdict -> settleInVain(world, owner, message, verdict));
    }
  }

  private void renewLate(ExploredWorld world, ExploredOwner owner, int message, Claim claim) {
    if (world.late().isEmpty()) {
      doing.owner(owner, " renews, but late, ", message);
      arrivals.accept(world.with(Optional.of(LateCommand.renew(message, claim))));
    }
  }

  private void settleInVain(ExploredWorld world, ExploredOwner owner, int index, Verdict verdict) {
    Executed<SettleAnswer> it = settled(world, owner, index, verdict);
    doing.andThen(", and the reply is lost");
    ExploredTask settling = owner.tasks().get(index).settling(verdict);
    ExploredWorld unheard = world.with(index, it.message());
    arrivals.accept(silence(unheard, owner, index, settling));
    if (world.late().isEmpty()) {
      doing.andThen(", but late");
      LateCommand late = LateCommand.settle(index, settling.held(), verdict);
      arrivals.accept(silence(world, owner, index, settling).with(Optional.of(late)));
    }
  }

  private ExploredWorld silence(
      ExploredWorld world, ExploredOwner owner, int index, ExploredTask settling) {
    if (client.acknowledgesSilence(settling.verdict().orElseThrow())) {
      ExploredRules.checkAcknowledged(world.messages().get(index));
      return world.with(owner, index, ExploredTask.OVER);
    }
    return world.with(owner, index, settling);
  }
}
