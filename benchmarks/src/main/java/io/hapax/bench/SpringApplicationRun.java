package io.hapax.bench;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** An application with the listener of one subject. */
@EnableAutoConfiguration
class SpringApplicationRun {

  /** Starts the application; its group reads the topic from its beginning. */
  static ConfigurableApplicationContext start(
      SpringServers servers, SpringSubject subject, String group, int concurrency) {
    Map<String, Object> properties = new HashMap<>(servers.properties());
    properties.put("bench.topic", SpringServers.TOPIC);
    properties.put("bench.group", group);
    properties.put("spring.kafka.consumer.auto-offset-reset", "earliest");
    properties.put("spring.kafka.listener.concurrency", concurrency);
    properties.put("spring.main.banner-mode", "off");
    properties.put("logging.level.root", "warn");
    properties.put("logging.config", "classpath:logback.xml");
    properties.put("hapax.store", subject == SpringSubject.TRANSACTIONAL ? "jdbc" : "redis");
    properties.put("hapax.jdbc.create-if-absent", true);
    properties.put("spring.application.name", subject.name().toLowerCase(Locale.ROOT));
    return new SpringApplicationBuilder(SpringApplicationRun.class, subject.listener())
        .web(WebApplicationType.NONE)
        .registerShutdownHook(false)
        .properties(properties)
        .run();
  }
}
