package io.hapax.demo.sms;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.demo.scene.OnStage;
import io.hapax.demo.scene.SceneResult;
import io.hapax.demo.scene.Servers;
import io.hapax.demo.scene.Servers.Broker;
import io.hapax.demo.scene.Servers.Marks;
import io.hapax.demo.scene.Stage;
import io.hapax.demo.scene.Variant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("nightly")
@Timeout(180)
@ExtendWith(OnStage.class)
class SmsSceneTest {

  @ParameterizedTest
  @EnumSource(Broker.class)
  void a_slow_sms_is_sent_once_by_two_consumers(Broker broker, Servers servers) throws Exception {
    SmsScene scene = new SmsScene(servers.redis());
    Stage stage = servers.stage(broker, Marks.REDIS);

    SceneResult naive = scene.play(stage, Variant.NAIVE);
    assertThat(naive.violations()).containsExactly("order-1 took effect 2 times");

    SceneResult hapax = scene.play(stage, Variant.HAPAX);
    assertThat(hapax.violations()).isEmpty();
    assertThat(hapax.effects()).isEqualTo(1);
  }
}
