package io.hapax.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** A file for programs. */
final class JsonFile {

  private JsonFile() {}

  /** Before anything is measured. */
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

  /** A figure to a precision that means something. */
  static double rounded(double value, int decimals) {
    double scale = Math.pow(10, decimals);
    return Math.round(value * scale) / scale;
  }
}
