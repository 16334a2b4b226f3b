package io.hapax.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LocalKafkaLifecycleTest {

  @Test
  void a_given_directory_keeps_its_data_for_the_next_broker(@TempDir Path directory)
      throws Exception {
    try (LocalKafka first = LocalKafka.start(directory)) {
      first.createTopic("kept", 1);
      KafkaClients.send(first, "kept", "a", "b");
    }

    try (LocalKafka second = LocalKafka.start(directory)) {
      assertThat(KafkaClients.read(second, "kept", "classic", 2)).containsExactly("a", "b");
    }
  }

  @Test
  void a_broker_that_cannot_start_says_why_and_leaves_nothing(@TempDir Path directory) {
    LocalKafka.Builder broken =
        LocalKafka.builder().directory(directory).setting("num.io.threads", "none");

    assertThatThrownBy(broken::start)
        .isInstanceOf(LocalServerException.class)
        .hasMessageContaining("ended with status 1")
        .hasMessageContaining("Invalid value none for configuration num.io.threads");
    assertThat(ProcessHandle.current()
            .descendants()
            .map(child -> child.info().commandLine().orElse("")))
        .noneMatch(commandLine -> commandLine.contains(directory.toString()));
  }

  @Test
  void a_closed_broker_is_gone_even_if_it_was_paused_and_does_not_come_back() {
    LocalKafka kafka = LocalKafka.start();
    long pid = kafka.pid();

    kafka.pause();
    kafka.close();
    kafka.close();

    assertThat(Processes.isGone(pid)).isTrue();
    assertThatThrownBy(kafka::restart)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    assertThatThrownBy(kafka::pid)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("does not run");
  }
}
