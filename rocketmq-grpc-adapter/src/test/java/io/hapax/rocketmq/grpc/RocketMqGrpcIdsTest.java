package io.hapax.rocketmq.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.IdExtractor;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.rocketmq.client.apis.message.MessageView;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

class RocketMqGrpcIdsTest {

  private static MessageView keyed(String... keys) {
    return Views.message(List.of(keys), Map.of(), "body");
  }

  @Test
  void the_standard_id_is_the_single_key_within_its_topic() {
    assertThat(RocketMqGrpcIds.standard().idOf(keyed("17"))).contains(Bytes.utf8("orders/17"));
  }

  @Test
  void the_standard_id_and_the_fingerprint_contain_the_tag() {
    MessageView plain = keyed("17");
    MessageView paid = Views.tagged("PAID", List.of("17"), Map.of("kind", "express"));
    MessageView odd = Views.tagged("a/%", List.of("17"), Map.of());

    assertThat(RocketMqGrpcIds.standard().idOf(paid)).contains(Bytes.utf8("orders:PAID/17"));
    assertThat(RocketMqGrpcIds.standard().idOf(odd)).contains(Bytes.utf8("orders:a%2F%25/17"));
    Fingerprint body = Fingerprint.of(new byte[] {'b', 'o', 'd', 'y'});
    assertThat(RocketMqGrpcFingerprints.body().apply(plain)).isEqualTo(body);
    assertThat(RocketMqGrpcFingerprints.body().apply(paid))
        .isEqualTo(body.and("TAGS", new byte[] {'P', 'A', 'I', 'D'}));
    assertThat(RocketMqGrpcFingerprints.body("kind").apply(paid))
        .isNotEqualTo(RocketMqGrpcFingerprints.body().apply(paid));
  }

  /** A proxy parts keys at each space, {@code rocketmq-adapter} strips what it is given first. */
  @Test
  void blanks_around_a_key_are_no_part_of_it_as_in_the_other_adapter() {
    for (MessageView message : List.of(keyed("", "17"), keyed("\t17"), keyed("17\n"))) {
      assertThat(RocketMqGrpcIds.key().idOf(message)).contains(Bytes.utf8("17"));
    }
    for (MessageView message : List.of(keyed(""), keyed("\t"), keyed("", "17", "", "18"))) {
      assertThat(RocketMqGrpcIds.key().idOf(message)).isEmpty();
    }
  }

  @Test
  void a_message_with_several_keys_or_none_is_known_by_its_message_id() {
    for (MessageView message : List.of(keyed(), keyed("17", "18"))) {
      assertThat(RocketMqGrpcIds.key().idOf(message)).isEmpty();
      assertThat(RocketMqGrpcIds.standard().idOf(message))
          .contains(Bytes.utf8("orders/" + message.getMessageId()));
    }
  }

  @Test
  void a_property_is_an_id_unless_it_is_missing_or_empty() {
    MessageView message = Views.message(List.of(), Map.of("order", "17", "empty", ""), "body");

    assertThat(RocketMqGrpcIds.property("order").idOf(message)).contains(Bytes.utf8("17"));
    assertThat(RocketMqGrpcIds.property("empty").idOf(message)).isEmpty();
    assertThat(RocketMqGrpcIds.property("missing").idOf(message)).isEmpty();
  }

  @Test
  void an_id_may_be_the_first_of_several_a_function_too_or_composed_of_them() {
    IdExtractor<MessageView> attempt =
        message -> Optional.of(Bytes.utf8("attempt " + message.getDeliveryAttempt()));
    IdExtractor<MessageView> either =
        IdExtractor.firstOf(List.of(RocketMqGrpcIds.property("order"), attempt));
    IdExtractor<MessageView> both =
        IdExtractor.composed(List.of(RocketMqGrpcIds.property("tenant"), RocketMqGrpcIds.key()));

    assertThat(either.idOf(Views.message(List.of(), Map.of("order", "17"), "body")))
        .contains(Bytes.utf8("17"));
    assertThat(either.idOf(keyed("17"))).contains(Bytes.utf8("attempt 1"));
    assertThat(both.idOf(Views.message(List.of("17"), Map.of("tenant", "acme"), "body")))
        .contains(Bytes.utf8("acme/17"));
    assertThat(both.idOf(keyed("17"))).isEmpty();
  }

  @Test
  @ResourceLock(Resources.SYSTEM_ERR)
  void a_message_id_used_as_business_id_is_warned_of_once_for_each_topic() throws Exception {
    String topic = "warned-of";
    IdExtractor<MessageView> standard = RocketMqGrpcIds.standard();

    String keyed = Log.of(() -> standard.idOf(Views.message(topic, List.of("17"))));
    String log = Log.of(() -> {
      standard.idOf(Views.message(topic, List.of()));
      standard.idOf(Views.message(topic, List.of()));
      RocketMqGrpcIds.messageId().idOf(Views.message(topic, List.of()));
    });

    assertThat(keyed).doesNotContain(topic);
    assertThat(log)
        .containsOnlyOnce("The id of messages of topic " + topic + " is RocketMQ's message id")
        .contains("two ids and runs twice. Let the producer set a key or a property");
  }

  @Test
  void a_text_that_is_no_unicode_is_no_id() {
    assertThat(RocketMqGrpcIds.key().idOf(keyed("\ud800"))).isEmpty();
  }

  @Test
  void an_id_may_lie_inside_the_json_of_the_body() {
    MessageView message = Views.message(List.of(), Map.of(), "{\"order\":{\"id\":17}}");

    assertThat(RocketMqGrpcIds.jsonPointer("/order/id").idOf(message)).contains(Bytes.utf8("17"));
    assertThat(RocketMqGrpcIds.jsonPointer("/order/id").idOf(keyed("17"))).isEmpty();
  }
}
