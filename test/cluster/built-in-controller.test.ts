import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OWNER_UID_ANNOTATION, SLOT_ANNOTATION } from '#core/object/annotations.ts';
import { type ComeBack, comeBack, DELETED, ENDED, RESCHEDULED, RESUMED } from './built-in/come-back.ts';
import { APART, LOST_BY_ESTIMATE, NAMESPACE, PAST_DEADLINE, WITHIN_THE_GRACE } from './built-in/cron-jobs.ts';
import {
  type CronJob,
  type Job,
  listCronJobs,
  listJobs,
  type Start,
  slotOf,
  slotText,
  startLines,
  startOf,
} from './built-in/jobs.ts';
import { likenessOf, statusLikeness } from './built-in/likeness.ts';
import { foreseenOf, foretoldStarts, reconcile, schedulesIn, startsOf } from './built-in/minutehand.ts';
import type { Minute, Sides } from './built-in/minutes.ts';
import { minuteAfter, settled, sleepUntil, watchMinutes } from './built-in/minutes.ts';
import { CRON_JOB_CONTROLLER, managingConfig, OTHER_CONTROLLERS, populate } from './built-in/worlds.ts';
import { type ApiServer, startApiServer } from './support/api-server.ts';
import { describeOnServer, sharedServer } from './support/with-server.ts';
import { isWrite, lineOf, sentTo } from './world/sent.ts';

/** More of them show more of what happens rarely. */
const MINUTES = Math.max(3, Number(process.env['MINUTEHAND_BUILT_IN_MINUTES'] ?? 3));
const COUNT = 30;
const APART_COUNT = 2;
/** In seconds; what our tick forgives. */
const GRACE = 90;
/** Seconds for making the CronJobs and planning their first slot. */
const SET_UP = 30;

interface Last {
  readonly tick: Awaited<ReturnType<typeof reconcile>>;
  readonly theirs: readonly CronJob[];
  readonly ours: readonly CronJob[];
  readonly theirJobs: readonly Job[];
  readonly ourJobs: readonly Job[];
}

let other: ApiServer | undefined;
let sides: Sides;
let minutes: readonly Minute[];
let last: Last;
let back: ComeBack;

async function startSides(): Promise<Sides> {
  const theirs = await sharedServer();
  const ours = await startApiServer();
  other = ours;
  for (const server of [theirs, ours]) await server.controllerManager(OTHER_CONTROLLERS);
  return { theirs, ours, config: await managingConfig(ours) };
}

/** After the last minute: the controller is stopped, and a last tick of ours sees how the Jobs ended. */
async function lastLook({ theirs, ours, config }: Sides, slot: number): Promise<Last> {
  const tick = await reconcile(ours.kubeconfig, '--config', config, '--now', slotText(slot + 50));
  await settled(ours);
  return {
    tick,
    theirs: await listCronJobs(theirs, NAMESPACE),
    ours: await listCronJobs(ours, NAMESPACE),
    theirJobs: await listJobs(theirs, NAMESPACE),
    ourJobs: await listJobs(ours, NAMESPACE),
  };
}

function foretoldMinutes(): readonly Minute[] {
  return minutes.filter(({ isForetold }) => isForetold);
}

function byName(jobs: readonly Job[]): readonly Job[] {
  return jobs.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

function startsApart(jobs: readonly Job[], cronJob: string): readonly Start[] {
  return jobs.map(startOf).filter((start) => start.cronJob === cronJob);
}

describeOnServer(
  'beside the built-in CronJob controller',
  () => {
    beforeAll(
      async () => {
        sides = await startSides();
        const controller = await sides.theirs.controllerManager(CRON_JOB_CONTROLLER);
        // No slot comes between the making of the CronJobs and the first plan.
        const first = minuteAfter(SET_UP);
        await sleepUntil(first - 59);
        await Promise.all(
          [sides.theirs, sides.ours].map((server) => populate(server, first, first + (MINUTES - 1) * 60)),
        );
        minutes = await watchMinutes(sides, first, MINUTES);
        await controller.stop('SIGKILL');
        last = await lastLook(sides, minutes.at(-1)?.slot ?? first);
      },
      (MINUTES + 8) * 60_000,
    );
    afterAll(() => other?.stop());

    test('minutes are foretold before they begin', () => {
      expect(foretoldMinutes().length).toBeGreaterThanOrEqual(MINUTES);
    });

    test('all CronJobs are reported as observed', () => {
      for (const { plan, idle } of minutes) {
        for (const changeSet of [plan, idle.tick.changeSet]) {
          const verdicts = schedulesIn(changeSet, NAMESPACE).map(({ verdict }) => verdict);
          expect(verdicts).toHaveLength(COUNT);
          for (const { code, actor } of verdicts) {
            expect([code, actor]).toEqual(['observed', 'the built-in CronJob controller']);
          }
        }
      }
    });

    test('every Job that the controller starts was foretold, and every one foretold is started', () => {
      for (const { plan, theirJobs } of foretoldMinutes()) {
        const foretold = foretoldStarts(plan, NAMESPACE);
        expect(startLines(theirJobs.map(startOf))).toEqual(startLines(foretold));
        expect(foretold.length).toBeGreaterThan(COUNT / 2);
      }
    });

    test('what is not started was foretold too', () => {
      const first = minutes[0]?.slot ?? 0;
      for (const [name, ...codes] of [
        ['suspended', 'suspended', 'suspended', 'suspended'],
        ['never', 'invalid', 'invalid', 'invalid'],
        ['later', 'waiting', 'waiting', 'waiting'],
        ['first-and-third', 'fired', 'waiting', 'fired'],
        ['forbid-running', 'fired', 'held', 'held'],
        ['forbid-suspended-job', 'fired', 'held', 'held'],
        ['forbid-beside-manual', 'fired', 'fired', 'fired'],
        [PAST_DEADLINE, 'fired', 'held', 'fired'],
      ] as const) {
        for (const { slot, plan } of foretoldMinutes()) {
          const want = codes[(slot - first) / 60];
          if (want !== undefined) expect([name, slot, foreseenOf(plan, name)]).toEqual([name, slot, want]);
        }
      }
    });

    test('a tick of ours changes nothing', async () => {
      for (const { idle } of minutes) {
        expect(idle.tick.code).toBe(0);
        expect(idle.tick.changeSet.counts.unchanged).toBe(COUNT + APART_COUNT);
        expect(idle.tick.applied.counts).toEqual({ done: 0, unnecessary: 0, failed: 0, skipped: 0 });
        expect(idle.after).toEqual(idle.before);
      }
      const sent = await sentTo(sides.theirs).next();
      expect(sent.length).toBeGreaterThanOrEqual(minutes.length * 2);
      expect(sent.filter(isWrite).map(lineOf)).toEqual([]);
    });

    test('CronJobs that it acted on stay its own where the configuration says manage', async () => {
      const { theirs } = sides;
      const sent = sentTo(theirs);
      await sent.next();
      const before = await settled(theirs);
      const now = slotText((minutes.at(-1)?.slot ?? 0) + 50);
      const tick = await reconcile(theirs.kubeconfig, '--config', await managingConfig(theirs), '--now', now);
      expect(tick.code).toBe(0);
      const acted = new Set(
        last.theirs
          .filter(({ status }) => status.lastScheduleTime !== undefined)
          .map((one) => one.metadata.name),
      );
      expect(acted.size).toBeGreaterThan(COUNT / 2);
      for (const { name, verdict } of schedulesIn(tick.changeSet, NAMESPACE)) {
        const want = acted.has(name)
          ? ['observed', 'kube-controller-manager']
          : [expect.any(String), undefined];
        expect([name, verdict.code, verdict.actor]).toEqual([name, ...want]);
      }
      const writes = (await sent.next()).filter(isWrite);
      expect(writes.filter(({ objectRef }) => objectRef?.resource !== 'events').map(lineOf)).toEqual([]);
      expect(await settled(theirs)).toEqual(before);
    });

    test('where that controller is off our tick starts the same Jobs for the same slots', () => {
      for (const { tick, theirJobs, ourJobs, slot } of minutes) {
        expect(tick.code).toBe(0);
        expect(tick.changeSet.now >= slotText(slot)).toBe(true);
        const lines = startLines(ourJobs.map(startOf));
        expect(lines).toEqual(startLines(theirJobs.map(startOf)));
        expect(startLines(startsOf(tick, NAMESPACE))).toEqual(lines);
      }
    });

    test('the Jobs are alike but for our two annotations', () => {
      let count = 0;
      for (const { theirJobs, ourJobs } of minutes) {
        expect(byName(ourJobs).map(likenessOf)).toEqual(byName(theirJobs).map(likenessOf));
        for (const job of ourJobs) {
          const { annotations, ownerReferences } = job.metadata;
          expect(annotations?.[SLOT_ANNOTATION]).toBe(slotText(slotOf(job) ?? 0));
          expect(annotations?.[OWNER_UID_ANNOTATION]).toBe(ownerReferences?.[0]?.uid);
          count += 1;
        }
      }
      expect(count).toBeGreaterThan((minutes.length * COUNT) / 2);
      console.log(
        `${count} Jobs of ${COUNT} CronJobs in ${minutes.length} minutes: foretold, started by the built-in controller, and started alike by minutehand`,
      );
    });

    test('the same Jobs are left, and the same status', () => {
      expect(last.tick.code).toBe(0);
      expect(last.ours.map(statusLikeness)).toEqual(last.theirs.map(statusLikeness));
      const names = (jobs: readonly Job[]) => byName(jobs).map(({ metadata }) => metadata.name);
      expect(names(last.ourJobs)).toEqual(names(last.theirJobs));
      const made = minutes.flatMap(({ theirJobs }) => theirJobs).length;
      // Some were replaced, some outnumbered by later ones.
      expect(last.theirJobs.length).toBeLessThan(made);
    });

    describe('that was off for a while', () => {
      beforeAll(async () => {
        back = await comeBack(sides);
      }, 240_000);

      test('starts what was foretold, and our tick starts the same', () => {
        const until = slotText(back.next);
        const unsure = new Set(
          back.plan.diagnostics.flatMap(({ code, object }) =>
            code === 'KubernetesMayDiffer' && object?.namespace === NAMESPACE ? [object.name] : [],
          ),
        );
        const lines = [back.foretold, back.theirs, back.ours].map((starts) =>
          startLines(starts.filter(({ cronJob, slot }) => slot < until && !unsure.has(cronJob))),
        );
        expect(lines[1]).toEqual(lines[0]);
        expect(lines[2]).toEqual(lines[0]);
        const started = new Set(back.theirs.map(({ cronJob }) => cronJob));
        for (const name of [ENDED, DELETED, RESUMED, RESCHEDULED]) expect(started).toContain(name);
        console.log(
          `${lines[0]?.length} Jobs after the controller was off: foretold, and started alike by both`,
        );
      });

      test('finds no slot where its estimate errs, of which the plan warns; our tick finds it', () => {
        const note = back.plan.diagnostics.find(({ object }) => object?.name === LOST_BY_ESTIMATE);
        expect(note?.code).toBe('KubernetesMayDiffer');
        expect(note?.what).toMatch(
          /^the built-in controller is expected to find no slot where \S+Z is owed$/,
        );
        expect(startsApart(back.apart.theirs, LOST_BY_ESTIMATE)).toEqual([]);
        const owed = foretoldStarts(back.plan, APART);
        expect(owed.map(({ cronJob }) => cronJob)).toEqual([LOST_BY_ESTIMATE]);
        expect(startsApart(back.apart.ours, LOST_BY_ESTIMATE)).toEqual(owed);
      });

      test('goes by the bare deadline, as foretold; our tick forgives its own lateness', () => {
        expect(foreseenOf(back.plan, WITHIN_THE_GRACE)).toBe('expired');
        expect(startsApart(back.apart.theirs, WITHIN_THE_GRACE)).toEqual([]);
        const schedule = schedulesIn(back.tick.changeSet, APART).find(
          ({ name }) => name === WITHIN_THE_GRACE,
        );
        const { code, lateSeconds = 0 } = schedule?.verdict ?? {};
        // Where the machine was slow it is later than that.
        expect(code).toBe(lateSeconds > GRACE ? 'expired' : 'fired');
        expect(startsApart(back.apart.ours, WITHIN_THE_GRACE)).toHaveLength(lateSeconds > GRACE ? 0 : 1);
      });
    });

    test('nothing was started that these tests did not see', async () => {
      const log = await sides.theirs.auditLog();
      const created = log.filter(
        ({ verb, objectRef, userAgent, responseStatus }) =>
          verb === 'create' &&
          objectRef?.resource === 'jobs' &&
          userAgent?.startsWith('kube-controller-manager/') &&
          responseStatus?.code === 201,
      );
      const seen = [...minutes.flatMap(({ theirJobs }) => theirJobs.map(startOf)), ...back.theirs];
      const names = created.map(({ objectRef }) => objectRef?.name).sort();
      expect(names).toEqual(seen.map(({ job }) => job).sort());
    });
  },
  { also: ['kube-controller-manager'] },
);
