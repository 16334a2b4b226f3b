package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.InstantSource;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the lossy world says of an engine is only worth something if it can be broken. */
@Timeout(60)
@DisplayName("the lossy world finds")
class LossyMutantsTest {

  private static final int SEEDS = 24;
  private static final String EARLY = "early acks";
  private static final String UNEXPLAINED = "repeats that nothing explains";

  @Test
  void a_mark_that_goes_with_its_lease() {
    assertStoreFound(UNEXPLAINED, LossyMutants.LivesAsLongAsItsLease::new);
  }

  @Test
  void a_retention_shorter_than_the_replays() {
    assertStoreFound(UNEXPLAINED, LossyMutants.KeepsDoneTooShortly::new);
  }

  @Test
  void a_message_in_progress_that_is_called_a_duplicate() {
    assertStoreFound(EARLY, LossyMutants.CallsBusyDone::new);
  }

  @Test
  void a_doubt_that_is_forgotten() {
    assertStoreFound(UNEXPLAINED, LossyMutants.ForgetsDoubt::new);
  }

  @Test
  void a_key_that_is_deleted_because_its_handler_failed() {
    assertStoreFound(UNEXPLAINED, LossyMutants.DeletesWhatFailed::new);
  }

  @Test
  void silence_that_is_taken_for_success() {
    assertConsumerFound(EARLY, LossyMutants.SilenceIsSuccess::new);
  }

  @Test
  void an_outage_that_is_taken_for_a_duplicate() {
    assertConsumerFound(EARLY, LossyMutants.AnOutageIsADuplicate::new);
  }

  private static void assertStoreFound(String verdict, Function<InstantSource, LossyStore> mutant) {
    assertFound(verdict, seed -> new LossyWorld(seed, mutant));
  }

  private static void assertConsumerFound(
      String verdict, BiFunction<LossyWorld, Long, LossyConsumer> mutant) {
    assertFound(verdict, seed -> new LossyWorld(seed) {
      @Override
      LossyConsumer consumer(long ownSeed) {
        return mutant.apply(this, ownSeed);
      }
    });
  }

  private static void assertFound(String verdict, LongFunction<LossyWorld> worlds) {
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
