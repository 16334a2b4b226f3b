package io.hapax.testkit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Runs the tests of a contract without JUnit, each with a store of its own, and reports which of
 * them a store fails. A parameterized test runs once for each constant of its {@link EnumSource}.
 *
 * @param contract creates a contract for the store
 */
record ContractRunner<C extends FixtureContract<?>>(Supplier<C> contract) {

  /** Returns the names of the tests that fail; skips some. */
  List<String> failures(Class<? super C> tests, Set<String> skipped) {
    return tests(tests)
        .filter(method -> !skipped.contains(method.getName()))
        .filter(this::fails)
        .map(Method::getName)
        .toList();
  }

  /** Returns whether this test fails; runs no other. */
  boolean fails(Class<? super C> tests, String name) {
    Method named =
        tests(tests).filter(method -> method.getName().equals(name)).findFirst().orElseThrow();
    return fails(named);
  }

  private static Stream<Method> tests(Class<?> contract) {
    return Stream.concat(
            Arrays.stream(contract.getMethods()), Arrays.stream(contract.getDeclaredMethods()))
        .distinct()
        .filter(method -> method.isAnnotationPresent(Test.class)
            || method.isAnnotationPresent(ParameterizedTest.class));
  }

  private boolean fails(Method test) {
    EnumSource source = test.getAnnotation(EnumSource.class);
    if (source == null) {
      return fails(test, new Object[0]);
    }
    return Arrays.stream(test.getParameterTypes()[0].getEnumConstants())
        .filter(constant -> selects(source, constant.toString()))
        .anyMatch(constant -> fails(test, constant));
  }

  private static boolean selects(EnumSource source, String constant) {
    boolean named = Arrays.stream(source.names()).anyMatch(constant::matches);
    return source.mode() == EnumSource.Mode.MATCH_ANY ? named : !named;
  }

  private boolean fails(Method test, Object... arguments) {
    C opened = contract.get();
    opened.openStore();
    opened.opened();
    try {
      test.setAccessible(true);
      test.invoke(opened, arguments);
      return false;
    } catch (InvocationTargetException e) {
      return true;
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    } finally {
      opened.closeStore();
    }
  }
}
