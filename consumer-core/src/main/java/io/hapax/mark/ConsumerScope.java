package io.hapax.mark;

/**
 * The scope of a consumer's marks: its name and its generation. The scope of generation 0 is the
 * name alone; generation 3 of {@code orders} has the scope {@code orders#3}. No name may end like
 * that, so two consumers or generations never share a scope.
 *
 * @param consumer the consumer's name: not blank, without control characters, at most
 *     {@value MessageKey#MAX_SCOPE_BYTES} UTF-8 bytes; it must not end with {@code #} and digits
 * @param generation how often the generation was moved; not negative
 */
public record ConsumerScope(String consumer, int generation) {

  private static final String LIKE_A_GENERATION = "(?s).*#[0-9]+";

  /**
   * Checks the rules above.
   *
   * @param consumer the consumer's name
   * @param generation how often the generation was moved
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
    MessageKey.of(joined(consumer, generation), "probe"); // throws if it is not a valid scope
  }

  /** {@return name and generation as one text: a scope of {@link MessageKey}} */
  public String joined() {
    return joined(consumer, generation);
  }

  private static String joined(String consumer, int generation) {
    return generation == 0 ? consumer : consumer + '#' + generation;
  }
}
