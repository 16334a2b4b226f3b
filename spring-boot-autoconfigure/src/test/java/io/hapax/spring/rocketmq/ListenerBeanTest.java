package io.hapax.spring.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.spring.Idempotent;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.apache.rocketmq.spring.core.RocketMQListener;
import org.apache.rocketmq.spring.support.DefaultRocketMQListenerContainer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;

/** Where the annotation of a listener is found. */
class ListenerBeanTest {

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
