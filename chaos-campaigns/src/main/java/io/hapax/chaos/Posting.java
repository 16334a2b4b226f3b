package io.hapax.chaos;

import io.hapax.DeadLetter;
import io.hapax.demo.Json;
import io.hapax.demo.Order;
import java.util.Arrays;
import java.util.Optional;

record Posting(Order order, Flaw flaw) {

  /** A defect of a message, which decides how the message must end. */
  enum Flaw {
    /** No defect: the order takes effect. */
    NONE(""),
    /**
     * The shop does not have the article. The handler writes to the ledger and then fails, in each
     * attempt.
     */
    UNKNOWN_ARTICLE(DeadLetter.Kind.ATTEMPTS_EXHAUSTED.name()),
    /** The payload is cut in the middle: no order can be read from it. */
    TORN(DeadLetter.Kind.NOT_RETRYABLE.name()),
    NO_ID(DeadLetter.Kind.MISSING_ID.name());

    private final String end;

    Flaw(String end) {
      this.end = end;
    }

    /** Returns the kind of the dead-letter record; an empty text if the order takes effect. */
    String end() {
      return end;
    }
  }

  Optional<String> id() {
    return flaw == Flaw.NO_ID ? Optional.empty() : Optional.of(order.id());
  }

  byte[] body() {
    byte[] json = Json.write(order);
    return flaw == Flaw.TORN ? Arrays.copyOf(json, json.length / 2) : json;
  }
}
