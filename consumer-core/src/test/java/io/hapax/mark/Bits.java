package io.hapax.mark;

/** Small numbers in one long. */
final class Bits {

  private long value;
  private int used;

  void put(int number, int width) {
    if (number < 0 || number >= 1 << width) {
      throw new IllegalArgumentException(number + " does not fit into " + width + " bits");
    }
    value |= (long) number << used;
    used += width;
  }

  void put(boolean flag) {
    put(flag ? 1 : 0, 1);
  }

  long value() {
    return value;
  }
}
