package io.hapax.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hapax.spring.HapaxProperties;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;

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
            "hapax.management.readiness")
        .allSatisfy((name, description) -> {
          assertThat(description).as(name).isNotBlank();
        });
  }

  @Test
  void every_property_is_in_the_reference() throws IOException {
    String reference = Files.readString(Path.of("..", "docs", "configuration.md"));

    for (JsonNode property : metadata().get("properties")) {
      String name = property.get("name").asText();
      if (name.startsWith("hapax.")) {
        assertThat(reference)
            .contains("`" + name + (name.equals("hapax.consumers") ? ".NAME.`" : "`"));
      }
    }
    for (RecordComponent setting : HapaxProperties.Consumer.class.getRecordComponents()) {
      assertThat(reference)
          .contains("`" + DataObjectPropertyName.toDashedForm(setting.getName()) + "`");
    }
  }

  private static JsonNode metadata() throws IOException {
    try (InputStream file = ConfigurationMetadataTest.class.getResourceAsStream(
        "/META-INF/spring-configuration-metadata.json")) {
      assertThat(file).as("what spring-boot-configuration-processor wrote").isNotNull();
      return new ObjectMapper().readTree(file);
    }
  }
}
