package io.hapax.demo.scene;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SceneResultTest {

  @Test
  void one_effect_of_each_is_right() {
    SceneResult result = SceneResult.count(List.of("a", "b"), List.of("b", "a"));

    assertThat(result).isEqualTo(new SceneResult(2, 2, List.of()));
    assertThat(result.passed()).isTrue();
  }

  @Test
  void missing_double_and_unasked_effects_are_named() {
    SceneResult result = SceneResult.count(List.of("a", "b"), List.of("b", "b", "c"));

    assertThat(result.passed()).isFalse();
    assertThat(result.violations())
        .containsExactly("a took effect 0 times", "b took effect 2 times", "c took effect 1 times");
  }
}
