package io.hapax.spring.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Ends a process between every two steps of a message, and delivers the message again. The listener
 * writes twice, by JPA and by a template, so a message that took effect once has two entries.
 */
abstract class CrashTests extends FrameTests {

  private static final int EFFECTS_OF_ONE_RUN = 2;
  private static final long LIMIT_SECONDS = 240;

  @ParameterizedTest
  @EnumSource(
      value = CrashPoint.class,
      names = {"FLUSHED", "COMMITTED"})
  void a_message_takes_effect_once_after_a_crash_around_its_commit(CrashPoint point)
      throws Exception {
    takesEffectOnce(point, false);
  }

  @Tag("nightly")
  @ParameterizedTest
  @EnumSource(
      value = CrashPoint.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"CLAIMED", "FLUSHED", "COMMITTED"})
  void a_message_of_a_batch_takes_effect_once_whatever_the_crash(CrashPoint point)
      throws Exception {
    takesEffectOnce(point, false);
  }

  @Tag("nightly")
  @ParameterizedTest
  @EnumSource(
      value = CrashPoint.class,
      names = {"CLAIMED", "FLUSHED", "COMMITTED"})
  void a_message_run_alone_takes_effect_once_whatever_the_crash(CrashPoint point) throws Exception {
    takesEffectOnce(point, true);
  }

  private void takesEffectOnce(CrashPoint point, boolean alone) throws Exception {
    crash(point, alone);

    assertThat(ledger.effects(message)).isEqualTo(effectsAfter(point));
    deliverAgain(alone);
    assertDone(EFFECTS_OF_ONE_RUN);
  }

  private static int effectsAfter(CrashPoint point) {
    return point.compareTo(CrashPoint.COMMITTED) < 0 ? 0 : EFFECTS_OF_ONE_RUN;
  }

  private void deliverAgain(boolean probation) throws Exception {
    new CrashingListener(application, Optional.empty(), probation).receive(message);
  }

  private void crash(CrashPoint point, boolean probation) throws Exception {
    TestDatabase.Access access = database().access();
    Process process = new ProcessBuilder(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            CrashingListener.class.getName(),
            access.url(),
            access.user(),
            access.password(),
            message,
            point.name(),
            Boolean.toString(probation)))
        .inheritIO()
        .start();
    try {
      assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(CrashingListener.CRASHED);
    } finally {
      process.destroyForcibly();
    }
  }
}
