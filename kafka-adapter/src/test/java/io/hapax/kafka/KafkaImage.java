package io.hapax.kafka;

import io.hapax.servers.LocalKafka;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * Starts brokers as containers of Kafka's official image. They have the settings of
 * {@link LocalKafka}, except for listeners and directory, as environment variables.
 */
final class KafkaImage {

  static final String PROPERTY = "servers.kafka.image";

  private KafkaImage() {}

  static KafkaServer start(Map<String, String> settings) {
    String image = image();
    requireEngine();
    KafkaContainer kafka = container(image, settings);
    try {
      kafka.start();
    } catch (RuntimeException e) {
      throw new IllegalStateException(
          "servers is 'containers': no container of " + PROPERTY + " '" + image
              + "' has started. If the image cannot be pulled, .ci/stand-in-images builds one",
          e);
    }
    return new KafkaServer(kafka.getBootstrapServers(), kafka::stop);
  }

  private static KafkaContainer container(String image, Map<String, String> settings) {
    KafkaContainer kafka =
        new KafkaContainer(DockerImageName.parse(image).asCompatibleSubstituteFor("apache/kafka"));
    variables(LocalKafka.defaults()).forEach(kafka.getEnvMap()::putIfAbsent); // keeps its listeners
    return kafka.withEnv(variables(settings));
  }

  /** Returns the image's environment variables for settings of a broker. */
  static Map<String, String> variables(Map<String, String> settings) {
    Map<String, String> variables = new TreeMap<>();
    settings.forEach((name, value) ->
        variables.put("KAFKA_" + name.toUpperCase(Locale.ROOT).replace('.', '_'), value));
    return variables;
  }

  private static String image() {
    String image = System.getProperty(PROPERTY, "");
    if (image.isEmpty()) {
      throw new IllegalStateException(
          PROPERTY + " is not set: it must name Kafka's image, as in 'apache/kafka:4.3.1'");
    }
    return image;
  }

  private static void requireEngine() {
    try {
      var unused = DockerClientFactory.instance().getActiveApiVersion();
    } catch (RuntimeException e) {
      throw new IllegalStateException(
          "servers is 'containers': it needs a Docker engine, and none answers. Start one, or"
              + " leave servers at 'local'",
          e);
    }
  }
}
