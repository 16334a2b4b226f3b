package io.hapax.demo.checkout;

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
class CheckoutSceneTest {

  @Test
  void two_clicks_and_two_publications_make_one_parcel(Servers servers) throws Exception {
    CheckoutScene scene = new CheckoutScene();
    Stage stage = servers.stage();

    SceneResult naive = scene.play(stage, Variant.NAIVE);
    assertThat(naive.effects()).isEqualTo(4 * naive.asked());
    assertThat(naive.violations()).contains("customer-0 took effect 4 times");

    SceneResult hapax = scene.play(stage, Variant.HAPAX);
    assertThat(hapax.violations()).isEmpty();
    assertThat(hapax.effects()).isEqualTo(hapax.asked());
  }
}
