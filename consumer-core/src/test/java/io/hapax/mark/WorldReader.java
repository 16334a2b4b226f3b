package io.hapax.mark;

import io.hapax.mark.ExploredTask.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The simplest world that has a given {@link WorldCode code}. */
final class WorldReader {

  static final Attempt NO_ATTEMPT = new Attempt(0, false, false, false);

  private static final Instant NOW = SampleMarks.NOW;
  private static final Nonce FORGOTTEN = new Nonce(77, 77);
  private static final Nonce LATE = new Nonce(88, 88);
  private static final long FIRST_DEFERRED = 5_000;
  private static final long TOKEN_OF_MARK = 10_000;
  private static final long GREATEST = 20_000;
  static final List<Step> STEPS = List.of(Step.values());
  static final List<MarkState> STATES = List.of(MarkState.values());

  private final ExploredClient client;
  private final int messages;
  private final List<List<ReadTask>> read = new ArrayList<>();
  private final List<Nonce> nonces = new ArrayList<>();
  private final List<ExploredMessage> known = new ArrayList<>();

  private WorldReader(ExploredClient client, int messages) {
    this.client = client;
    this.messages = messages;
  }

  /** What the code says of a claim. */
  private record ReadClaim(boolean tokenOfMark, boolean current, Attempt attempt) {
    static ReadClaim from(Bits bits) {
      return new ReadClaim(bits.flag(), bits.flag(), readAttempt(bits));
    }
  }

  /** What the code says of a task. */
  private record ReadTask(
      Step step,
      int verdict,
      boolean solo,
      boolean inTime,
      ReadClaim claim,
      boolean nonceOfMark,
      boolean nonceOfLate) {
    static ReadTask from(Bits bits) {
      return new ReadTask(
          STEPS.get(bits.get(3)),
          bits.get(3),
          bits.flag(),
          bits.flag(),
          ReadClaim.from(bits),
          bits.flag(),
          bits.flag());
    }
  }

  /** What the code says of the command that is under way. */
  private record ReadLate(
      int message,
      boolean claims,
      int verdict,
      boolean solo,
      boolean inTime,
      ReadClaim claim,
      boolean nonceOfMark) {
    static Optional<ReadLate> from(Bits bits) {
      return bits.flag()
          ? Optional.of(new ReadLate(
              bits.get(1),
              bits.flag(),
              bits.get(3),
              bits.flag(),
              bits.flag(),
              ReadClaim.from(bits),
              bits.flag()))
          : Optional.empty();
    }
  }

  static ExploredWorld world(long[] code, ExploredClient client, int owners, int messages) {
    return new WorldReader(client, messages).read(code, owners);
  }

  private ExploredWorld read(long[] code, int owners) {
    List<Integer> deliveries = new ArrayList<>();
    for (int i = 0; i < owners; i++) {
      Bits bits = new Bits(code[WorldCode.LONGS - owners + i]);
      deliveries.add(bits.get(2));
      nonces.add(client.nonce(i, deliveries.get(i)));
      List<ReadTask> tasks = new ArrayList<>();
      for (int message = 0; message < messages; message++) {
        tasks.add(ReadTask.from(bits));
      }
      read.add(tasks);
    }
    Optional<ReadLate> late = ReadLate.from(new Bits(code[2] >>> WorldCode.OWNER_BITS));
    for (int message = 0; message < messages; message++) {
      known.add(message(message, new Bits(code[message] >>> WorldCode.OWNER_BITS), late));
    }
    List<ExploredOwner> all = new ArrayList<>();
    for (int i = 0; i < owners; i++) {
      List<ExploredTask> tasks = new ArrayList<>();
      for (int message = 0; message < messages; message++) {
        tasks.add(task(i, message));
      }
      all.add(new ExploredOwner(i, deliveries.get(i), List.copyOf(tasks)));
    }
    return new ExploredWorld(NOW, List.copyOf(known), List.copyOf(all), late.map(this::late));
  }

  private ExploredMessage message(int index, Bits bits, Optional<ReadLate> late) {
    MarkState state = STATES.get(bits.get(3));
    boolean ahead = bits.flag();
    Attempt last = readAttempt(bits);
    int number = bits.flag() ? 0 : 1;
    Attempt attempt = new Attempt(number, last.solo(), true, last.inDoubt(), last.deferredSince());
    boolean anew = bits.flag();
    Mark mark = Mark.absent(ExploredWorld.key(index));
    if (state != MarkState.ABSENT) {
      Nonce nonce = nonceOfMark(index, late);
      Claim claim = claim(index, nonce, TOKEN_OF_MARK, attempt);
      Instant end =
          NOW.plus(state == MarkState.RETRY ? ExploredWorld.BACK_OFF : ExploredWorld.LEASE);
      mark = new Mark(claim, state, Instant.EPOCH, ahead ? end : NOW, Bytes.EMPTY);
    }
    int whose = bits.get(2);
    boolean leased = bits.flag();
    boolean greatest = bits.flag();
    Optional<Claim> current = whose == 0
        ? Optional.empty()
        : Optional.of(whose == 1 ? mark.claim() : otherCurrent(index, late));
    return new ExploredMessage(
        mark,
        greatest ? mark.claim().token() : GREATEST,
        current,
        leased ? mark.until() : Instant.EPOCH,
        anew,
        bits.flag(),
        bits.flag());
  }

  private Nonce nonceOfMark(int message, Optional<ReadLate> late) {
    for (int i = 0; i < read.size(); i++) {
      if (read.get(i).get(message).nonceOfMark()) {
        return nonces.get(i);
      }
    }
    boolean byLate =
        late.isPresent() && late.get().message() == message && late.get().nonceOfMark();
    return byLate ? nonceOfLate(message) : FORGOTTEN;
  }

  private Nonce nonceOfLate(int message) {
    for (int i = 0; i < read.size(); i++) {
      if (read.get(i).get(message).nonceOfLate()) {
        return nonces.get(i);
      }
    }
    return LATE;
  }

  /** The observer's current claim is not the mark's: only a broken store comes here. */
  private Claim otherCurrent(int message, Optional<ReadLate> late) {
    for (int i = 0; i < read.size(); i++) {
      if (read.get(i).get(message).claim().current()) {
        return heldClaim(i, message, read.get(i).get(message).claim());
      }
    }
    return late.filter(it -> it.message() == message && it.claim().current())
        .flatMap(it -> late(it).claim())
        .orElseGet(() -> claim(message, FORGOTTEN, 1, NO_ATTEMPT));
  }

  private ExploredTask task(int owner, int message) {
    ReadTask it = read.get(owner).get(message);
    return switch (it.step()) {
      case WAITING -> ExploredTask.WAITING;
      case SUSPECT -> ExploredTask.SUSPECT;
      case OVER -> ExploredTask.OVER;
      case CLAIMING ->
        ExploredTask.claiming(request(message, nonces.get(owner), it.solo(), it.inTime()));
      case HOLDING -> ExploredTask.holding(heldClaim(owner, message, it.claim()));
      case RAN -> ExploredTask.holding(heldClaim(owner, message, it.claim())).ran();
      case SETTLING ->
        ExploredTask.holding(heldClaim(owner, message, it.claim()))
            .settling(ExploredSteps.VERDICTS.get(it.verdict() - 1));
    };
  }

  private LateCommand late(ReadLate it) {
    Nonce nonce = nonceOfLate(it.message());
    if (it.claims()) {
      return LateCommand.claim(it.message(), request(it.message(), nonce, it.solo(), it.inTime()));
    }
    long token = it.claim().tokenOfMark() ? TOKEN_OF_MARK : otherToken(nonces.indexOf(nonce));
    Claim claim = claim(it.message(), nonce, token, it.claim().attempt());
    return it.verdict() == 0
        ? LateCommand.renew(it.message(), claim)
        : LateCommand.settle(it.message(), claim, ExploredSteps.VERDICTS.get(it.verdict() - 1));
  }

  private Claim heldClaim(int owner, int message, ReadClaim it) {
    long token = it.tokenOfMark() ? TOKEN_OF_MARK : otherToken(owner);
    return claim(message, nonces.get(owner), token, it.attempt());
  }

  /** A late owner has a token of its own. */
  private static long otherToken(int owner) {
    return 9_000L + owner;
  }

  private static Claim claim(int message, Nonce nonce, long token, Attempt attempt) {
    return new Claim(
        ExploredWorld.key(message), nonce, token, attempt, SampleMarks.PAYLOAD, SampleMarks.ORIGIN);
  }

  private static ClaimRequest request(int message, Nonce nonce, boolean solo, boolean inTime) {
    Instant limit = inTime ? NOW.plus(ExploredWorld.BACK_OFF) : NOW.minus(ExploredWorld.BACK_OFF);
    return ExploredSteps.request(message, nonce, new ClaimTerms(solo, true, limit));
  }

  private static Attempt readAttempt(Bits bits) {
    return new Attempt(1, bits.flag(), true, bits.flag(), bits.flag() ? FIRST_DEFERRED : 0);
  }
}
