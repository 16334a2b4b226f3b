package io.hapax.chaos;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

/** Checks the rules for the tests of all modules and of the store kit. */
class TestHabitsTest {
  private static final JavaClasses TESTS = new ClassFileImporter().importPaths(testClasses());

  @Test
  void tests_of_other_modules_are_looked_at() {
    assertThat(TESTS)
        .extracting(JavaClass::getName)
        .contains("io.hapax.ArchitectureTest", "io.hapax.testkit.package-info");
  }

  @Test
  void tests_do_not_sleep() {
    noClasses()
        .should()
        .callMethod(Thread.class, "sleep", long.class)
        .orShould()
        .callMethod(Thread.class, "sleep", long.class, int.class)
        .orShould()
        .callMethod(TimeUnit.class, "sleep", long.class)
        .orShould()
        .callMethod(LockSupport.class, "parkNanos", long.class)
        .because("a latch, a bounded await or a moved clock says what is waited for")
        .check(TESTS);
  }

  @Test
  void no_test_is_skipped() {
    noClasses().should().beAnnotatedWith(Disabled.class).check(TESTS);
    noMethods().should().beAnnotatedWith(Disabled.class).check(TESTS);
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.junit.jupiter.api.condition..")
        .orShould()
        .dependOnClassesThat()
        .haveNameMatching(".*\\.Assumptions")
        .because("a missing server fails, it never skips")
        .check(TESTS);
  }

  private static List<Path> testClasses() {
    Path root = Path.of("").toAbsolutePath().getParent();
    try (var modules = Files.list(root)) {
      return modules
          .map(module -> module.resolve(
              module.endsWith("store-testkit") ? "target/classes" : "target/test-classes"))
          .filter(Files::isDirectory)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
