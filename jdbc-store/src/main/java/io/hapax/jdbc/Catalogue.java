package io.hapax.jdbc;

/**
 * Queries for a database's catalogue about one table.
 *
 * @param qualifiedName a query for the {@code table_schema} and {@code table_name} of the table
 *     that a statement would find under its name, as the catalogue spells them; no rows if it does
 *     not exist
 * @param columns a query for {@code name}, {@code type} as the table's script names it, and
 *     {@code nullable} (YES or NO); no rows if there is no such table
 * @param indexes a query for {@code name}, {@code kind} (UNIQUE or not) and {@code column_name} of
 *     each usable index, in the order of the columns
 * @param indexesWithoutKey a query for the {@code name} of each unique index that does not contain
 *     all of {@code k}: such an index makes two messages one
 */
record Catalogue(String qualifiedName, String columns, String indexes, String indexesWithoutKey) {}
