package io.hapax.demo.scene;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives tests the {@link Servers}, which all test classes of a run share. */
final class OnStage implements ParameterResolver {

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
    return parameter.getParameter().getType() == Servers.class;
  }

  @Override
  public Servers resolveParameter(ParameterContext parameter, ExtensionContext test) {
    return test.getRoot()
        .getStore(Namespace.create(OnStage.class))
        .computeIfAbsent(Servers.class, type -> new Servers(), Servers.class);
  }
}
