package io.hapax.mark;

/** Small numbers in one long, written and read in the same order. */
final class Bits {

  private long value;
  private int used;

  Bits() {
    this(0);
  }

  Bits(long value) {
    this.value = value;
  }

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

  int get(int width) {
    int number = (int) (value >>> used) & ((1 << width) - 1);
    used += width;
    return number;
  }

  boolean flag() {
    return get(1) == 1;
  }

  long value() {
    return value;
  }
}
