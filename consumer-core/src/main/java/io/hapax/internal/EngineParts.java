package io.hapax.internal;

import io.hapax.LeaseSettings;
import io.hapax.internal.claim.ClaimAnswers;
import io.hapax.internal.claim.ClaimAttempt;
import io.hapax.internal.claim.ClaimCall;
import io.hapax.internal.claim.ClaimRequests;
import io.hapax.internal.claim.ClaimSender;
import io.hapax.internal.claim.Claimer;
import io.hapax.internal.claim.Suspects;
import io.hapax.internal.handler.HandlerInvoker;
import io.hapax.internal.handler.UserCodeCalls;
import io.hapax.internal.message.ActiveSubmission;
import io.hapax.internal.message.BlockedMessages;
import io.hapax.internal.message.InFlightIds;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.message.Submissions;
import io.hapax.internal.message.Tasks;
import io.hapax.internal.message.WaitingLanes;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.internal.runtime.Environment;
import io.hapax.internal.runtime.OwnerName;
import io.hapax.internal.runtime.Platform;
import io.hapax.internal.settle.Conflicts;
import io.hapax.internal.settle.DeadLetters;
import io.hapax.internal.settle.Failures;
import io.hapax.internal.settle.MessageAges;
import io.hapax.internal.settle.OutcomeReactions;
import io.hapax.internal.settle.Results;
import io.hapax.internal.settle.Settler;
import io.hapax.internal.settle.UnacquiredClaims;
import io.hapax.internal.settle.UnmarkedMessages;
import io.hapax.internal.store.CheckedStore;
import io.hapax.internal.store.GenerationWatch;
import io.hapax.internal.store.StoreClock;
import io.hapax.store.DedupStore;
import java.time.Duration;

/**
 * Creates the parts of one engine that do not depend on the mode of its handler, from the lowest
 * package to the highest.
 */
abstract sealed class EngineParts<M> permits EngineAssembler {

  final EngineSettings<M> settings;
  final DedupStore store;
  final boolean transactional;
  final Duration retention;

  // runtime, report and message
  final Environment env;
  final Events events;
  final InFlightIds ids;
  final Submissions<M> submissions;
  final WaitingLanes waitingLanes;
  final BlockedMessages blocked;
  final Outcomes<M> outcomes;
  final Tasks<M> tasks;

  // store
  final CheckedStore checkedStore;
  final StoreClock storeClock;
  final GenerationWatch generation;

  // claim
  final ClaimRequests claimRequests;
  final ClaimCall claimCall;
  final Claimer<M> claimer;
  final Suspects<M> suspects;

  // handler and settle
  final UserCodeCalls calls;
  final HandlerInvoker<M> invoker;
  final Settler<M> settler;
  final Results<M> results;
  final MessageAges<M> ages;
  final UnmarkedMessages<M> unmarked;
  final Failures<M> failures;
  final UnacquiredClaims<M> unacquired;

  EngineParts(
      EngineSettings<M> settings, DedupStore store, Platform platform, boolean transactional) {
    this.settings = settings;
    this.store = store;
    this.transactional = transactional;
    LeaseSettings lease = settings.lease();
    this.retention = lease.shorterThan(store.retention());
    this.events = new Events(settings.reporting().listeners(), platform.ticker(), platform.clock());
    this.env = platform.start(
        settings.scope(),
        settings.running().workers(),
        settings.running().workerThreads().map(it -> new WorkerThreads(it, events)));
    this.ids = InFlightIds.of(store);
    this.submissions = new Submissions<>(env.ticker());
    this.waitingLanes = new WaitingLanes(env.ticker());
    this.blocked = new BlockedMessages(env.threads(), events);
    this.outcomes = new Outcomes<>(env, ids, events, blocked, waitingLanes, submissions);
    this.tasks = new Tasks<>(settings.scope(), env.threads(), outcomes, events);

    this.checkedStore = new CheckedStore(store, events);
    this.storeClock = new StoreClock(env.ticker());
    this.generation =
        new GenerationWatch(store, settings.scope(), lease.renewInterval(), env, events);
    generation.whenMoved(() -> submissions.open().forEach(ActiveSubmission::giveUp));

    this.claimRequests =
        new ClaimRequests(OwnerName.of(settings.scope()), !transactional, lease, storeClock);
    this.claimCall = new ClaimCall(checkedStore, lease, claimRequests, storeClock, env.ticker());
    ClaimSender<M> sender =
        new ClaimSender<>(new ClaimAnswers<>(claimCall, lease.lease(), events, outcomes), env);
    this.claimer = new Claimer<>(
        claimRequests, new ClaimAttempt.Parts<>(sender, generation, outcomes, tasks, env));
    this.suspects = new Suspects<>(settings, env.threads(), tasks, events);

    this.calls = new UserCodeCalls(env.threads());
    this.invoker = new HandlerInvoker<>(env, events, calls, settings.running().handlerTimeout());
    this.settler = new Settler<>(checkedStore, env, events, outcomes);
    this.results = new Results<>(settings, calls, tasks, outcomes);
    DeadLetters<M> deadLetters = new DeadLetters<>(settings, calls, events, blocked);
    this.ages = new MessageAges<>(events, settings.reading().tooOld(), retention);
    this.unmarked = new UnmarkedMessages<>(settings, deadLetters, blocked, outcomes);
    this.failures = new Failures<>(settings, deadLetters, ages, settler, calls, blocked);
    Conflicts<M> conflicts = new Conflicts<>(settings, calls, events, outcomes, blocked, unmarked);
    this.unacquired = new UnacquiredClaims<>(events, outcomes, conflicts);
    outcomes.connect(new OutcomeReactions<>(results, settler, conflicts, tasks));
  }
}
