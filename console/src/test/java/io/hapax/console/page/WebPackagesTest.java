package io.hapax.console.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the web packages that the console serves. */
class WebPackagesTest {

  private static final String PLACE = "META-INF/resources/webjars/";

  @ParameterizedTest
  @CsvSource({
    "htmx.org, htmx 2.0, Zero-Clause BSD",
    "uplot, uPlot 1.6, Leon Sorokin",
    "picocss__pico, Pico CSS 2.1, 2019-2024 Pico"
  })
  void a_web_package_brings_its_licence_and_is_named_in_the_notice(
      String name, String notice, String holder) throws Exception {
    assertThat(licence(name)).contains(holder);
    assertThat(Files.readString(Path.of("../NOTICE"))).contains(notice, holder);
  }

  private static String licence(String name) throws Exception {
    URI folder = WebPackagesTest.class.getResource("/" + PLACE + name).toURI();
    String jar = folder.getRawSchemeSpecificPart().replaceFirst("!.*", "");
    try (JarFile file = new JarFile(Path.of(URI.create(jar)).toFile())) {
      List<String> texts = file.stream()
          .filter(it -> it.getName().startsWith(PLACE) && it.getName().contains("/LICENSE"))
          .map(it -> read(file, it.getName()))
          .toList();
      return String.join("", texts);
    }
  }

  private static String read(JarFile file, String entry) {
    try (InputStream bytes = file.getInputStream(file.getEntry(entry))) {
      return new String(bytes.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
