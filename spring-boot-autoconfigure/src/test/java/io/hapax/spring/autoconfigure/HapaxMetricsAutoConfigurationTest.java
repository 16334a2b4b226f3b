package io.hapax.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.health.Problem;
import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.spring.HapaxProperties.Consumer;
import io.hapax.spring.Text;
import io.hapax.spring.listener.ProblemSource;
import io.hapax.spring.listener.Receivers;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class HapaxMetricsAutoConfigurationTest {

  private final ApplicationContextRunner runner = new ApplicationContextRunner()
      .withConfiguration(
          AutoConfigurations.of(HapaxAutoConfiguration.class, HapaxMetricsAutoConfiguration.class))
      .withBean("orders", JdbcDedupStore.class, HapaxMetricsAutoConfigurationTest::store);

  @Test
  void meters_of_receivers_and_stores_are_bound() {
    runner.withBean(SimpleMeterRegistry.class).run(context -> {
      handleOne(context);

      MeterRegistry meters = context.getBean(MeterRegistry.class);
      assertThat(meters
              .get("hapax.outcomes")
              .tags("consumer", "billing", "outcome", "executed")
              .counter()
              .count())
          .isEqualTo(1);
      assertThat(meters.get("hapax.store.reachable").gauge().value()).isEqualTo(1);
      assertThat(meters
              .get("hapax.store.calls")
              .tags("store", "orders", "verb", "claim", "result", "ok")
              .timer()
              .count())
          .isPositive();
    });
  }

  @Test
  void problems_besides_those_of_receivers_are_in_the_gauge() {
    Problem down = new Problem(Problem.Kind.RECEIVER_DOWN, "", Instant.EPOCH, "it has ended");
    runner
        .withBean(SimpleMeterRegistry.class)
        .withBean(ProblemSource.class, () -> () -> Map.of("billing", List.of(down)))
        .run(context -> {
          handleOne(context);
          assertThat(context
                  .getBean(MeterRegistry.class)
                  .get("hapax.receiver.problems")
                  .tags("consumer", "billing", "kind", "receiver_down")
                  .gauge()
                  .value())
              .isEqualTo(1);
        });
  }

  @Test
  void stale_marks_of_a_database_are_counted_only_if_that_is_set() {
    ApplicationContextRunner metered = runner.withBean(SimpleMeterRegistry.class);
    metered.run(context -> {
      handleOne(context);
      assertThat(counts(context)).isZero();
    });
    metered.withPropertyValues("hapax.management.count-stale-marks=true").run(context -> {
      handleOne(context);
      await().until(() -> counts(context) > 0);
    });
  }

  private static long counts(AssertableApplicationContext context) {
    return context
        .getBean(MeterRegistry.class)
        .get("hapax.store.calls")
        .tags("store", "orders", "verb", "list", "result", "ok")
        .timer()
        .count();
  }

  @Test
  void calls_of_listeners_are_observed() {
    List<String> observed = new CopyOnWriteArrayList<>();
    ObservationRegistry registry = ObservationRegistry.create();
    registry.observationConfig().observationHandler(new ObservationHandler<>() {
      @Override
      public void onStop(Observation.Context context) {
        observed.add(context.getContextualName());
      }

      @Override
      public boolean supportsContext(Observation.Context context) {
        return true;
      }
    });

    runner.withBean(ObservationRegistry.class, () -> registry).run(context -> {
      handleOne(context);
      assertThat(observed).containsExactly("handle billing");
    });
  }

  @Test
  void an_application_without_registries_has_no_meters() {
    runner.run(context -> {
      handleOne(context);
      assertThat(context).hasNotFailed();
    });
  }

  @Test
  void an_application_without_micrometer_starts() {
    runner
        .withClassLoader(new FilteredClassLoader("io.micrometer"))
        .run(context -> assertThat(context)
            .hasNotFailed()
            .doesNotHaveBean("hapaxReceiverMeters")
            .doesNotHaveBean("hapaxObservedListeners"));
  }

  private static void handleOne(AssertableApplicationContext context) {
    List<String> handled = new CopyOnWriteArrayList<>();
    var receiver = Text.open(
        context.getBean(Receivers.class),
        Text.settings("billing", Consumer.DEFAULT),
        delivery -> handled.add(delivery.message().id()));
    List<Object> outcomes = new CopyOnWriteArrayList<>();
    var unused = receiver.submit(
        List.of(Text.message("order-1")), (index, outcome) -> outcomes.add(outcome));
    await().until(() -> outcomes.size() == 1);
    assertThat(handled).containsExactly("order-1");
  }

  private static JdbcDedupStore store() {
    return JdbcDedupStore.builder(HapaxJdbcAutoConfigurationTest.h2())
        .createIfAbsent()
        .allowVolatile(true)
        .build();
  }
}
