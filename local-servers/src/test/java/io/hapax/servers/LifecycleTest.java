package io.hapax.servers;

import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(names = "REDIS")
class LifecycleTest extends LifecycleContract {}
