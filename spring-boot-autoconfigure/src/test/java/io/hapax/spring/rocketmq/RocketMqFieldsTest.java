package io.hapax.spring.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.IdExtractor;
import io.hapax.mark.Bytes;
import io.hapax.spring.HapaxProperties.Consumer;
import io.hapax.spring.Idempotent;
import io.hapax.spring.Text;
import io.hapax.spring.listener.MessageExpressions;
import io.hapax.spring.listener.MessageFields.Root;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.spring.core.RocketMQListener;
import org.apache.rocketmq.spring.support.DefaultRocketMQListenerContainer;
import org.apache.rocketmq.spring.support.RocketMQMessageConverter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.StaticListableBeanFactory;

/** The annotation of a listener, and what expressions read in a message by its type. */
class RocketMqFieldsTest {

  private static RocketMqFields fields(RocketMQListener<?> listener) {
    DefaultRocketMQListenerContainer container = new DefaultRocketMQListenerContainer();
    container.setRocketMQListener(listener);
    container.setMessageConverter(new RocketMQMessageConverter().getMessageConverter());
    return new RocketMqFields(
        new Payloads(container, ListenerBean.of(container).orElseThrow())::of);
  }

  private static MessageExt message(String body) {
    MessageExt message = new MessageExt();
    message.setTopic("orders");
    message.setKeys("17");
    message.setBody(body.getBytes(StandardCharsets.UTF_8));
    message.putUserProperty("CE_id", "event-1");
    message.putUserProperty("tenant", "north");
    return message;
  }

  @Idempotent
  static class Texts implements RocketMQListener<String> {
    @Override
    public void onMessage(String message) {}
  }

  @Idempotent
  static class Messages implements RocketMQListener<MessageExt> {
    @Override
    public void onMessage(MessageExt message) {}
  }

  record Item(String id) {}

  @Idempotent
  static class Lists implements RocketMQListener<List<Item>> {
    @Override
    public void onMessage(List<Item> message) {}
  }

  @Test
  void a_dead_letter_of_the_group_has_the_topic_of_its_message() {
    MessageExt message = message("a");
    message.setTopic("%DLQ%billing");
    MessageAccessor.putProperty(message, "hapax-topic", "orders");

    assertThat(fields(new Texts()).topic(message)).isEqualTo("orders");
  }

  @Test
  void attributes_of_cloud_events_have_their_prefix_of_rocketmq() {
    assertThat(fields(new Texts()).header(message("a"), "ce_id")).contains(Bytes.utf8("event-1"));
    assertThat(fields(new Texts()).header(message("a"), "ce_source")).isEmpty();
  }

  @Test
  void a_cloud_event_has_one_id_in_both_modes() {
    MessageExt structured = message("{\"source\":\"/shop/1\",\"id\":\"event-1\"}");
    structured.putUserProperty("CE_contenttype", "application/cloudevents+json");
    MessageExt binary = message("in binary mode");
    binary.putUserProperty("CE_contenttype", "text/plain");
    binary.putUserProperty("CE_source", "/shop/1");
    IdExtractor<MessageExt> ids = new MessageExpressions<>(
            fields(new Texts()), new StaticListableBeanFactory())
        .id(Text.settings("history", "cloudevents", "none", Optional.empty(), Consumer.DEFAULT));

    assertThat(ids.idOf(structured)).isPresent().isEqualTo(ids.idOf(binary));
  }

  @Test
  void several_keys_are_no_key() {
    MessageExt message = message("a");
    message.setKeys("17 18");

    assertThat(fields(new Texts()).key(message)).isEmpty();
    assertThat(fields(new Texts()).key(message("a"))).contains(Bytes.utf8("17"));
  }

  @Test
  void an_expression_sees_key_properties_and_topic() {
    Root root = fields(new Texts()).root(message("a"));

    assertThat(root.payload()).isEqualTo("a");
    assertThat(root.key()).isEqualTo("17");
    assertThat(root.topic()).isEqualTo("orders");
    assertThat(root.headers()).containsEntry("tenant", "north");
  }

  @Test
  void a_listener_of_messages_sees_the_message_as_payload() {
    MessageExt message = message("a");

    assertThat(fields(new Messages()).root(message).payload()).isSameAs(message);
  }

  @Test
  void a_generic_payload_is_converted_with_its_type_arguments() {
    assertThat(fields(new Lists()).root(message("[{\"id\":\"1\"}]")).payload())
        .isEqualTo(List.of(new Item("1")));
  }

  @Idempotent(id = "key")
  static class Plain implements RocketMQListener<String> {
    @Override
    public void onMessage(String message) {}
  }

  static class Inherited extends Plain {}

  @Idempotent(id = "json:/id")
  @Retention(RetentionPolicy.RUNTIME)
  @interface OurListener {}

  @OurListener
  static class Composed implements RocketMQListener<String> {
    @Override
    public void onMessage(String message) {}
  }

  private static DefaultRocketMQListenerContainer container(RocketMQListener<?> listener) {
    DefaultRocketMQListenerContainer container = new DefaultRocketMQListenerContainer();
    container.setRocketMQListener(listener);
    return container;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_proxy_shows_the_annotation_of_its_class(boolean ofClass) {
    ProxyFactory proxies = new ProxyFactory(new Plain());
    proxies.setProxyTargetClass(ofClass);

    assertThat(ListenerBean.of(container((RocketMQListener<?>) proxies.getProxy())))
        .get()
        .matches(it -> it.type() == Plain.class)
        .matches(it -> it.annotation().id().equals("key"));
  }

  @Test
  void a_class_shows_the_annotation_of_its_superclass() {
    assertThat(ListenerBean.of(container(new Inherited()))).isPresent();
  }

  @Test
  void an_annotation_of_the_application_carries_ours() {
    assertThat(ListenerBean.of(container(new Composed())))
        .get()
        .matches(it -> it.annotation().id().equals("json:/id"));
  }

  @Test
  void a_lambda_is_not_touched() {
    RocketMQListener<String> listener = message -> {};

    assertThat(ListenerBean.of(container(listener))).isEmpty();
  }
}
