package io.hapax.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Checks that the image of the order service gets the jar that Maven builds. */
class ImageTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** The jar, relative to the root of the repository. */
  private static final Path JAR =
      ROOT.relativize(Path.of(System.getProperty("order-service.jar")).toAbsolutePath());

  @Test
  void the_image_copies_the_jar_of_the_build() throws IOException {
    assertThat(jars("Dockerfile", "(?m)^COPY (\\S+\\.jar) "))
        .singleElement()
        .satisfies(ImageTest::assertMatchesJar);
  }

  @Test
  void the_jar_of_the_build_is_sent_to_the_builder_of_images() throws IOException {
    assertThat(jars(".dockerignore", "(?m)^!(\\S+\\.jar)$"))
        .singleElement()
        .satisfies(ImageTest::assertMatchesJar);
  }

  private static List<String> jars(String file, String rule) throws IOException {
    return Pattern.compile(rule)
        .matcher(Files.readString(ROOT.resolve(file)))
        .results()
        .map(match -> match.group(1))
        .toList();
  }

  private static void assertMatchesJar(String glob) {
    assertThat(FileSystems.getDefault().getPathMatcher("glob:" + glob).matches(JAR))
        .as(glob + " matches " + JAR)
        .isTrue();
  }
}
