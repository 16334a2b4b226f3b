package io.hapax.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.console.trial.TrialLane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A button that fails leaves no consumer held or frozen. */
class CrewTest {

  private static final Duration FREEZE = Duration.ofMillis(200);

  /** Holds a batch when its parent asks, and writes down when it is released. */
  private static final String OBEDIENT = """
      echo ready
      while read -r word number
      do case $word in
        hold) sleep 0.5; echo "start orders-0@1 order-1"; echo "armed $number";;
        go) echo released >"$0";;
      esac; done""";

  /** Completes an order when it is released. */
  private static final String COMPLETES = """
      echo ready
      while read -r word number
      do case $word in
        hold) echo "start orders-0@1 order-1"; echo "armed $number";;
        go) echo "end orders-0@1 order-1 EXECUTED";;
      esac; done""";

  private static final String ENDS_WHEN_HELD = """
      echo ready
      read -r word number
      echo "start orders-0@1 order-1"; echo "armed $number\"""";

  /** Has another order in flight at each hold. */
  private static final String HOLDS_ONE_AFTER_THE_OTHER = """
      echo ready
      while read -r word number
      do echo "start orders-0@$number order-$number"; echo "armed $number"; done""";

  private static final String DOES_NOT_LISTEN = """
      exec 0<&-
      echo ready
      exec sleep 60""";

  private static Set<String> placed() {
    return Set.of("order-1");
  }

  @TempDir
  private Path folder;

  private Path released;

  @BeforeEach
  void name() {
    released = folder.resolve("released");
  }

  private Crew start(String loop) throws InterruptedException {
    return start(OBEDIENT, loop);
  }

  private Crew start(String hapax, String loop) throws InterruptedException {
    Crew crew = new Crew(() -> process(hapax), 2, () -> process(loop));
    crew.supervise();
    await().until(crew::isComplete);
    return crew;
  }

  private ConsumerProcess process(String script) throws IOException {
    Path log = folder.resolve("log");
    return ConsumerProcess.start(1, log, List.of("/bin/sh", "-c", script, released.toString()));
  }

  @Test
  void a_consumer_is_thawed_although_the_other_one_could_not_be_frozen() throws Exception {
    try (Background background = new Background(1);
        Crew crew = start(ENDS_WHEN_HELD)) {
      assertThatThrownBy(() -> crew.freezeOneOfEach(CrewTest::placed, FREEZE, background))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("SIGSTOP");
      await().untilAsserted(() -> assertThat(Files.exists(released)).isTrue());
    }
  }

  @Test
  void a_consumer_is_released_although_the_other_one_could_not_be_held() throws Exception {
    try (Crew crew = start(DOES_NOT_LISTEN)) {
      assertThatThrownBy(() -> crew.holdOneOfEach(CrewTest::placed))
          .isInstanceOf(IOException.class);
      await().untilAsserted(() -> assertThat(Files.exists(released)).isTrue());
    }
  }

  @Test
  void a_batch_is_held_that_has_one_of_the_placed_orders() throws Exception {
    try (Crew crew = start(HOLDS_ONE_AFTER_THE_OTHER, HOLDS_ONE_AFTER_THE_OTHER)) {
      assertThat(crew.holdOneOfEach(() -> Set.of("order-2", "order-3")))
          .allSatisfy(hit -> assertThat(hit.process().reports().inFlight())
              .containsExactlyInAnyOrder("order-1", "order-2"));
    }
  }

  @Test
  void no_consumer_is_hit_while_one_kind_does_not_run() throws Exception {
    try (Crew crew = start(ENDS_WHEN_HELD)) {
      crew.holdOneOfEach(CrewTest::placed);
      await().until(() -> !crew.isComplete(TrialLane.LOOP));

      assertThatThrownBy(() -> crew.holdOneOfEach(CrewTest::placed))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("no consumer of the plain loop is running now: wait some seconds");
    }
  }

  @Test
  void another_consumer_takes_over_what_a_hit_one_had_in_flight() throws Exception {
    try (Crew crew = start(COMPLETES, OBEDIENT)) {
      Crew.Hit first = crew.holdOneOfEach(CrewTest::placed).get(0);
      Crew.Hit second = crew.holdOneOfEach(CrewTest::placed).get(0);
      long begin = System.nanoTime();
      Set<String> inFlight = Set.of("order-1", "order-2");
      assertThat(crew.takenOver(first, begin, inFlight)).isEmpty();

      second.process().release();

      await().until(() -> crew.takenOver(first, begin, inFlight).isPresent());
      assertThat(crew.takenOver(first, begin, inFlight).orElseThrow().arguments())
          .endsWith("hapax-2", 1);
      assertThat(crew.takenOver(second, begin, inFlight)).isEmpty();
    }
  }
}
