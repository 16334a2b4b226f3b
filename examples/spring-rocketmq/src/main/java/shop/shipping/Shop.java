package shop.shipping;

import io.hapax.servers.LocalRedis;
import io.hapax.servers.LocalRocketMq;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** A broker and a Redis for one run, and the application that uses them. */
final class Shop implements AutoCloseable {

  private final LocalRocketMq rocketMq = LocalRocketMq.start();
  private final LocalRedis redis = LocalRedis.start();
  private final ConfigurableApplicationContext application;

  Shop() {
    rocketMq.createTopic("orders", 4);
    application =
        new SpringApplicationBuilder(ShippingApplication.class)
            .run(
                "--rocketmq.name-server=" + rocketMq.nameServer(),
                "--spring.data.redis.url=" + redis.uri());
  }

  <T> T bean(Class<T> type) {
    return application.getBean(type);
  }

  @Override
  public void close() {
    application.close();
    redis.close();
    rocketMq.close();
  }
}
