package io.hapax.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("nightly")
@Timeout(60)
class LocalKafkaTest {

  private static LocalKafka kafka;

  @BeforeAll
  static void start() {
    kafka = LocalKafka.start();
  }

  @AfterAll
  static void close() {
    kafka.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "consumer"})
  void what_is_produced_is_consumed_by_a_group_of_either_protocol(String protocol)
      throws Exception {
    kafka.createTopic("plain-" + protocol, 2);

    KafkaClients.send(kafka, "plain-" + protocol, "a", "b", "c");

    assertThat(KafkaClients.read(kafka, "plain-" + protocol, protocol, 3))
        .containsExactlyInAnyOrder("a", "b", "c");
  }

  @Test
  void has_the_new_groups_share_groups_and_transactions_switched_on() throws Exception {
    try (Admin admin = KafkaTopics.admin(kafka.bootstrapServers(), 10_000)) {
      var features =
          admin.describeFeatures().featureMetadata().get(10, TimeUnit.SECONDS).finalizedFeatures();

      assertThat(features).containsKeys("group.version", "share.version", "transaction.version");
    }
  }

  @Test
  void a_topic_that_exists_is_not_created_again() {
    kafka.createTopic("once", 1);

    assertThatThrownBy(() -> kafka.createTopic("once", 1))
        .isInstanceOf(LocalServerException.class)
        .hasMessageContaining("once");
  }
}
