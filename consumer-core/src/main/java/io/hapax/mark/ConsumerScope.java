package io.hapax.mark;

/**
 * What the marks of a consumer are kept under: its name, and behind it the generation once that has
 * been moved. Generation 0 is the name alone; generation 3 of {@code orders} is {@code orders#3}.
 * No name ends like that, so that no two consumers or generations have one scope.
 *
 * @param consumer the consumer's name: not blank, without control characters, at most
 *     {@value MessageKey#MAX_SCOPE_BYTES} UTF-8 bytes, and not a {@code #} with nothing but digits
 *     behind it at its end
 * @param generation how often it was moved; not negative
 */
public record ConsumerScope(String consumer, int generation) {

  private static final String LIKE_A_GENERATION = "(?s).*#[0-9]+";

  /**
   * Checks the rules above.
   *
   * @param consumer the consumer's name
   * @param generation how often it was moved
   * @throws IllegalArgumentException if one breaks its rule, or the generation makes the scope too
   *     long
   */
  public ConsumerScope {
    if (consumer.matches(LIKE_A_GENERATION)) {
      throw new IllegalArgumentException("consumer name is '" + consumer
          + "' but must not end with # and digits: that is how its generation is written");
    }
    if (generation < 0) {
      throw new IllegalArgumentException(
          "generation is " + generation + " but must not be negative");
    }
    MessageKey.of(joined(consumer, generation), "probe"); // throws if it is no scope
  }

  /**
   * Both as one text.
   *
   * @return a scope of {@link MessageKey}
   */
  public String joined() {
    return joined(consumer, generation);
  }

  private static String joined(String consumer, int generation) {
    return generation == 0 ? consumer : consumer + '#' + generation;
  }
}
