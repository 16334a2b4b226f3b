package io.hapax;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.time.Clock;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the packages of the core may know. Plain tests, because a runner that loses rules would stay
 * green; a rule that finds no class to look at fails.
 */
class ArchitectureTest {

  /** The one class that may ask the machine for the time. */
  private static final String OWNER_OF_TIME = "io.hapax.internal.runtime.SystemTime";

  private static final String INTERNAL = "io.hapax.internal..";

  private static final String METRICS = "io.hapax.metrics..";

  private static final String MICROMETER = "io.micrometer..";

  private static final String RESILIENCE4J = "io.hapax.resilience4j..";

  private static final String ITS_TYPES = "io.github.resilience4j..";

  private static final String JSON = "io.hapax.json..";

  private static final String JACKSON = "com.fasterxml.jackson..";

  private static final JavaClasses CORE = new ClassFileImporter()
      .withImportOption(new ImportOption.DoNotIncludeTests())
      .importPackages("io.hapax");

  @Test
  void every_package_of_the_core_is_looked_at() {
    assertThat(CORE)
        .extracting(JavaClass::getPackageName)
        .contains(
            "io.hapax",
            "io.hapax.adapter",
            "io.hapax.adapter.deadletter",
            "io.hapax.errors",
            "io.hapax.generation",
            "io.hapax.health",
            "io.hapax.mark",
            "io.hapax.policy",
            "io.hapax.store",
            "io.hapax.internal",
            "io.hapax.metrics",
            "io.hapax.resilience4j",
            "io.hapax.json");
  }

  @Test
  void the_packages_of_the_engine_have_no_cycle() {
    slices().matching("io.hapax.internal.(*)..").should().beFreeOfCycles().check(CORE);
  }

  @Test
  void the_packages_of_the_engine_use_only_those_below_them() {
    var layers = layeredArchitecture()
        .consideringOnlyDependenciesInAnyPackage(INTERNAL)
        .layer("root")
        .definedBy("io.hapax.internal");
    for (String name : List.of("shadow", "run", "settle", "handler", "claim", "store")) {
      layers = layers.layer(name).definedBy("io.hapax.internal." + name);
    }
    for (String used : List.of("message", "report", "runtime")) {
      layers = layers.layer(used).definedBy("io.hapax.internal." + used);
    }
    layers
        .whereLayer("shadow")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("root")
        .mayOnlyBeAccessedByLayers("shadow")
        .whereLayer("run")
        .mayOnlyBeAccessedByLayers("root", "shadow")
        .whereLayer("settle")
        .mayOnlyBeAccessedByLayers("run", "root")
        .whereLayer("handler")
        .mayOnlyBeAccessedByLayers("settle", "run", "root", "shadow")
        .whereLayer("claim")
        .mayOnlyBeAccessedByLayers("run", "root")
        .whereLayer("store")
        .mayOnlyBeAccessedByLayers("claim", "settle", "run", "root")
        .check(CORE);
  }

  @Test
  void no_part_of_the_engine_is_given_another_one_after_it_was_constructed() {
    fields()
        .that()
        .areDeclaredInClassesThat()
        .resideInAPackage(INTERNAL)
        .and()
        .haveRawType(resideInAPackage(INTERNAL)
            .and(not(
                describe("private", type -> type.getModifiers().contains(JavaModifier.PRIVATE)))))
        .and()
        .doNotHaveName("reader") // the admission makes its own, once the generation is known
        .should()
        .beFinal()
        .because("a setter would hide an arrow back from the rule against cycles")
        .check(CORE);
  }

  @Test
  void the_public_packages_have_no_cycle() {
    slices()
        .assignedFrom(new SliceAssignment() {
          @Override
          public String getDescription() {
            return "the public packages";
          }

          @Override
          public SliceIdentifier getIdentifierOf(JavaClass type) {
            return type.getPackageName().startsWith("io.hapax.internal")
                ? SliceIdentifier.ignore()
                : SliceIdentifier.of(type.getPackageName());
          }
        })
        .should()
        .beFreeOfCycles()
        .check(CORE);
  }

  @Test
  void the_mark_machine_knows_values_only() {
    classes()
        .that()
        .resideInAPackage("io.hapax.mark..")
        .should()
        .onlyDependOnClassesThat(VALUES)
        .because("the next mark is a function of mark, event and time: no clock, IO, lock or log")
        .check(CORE);
  }

  @Test
  void time_has_one_owner() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName(OWNER_OF_TIME)
        .should()
        .accessTargetWhere(ASKS_THE_MACHINE_FOR_THE_TIME)
        .because("tests move a clock, they do not wait for one")
        .check(CORE);
  }

  @Test
  void the_api_contains_no_third_party_type() {
    classes()
        .that()
        .resideOutsideOfPackages(INTERNAL, METRICS, RESILIENCE4J)
        .should(ApiSignatures.nameOnly(OWN_OR_JDK_TYPES))
        .because("what is inside must be replaceable without breaking users")
        .check(CORE);
  }

  @Test
  void the_api_of_metrics_has_no_foreign_types_but_those_of_micrometer() {
    classes()
        .that()
        .resideInAPackage(METRICS)
        .should(ApiSignatures.nameOnly(OWN_JDK_OR_MICROMETER_TYPES))
        .because("whoever uses it has Micrometer, and perhaps nothing else")
        .check(CORE);
  }

  @Test
  void the_api_of_resilience4j_has_no_foreign_types_but_its_configs() {
    classes()
        .that()
        .resideInAPackage(RESILIENCE4J)
        .should(ApiSignatures.nameOnly(OWN_OR_JDK_TYPES
            .or(resideInAnyPackage(ITS_TYPES))
            .as("types of the JDK, of the API and of resilience4j")))
        .because("a user hands in a config that exists already")
        .check(CORE);
  }

  @Test
  void only_the_inside_and_the_package_for_its_configs_know_resilience4j() {
    noClasses()
        .that()
        .resideOutsideOfPackages(INTERNAL, RESILIENCE4J)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(RESILIENCE4J, ITS_TYPES)
        .because("it is replaceable, and its configs reach the API through one package")
        .check(CORE);
  }

  @ParameterizedTest
  @CsvSource({METRICS + ',' + MICROMETER, JSON + ',' + JACKSON})
  void an_optional_library_is_needed_by_its_own_package_only(String own, String library) {
    noClasses()
        .that()
        .resideOutsideOfPackage(own)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(own, library)
        .because("the rest has to load without it")
        .check(CORE);
  }

  private static final DescribedPredicate<JavaClass> VALUES = resideInAnyPackage(
          "io.hapax.mark..",
          "org.jspecify.annotations",
          "java.lang",
          "java.lang.annotation",
          "java.lang.invoke",
          "java.lang.runtime",
          "java.math",
          "java.nio",
          "java.nio.charset",
          "java.security",
          "java.time",
          "java.time.temporal",
          "java.util",
          "java.util.function",
          "java.util.stream")
      .and(not(belongToAnyOf(
          Clock.class,
          InstantSource.class,
          Process.class,
          ProcessBuilder.class,
          Runtime.class,
          Thread.class)))
      .as("are values");

  private static final DescribedPredicate<JavaClass> OWN_OR_JDK_TYPES = resideInAnyPackage(
          "java..", "io.hapax..", "org.jspecify.annotations")
      .and(not(resideInAnyPackage(INTERNAL)))
      .as("types of the JDK and of the API");

  private static final DescribedPredicate<JavaClass> OWN_JDK_OR_MICROMETER_TYPES = OWN_OR_JDK_TYPES
      .or(resideInAnyPackage(MICROMETER))
      .as("types of the JDK, of the API and of Micrometer");

  private static final DescribedPredicate<JavaAccess<?>> ASKS_THE_MACHINE_FOR_THE_TIME =
      describe("the machine is asked for the time", ArchitectureTest::asksForTheTime);

  private static boolean asksForTheTime(JavaAccess<?> access) {
    JavaClass owner = access.getTargetOwner();
    String name = access.getTarget().getName();
    if (owner.isEquivalentTo(System.class)) {
      return name.equals("currentTimeMillis") || name.equals("nanoTime");
    }
    if (owner.isEquivalentTo(Clock.class) || owner.isEquivalentTo(InstantSource.class)) {
      return name.startsWith("system") || name.startsWith("tick");
    }
    if (owner.isEquivalentTo(Date.class)) {
      return name.equals("<init>");
    }
    return owner.getPackageName().equals("java.time") && name.equals("now");
  }
}
