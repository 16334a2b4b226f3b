package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.hapax.LossyMutants.AnOutageIsADuplicate;
import io.hapax.LossyMutants.CallsBusyDone;
import io.hapax.LossyMutants.DeletesWhatFailed;
import io.hapax.LossyMutants.ForgetsDoubt;
import io.hapax.LossyMutants.KeepsDoneTooShortly;
import io.hapax.LossyMutants.LivesAsLongAsItsLease;
import io.hapax.LossyMutants.SilenceIsSuccess;
import java.time.InstantSource;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the lossy world says of an engine is only worth something if it can be broken. */
@Timeout(60)
@DisplayName("the lossy world finds")
class LossyMutantsTest {

  private static final int SEEDS = 24;
  private static final String EARLY = "early acks";
  private static final String UNEXPLAINED = "repeats that nothing explains";

  static Stream<Arguments> mutants() {
    return Stream.of(
        store("a mark that goes with its lease", UNEXPLAINED, LivesAsLongAsItsLease::new),
        store("a retention shorter than the replays", UNEXPLAINED, KeepsDoneTooShortly::new),
        store("a message in progress that is called a duplicate", EARLY, CallsBusyDone::new),
        store("a doubt that is forgotten", UNEXPLAINED, ForgetsDoubt::new),
        store(
            "a key that is deleted because its handler failed",
            UNEXPLAINED,
            DeletesWhatFailed::new),
        consumer("silence that is taken for success", EARLY, SilenceIsSuccess::new),
        consumer("an outage that is taken for a duplicate", EARLY, AnOutageIsADuplicate::new));
  }

  private static Arguments store(
      String name, String verdict, Function<InstantSource, LossyStore> mutant) {
    LongFunction<LossyWorld> worlds = seed -> new LossyWorld(seed, mutant);
    return arguments(name, verdict, worlds);
  }

  private static Arguments consumer(
      String name, String verdict, BiFunction<LossyWorld, Long, LossyConsumer> mutant) {
    LongFunction<LossyWorld> worlds = seed -> new LossyWorld(seed) {
      @Override
      LossyConsumer consumer(long ownSeed) {
        return mutant.apply(this, ownSeed);
      }
    };
    return arguments(name, verdict, worlds);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void every_mutant(String name, String verdict, LongFunction<LossyWorld> worlds) {
    assertThat(LongStream.rangeClosed(1, SEEDS).mapToObj(worlds))
        .as("worlds of which one must end with: %s", verdict)
        .anySatisfy(world -> assertThat(failureOf(world)).contains(verdict));
  }

  private static String failureOf(LossyWorld world) {
    try {
      world.run();
      return "";
    } catch (AssertionError e) {
      return String.valueOf(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
