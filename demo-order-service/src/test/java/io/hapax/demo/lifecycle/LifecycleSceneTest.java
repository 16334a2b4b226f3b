package io.hapax.demo.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.demo.scene.OnStage;
import io.hapax.demo.scene.SceneResult;
import io.hapax.demo.scene.Servers;
import io.hapax.demo.scene.Stage;
import io.hapax.demo.scene.Variant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@Timeout(180)
@ExtendWith(OnStage.class)
class LifecycleSceneTest {

  @Test
  void events_out_of_order_change_the_state_once(Servers servers) throws Exception {
    LifecycleScene scene = new LifecycleScene();
    Stage stage = servers.stage();

    SceneResult naive = scene.play(stage, Variant.NAIVE);
    assertThat(naive.effects()).isGreaterThan(naive.asked());
    assertThat(naive.violations()).contains("order-1/SHIPPED took effect 2 times");

    SceneResult hapax = scene.play(stage, Variant.HAPAX);
    assertThat(hapax.violations()).isEmpty();
    assertThat(hapax.effects()).isEqualTo(hapax.asked());
  }
}
