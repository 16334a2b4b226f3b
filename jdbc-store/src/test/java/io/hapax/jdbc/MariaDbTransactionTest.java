package io.hapax.jdbc;

import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(names = "MARIADB")
class MariaDbTransactionTest extends MySqlTransactionTests {}
