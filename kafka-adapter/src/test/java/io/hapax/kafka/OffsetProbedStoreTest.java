package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.kafka.internal.RecordPlace;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.InMemoryDedupStore;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A lost claim is decided by the committed offset of the record that was claimed first. */
@Timeout(60)
class OffsetProbedStoreTest {

  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final MessageKey KEY = MessageKey.of("orders", "a");

  private final String topic = Broker.topic(2);
  private final CommittedOffsets offsets = CommittedOffsets.open(Broker.consumer(topic), topic);
  private Instant now = Instant.now();
  private final InMemoryDedupStore store = new InMemoryDedupStore(() -> now, Duration.ofDays(8));
  private final LostClaims lostClaims = new LostClaims(store, offsets, Duration.ofHours(1));
  private final OffsetProbedStore probed = new OffsetProbedStore(store, lostClaims);
  private String topicId = "";
  private long nonces;

  @BeforeEach
  void knowTheTopic() throws Exception {
    topicId = Objects.requireNonNull(offsets.topicIds(List.of(topic)).get(topic), topic);
  }

  @AfterEach
  void close() {
    offsets.close();
  }

  private ClaimAnswer claim(OffsetProbedStore in, String coordinates, boolean solo) {
    return in.claim(
            List.of(new ClaimRequest(
                KEY,
                new Nonce(1, ++nonces),
                Fingerprint.NONE,
                new Origin("another", RecordPlace.withTopicId(topic + coordinates, topicId)),
                new ClaimTerms(solo, true, ClaimTerms.ANY_TIME))),
            LEASE)
        .get(0);
  }

  /** A claim of the first record of partition 0 whose owner vanishes. */
  private Claim lost() {
    ClaimAnswer answer = claim(probed, "-0@0", false);
    now = now.plus(LEASE).plusSeconds(1);
    return ((ClaimAnswer.Acquired) answer).claim();
  }

  @ParameterizedTest(name = "takes over {0}")
  @ValueSource(booleans = {false, true})
  void a_copy_of_a_record_whose_transaction_was_committed_is_a_duplicate(boolean solo) {
    lost();
    Broker.commit(topic, topic, 0, 1);

    assertThat(claim(probed, "-1@7", solo)).isInstanceOf(ClaimAnswer.Done.class);
  }

  @Test
  void a_redelivered_record_whose_transaction_was_not_committed_is_taken_over() {
    lost();

    assertThat(claim(probed, "-0@0", false)).isInstanceOf(ClaimAnswer.Suspect.class);
    assertThat(claim(probed, "-0@0", true)).isInstanceOf(ClaimAnswer.Acquired.class);
  }

  @Test
  void another_copy_waits_for_an_owner_that_may_still_commit() {
    lost();

    assertThat(claim(probed, "-1@7", false)).isInstanceOf(ClaimAnswer.Busy.class);
    assertThat(claim(probed, "-1@7", true)).isInstanceOf(ClaimAnswer.Busy.class);
  }

  @Test
  void after_a_quiet_time_another_copy_takes_over_and_its_coordinates_count() {
    OffsetProbedStore impatient = impatient();
    lost();

    assertThat(claim(impatient, "-1@7", true)).isInstanceOf(ClaimAnswer.Acquired.class);
    now = now.plus(LEASE).plusSeconds(1);
    Broker.commit(topic, topic, 1, 8);

    assertThat(claim(probed, "-0@0", false)).isInstanceOf(ClaimAnswer.Done.class);
  }

  private OffsetProbedStore impatient() {
    return new OffsetProbedStore(store, new LostClaims(store, offsets, Duration.ZERO));
  }

  @Test
  void the_offset_of_a_topic_that_was_made_anew_decides_nothing() {
    topicId = "AAAAAAAAAAAAAAAAAAAAAA";
    lost();
    Broker.commit(topic, topic, 0, 1);

    assertThat(claim(impatient(), "-1@7", true)).isInstanceOf(ClaimAnswer.Acquired.class);
  }

  @Test
  void stale_marks_behind_the_committed_offset_become_done() {
    lost();
    assertThat(lostClaims.settleCommitted("orders", 1000)).isZero();
    Broker.commit(topic, topic, 0, 1);

    assertThat(lostClaims.settleCommitted("orders", 1000)).isEqualTo(1);
    assertThat(store.find(List.of(KEY)).get(0).orElseThrow().state()).isEqualTo(MarkState.DONE);
  }

  @Test
  void a_claim_with_a_living_lease_is_busy_although_its_offset_is_committed() {
    claim(probed, "-0@0", false);
    Broker.commit(topic, topic, 0, 1);

    assertThat(claim(probed, "-1@7", false)).isInstanceOf(ClaimAnswer.Busy.class);
    assertThat(lostClaims.settleCommitted("orders", 1000)).isZero();
  }

  @Test
  void a_claim_is_not_settled_while_its_transaction_is_undecided() throws StoreException {
    Claim claim = lost();
    List<Settlement> retry = List.of(new Settlement(claim, new Verdict.Retry(LEASE, false)));

    probed.undecided(List.of(claim));
    assertThat(probed.settle(retry).get(0)).isInstanceOf(SettleAnswer.Unavailable.class);
    assertThat(store.find(List.of(KEY)).get(0).orElseThrow().state())
        .isEqualTo(MarkState.PROCESSING);
    probed.decided(List.of(claim), false);
    assertThat(probed.settle(retry).get(0)).isInstanceOf(SettleAnswer.Settled.class);
  }

  @Test
  void a_claim_of_a_committed_transaction_becomes_done_whatever_error_follows()
      throws StoreException {
    Claim claim = lost();
    probed.undecided(List.of(claim));
    probed.decided(List.of(claim), true);

    var answers = probed.settle(List.of(new Settlement(claim, new Verdict.Retry(LEASE, true))));

    assertThat(answers.get(0)).isInstanceOf(SettleAnswer.Settled.class);
    assertThat(store.find(List.of(KEY)).get(0).orElseThrow().state()).isEqualTo(MarkState.DONE);
  }
}
