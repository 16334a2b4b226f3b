package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.IdExtractor;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

class RocketMqIdsTest {

  private static MessageExt message(String topic) {
    MessageExt message = new MessageExt();
    message.setTopic(topic);
    return message;
  }

  private static MessageExt with(MessageExt message, String property, String value) {
    MessageAccessor.putProperty(message, property, value);
    return message;
  }

  private static Optional<String> id(IdExtractor<MessageExt> extractor, MessageExt message) {
    return extractor.idOf(message).map(Bytes::toString);
  }

  @Test
  void the_key_counts_if_it_is_one_and_the_unique_key_where_it_is_not() {
    MessageExt one = with(message("orders"), MessageConst.PROPERTY_KEYS, "17");
    MessageExt two = with(message("orders"), MessageConst.PROPERTY_KEYS, "17 18");
    with(one, MessageConst.PROPERTY_UNIQ_CLIENT_MESSAGE_ID_KEYIDX, "AC1F");
    with(two, MessageConst.PROPERTY_UNIQ_CLIENT_MESSAGE_ID_KEYIDX, "AC1F");

    assertThat(id(RocketMqIds.standard(), one)).contains("orders/17");
    assertThat(id(RocketMqIds.standard(), two)).contains("orders/AC1F");
    assertThat(id(RocketMqIds.key(), two)).isEmpty();
    assertThat(id(RocketMqIds.standard(), message("orders"))).isEmpty();
  }

  @Test
  @ResourceLock(Resources.SYSTEM_ERR)
  void ids_by_the_unique_key_are_warned_of_once_for_each_topic() throws Exception {
    String log = Log.of(() -> {
      for (String topic : List.of("nameless-1", "nameless-1", "nameless-2")) {
        MessageExt message = message(topic);
        with(message, MessageConst.PROPERTY_UNIQ_CLIENT_MESSAGE_ID_KEYIDX, "AC1F");
        assertThat(id(RocketMqIds.standard(), message)).contains(topic + "/AC1F");
      }
    });

    assertThat(log)
        .containsOnlyOnce("The id of messages of topic nameless-1 is UNIQ_KEY")
        .containsOnlyOnce("The id of messages of topic nameless-2 is UNIQ_KEY")
        .contains("two ids and runs twice. Let the producer set a key or a property");
  }

  @Test
  void the_standard_id_contains_the_tag_and_parts_cannot_flow_into_each_other() {
    MessageExt paid = with(message("orders"), MessageConst.PROPERTY_KEYS, "17");
    paid.setTags("PAID");
    MessageExt odd = with(message("orders"), MessageConst.PROPERTY_KEYS, "b/17");
    odd.setTags("a/%");

    assertThat(id(RocketMqIds.standard(), paid)).contains("orders:PAID/17");
    assertThat(id(RocketMqIds.standard(), odd)).contains("orders:a%2F%25/b/17");
    assertThat(id(RocketMqIds.withinTopic(RocketMqIds.key()), paid)).contains("orders/17");
  }

  @Test
  void the_fingerprint_has_body_and_tag_and_properties_by_name_only() {
    MessageExt plain = withBody("order 17");
    MessageExt paid = with(withBody("order 17"), "traceparent", "00-1");
    paid.setTags("PAID");
    MessageExt again = with(withBody("order 17"), "traceparent", "00-2");
    again.setTags("PAID");
    MessageExt express = with(with(withBody("order 17"), "kind", "express"), "traceparent", "00-3");
    express.setTags("PAID");

    var standard = RocketMqFingerprints.body();
    assertThat(standard.apply(plain))
        .isEqualTo(Fingerprint.of("order 17".getBytes(StandardCharsets.UTF_8)))
        .isNotEqualTo(standard.apply(paid));
    assertThat(standard.apply(paid))
        .isEqualTo(standard.apply(again))
        .isEqualTo(standard.apply(express));
    var withKind = RocketMqFingerprints.body("kind");
    assertThat(withKind.apply(express)).isNotEqualTo(withKind.apply(paid));
    assertThat(withKind.apply(paid)).isEqualTo(withKind.apply(again));
  }

  @Test
  void a_text_that_was_decoded_from_invalid_bytes_is_no_id() {
    MessageExt message = with(message("orders"), MessageConst.PROPERTY_KEYS, "17\ufffd");
    with(message, "order-id", "\ufffd");

    assertThat(id(RocketMqIds.key(), message)).isEmpty();
    assertThat(id(RocketMqIds.property("order-id"), message)).isEmpty();
  }

  @Test
  void a_message_from_a_retry_topic_has_the_id_that_it_had_in_its_own() {
    MessageExt fresh = with(message("orders"), MessageConst.PROPERTY_KEYS, "17");
    MessageExt retried = with(message("%RETRY%group"), MessageConst.PROPERTY_KEYS, "17");
    with(retried, MessageConst.PROPERTY_RETRY_TOPIC, "orders");

    assertThat(id(RocketMqIds.standard(), retried)).isEqualTo(id(RocketMqIds.standard(), fresh));
  }

  @Test
  void a_dead_letter_in_the_groups_own_topic_has_the_id_of_its_message() {
    MessageExt fresh = with(message("orders"), MessageConst.PROPERTY_KEYS, "17");
    MessageExt ofHapax = with(message("%DLQ%group"), MessageConst.PROPERTY_KEYS, "17");
    with(ofHapax, "hapax-topic", "orders");
    MessageExt ofTheBroker = with(message("%DLQ%group"), MessageConst.PROPERTY_KEYS, "17");
    with(ofTheBroker, MessageConst.PROPERTY_RETRY_TOPIC, "orders");
    MessageExt nameless = with(message("%DLQ%group"), "hapax-topic", "orders");
    with(nameless, MessageConst.PROPERTY_UNIQ_CLIENT_MESSAGE_ID_KEYIDX, "AC20");
    with(nameless, "hapax-unique-key", "AC1F");

    assertThat(id(RocketMqIds.standard(), fresh))
        .isEqualTo(id(RocketMqIds.standard(), ofHapax))
        .isEqualTo(id(RocketMqIds.standard(), ofTheBroker))
        .contains("orders/17");
    assertThat(id(RocketMqIds.standard(), nameless)).contains("orders/AC1F");
    assertThat(RocketMqIds.realTopic(ofHapax)).isEqualTo("%DLQ%group");
  }

  @Test
  void a_message_elsewhere_cannot_choose_its_topic() {
    MessageExt message = with(message("orders"), MessageConst.PROPERTY_KEYS, "17");
    with(with(message, "hapax-topic", "invoices"), "hapax-unique-key", "AC1F");
    with(message, MessageConst.PROPERTY_UNIQ_CLIENT_MESSAGE_ID_KEYIDX, "AC20");

    assertThat(id(RocketMqIds.standard(), message)).contains("orders/17");
    assertThat(id(RocketMqIds.uniqueKey(), message)).contains("AC20");
  }

  @Test
  void a_forwarded_message_differs_although_its_unique_key_is_the_same() {
    MessageExt message = message("orders");
    with(message, MessageConst.PROPERTY_UNIQ_CLIENT_MESSAGE_ID_KEYIDX, "AC1F");
    with(message, MessageConst.PROPERTY_RETRY_TOPIC, "orders"); // it had been sent back there
    assertThat(id(RocketMqIds.standard(), message)).contains("orders/AC1F");

    message.setTopic("invoices");

    assertThat(id(RocketMqIds.standard(), message)).contains("invoices/AC1F");
    assertThat(id(RocketMqIds.uniqueKey(), message)).contains("AC1F"); // by itself it is the same
  }

  @Test
  void what_the_broker_calls_the_id_of_a_message_plays_no_part() {
    MessageExt message = with(message("orders"), MessageConst.PROPERTY_ORIGIN_MESSAGE_ID, "7F00");
    message.setMsgId("7F0000010000");

    assertThat(RocketMqIds.standard().idOf(message)).isEmpty();
  }

  @Test
  void an_id_inside_a_json_body_is_found_and_no_other_body_has_one() {
    IdExtractor<MessageExt> orderId = RocketMqIds.jsonPointer("/order/id");

    assertThat(id(orderId, withBody("{\"order\":{\"id\":\"A-1\"}}"))).contains("A-1");
    assertThat(id(orderId, withBody("{\"order\":{\"id\":17}}"))).contains("17");
    assertThat(id(orderId, withBody("{\"order\":{}}"))).isEmpty();
    assertThat(id(orderId, withBody("A-1"))).isEmpty();
    assertThat(id(orderId, message("t"))).isEmpty();
  }

  private static MessageExt withBody(String json) {
    MessageExt message = message("orders");
    message.setBody(json.getBytes(StandardCharsets.UTF_8));
    return message;
  }
}
