package io.hapax.spring.autoconfigure;

import io.hapax.spring.HapaxProperties;
import io.hapax.spring.listener.Receivers;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/** Warns at the start about properties of consumers that no listener has. */
final class UnusedConsumers implements ApplicationListener<ContextRefreshedEvent> {

  private static final Logger LOG = LoggerFactory.getLogger(UnusedConsumers.class);

  private final HapaxProperties properties;
  private final Receivers receivers;

  UnusedConsumers(HapaxProperties properties, Receivers receivers) {
    this.properties = properties;
    this.receivers = receivers;
  }

  @Override
  public void onApplicationEvent(ContextRefreshedEvent event) {
    List<String> used = receivers.all().stream()
        .map(each -> each.settings().consumer())
        .distinct()
        .toList();
    properties.consumers().keySet().stream()
        .filter(name -> !used.contains(name))
        .sorted()
        .forEach(name -> LOG.warn(
            "hapax.consumers.{} has no effect: no listener has that consumer; there are {}",
            name,
            used));
  }
}
