package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MessageKey;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Batches: the i-th answer belongs to the i-th argument, and is the same as for a single item. */
interface BatchContract extends Bench {

  @Test
  default void five_hundred_are_claimed_renewed_settled_and_found_in_one_call_each() {
    List<ClaimRequest> requests = new ArrayList<>(requests(Bench.ids(500)));
    Collections.shuffle(requests, new Random(500));

    List<Claim> claims = store().claim(requests, LEASE).stream()
        .map(answer -> Bench.acquired(answer).claim())
        .toList();
    List<RenewAnswer> renewed = store().renew(claims, LEASE);
    List<SettleAnswer> settled = store()
        .settle(claims.stream()
            .map(claim -> new Settlement(claim, new Verdict.Done(claim.key().id())))
            .toList());
    List<MessageKey> keys = requests.stream().map(ClaimRequest::key).toList();

    assertThat(claims).extracting(Claim::key).isEqualTo(keys);
    assertThat(claims)
        .extracting(Claim::nonce)
        .isEqualTo(requests.stream().map(ClaimRequest::nonce).toList());
    assertThat(renewed).hasSize(500).hasOnlyElementsOfType(RenewAnswer.Renewed.class);
    assertThat(settled).hasSize(500).containsOnly(new SettleAnswer.Settled(false));
    assertThat(store().find(keys))
        .extracting(mark -> mark.orElseThrow().detail())
        .isEqualTo(keys.stream().map(MessageKey::id).toList());
  }

  @Test
  default void empty_lists_are_answered_with_empty_lists() {
    assertThat(store().claim(List.of(), LEASE)).isEmpty();
    assertThat(store().renew(List.of(), LEASE)).isEmpty();
    assertThat(store().settle(List.of())).isEmpty();
    assertThat(store().find(List.of())).isEmpty();
  }
}
