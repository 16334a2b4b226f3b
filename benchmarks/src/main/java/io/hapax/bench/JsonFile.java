package io.hapax.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Checks JSON files and rounds their figures. */
final class JsonFile {

  private JsonFile() {}

  /** Checks the file before anything is measured. */
  static void refuseUnwritable(Path file, CommandLine line) {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null || !Files.isWritable(folder) || Files.isDirectory(file)) {
      throw new ParameterException(
          line,
          "--json is " + file + " but must be a file in an existing folder that can be written to");
    }
  }

  static byte[] bytes(Map<String, Object> content) throws JsonProcessingException {
    return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsBytes(content);
  }

  /** Rounds a figure to its significant precision. */
  static double rounded(double value, int decimals) {
    double scale = Math.pow(10, decimals);
    return Math.round(value * scale) / scale;
  }
}
