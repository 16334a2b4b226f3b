package io.hapax.demo.scene;

/**
 * A situation in which an effect is repeated, with a consumer that uses Hapax or with the same
 * technique alone.
 */
public interface Scene {

  /** Returns a name of at most 30 characters, for a table. */
  String title();

  /**
   * Plays the scene and counts its effects. It creates its own topic and tables.
   *
   * @param variant with Hapax or without
   * @throws Exception if a server does not answer; the counts are then unknown
   */
  SceneResult play(Stage stage, Variant variant) throws Exception;
}
