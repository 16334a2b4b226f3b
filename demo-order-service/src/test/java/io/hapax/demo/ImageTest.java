package io.hapax.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Checks that the image of the order service gets the jar that Maven builds. */
class ImageTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** The jar, relative to the root of the repository. */
  private static final Path JAR =
      ROOT.relativize(Path.of(System.getProperty("order-service.jar")).toAbsolutePath());

  @Test
  void the_jar_of_the_build_is_named_once() throws IOException {
    assertThat(Pattern.compile("(?m)^COPY --from=build /src/(\\S+\\.jar) ")
            .matcher(Files.readString(ROOT.resolve("Dockerfile")))
            .results()
            .map(match -> match.group(1)))
        .singleElement()
        .satisfies(ImageTest::assertMatchesJar);
  }

  private static void assertMatchesJar(String glob) {
    assertThat(FileSystems.getDefault().getPathMatcher("glob:" + glob).matches(JAR))
        .as(glob + " matches " + JAR)
        .isTrue();
  }
}
