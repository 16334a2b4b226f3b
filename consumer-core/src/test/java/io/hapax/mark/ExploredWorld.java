package io.hapax.mark;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Everything there is in the world that the explorer walks through.
 *
 * @param mark the one mark in the store
 * @param now the store's time
 * @param owners the processes that want to handle the message
 * @param wandering a claim that is still under way in the network, whatever its sender does
 * @param seen what an observer remembers who sees every answer
 */
record ExploredWorld(
    Mark mark,
    Instant now,
    List<ExploredOwner> owners,
    Optional<ClaimRequest> wandering,
    Seen seen) {

  /** How far one step in time goes: a lease lasts two of them, a back-off and a limit one. */
  static final Duration TIME_STEP = Duration.ofSeconds(15);

  static final Duration LEASE = TIME_STEP.multipliedBy(2);
  static final Duration SHORT = Duration.ofSeconds(10);

  /**
   * What has been promised so far.
   *
   * @param greatestToken the greatest token ever handed out
   * @param current the claim that was granted, or written anew, last since the mark was last lost
   * @param leaseUntil the end of that claim's lease; the epoch if it was settled
   */
  record Seen(long greatestToken, Optional<Claim> current, Instant leaseUntil) {

    static final Seen NOTHING = new Seen(0, Optional.empty(), Instant.EPOCH);

    Seen granted(Claim claim, Instant until) {
      return new Seen(Math.max(greatestToken, claim.token()), Optional.of(claim), until);
    }

    Seen lost() {
      return new Seen(greatestToken, Optional.empty(), Instant.EPOCH);
    }
  }

  static ExploredWorld atFirst(MessageKey key, Instant now, int owners) {
    List<ExploredOwner> all = Stream.iterate(0, index -> index + 1)
        .limit(owners)
        .map(ExploredOwner::atFirst)
        .toList();
    return new ExploredWorld(Mark.absent(key), now, all, Optional.empty(), Seen.NOTHING);
  }

  /** A microsecond later: the store executes one thing after the other. */
  ExploredWorld later() {
    return new ExploredWorld(mark, now.plusNanos(1000), owners, wandering, seen);
  }

  ExploredWorld afterTimeStep() {
    return new ExploredWorld(mark, now.plus(TIME_STEP), owners, wandering, seen);
  }

  ExploredWorld with(Mark next, Seen nowSeen) {
    return new ExploredWorld(next, now, owners, wandering, nowSeen);
  }

  ExploredWorld with(ExploredOwner changed) {
    List<ExploredOwner> all = owners.stream()
        .map(owner -> owner.index() == changed.index() ? changed : owner)
        .toList();
    return new ExploredWorld(mark, now, all, wandering, seen);
  }

  ExploredWorld withWandering(Optional<ClaimRequest> request) {
    return new ExploredWorld(mark, now, owners, request, seen);
  }

  /**
   * The same text for worlds that differ in nothing on which a later answer could depend: times
   * count by how many time steps they lie ahead, tokens by how they compare with the mark's, nonces
   * by whether they are still in use, owners not at all by their names or clocks. Attempts do not
   * count: they are written and read, but decide nothing.
   */
  String normalised() {
    StringBuilder text = new StringBuilder(120);
    text.append(mark.state()).append(stepsUntil(mark.until()));
    text.append(order(seen.greatestToken())).append(stepsUntil(seen.leaseUntil()));
    text.append(
        seen.current().map(claim -> claim.sameAs(mark.claim()) ? 'm' : 'o').orElse('-'));
    wandering.ifPresent(
        it -> appendRequest(text, it).append(it.nonce().equals(mark.claim().nonce()) ? 'm' : '-'));
    owners.stream().map(this::normalised).sorted().forEach(text::append);
    return text.toString();
  }

  private String normalised(ExploredOwner owner) {
    StringBuilder text = new StringBuilder(30).append('|');
    text.append(owner.delivery()).append(owner.step());
    text.append(owner.nonce().equals(mark.claim().nonce()) ? 'm' : '-');
    wandering.ifPresent(it -> text.append(it.nonce().equals(owner.nonce()) ? 'w' : '-'));
    owner.request().ifPresent(it -> appendRequest(text, it));
    owner.claim().ifPresent(it -> {
      text.append(order(it.token()));
      text.append(seen.current().map(it::sameAs).orElse(false) ? 'c' : '-');
    });
    owner.verdict().ifPresent(it -> text.append(it.getClass().getSimpleName()));
    return text.toString();
  }

  private StringBuilder appendRequest(StringBuilder text, ClaimRequest request) {
    return text.append(request.terms().solo() ? 's' : 'b')
        .append(stepsUntil(request.terms().notAfter()));
  }

  private char order(long token) {
    long present = mark.claim().token();
    return token == present ? '=' : token < present ? '<' : '>';
  }

  private int stepsUntil(Instant time) {
    long nanos = time.isAfter(now) ? Duration.between(now, time).toNanos() : 0;
    return (int) -Math.floorDiv(-nanos, TIME_STEP.toNanos());
  }
}
