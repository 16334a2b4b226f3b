package io.hapax.mark;

import java.util.Collections;
import java.util.List;

/**
 * One process: it is given all messages together, again and again.
 *
 * @param index which process
 * @param delivery which delivery it is at
 * @param tasks what it does with each message of that delivery
 */
record ExploredOwner(int index, int delivery, List<ExploredTask> tasks) {

  static ExploredOwner atFirst(int index, int messages) {
    return new ExploredOwner(index, 0, Collections.nCopies(messages, ExploredTask.WAITING));
  }

  boolean isIdle() {
    return tasks.stream().allMatch(ExploredTask.WAITING::equals);
  }

  /** Whether it has another message in its hands: it has one worker, which settles what it ran. */
  boolean isAtWorkBeside(int message) {
    for (int other = 0; other < tasks.size(); other++) {
      ExploredTask.Step step = tasks.get(other).step();
      boolean works = step == ExploredTask.Step.RAN || step == ExploredTask.Step.SETTLING;
      if (other != message && works) {
        return true;
      }
    }
    return false;
  }

  ExploredOwner with(int message, ExploredTask task) {
    return new ExploredOwner(index, delivery, Listed.with(tasks, message, task));
  }

  boolean isOver() {
    return tasks.stream().allMatch(ExploredTask.OVER::equals);
  }

  /** Gone for ever. */
  ExploredOwner gone() {
    return new ExploredOwner(index, delivery, Collections.nCopies(tasks.size(), ExploredTask.OVER));
  }

  ExploredOwner atNextDelivery() {
    return new ExploredOwner(
        index, delivery + 1, Collections.nCopies(tasks.size(), ExploredTask.WAITING));
  }
}
