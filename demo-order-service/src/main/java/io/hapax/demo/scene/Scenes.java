package io.hapax.demo.scene;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

public final class Scenes {

  private Scenes() {}

  /** Plays all scenes, one after the other, and returns their results by title, in that order. */
  public static Map<String, SceneResult> play(
      Stage stage, String redis, Variant variant, Consumer<String> started) throws Exception {
    Map<String, SceneResult> results = new LinkedHashMap<>();
    for (Scene scene : all(redis)) {
      started.accept(scene.title());
      results.put(scene.title(), scene.play(stage, variant));
    }
    return results;
  }

  private static List<Scene> all(String redis) {
    return List.of(
        new CheckoutScene(),
        new StockScene(),
        new PaymentScene(true),
        new PaymentScene(false),
        new LifecycleScene(),
        new SmsScene(redis));
  }
}
