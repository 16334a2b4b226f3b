package io.hapax.demo;

import io.hapax.demo.checkout.CheckoutScene;
import io.hapax.demo.lifecycle.LifecycleScene;
import io.hapax.demo.payment.PaymentScene;
import io.hapax.demo.scene.Scene;
import io.hapax.demo.scene.SceneResult;
import io.hapax.demo.scene.Stage;
import io.hapax.demo.scene.Variant;
import io.hapax.demo.sms.SmsScene;
import io.hapax.demo.stock.Deduction;
import io.hapax.demo.stock.StockScene;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Plays the scenes of the order service. */
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
        new StockScene(Deduction.CONDITION),
        new StockScene(Deduction.VERSION),
        new PaymentScene(true),
        new PaymentScene(false),
        new LifecycleScene(),
        new SmsScene(redis));
  }
}
