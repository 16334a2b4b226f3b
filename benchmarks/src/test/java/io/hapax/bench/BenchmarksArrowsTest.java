package io.hapax.bench;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/**
 * Checks that this module uses the public API only. No module depends on it, so the rules of the
 * other modules leave it out.
 */
class BenchmarksArrowsTest {

  @Test
  void the_inside_of_the_core_is_not_measured_by_the_back_door() {
    noClasses()
        .that()
        .resideInAPackage("io.hapax.bench..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.hapax.internal..")
        .check(new ClassFileImporter().importPackages("io.hapax.bench"));
  }
}
