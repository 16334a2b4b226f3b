package io.hapax.chaos;

import java.util.Arrays;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the printed name of a store, in any case. */
final class StoreName implements ITypeConverter<StoreKind> {

  @Override
  public StoreKind convert(String name) {
    return Arrays.stream(StoreKind.values())
        .filter(kind -> kind.toString().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(() -> new TypeConversionException("expected one of "
            + Arrays.toString(StoreKind.values()) + " (case-insensitive) but was '" + name + "'"));
  }
}
