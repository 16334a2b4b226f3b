package io.hapax.simulation;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** Everything that happens by chance in a world, from one seed. */
final class Dice {

  private final SplittableRandom random;

  Dice(long seed) {
    this.random = new SplittableRandom(seed);
  }

  boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  int between(int least, int most) {
    return random.nextInt(least, most + 1);
  }

  Duration between(Duration least, Duration most) {
    return Duration.ofNanos(random.nextLong(least.toNanos(), most.toNanos() + 1));
  }

  <T> T oneOf(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  double fraction() {
    return random.nextDouble();
  }

  long any() {
    return random.nextLong();
  }
}
