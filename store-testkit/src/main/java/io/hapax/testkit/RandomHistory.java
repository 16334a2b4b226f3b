package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Attempt;
import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.EpochMicros;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.Resolution;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.DedupStore;
import io.hapax.store.InMemoryDedupStore;
import io.hapax.store.MarkQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One random history, run on the store and on the model. A seed always gives the same history.
 *
 * <p>Leases and delays are multiples of ten minutes. The clock moves by a multiple of ten minutes
 * and three seconds. So a time has passed by at least three seconds, or is ahead by several
 * minutes, and the time that a real store spends between two calls does not matter.
 */
final class RandomHistory {

  private static final int STEPS = 60;
  private static final Duration UNIT = Duration.ofMinutes(10);
  private static final Duration MARGIN = Duration.ofSeconds(3);

  private record Held(Claim real, Claim model) {}

  private final Random random;
  private final StoreFixture fixture;
  private final DedupStore model;
  private final ModelComparison comparison;
  private final String scope;
  private final List<MessageKey> keys;
  private final List<ClaimRequest> requests = new ArrayList<>();
  private final List<Held> held = new ArrayList<>();
  private final List<String> trace;
  private Instant now;

  private RandomHistory(StoreFixture fixture, long seed, List<String> trace) {
    Bench bench = Bench.on(fixture);
    this.random = new Random(seed);
    this.fixture = fixture;
    this.comparison = new ModelComparison(fixture::keptWhenDone);
    this.trace = trace;
    this.scope = bench.scope();
    this.keys = Stream.of("a", "b", "c").map(bench::key).toList();
    this.now = bench.storeTime();
    this.model = new InMemoryDedupStore(() -> now, fixture.retention());
  }

  /** Replays histories and fails at the first one in which the store differs from the machine. */
  static void replay(StoreFixture fixture, int histories) {
    for (int seed = 0; seed < histories; seed++) {
      List<String> trace = new ArrayList<>();
      try {
        RandomHistory history = new RandomHistory(fixture, seed, trace);
        for (int step = 0; step < STEPS; step++) {
          history.step();
        }
        history.compareLists();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(
            "the store differs from the machine in the history with seed " + seed + ":\n"
                + String.join("\n", trace) + "\n" + e.getMessage(),
            e);
      }
    }
  }

  private void step() {
    int dice = random.nextInt(100);
    if (dice < 36) {
      claim();
    } else if (dice < 64) {
      settle();
    } else if (dice < 74) {
      renew();
    } else if (dice < 92) {
      advance(UNIT.multipliedBy(random.nextInt(4)));
    } else if (dice < 98) {
      resolve();
    } else {
      forget();
    }
    compareMarks();
  }

  private DedupStore anyProcess() {
    return random.nextBoolean() ? fixture.store() : fixture.other();
  }

  private void claim() {
    Duration lease = UNIT.multipliedBy(1 + random.nextInt(2));
    List<ClaimRequest> batch = someKeys().stream().map(this::request).toList();
    trace.add("claim " + batch + " for " + lease);
    List<ClaimAnswer> expected = model.claim(batch, lease);
    List<ClaimAnswer> actual = anyProcess().claim(batch, lease);
    trace.add("  " + actual);
    requests.addAll(batch);
    assertThat(comparison.comparable(actual, expected)).isEqualTo(expected);
    for (int i = 0; i < batch.size(); i++) {
      if (actual.get(i) instanceof Acquired real && expected.get(i) instanceof Acquired same) {
        held.add(new Held(real.claim(), same.claim()));
      }
    }
  }

  private ClaimRequest request(MessageKey key) {
    List<ClaimRequest> earlier =
        requests.stream().filter(request -> request.key().equals(key)).toList();
    if (!earlier.isEmpty() && random.nextInt(5) == 0) {
      return earlier.get(random.nextInt(earlier.size()));
    }
    Instant notAfter = switch (random.nextInt(12)) {
      case 0 -> now.minus(Duration.ofMinutes(1));
      case 1, 2 -> now.plus(Duration.ofMinutes(5));
      default -> ClaimTerms.ANY_TIME;
    };
    long payload = random.nextInt(10) == 0 ? random.nextInt(3) : 7;
    return new ClaimRequest(
        key,
        anyNonce(),
        new Fingerprint(payload),
        new Origin("owner-" + random.nextInt(3), "orders-0@" + requests.size()),
        new ClaimTerms(random.nextBoolean(), random.nextBoolean(), notAfter));
  }

  private Nonce anyNonce() {
    return new Nonce(random.nextLong(), random.nextLong());
  }

  private void settle() {
    List<Held> claims = someKeys().stream().map(this::anyClaim).toList();
    List<Verdict> verdicts = claims.stream().map(claim -> anyVerdict()).toList();
    List<Settlement> batch = settlements(claims.stream().map(Held::real).toList(), verdicts);
    trace.add("settle " + batch);
    List<SettleAnswer> expected =
        model.settle(settlements(claims.stream().map(Held::model).toList(), verdicts));
    List<SettleAnswer> actual = anyProcess().settle(batch);
    trace.add("  " + actual);
    assertThat(actual).isEqualTo(expected);
  }

  private static List<Settlement> settlements(List<Claim> claims, List<Verdict> verdicts) {
    return IntStream.range(0, claims.size())
        .mapToObj(i -> new Settlement(claims.get(i), verdicts.get(i)))
        .toList();
  }

  private Verdict anyVerdict() {
    int dice = random.nextInt(10);
    if (dice < 3) {
      return new Verdict.Done(Bytes.utf8("r".repeat(random.nextInt(3))));
    } else if (dice < 4) {
      return new Verdict.Dead("reason " + random.nextInt(3));
    } else if (dice < 5) {
      return new Verdict.Release();
    } else if (dice < 7) {
      return new Verdict.Defer(UNIT.multipliedBy(random.nextInt(3)));
    }
    return new Verdict.Retry(UNIT.multipliedBy(random.nextInt(3)), random.nextInt(4) == 0);
  }

  /** Returns a claim of the message: mostly the latest, sometimes an old or a lost one. */
  private Held anyClaim(MessageKey key) {
    List<Held> own =
        held.stream().filter(claim -> claim.real().key().equals(key)).toList();
    int dice = random.nextInt(10);
    if (own.isEmpty() || dice == 0) {
      long token = EpochMicros.of(now) - UNIT.toSeconds() * 1_000_000 + held.size();
      comparison.sameToken(key, token);
      Attempt attempt = new Attempt(1 + random.nextInt(2), random.nextBoolean(), true, false);
      Origin origin = new Origin("forgotten", "orders-0@0");
      Claim claim = new Claim(key, anyNonce(), token, attempt, new Fingerprint(7), origin);
      Held forgotten = new Held(claim, claim);
      held.add(forgotten);
      return forgotten;
    }
    return own.get(dice < 8 ? own.size() - 1 : random.nextInt(own.size()));
  }

  private void renew() {
    Duration lease = UNIT.multipliedBy(1 + random.nextInt(2));
    List<Held> claims = someKeys().stream().map(this::anyClaim).toList();
    trace.add("renew " + claims + " for " + lease);
    List<RenewAnswer> expected = model.renew(claims.stream().map(Held::model).toList(), lease);
    List<RenewAnswer> actual =
        anyProcess().renew(claims.stream().map(Held::real).toList(), lease);
    trace.add("  " + actual);
    assertThat(comparison.comparable(actual, expected)).isEqualTo(expected);
  }

  private void advance(Duration by) {
    trace.add("advance " + by.plus(MARGIN));
    now = now.plus(by).plus(MARGIN);
    fixture.advance(by.plus(MARGIN));
  }

  private void resolve() {
    MessageKey key = keys.get(random.nextInt(keys.size()));
    Resolution.Kind[] kinds = Resolution.Kind.values();
    Resolution resolution =
        new Resolution(kinds[random.nextInt(kinds.length)], random.nextInt(4) == 0);
    long off = random.nextInt(5) == 0 ? 1 : 0;
    Optional<Mark> mark = model.find(List.of(key)).get(0);
    long token = mark.map(it -> it.claim().token()).orElse(1L);
    MarkState[] states = MarkState.values();
    MarkState state = random.nextInt(5) == 0
        ? states[random.nextInt(states.length)]
        : mark.map(Mark::state).orElse(MarkState.ABSENT);
    trace.add(
        "resolve " + key + " " + resolution + " token " + token + " off " + off + " " + state);
    boolean expected = model.resolve(key, token - off, state, resolution);
    boolean actual =
        anyProcess().resolve(key, comparison.realToken(key, token) - off, state, resolution);
    assertThat(actual).isEqualTo(expected);
  }

  private void forget() {
    advance(fixture.retention());
    trace.add("purge");
    model.purge(Integer.MAX_VALUE);
    int removed = anyProcess().purge(1000);
    while (removed > 0) {
      removed = anyProcess().purge(1000);
    }
  }

  private void compareMarks() {
    List<Optional<Mark>> expected = model.find(keys);
    List<Optional<Mark>> actual = anyProcess().find(keys);
    assertThat(comparison.comparable(actual, expected)).isEqualTo(expected);
  }

  /** Compares lists once, at the end of the history. */
  private void compareLists() {
    for (MarkQuery.Kind kind : MarkQuery.Kind.values()) {
      MarkQuery query = MarkQuery.first(scope, kind, keys.size());
      assertThat(anyProcess().list(query))
          .as("list %s", kind)
          .extracting(Mark::key)
          .containsExactlyInAnyOrderElementsOf(
              model.list(query).stream().map(Mark::key).toList());
    }
  }

  private List<MessageKey> someKeys() {
    List<MessageKey> shuffled = new ArrayList<>(keys);
    Collections.shuffle(shuffled, random);
    return shuffled.subList(0, 1 + random.nextInt(keys.size()));
  }
}
