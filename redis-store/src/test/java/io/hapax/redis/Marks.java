package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.DedupStore;
import io.hapax.store.StoreException;
import io.hapax.store.StoreListener;
import io.hapax.store.StoreLoss;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Creates requests, claims and settlements of many messages, for tests beyond the contract. */
final class Marks {

  static final Duration LEASE = Duration.ofMinutes(10);

  private Marks() {}

  static ClaimRequest request(String id) {
    UUID nonce = UUID.randomUUID();
    return new ClaimRequest(
        MessageKey.of("orders", id),
        new Nonce(nonce.getMostSignificantBits(), nonce.getLeastSignificantBits()),
        Fingerprint.of(id.getBytes(StandardCharsets.UTF_8)),
        new Origin("host-1/orders", "orders-3@1507"),
        new ClaimTerms(false, true, ClaimTerms.ANY_TIME));
  }

  static List<ClaimRequest> requests(String prefix, int number) {
    return IntStream.range(0, number).mapToObj(i -> request(prefix + i)).toList();
  }

  static Claim claim(ClaimAnswer answer) {
    assertThat(answer).isInstanceOf(Acquired.class);
    return ((Acquired) answer).claim();
  }

  static Claim claim(DedupStore store, String id) {
    return claim(store.claim(List.of(request(id)), LEASE).get(0));
  }

  static List<Settlement> done(List<ClaimAnswer> answers) {
    return answers.stream().map(answer -> done(claim(answer))).toList();
  }

  static Settlement done(Claim claim) {
    return new Settlement(claim, Verdict.Done.WITHOUT_RESULT);
  }

  static void settleDone(DedupStore store, Claim claim) {
    assertThat(store.settle(List.of(done(claim)))).containsExactly(new SettleAnswer.Settled(false));
  }

  /** Repeats a call until it is answered, as every caller does. */
  static <A> A untilAnswered(Callable<A> verb) {
    return until(verb, answer -> true);
  }

  /** Returns the answers to the first claim in which every node of a cluster takes part. */
  static List<ClaimAnswer> claimWhenAllAnswer(DedupStore store, List<ClaimRequest> requests) {
    return until(
        () -> store.claim(requests, LEASE),
        all -> all.stream().noneMatch(ClaimAnswer.Unavailable.class::isInstance));
  }

  private static <A> A until(Callable<A> verb, Predicate<? super A> expected) {
    return await()
        .atMost(Duration.ofSeconds(90))
        .ignoreExceptionsInstanceOf(StoreException.class)
        .until(verb, expected);
  }

  static StoreListener onLoss(Consumer<StoreLoss> listener) {
    return new StoreListener() {
      @Override
      public void onDataLost(StoreLoss loss) {
        listener.accept(loss);
      }
    };
  }
}
