package io.hapax.console.site;

import io.hapax.console.action.ActionLog;
import io.hapax.console.data.Findings;
import io.hapax.console.data.Letters;
import io.hapax.console.data.Marks;
import io.hapax.console.data.OneId;
import io.hapax.console.figures.History;
import io.hapax.console.job.Job;
import io.hapax.console.job.Jobs;
import io.hapax.console.operations.Deployment;
import java.util.Optional;

/** The sources of the data of all pages. */
record Reading(
    Deployment deployment,
    Marks marks,
    Letters letters,
    OneId oneId,
    Findings findings,
    History history,
    Jobs jobs,
    Optional<ActionLog> log) {

  Job job(String id) throws RefusedRequest {
    return jobs.find(id).orElseThrow(() -> new RefusedRequest(404, "not-found", ""));
  }
}
