package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A broker with access control: what has no rule of a test is allowed. */
@Timeout(120)
class KafkaRightsTest extends WithReceivers {

  private static KafkaServer kafka;
  private static Admin admin;

  @BeforeAll
  static void startBroker() {
    kafka = KafkaServer.start(Map.of(
        "authorizer.class.name",
        "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "allow.everyone.if.no.acl.found",
        "true"));
    admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
  }

  @AfterAll
  static void closeBroker() {
    admin.close();
    kafka.close();
  }

  @ParameterizedTest
  @CsvSource({"classic, TOPIC", "classic, GROUP", "consumer, TOPIC", "consumer, GROUP"})
  @DisplayName("Invariant 14: when a right returns, reading resumes")
  void a_missing_right_is_reported_and_reading_resumes_when_it_returns(
      String protocol, ResourceType type) throws Exception {
    String topic = protocol + "-" + type;
    kafka.createTopic(topic, 1);
    send(topic, "a");
    AclBinding forbidden = set(AclPermissionType.DENY, AclOperation.READ, type, topic);

    KafkaReceiver<String, String> receiver = start(
        topic,
        Map.of(
            "bootstrap.servers", kafka.bootstrapServers(),
            "group.id", topic,
            "group.protocol", protocol),
        this::record);
    await().until(() -> receiver.problems().toString().contains("Authorization"));
    assertThat(receiver.state()).isEqualTo(KafkaReceiver.State.RUNNING);
    assertThat(effects).isEmpty();
    admin.deleteAcls(List.of(forbidden.toFilter())).all().get(30, TimeUnit.SECONDS);

    await().until(() -> effects.equals(List.of("a")));
    await().until(() -> receiver.problems().isEmpty());
  }

  @Test
  void a_user_that_may_not_read_the_settings_of_a_dead_letter_topic_may_use_it() throws Exception {
    kafka.createTopic("hidden-dlt", 1);
    set(AclPermissionType.ALLOW, AclOperation.DESCRIBE, ResourceType.TOPIC, "hidden-dlt");

    assertThatThrownBy(() -> admin
            .describeConfigs(List.of(new ConfigResource(ConfigResource.Type.TOPIC, "hidden-dlt")))
            .all()
            .get(30, TimeUnit.SECONDS))
        .hasCauseInstanceOf(TopicAuthorizationException.class);
    assertThatCode(() -> open(KafkaDeadLetterPublisher.to("hidden-dlt", producer())))
        .doesNotThrowAnyException();
  }

  private static Map<String, Object> producer() {
    return Broker.producer(Map.of("bootstrap.servers", kafka.bootstrapServers()));
  }

  private static AclBinding set(
      AclPermissionType permission, AclOperation operation, ResourceType type, String name)
      throws Exception {
    AclBinding rule = new AclBinding(
        new ResourcePattern(type, name, PatternType.LITERAL),
        new AccessControlEntry("User:ANONYMOUS", "*", operation, permission));
    admin.createAcls(List.of(rule)).all().get(30, TimeUnit.SECONDS);
    await().until(() -> knows(rule)); // the controller knows it earlier
    return rule;
  }

  private static boolean knows(AclBinding rule) throws Exception {
    return admin
        .describeAcls(rule.toFilter())
        .values()
        .get(30, TimeUnit.SECONDS)
        .contains(rule);
  }

  private static void send(String topic, String text) throws Exception {
    try (KafkaProducer<String, String> producer = new KafkaProducer<>(producer())) {
      producer.send(new ProducerRecord<>(topic, 0, text, text)).get(30, TimeUnit.SECONDS);
    }
  }
}
