package io.hapax.chaos;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.hapax.internal.message.Identity;
import io.hapax.internal.store.StoreClock;
import java.time.Clock;
import java.time.InstantSource;
import java.util.Date;
import org.junit.jupiter.api.Test;

/**
 * Checks the dependencies between modules: the campaigns use the demo, the demo uses adapters and
 * stores, those use the core, and the core uses no module. This module sees all others.
 */
class ModuleArrowsTest {
  private static final String[] CORE = {
    "io.hapax",
    "io.hapax.mark..",
    "io.hapax.adapter..",
    "io.hapax.errors..",
    "io.hapax.generation..",
    "io.hapax.health..",
    "io.hapax.policy..",
    "io.hapax.store..",
    "io.hapax.internal.."
  };
  private static final String METRICS = "io.hapax.metrics..";
  private static final String JDBC = "io.hapax.jdbc..";
  private static final String REDIS = "io.hapax.redis..";
  private static final String KAFKA = "io.hapax.kafka..";
  private static final String ROCKETMQ = "io.hapax.rocketmq..";
  private static final String OPERATIONS = "io.hapax.operations..";
  private static final String SPRING = "io.hapax.spring..";
  private static final String TESTKIT = "io.hapax.testkit..";
  private static final String SERVERS = "io.hapax.servers..";
  private static final String DEMO = "io.hapax.demo..";
  private static final String CHAOS = "io.hapax.chaos..";

  /** The operations read ids and the time of a store in the way of the engine. */
  private static final DescribedPredicate<JavaClass> INSIDE = resideInAPackage(
          "io.hapax.internal..")
      .and(not(belongToAnyOf(StoreClock.class, Identity.class)));

  private static final JavaClasses ALL = new ClassFileImporter()
      .withImportOption(new ImportOption.DoNotIncludeTests())
      .importPackages("io.hapax");

  @Test
  void every_module_is_looked_at() {
    assertThat(ALL)
        .extracting(JavaClass::getPackageName)
        .contains(
            "io.hapax",
            "io.hapax.metrics",
            "io.hapax.jdbc",
            "io.hapax.redis",
            "io.hapax.kafka",
            "io.hapax.rocketmq",
            "io.hapax.operations",
            "io.hapax.testkit",
            "io.hapax.servers",
            "io.hapax.demo",
            "io.hapax.chaos");
  }

  @Test
  void no_module_knows_one_that_it_must_not_know() {
    neverMeet(CORE, JDBC, REDIS, KAFKA, ROCKETMQ, OPERATIONS, TESTKIT, SERVERS, DEMO, CHAOS);
    neverMeet(METRICS, JDBC, REDIS, KAFKA, ROCKETMQ, OPERATIONS, TESTKIT, SERVERS, DEMO, CHAOS);
    neverMeet(JDBC, REDIS, KAFKA, ROCKETMQ, OPERATIONS, TESTKIT, SERVERS, DEMO, CHAOS);
    neverMeet(REDIS, JDBC, KAFKA, ROCKETMQ, OPERATIONS, TESTKIT, SERVERS, DEMO, CHAOS);
    neverMeet(KAFKA, ROCKETMQ, OPERATIONS, JDBC, REDIS, TESTKIT, SERVERS, DEMO, CHAOS);
    neverMeet(ROCKETMQ, KAFKA, OPERATIONS, JDBC, REDIS, TESTKIT, SERVERS, DEMO, CHAOS);
    neverMeet(OPERATIONS, JDBC, REDIS, TESTKIT, SERVERS, DEMO, CHAOS);
    neverMeet(TESTKIT, JDBC, REDIS, KAFKA, ROCKETMQ, OPERATIONS, SERVERS, DEMO, CHAOS);
    neverMeet(SERVERS, JDBC, REDIS, KAFKA, ROCKETMQ, TESTKIT, DEMO, CHAOS);
    neverMeet(SERVERS, CORE);
    neverMeet(DEMO, CHAOS, SERVERS);
  }

  @Test
  void the_packages_of_the_operations_have_no_cycle() {
    slices().matching("io.hapax.operations.(*)..").should().beFreeOfCycles().check(ALL);
  }

  @Test
  void the_inside_of_the_core_is_seen_by_the_core_only() {
    noClasses()
        .that()
        .resideOutsideOfPackages(CORE)
        .should()
        .dependOnClassesThat(INSIDE)
        .because("nothing in there is API")
        .check(ALL);
  }

  @Test
  void the_inside_of_an_adapter_is_seen_by_modules_of_the_product_only() {
    for (String adapter : new String[] {"io.hapax.kafka", "io.hapax.rocketmq"}) {
      noClasses()
          .that()
          .resideOutsideOfPackages(adapter + "..", OPERATIONS, SPRING)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(adapter + ".internal..")
          .because("nothing in there is API")
          .check(ALL);
    }
  }

  @Test
  void adapters_and_stores_do_not_read_the_wall_clock() {
    noClasses()
        .that()
        .resideInAnyPackage(JDBC, REDIS, KAFKA, ROCKETMQ, OPERATIONS)
        .should()
        .accessTargetWhere(describe(
            "the machine is asked for the time of day", ModuleArrowsTest::asksForTimeOfDay))
        .because("a store judges leases by its server's clock, an adapter is handed a clock")
        .check(ALL);
  }

  /** Returns whether a call reads the time of day. The monotonic clock only measures durations. */
  private static boolean asksForTimeOfDay(JavaAccess<?> access) {
    JavaClass owner = access.getTargetOwner();
    String name = access.getTarget().getName();
    if (owner.isEquivalentTo(System.class)) {
      return name.equals("currentTimeMillis");
    } else if (owner.isEquivalentTo(Clock.class) || owner.isEquivalentTo(InstantSource.class)) {
      return name.startsWith("system") || name.startsWith("tick");
    } else if (owner.isEquivalentTo(Date.class)) {
      return name.equals("<init>");
    }
    return owner.getPackageName().equals("java.time") && name.equals("now");
  }

  private static void neverMeet(String who, String... others) {
    neverMeet(new String[] {who}, others);
  }

  private static void neverMeet(String[] who, String... others) {
    noClasses()
        .that()
        .resideInAnyPackage(who)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(others)
        .check(ALL);
  }
}
