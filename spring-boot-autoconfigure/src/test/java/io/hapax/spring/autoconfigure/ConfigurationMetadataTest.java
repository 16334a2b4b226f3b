package io.hapax.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ConfigurationMetadataTest {

  @Test
  void every_property_has_a_description() throws IOException {
    Map<String, String> descriptions = new TreeMap<>();
    for (JsonNode property : metadata().get("properties")) {
      descriptions.put(
          property.get("name").asText(), property.path("description").asText(""));
    }

    assertThat(descriptions)
        .containsKeys(
            "hapax.store",
            "hapax.retention",
            "hapax.dead-letters",
            "hapax.jdbc.table",
            "hapax.redis.compact-marks",
            "hapax.consumers",
            "hapax.management.writes")
        .allSatisfy((name, description) -> {
          assertThat(description).as(name).isNotBlank();
        });
  }

  private static JsonNode metadata() throws IOException {
    try (InputStream file = ConfigurationMetadataTest.class.getResourceAsStream(
        "/META-INF/spring-configuration-metadata.json")) {
      assertThat(file).as("what spring-boot-configuration-processor wrote").isNotNull();
      return new ObjectMapper().readTree(file);
    }
  }
}
