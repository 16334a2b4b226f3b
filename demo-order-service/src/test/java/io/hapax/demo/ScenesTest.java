package io.hapax.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.demo.scene.SceneResult;
import io.hapax.demo.scene.Variant;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plays all scenes on both brokers and every kind of store. */
@Tag("nightly")
@Timeout(300)
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
      BrokerKind kind, StoreKind store, @TempDir Path folder) throws Exception {
    try (Progress progress = Progress.onStandardError();
        OrderBroker broker = kind.start(folder);
        ShopDatabase database = ShopDatabase.open(store.shop(), folder);
        MarkServers servers = MarkServers.start(store)) {
      Scenes scenes = new Scenes(kind, broker.address(), database.url(), servers.marks());

      Map<String, SceneResult> naive = scenes.play(Variant.NAIVE, progress);
      assertThat(naive)
          .hasSize(7)
          .allSatisfy((scene, result) ->
              assertThat(result.effects()).as(scene).isGreaterThan(result.asked()));

      Map<String, SceneResult> hapax = scenes.play(Variant.HAPAX, progress);
      assertThat(hapax)
          .hasSize(7)
          .allSatisfy(
              (scene, result) -> assertThat(result.violations()).as(scene).isEmpty());
    }
  }
}
