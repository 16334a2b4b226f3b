package io.hapax.simulation;

import io.hapax.Delivery;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.Mark;
import io.hapax.mark.MessageKey;
import io.hapax.simulation.Violation.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Sees everything that happens in a world, and says what must not. */
final class Witness {

  /** An entry of the ledger of effects, which has no unique constraint. */
  private record Effect(String id, long token, ConsumerProcess process) {}

  /** The process to which the store last granted the claim, when, and for how long. */
  private record Grant(ConsumerProcess process, long at, long until) {}

  private record ClaimName(MessageKey key, long token) {}

  /** A handler that runs. */
  record Run(ConsumerProcess process, Claim claim, Post post) {}

  private final VirtualTime time;
  private final boolean tracing;
  private final List<String> trace = new ArrayList<>();
  private final List<Violation> violations = new ArrayList<>();
  private final Map<String, List<Effect>> effects = new HashMap<>();
  private final Map<MessageKey, List<Long>> losses = new HashMap<>();
  private final Map<ClaimName, Grant> grants = new HashMap<>();
  private final Set<ClaimName> announced = new HashSet<>();
  private final Set<String> through = new HashSet<>();
  private final Set<String> deadLetters = new HashSet<>();
  private final List<Run> runs = new ArrayList<>();
  private long lastMove;
  final Tally tally = new Tally();

  Witness(VirtualTime time, boolean tracing) {
    this.time = time;
    this.tracing = tracing;
  }

  void note(Supplier<String> what) {
    if (tracing) {
      trace.add(String.format("%10.6f  %s", time.now() / 1e9, what.get()));
    }
  }

  List<String> trace() {
    return trace;
  }

  List<Violation> violations() {
    return violations;
  }

  void violated(Rule rule, String detail) {
    note(() -> "VIOLATION " + rule + ": " + detail);
    violations.add(new Violation(rule, detail));
  }

  /** A claim was acquired on a mark that stood before. */
  void acquired(Mark before, ClaimAnswer.Acquired acquired) {
    if (acquired.kind() != ClaimAnswer.Kind.TAKEOVER) {
      return;
    }
    tally.takeovers++;
    Grant grant = grants.get(name(before.claim()));
    note(() -> "takeover of " + before.key().id() + " from " + grant);
    if (grant != null
        && !grant.process().troubledSince(grant.at())
        && !grant.process().world().plan().transactional() // there a lock protects it, no lease
        && !lostBetween(before.key(), before.claim().token(), Long.MAX_VALUE)) {
      violated(
          Rule.NO_TAKEOVER_FROM_THE_HEALTHY,
          before.key().id() + " from " + grant.process() + ", granted at " + grant.at());
    }
  }

  private static ClaimName name(Claim claim) {
    return new ClaimName(claim.key(), claim.token());
  }

  void granted(ConsumerProcess process, Claim claim, Duration lease) {
    grants.put(name(claim), new Grant(process, time.now(), time.now() + lease.toNanos()));
  }

  /** Its owner needs the lease no more. */
  void settles(Claim claim) {
    grants.computeIfPresent(
        name(claim), (same, grant) -> new Grant(grant.process(), grant.at(), time.now()));
  }

  /** Whether the store has granted it to this process alone, and has not counted a loss. */
  private boolean promised(Claim claim) {
    Grant grant = grants.get(name(claim));
    return grant != null
        && time.now() < grant.until()
        && !lostBetween(claim.key(), claim.token(), Long.MAX_VALUE);
  }

  void lost(MessageKey key) {
    tally.losses++;
    note(() -> "the store loses the mark of " + key.id());
    losses.computeIfAbsent(key, any -> new ArrayList<>()).add(time.now());
  }

  boolean lostOnce(MessageKey key) {
    return losses.containsKey(key);
  }

  /**
   * Whether the store has lost the mark since it was claimed. A token contains the time of its
   * claim.
   */
  private boolean lostBetween(MessageKey key, long tokenBefore, long tokenAfter) {
    return losses.getOrDefault(key, List.of()).stream()
        .map(time::micros)
        .anyMatch(at -> tokenBefore <= at + 1 && at <= tokenAfter);
  }

  /** A receiver has counted that this claim may repeat an effect. */
  void announced(MessageKey key, long token) {
    announced.add(new ClaimName(key, token));
  }

  Run started(ConsumerProcess process, Delivery<Post> delivery) {
    SimulatedStore store = process.world().store();
    boolean leased = !process.world().plan().transactional();
    Claim claim = delivery.claim();
    Run run = new Run(process, claim, delivery.message());
    note(() -> process + " handles " + run.post() + " under " + claim.token() + " attempt "
        + delivery.attempt());
    boolean lost = lostBetween(claim.key(), claim.token(), Long.MAX_VALUE);
    for (Run other : runs) {
      if (other.claim().key().equals(claim.key())
          && (!leased || other.process() == process || (promised(other.claim()) && !lost))) {
        violated(Rule.ONE_HANDLER_AT_A_TIME, run + " while " + other);
      }
    }
    if (leased && !store.leased(claim) && !lost) {
      violated(Rule.NO_START_WITHOUT_LEASE, run + " with the mark " + store.mark(claim.key()));
    }
    if (delivery.attempt() > ConsumerProcess.RETRY.maxAttempts()) {
      violated(Rule.ATTEMPTS_ARE_BOUNDED, run + " in attempt " + delivery.attempt());
    }
    runs.add(run);
    moved();
    tally.runs++;
    return run;
  }

  /**
   * It starts although these stand before it in its lane.
   *
   * @param alongside what was handled before in the same transaction
   */
  void startedAfter(Run run, Collection<Post> before, Set<String> alongside) {
    SimulatedStore store = run.process().world().store();
    for (Post earlier : before) {
      if (!earlier.id().equals(run.post().id())
          && !alongside.contains(earlier.id())
          && !through.contains(earlier.id())
          && !deadLetters.contains(earlier.id())
          && !store.everSettled(World.key(earlier.id()))) {
        violated(Rule.ORDER_IS_KEPT, run + " before " + earlier);
      }
    }
  }

  void tookEffect(Run run) {
    note(() -> run.process() + " EFFECT of " + run.post().id());
    effects
        .computeIfAbsent(run.post().id(), any -> new ArrayList<>())
        .add(new Effect(run.post().id(), run.claim().token(), run.process()));
    tally.effects++;
  }

  boolean hasTakenEffect(String id) {
    return effects.containsKey(id);
  }

  /** Its handler has returned, or the downstream has said that it was applied. */
  void isThrough(String id) {
    through.add(id);
  }

  void ended(Run run) {
    runs.remove(run);
    moved();
  }

  /** Nothing of it runs any more. */
  void died(ConsumerProcess process) {
    runs.removeIf(run -> run.process() == process);
  }

  /** Something has gone on. */
  void moved() {
    lastMove = time.now();
  }

  /** Since when nothing has gone on; now, if a handler runs. */
  long stillSince() {
    return anyRuns() ? time.now() : lastMove;
  }

  boolean anyRuns() {
    return !runs.isEmpty();
  }

  void deadLettered(Post post) {
    note(() -> "dead letter " + post);
    deadLetters.add(post.id());
    moved();
    tally.deadLetters++;
  }

  /** It was brought back, and has to come to an end anew. */
  void redriven(String id) {
    note(() -> "redriven " + id);
    deadLetters.remove(id);
    moved();
    tally.redriven++;
  }

  boolean runs(String id) {
    return runs.stream().anyMatch(it -> it.post().id().equals(id));
  }

  /** A message is at rest, and DONE or not. */
  void atRest(String id, boolean done) {
    int times = effects.getOrDefault(id, List.of()).size();
    if (times != (done ? 1 : 0)) {
      violated(
          Rule.EFFECT_AND_MARK_ARE_ONE, id + " took effect " + times + " times, done: " + done);
    }
  }

  /** What is to be seen when everything has come to rest, or should have. */
  void verdict(Collection<String> produced, Plan plan) {
    for (String id : produced) {
      List<Effect> all = new ArrayList<>(effects.getOrDefault(id, List.of()));
      all.sort(Comparator.comparingLong(Effect::token));
      if (all.isEmpty() && !deadLetters.contains(id)) {
        violated(Rule.NOTHING_IS_LOST, id);
      }
      for (int i = 1; i < all.size(); i++) {
        tally.repeats++;
        if (!explained(all.get(i - 1), all.get(i), plan)) {
          violated(Rule.REPEATS_ARE_EXPLAINED, all.get(i) + " after " + all.get(i - 1));
        }
      }
    }
  }

  private boolean explained(Effect first, Effect second, Plan plan) {
    MessageKey key = World.key(second.id());
    boolean mayRepeat = !plan.transactional() && plan.policy() != Plan.Policy.DEAD_LETTER;
    boolean counted = announced.contains(new ClaimName(key, second.token()));
    return second.token() > first.token()
        && ((counted && mayRepeat) || lostBetween(key, first.token(), second.token()));
  }
}
