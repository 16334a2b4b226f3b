package io.hapax.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClaimLimiterTest {

  private final ClaimLimiter limiter = new ClaimLimiter(10);
  private final List<String> claimed = new ArrayList<>();

  private ClaimLimiter.Ticket claim(String name, int size) {
    ClaimLimiter.Ticket ticket = limiter.ticket(size);
    ticket.claim(() -> claimed.add(name));
    return ticket;
  }

  @Test
  void submissions_are_claimed_up_to_the_limit_and_then_in_their_order() {
    ClaimLimiter.Ticket a = claim("a", 6);
    claim("b", 4);
    claim("c", 4);
    claim("d", 1);
    assertThat(claimed).containsExactly("a", "b");

    a.over();

    assertThat(claimed).containsExactly("a", "b", "c", "d");
  }

  @Test
  void a_submission_whose_turn_has_come_is_claimed_beyond_the_limit() {
    claim("a", 10);
    ClaimLimiter.Ticket b = claim("b", 5);

    b.turnHasCome();
    b.turnHasCome();

    assertThat(claimed).containsExactly("a", "b");
  }

  @Test
  void a_turn_that_comes_before_the_claim_is_remembered() {
    claim("a", 10);
    ClaimLimiter.Ticket b = limiter.ticket(5);
    b.turnHasCome();

    b.claim(() -> claimed.add("b"));

    assertThat(claimed).containsExactly("a", "b");
  }

  @Test
  void a_submission_that_ends_before_its_claim_is_not_claimed() {
    ClaimLimiter.Ticket a = claim("a", 10);
    claim("b", 1).over();

    a.over();
    a.over();

    assertThat(claimed).containsExactly("a");
    claim("c", 10);
    claim("d", 1);
    assertThat(claimed).containsExactly("a", "c");
  }

  @Test
  void a_submission_that_ends_before_it_is_queued_takes_no_room() {
    ClaimLimiter.Ticket a = limiter.ticket(10);
    a.turnHasCome();
    a.over();

    a.claim(() -> claimed.add("a"));
    claim("b", 10);

    assertThat(claimed).containsExactly("b");
  }
}
