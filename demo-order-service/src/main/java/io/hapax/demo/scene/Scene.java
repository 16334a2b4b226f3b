package io.hapax.demo.scene;

/**
 * A situation in which an effect is repeated, with a consumer that uses Hapax or with the same
 * technique alone.
 */
public interface Scene {

  /** Returns a name of at most 30 characters, for a table. */
  String title();

  /**
   * Plays the scene with its own topic and tables, and counts its effects. If a server does not
   * answer, it throws, and the counts are unknown.
   */
  SceneResult play(Stage stage, Variant variant) throws Exception;
}
