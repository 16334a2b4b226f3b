package io.hapax.mark;

import io.hapax.mark.ExploredTask.Step;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Worlds as three numbers. Two worlds have the same code if they differ in nothing on which a later
 * answer could depend:
 *
 * <ul>
 *   <li>Times count by how many time steps they lie ahead: the machine only compares them with now,
 *       and now moves by whole steps.
 *   <li>Tokens and nonces count by whether they are the mark's, the observer's current one, or
 *       neither: the machine only asks whether they are the same, and what it hands out is greater
 *       than all before.
 *   <li>Processes and messages do not count by their names: all of them follow the same rules, so
 *       worlds in which two of them are exchanged have the same future but for the names.
 *   <li>Of the first claim that was deferred, only whether there was one counts.
 * </ul>
 *
 * <p>The explorer goes on with the first world of each code. A code that left out something that
 * matters would make what is reached depend on the order of exploring.
 */
final class WorldCode {

  private static final int LONGS = 3;
  private static final int OWNER_BITS = 38;
  private static final List<Step> STEPS = List.of(Step.values());
  private static final List<MarkState> STATES = List.of(MarkState.values());
  private static final Attempt NO_ATTEMPT = new Attempt(0, false, false, false);

  private final ExploredClient client;
  private final int owners;
  private final int messages;

  WorldCode(ExploredClient client, int owners, int messages) {
    this.client = client;
    this.owners = owners;
    this.messages = messages;
  }

  /** The message with the smaller code comes first; if neither is, the order with the smaller. */
  List<Long> of(ExploredWorld world) {
    return Arrays.stream(inOrder(world)).boxed().toList();
  }

  private long[] inOrder(ExploredWorld world) {
    if (messages == 1) {
      return inOrder(world, 0, 0);
    }
    int order = Long.compare(message(world, 0), message(world, 1));
    if (order != 0) {
      return order < 0 ? inOrder(world, 0, 1) : inOrder(world, 1, 0);
    }
    long[] code = inOrder(world, 0, 1);
    long[] exchanged = inOrder(world, 1, 0);
    return Arrays.compare(exchanged, code) < 0 ? exchanged : code;
  }

  private long[] inOrder(ExploredWorld world, int first, int second) {
    long[] code = new long[LONGS];
    for (int i = 0; i < owners; i++) {
      ExploredOwner owner = world.owners().get(i);
      Bits bits = new Bits();
      bits.put(owner.delivery(), 2);
      putTask(world, owner, first, bits);
      if (second != first) {
        putTask(world, owner, second, bits);
      }
      code[i] = bits.value();
    }
    Arrays.sort(code);
    code[0] |= message(world, first) << OWNER_BITS;
    code[1] |= (second == first ? 0 : message(world, second)) << OWNER_BITS;
    code[2] |= late(world, first) << OWNER_BITS;
    return code;
  }

  private static long message(ExploredWorld world, int index) {
    ExploredMessage it = world.messages().get(index);
    Mark mark = it.mark();
    boolean over = mark.state() == MarkState.DONE || mark.state() == MarkState.DEAD;
    Bits bits = new Bits();
    bits.put(STATES.indexOf(mark.state()), 3);
    bits.put(!over && world.now().isBefore(mark.until()));
    putAttempt(over ? NO_ATTEMPT : mark.claim().attempt(), bits);
    bits.put(!over && it.anew());
    bits.put(it.current().isEmpty() ? 0 : it.isCurrent(mark.claim()) ? 1 : 2, 2);
    bits.put(world.now().isBefore(it.leaseUntil()));
    bits.put(it.greatestToken() == mark.claim().token());
    bits.put(it.effect());
    bits.put(it.ran());
    return bits.value();
  }

  private void putTask(ExploredWorld world, ExploredOwner owner, int index, Bits bits) {
    ExploredTask task = owner.tasks().get(index);
    bits.put(STEPS.indexOf(task.step()), 3);
    bits.put(verdict(task.verdict()), 3);
    putRequest(task.request(), world.now(), bits);
    putClaim(world, index, task.claim(), bits);
    boolean used = task.step() != Step.OVER;
    Nonce nonce = client.nonce(owner.index(), owner.delivery());
    bits.put(used && nonce.equals(world.messages().get(index).mark().claim().nonce()));
    bits.put(used && isLate(world, index, nonce));
  }

  private static boolean isLate(ExploredWorld world, int message, Nonce nonce) {
    return world.late().isPresent()
        && world.late().get().message() == message
        && world.late().get().nonce().equals(nonce);
  }

  private static long late(ExploredWorld world, int first) {
    Bits bits = new Bits();
    if (world.late().isPresent()) {
      LateCommand late = world.late().get();
      Mark mark = world.messages().get(late.message()).mark();
      bits.put(true);
      bits.put(late.message() != first);
      bits.put(late.request().isPresent());
      bits.put(verdict(late.verdict()), 3);
      putRequest(late.request(), world.now(), bits);
      putClaim(world, late.message(), late.claim(), bits);
      bits.put(late.nonce().equals(mark.claim().nonce()));
    }
    return bits.value();
  }

  private static int verdict(Optional<Verdict> verdict) {
    return verdict.isPresent() ? ExploredSteps.VERDICTS.indexOf(verdict.get()) + 1 : 0;
  }

  private static void putRequest(Optional<ClaimRequest> request, Instant now, Bits bits) {
    boolean sent = request.isPresent();
    bits.put(sent && request.get().terms().solo());
    bits.put(sent && !now.isAfter(request.get().terms().notAfter()));
  }

  private static void putClaim(ExploredWorld world, int index, Optional<Claim> claim, Bits bits) {
    ExploredMessage it = world.messages().get(index);
    boolean held = claim.isPresent();
    bits.put(held && claim.get().token() == it.mark().claim().token());
    bits.put(held && it.isCurrent(claim.get()));
    putAttempt(held ? claim.get().attempt() : NO_ATTEMPT, bits);
  }

  private static void putAttempt(Attempt attempt, Bits bits) {
    bits.put(attempt.number(), 3);
    bits.put(attempt.solo());
    bits.put(attempt.inDoubt());
    bits.put(attempt.deferredSince() > 0);
  }
}
