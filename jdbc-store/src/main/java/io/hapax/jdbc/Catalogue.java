package io.hapax.jdbc;

/**
 * What a database's catalogue is asked about one table.
 *
 * @param qualifiedName a query for the {@code table_schema} and {@code table_name} of the table
 *     that a statement would find under its name, as the catalogue spells them; no rows if there is
 *     none
 * @param columns a query for {@code name}, {@code type} in the words of the table's script, and
 *     {@code nullable} (YES or NO); no rows if there is no such table
 * @param indexes a query for {@code name}, {@code kind} (UNIQUE or not) and {@code column_name} of
 *     each usable index, in the order of the columns
 * @param indexesWithoutKey a query for the {@code name} of each unique index that does not have all
 *     of {@code k} among its columns: such a one takes two messages for one
 */
record Catalogue(String qualifiedName, String columns, String indexes, String indexesWithoutKey) {}
