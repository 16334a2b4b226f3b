package io.hapax.spring.listener;

import io.hapax.IdExtractor;
import io.hapax.json.JsonPointerId;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.MapAccessor;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.DataBindingPropertyAccessor;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/** Makes functions of the expressions for ids and fingerprints. */
public final class MessageExpressions<M> {

  private static final Fingerprint NO_VALUE =
      Fingerprint.of("io.hapax.spring: no value".getBytes(StandardCharsets.UTF_8));

  private static final Pattern FIELDS_OF_PAYLOAD = Pattern.compile("payload(\\.\\w+)+");

  /** The property of RocketMQ's tag. Its own fingerprints use this name, too. */
  private static final String TAG = "TAGS";

  private static final String AND_HEADER = ",header:";

  /** Reads properties and calls methods of the message; thread-safe. */
  private static final EvaluationContext READING = SimpleEvaluationContext.forPropertyAccessors(
          new MapAccessor(), DataBindingPropertyAccessor.forReadOnlyAccess())
      .withTypeConverter(StableValues.converter())
      .withInstanceMethods()
      .build();

  private final MessageFields<M> fields;
  private final BeanFactory beans;

  public MessageExpressions(MessageFields<M> fields, BeanFactory beans) {
    this.fields = fields;
    this.beans = beans;
  }

  /** An id identifies a message within its topic. A malformed expression is refused. */
  public IdExtractor<M> id(ListenerDefinition settings) {
    return IdExtractor.within(fields::topic, extractor(settings, settings.id()));
  }

  private IdExtractor<M> extractor(ListenerDefinition settings, String text) {
    String header = text.startsWith("header:") ? text.substring("header:".length()) : "";
    if (isHeader(header)) {
      return message -> fields.header(message, header);
    } else if (text.equals("key")) {
      return fields::key;
    } else if (text.startsWith("json:")) {
      JsonPointerId pointer = pointer(settings, text.substring("json:".length()));
      return message -> fields.value(message).flatMap(pointer::in);
    } else if (text.equals("cloudevents")) {
      return cloudEvents();
    } else if (text.startsWith("bean:")) {
      return bean(settings, text);
    }
    Expression expression = expression(settings, "id", text);
    return message -> IdExtractor.ofValue(value(expression, message));
  }

  private IdExtractor<M> cloudEvents() {
    JsonPointerId source = JsonPointerId.of("/source");
    JsonPointerId id = JsonPointerId.of("/id");
    IdExtractor<M> binary = IdExtractor.composed(List.of(
        message -> fields.header(message, "ce_source"),
        message -> fields.header(message, "ce_id")));
    IdExtractor<M> structured = IdExtractor.composed(List.of(
        message -> fields.value(message).flatMap(source::in),
        message -> fields.value(message).flatMap(id::in)));
    return message -> (isStructuredEvent(message) ? structured : binary).idOf(message);
  }

  /** Reads the content type, which is a property of its own name on RocketMQ. */
  private boolean isStructuredEvent(M message) {
    return fields
        .header(message, "content-type")
        .or(() -> fields.header(message, "ce_contenttype"))
        .map(type -> new String(type.toByteArray(), StandardCharsets.UTF_8))
        .filter(type ->
            type.strip().toLowerCase(Locale.ROOT).startsWith("application/cloudevents+json"))
        .isPresent();
  }

  @SuppressWarnings("unchecked") // what the bean reads is not known at run time
  private IdExtractor<M> bean(ListenerDefinition settings, String text) {
    return (IdExtractor<M>) bean(settings, "id", text, IdExtractor.class);
  }

  @SuppressWarnings("unchecked") // what the bean reads is not known at run time
  public Function<M, Fingerprint> fingerprint(ListenerDefinition settings) {
    String text = settings.fingerprint();
    String[] parts = text.split(AND_HEADER, -1);
    if (text.equals("none")) {
      return message -> Fingerprint.NONE;
    } else if (parts[0].equals("value")
        && Arrays.stream(parts).allMatch(MessageExpressions::isHeader)) {
      return message -> ofValue(message, Arrays.asList(parts).subList(1, parts.length));
    } else if (text.startsWith("bean:")) {
      return (Function<M, Fingerprint>) bean(settings, "fingerprint", text, Function.class);
    }
    Expression expression = expression(settings, "fingerprint", text);
    return message -> {
      Object value = value(expression, message);
      return value == null ? NO_VALUE : StableValues.fingerprint(value);
    };
  }

  /** Blanks around a name are a slip: no message would have that header. */
  private static boolean isHeader(String name) {
    return !name.isEmpty() && name.equals(name.strip()) && !name.contains(",");
  }

  private Fingerprint ofValue(M message, List<String> headers) {
    Fingerprint fingerprint = fields.value(message).map(Fingerprint::of).orElse(NO_VALUE);
    Optional<Bytes> tag = fields.tag(message);
    if (tag.isPresent()) {
      fingerprint = fingerprint.and(TAG, tag.get().toByteArray());
    }
    for (String name : headers) {
      Optional<Bytes> header = fields.header(message, name);
      if (header.isPresent()) {
        fingerprint = fingerprint.and(name, header.get().toByteArray());
      }
    }
    return fingerprint;
  }

  private @Nullable Object value(Expression expression, M message) {
    MessageFields.Root root = fields.root(message);
    try {
      return expression.getValue(READING, root);
    } catch (EvaluationException e) {
      String text = expression.getExpressionString();
      Object payload = root.payload();
      if (text.contains("payload")
          && (payload instanceof CharSequence || payload instanceof byte[])) {
        throw new IllegalArgumentException(withoutFields(text, payload), e);
      }
      throw e;
    }
  }

  /** Explains why a payload has no fields: the listener's converter reads it only later. */
  private static String withoutFields(String expression, Object payload) {
    String pointer = FIELDS_OF_PAYLOAD.matcher(expression).matches()
        ? expression.substring("payload".length()).replace('.', '/')
        : "/POINTER";
    return "the payload is a " + payload.getClass().getTypeName() + " without the fields of "
        + expression + ": read the id with json:" + pointer
        + ", or set a deserializer that makes an object of the value";
  }

  private static Expression expression(ListenerDefinition settings, String attribute, String text) {
    if (!text.startsWith("#{") || !text.endsWith("}")) {
      throw new RefusedListenerException(
          settings.listener(),
          attribute + " is '" + text + "'",
          "That is no known expression.",
          "Use header:NAME, key, json:/POINTER, cloudevents, bean:NAME or #{EXPRESSION};"
              + " for a fingerprint value, value,header:NAME, none, bean:NAME or #{EXPRESSION}.");
    }
    try {
      return new SpelExpressionParser().parseExpression(text.substring(2, text.length() - 1));
    } catch (ParseException e) {
      throw new RefusedListenerException(
          settings.listener(),
          attribute + " is '" + text + "'",
          "The expression is malformed: " + e.getMessage() + ".",
          "Correct the expression; it may use payload, key, headers and topic.");
    }
  }

  private static JsonPointerId pointer(ListenerDefinition settings, String text) {
    try {
      return JsonPointerId.of(text);
    } catch (IllegalArgumentException e) {
      throw new RefusedListenerException(
          settings.listener(),
          "id is 'json:" + text + "'",
          "The pointer is malformed: " + e.getMessage() + ".",
          "Use an RFC 6901 pointer, for example json:/order/id.");
    }
  }

  private <T> T bean(ListenerDefinition settings, String attribute, String text, Class<T> type) {
    String name = text.substring("bean:".length());
    if (!beans.containsBean(name) || !beans.isTypeMatch(name, type)) {
      throw new RefusedListenerException(
          settings.listener(),
          attribute + " is '" + text + "'",
          "There is no bean of that name and of type " + type.getName() + ".",
          "Declare the bean, or correct its name.");
    }
    return beans.getBean(name, type);
  }
}
