package io.hapax.jdbc;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("nightly")
@ParameterizedClass
@EnumSource(names = "MYSQL_DRIVER")
class MySqlDriverTransactionTest extends MySqlTransactionTests {}
