package io.hapax.testkit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Which sentences of a contract a store breaks; runs them by hand, each with a store of its own.
 *
 * @param contract a contract for the store
 * @param open what JUnit would do before a sentence
 * @param close what JUnit would do after it
 */
record ContractRunner<C>(Supplier<C> contract, Consumer<C> open, Consumer<C> close) {

  /** The names of the tests that fail, those that are left out aside. */
  List<String> of(Class<? super C> sentences, Set<String> leftOut) {
    return tests(sentences)
        .filter(method -> !leftOut.contains(method.getName()))
        .filter(this::fails)
        .map(Method::getName)
        .toList();
  }

  /** Whether it breaks this one; no other is tried. */
  boolean breaks(Class<? super C> sentences, String sentence) {
    Method named = tests(sentences)
        .filter(method -> method.getName().equals(sentence))
        .findFirst()
        .orElseThrow();
    return fails(named);
  }

  private static Stream<Method> tests(Class<?> sentences) {
    return Stream.concat(
            Arrays.stream(sentences.getMethods()), Arrays.stream(sentences.getDeclaredMethods()))
        .distinct()
        .filter(method -> method.isAnnotationPresent(Test.class));
  }

  private boolean fails(Method sentence) {
    C opened = contract.get();
    open.accept(opened);
    try {
      sentence.setAccessible(true);
      sentence.invoke(opened);
      return false;
    } catch (InvocationTargetException e) {
      return true;
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    } finally {
      close.accept(opened);
    }
  }
}
