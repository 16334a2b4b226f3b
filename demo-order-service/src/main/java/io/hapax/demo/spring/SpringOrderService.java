package io.hapax.demo.spring;

import io.hapax.ReceiverListener;
import io.hapax.demo.BrokerKind;
import io.hapax.demo.OrderChannel;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.support.TransactionTemplate;

/** The order service as an application of Spring Boot, with one annotated listener. */
@EnableAutoConfiguration
public class SpringOrderService {

  public static ConfigurableApplicationContext start(
      BrokerKind broker,
      String address,
      boolean orderly,
      SpringParts parts,
      Map<String, Object> more,
      Class<?> beans) {
    Map<String, Object> properties = new HashMap<>(more);
    properties.put("spring.main.banner-mode", "off");
    properties.put("logging.config", "classpath:logback.xml");
    properties.put("hapax.mode", parts.mode().name());
    Class<?> listener;
    if (broker == BrokerKind.KAFKA) {
      listener = SpringKafkaListener.class;
      properties.put("spring.kafka.bootstrap-servers", address);
      properties.put("hapax.dead-letters", OrderChannel.DEAD_TOPIC);
    } else {
      listener =
          orderly ? SpringRocketMqListener.Orderly.class : SpringRocketMqListener.Concurrent.class;
      properties.put("rocketmq.name-server", address);
    }
    return new SpringApplicationBuilder(SpringOrderService.class, listener, beans)
        .web(WebApplicationType.NONE)
        .registerShutdownHook(false)
        .initializers(context -> context.getBeanFactory().registerSingleton("parts", parts))
        .properties(properties)
        .run();
  }

  /** Stays open, because another application may start. */
  @Bean(destroyMethod = "")
  DataSource database(SpringParts parts) {
    return parts.database();
  }

  @Bean
  ReceiverListener outcomes(SpringParts parts) {
    return parts.listener();
  }

  @Bean
  SpringOrders orders(SpringParts parts, TransactionTemplate transactions) {
    return new SpringOrders(parts, transactions);
  }
}
