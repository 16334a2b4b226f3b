package io.hapax.mark;

import java.util.Optional;

/**
 * A command that is still under way in the network, whatever its sender does meanwhile.
 *
 * @param message which message it is for
 * @param request the claim that it makes; empty if it renews or settles
 * @param claim the claim that it renews or settles
 * @param verdict how it settles; empty if it renews
 */
record LateCommand(
    int message, Optional<ClaimRequest> request, Optional<Claim> claim, Optional<Verdict> verdict) {

  static LateCommand claim(int message, ClaimRequest request) {
    return new LateCommand(message, Optional.of(request), Optional.empty(), Optional.empty());
  }

  static LateCommand renew(int message, Claim claim) {
    return new LateCommand(message, Optional.empty(), Optional.of(claim), Optional.empty());
  }

  static LateCommand settle(int message, Claim claim, Verdict verdict) {
    return new LateCommand(message, Optional.empty(), Optional.of(claim), Optional.of(verdict));
  }

  Nonce nonce() {
    return request.map(ClaimRequest::nonce).orElseGet(() -> claim.orElseThrow().nonce());
  }
}
