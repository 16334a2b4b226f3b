package io.hapax.demo.payment;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.demo.scene.OnStage;
import io.hapax.demo.scene.SceneResult;
import io.hapax.demo.scene.Servers;
import io.hapax.demo.scene.Stage;
import io.hapax.demo.scene.Variant;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
@ExtendWith(OnStage.class)
class PaymentSceneTest {

  @ParameterizedTest(name = "keys: {0}")
  @ValueSource(booleans = {true, false})
  void a_customer_is_charged_once_also_after_a_timeout(boolean keys, Servers servers)
      throws Exception {
    PaymentScene scene = new PaymentScene(keys);
    Stage stage = servers.stage();

    SceneResult naive = scene.play(stage, Variant.NAIVE);
    assertThat(naive.effects()).isGreaterThan(naive.asked());
    assertThat(naive.violations()).anyMatch(it -> it.startsWith("slow-order-0 took effect"));

    SceneResult hapax = scene.play(stage, Variant.HAPAX);
    assertThat(hapax.violations()).isEmpty();
    assertThat(hapax.effects()).isEqualTo(hapax.asked());
  }
}
