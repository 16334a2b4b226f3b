package io.hapax.internal.store;

import io.hapax.store.StoreException;
import java.util.List;

/** What a store answered, before it is believed. */
public final class Replies {

  private Replies() {}

  /**
   * Refuses a reply that does not answer each item, so that no answer is taken for another's.
   *
   * @param verb what the store was asked to do
   * @param asked for how many items
   * @param answers what it answered
   * @return the answers
   */
  public static <A> List<A> complete(String verb, int asked, List<A> answers) {
    if (answers.size() != asked) {
      throw new StoreException(
          "the store gave " + answers.size() + " answers to " + asked + " items of " + verb);
    }
    return answers;
  }
}
