package io.hapax.spring.autoconfigure;

import io.hapax.spring.HapaxProperties;
import io.hapax.spring.HapaxProperties.Consumer;
import io.hapax.spring.listener.Receivers;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.env.Environment;

/** Warns at the start about properties of consumers that have no effect. */
record UnusedConsumers(HapaxProperties properties, Receivers receivers, Environment environment)
    implements ApplicationListener<ContextRefreshedEvent> {

  private static final Logger LOG = LoggerFactory.getLogger(UnusedConsumers.class);
  private static final ConfigurationPropertyName CONSUMERS =
      ConfigurationPropertyName.of("hapax.consumers");
  private static final Set<String> PROPERTIES = Stream.of(Consumer.class.getRecordComponents())
      .map(property -> DataObjectPropertyName.toDashedForm(property.getName()))
      .collect(Collectors.toUnmodifiableSet());

  @Override
  public void onApplicationEvent(ContextRefreshedEvent event) {
    List<String> used = receivers.consumers();
    properties.consumers().keySet().stream()
        .filter(name -> !used.contains(name))
        .sorted()
        .forEach(name -> LOG.warn(
            "hapax.consumers.{} has no effect: no listener has that consumer; there are {}."
                + " A name with other characters than a-z, 0-9 and - needs brackets,"
                + " hapax.consumers[NAME]",
            name,
            used));
    ConfigurationPropertySources.get(environment).forEach(source -> {
      if (source instanceof IterableConfigurationPropertySource iterable) {
        iterable.stream()
            .filter(CONSUMERS::isAncestorOf)
            .forEach(name -> brackets(name)
                .ifPresent(better -> LOG.warn(
                    "{} has no effect: a name with dots needs brackets, {}", name, better)));
      }
    });
  }

  /** Returns how a property has to be written whose consumer's name was taken for several parts. */
  private static Optional<String> brackets(ConfigurationPropertyName name) {
    int first = CONSUMERS.getNumberOfElements();
    int end = name.getNumberOfElements();
    for (int i = first + 1; i < end; i++) {
      String property = joined(name, i, end, "-"); // an environment variable has dots for dashes
      if (PROPERTIES.contains(property)) {
        return i == first + 1
            ? Optional.empty()
            : Optional.of(CONSUMERS + "[" + joined(name, first, i, ".") + "]." + property);
      }
    }
    return Optional.empty();
  }

  private static String joined(ConfigurationPropertyName name, int from, int to, String between) {
    return IntStream.range(from, to)
        .mapToObj(i -> name.getElement(i, Form.ORIGINAL))
        .collect(Collectors.joining(between));
  }
}
