package io.hapax.mark;

/** The name of a step, whose text is composed only when it is read. */
final class StepName {

  private String who = "";
  private String what = "";
  private String how = "";
  private String message = "";
  private String more = "";

  private static String message(int index) {
    return String.valueOf((char) ('x' + index));
  }

  private void say(String by, String did, String as, String whose) {
    who = by;
    what = did;
    how = as;
    message = whose;
    more = "";
  }

  void nobody(String happens) {
    say("", happens, "", "");
  }

  void nobody(String happens, int index) {
    say("", happens, "", message(index));
  }

  void owner(ExploredOwner owner, String does) {
    say(name(owner), does, "", "");
  }

  void owner(ExploredOwner owner, String does, int index) {
    say(name(owner), does, "", message(index));
  }

  void owner(ExploredOwner owner, String does, Verdict verdict, int index) {
    say(name(owner), does, name(verdict), message(index));
  }

  void andThen(String happens) {
    more = happens;
  }

  private static String name(ExploredOwner owner) {
    return switch (owner.index()) {
      case 0 -> "A";
      case 1 -> "B";
      default -> "C";
    };
  }

  private static String name(Verdict verdict) {
    return verdict.match(
        done -> "done ",
        retry -> retry.inDoubt() ? "failed in doubt " : "failed ",
        defer -> "deferred ",
        release -> "never started ",
        dead -> "dead ");
  }

  @Override
  public String toString() {
    return who + what + how + message + more;
  }
}
