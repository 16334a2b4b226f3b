package io.hapax.demo.scene;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.demo.BrokerKind;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Plays each scene without Hapax and with it. */
@Timeout(300)
@ExtendWith(OnStage.class)
class ScenesTest {

  /** Checks that each effect happens once with Hapax, and returns the result without it. */
  private static SceneResult naive(Scene scene, Stage stage) throws Exception {
    SceneResult naive = scene.play(stage, Variant.NAIVE);
    SceneResult hapax = scene.play(stage, Variant.HAPAX);
    assertThat(hapax.violations()).isEmpty();
    assertThat(hapax.effects()).isEqualTo(hapax.asked());
    return naive;
  }

  @Test
  void two_clicks_and_two_publications_make_one_parcel(Servers servers) throws Exception {
    SceneResult naive = naive(new CheckoutScene(), servers.stage());

    assertThat(naive.effects()).isEqualTo(4 * naive.asked());
    assertThat(naive.violations()).contains("customer-0 took effect 4 times");
  }

  @Test
  void an_order_that_is_sent_twice_is_deducted_once(Servers servers) throws Exception {
    SceneResult naive = naive(new StockScene(), servers.stage());

    assertThat(naive.effects()).isEqualTo(2 * naive.asked());
    assertThat(naive.violations()).contains("order-00 took effect 2 times");
  }

  @ParameterizedTest(name = "keys: {0}")
  @ValueSource(booleans = {true, false})
  void a_customer_is_charged_once_also_after_a_timeout(boolean keys, Servers servers)
      throws Exception {
    SceneResult naive = naive(new PaymentScene(keys), servers.stage());

    assertThat(naive.violations())
        .contains("order-0 took effect 2 times", "slow-order-0 took effect 3 times");
    assertThat(naive.effects())
        .as("a time-out repeats its own charge only")
        .isEqualTo(2 * naive.asked() + 2);
  }

  @Test
  void events_out_of_order_change_the_state_once(Servers servers) throws Exception {
    SceneResult naive = naive(new LifecycleScene(), servers.stage());

    assertThat(naive.effects()).isGreaterThan(naive.asked());
    assertThat(naive.violations()).contains("order-1/SHIPPED took effect 2 times");
  }

  @Tag("nightly")
  @ParameterizedTest
  @EnumSource(BrokerKind.class)
  void a_slow_sms_is_sent_once_by_two_consumers(BrokerKind broker, Servers servers)
      throws Exception {
    Stage stage = servers.stage(broker, Servers.Marks.REDIS);

    assertThat(naive(new SmsScene(servers.redis()), stage).violations())
        .containsExactly("order-1 took effect 2 times");
  }

  @Tag("nightly")
  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    "KAFKA, H2",
    "ROCKETMQ, POSTGRES",
    "ROCKETMQ, MARIADB",
    "KAFKA, REDIS",
    "ROCKETMQ, REDIS_CLUSTER"
  })
  void every_scene_fails_without_hapax_and_passes_with_it(
      BrokerKind broker, Servers.Marks marks, Servers servers) throws Exception {
    Stage stage = servers.stage(broker, marks);

    Map<String, SceneResult> naive =
        Scenes.play(stage, servers.redis(), Variant.NAIVE, title -> {});
    assertThat(naive)
        .hasSize(6)
        .allSatisfy((scene, result) ->
            assertThat(result.effects()).as(scene).isGreaterThan(result.asked()));

    Map<String, SceneResult> hapax =
        Scenes.play(stage, servers.redis(), Variant.HAPAX, title -> {});
    assertThat(hapax)
        .hasSize(6)
        .allSatisfy((scene, result) -> assertThat(result.violations()).as(scene).isEmpty());
  }
}
