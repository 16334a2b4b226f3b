package io.hapax.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.demo.scene.OnStage;
import io.hapax.demo.scene.SceneResult;
import io.hapax.demo.scene.Servers;
import io.hapax.demo.scene.Stage;
import io.hapax.demo.scene.Variant;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plays all scenes on both brokers and every kind of store. */
@Tag("nightly")
@Timeout(300)
@ExtendWith(OnStage.class)
class ScenesTest {

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    "KAFKA, H2",
    "ROCKETMQ, POSTGRES",
    "ROCKETMQ, MARIADB",
    "KAFKA, REDIS",
    "ROCKETMQ, REDIS_CLUSTER"
  })
  void every_scene_fails_without_hapax_and_passes_with_it(
      Servers.Broker broker, Servers.Marks marks, Servers servers) throws Exception {
    Stage stage = servers.stage(broker, marks);

    Map<String, SceneResult> naive =
        Scenes.play(stage, servers.redis(), Variant.NAIVE, title -> {});
    assertThat(naive)
        .hasSize(7)
        .allSatisfy((scene, result) ->
            assertThat(result.effects()).as(scene).isGreaterThan(result.asked()));

    Map<String, SceneResult> hapax =
        Scenes.play(stage, servers.redis(), Variant.HAPAX, title -> {});
    assertThat(hapax)
        .hasSize(7)
        .allSatisfy((scene, result) -> assertThat(result.violations()).as(scene).isEmpty());
  }
}
