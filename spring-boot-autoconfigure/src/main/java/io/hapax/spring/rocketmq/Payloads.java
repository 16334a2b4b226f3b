package io.hapax.spring.rocketmq;

import java.lang.reflect.Method;
import java.nio.charset.Charset;
import java.util.Objects;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.spring.support.DefaultRocketMQListenerContainer;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.messaging.Message;
import org.springframework.messaging.converter.MessageConverter;
import org.springframework.messaging.converter.SmartMessageConverter;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.util.ClassUtils;

/** Converts bodies for expressions; the container converts them once more for the listener. */
final class Payloads {

  private final DefaultRocketMQListenerContainer container;
  private final ListenerBean listener;
  private final Charset charset;

  Payloads(DefaultRocketMQListenerContainer container, ListenerBean listener) {
    this.container = container;
    this.listener = listener;
    this.charset = Charset.forName(container.getCharset());
  }

  Object of(MessageExt message) {
    ResolvableType type = listener.payload();
    Class<?> raw = type.resolve(Object.class);
    if (raw != Object.class && raw.isAssignableFrom(MessageExt.class)) {
      return message;
    }
    String text = new String(message.getBody(), charset);
    return raw == String.class ? text : converted(text, type, raw);
  }

  private Object converted(String text, ResolvableType type, Class<?> raw) {
    Message<String> body = MessageBuilder.withPayload(text).build();
    MessageConverter converter = container.getMessageConverter();
    Object payload = type.hasGenerics() && converter instanceof SmartMessageConverter smart
        ? smart.fromMessage(body, raw, parameter(raw))
        : converter.fromMessage(body, raw);
    return Objects.requireNonNull(payload, () -> "no converter makes a " + type + " of the body");
  }

  private MethodParameter parameter(Class<?> raw) {
    Method method = ClassUtils.getMethod(listener.type(), "onMessage", raw);
    return new MethodParameter(method, 0);
  }
}
