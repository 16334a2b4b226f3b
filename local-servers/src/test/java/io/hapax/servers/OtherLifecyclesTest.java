package io.hapax.servers;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("nightly")
@ParameterizedClass
@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REDIS")
class OtherLifecyclesTest extends LifecycleContract {}
