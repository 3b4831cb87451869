import { EVENT } from '#core/object/resource.ts';
import { DEFRAG, POLICY } from '#kinds/etcd-defrag-policy/resources.ts';
import { type CreateBody, create } from '#test/cluster/world/api.ts';
import { defragPolicy } from '#test/cluster/world/objects.ts';
import { DAILY } from '#test/cluster/world/times.ts';
import type { Behaviour } from './behaviour.ts';
import {
  at,
  createAll,
  editedMeanwhile,
  endRuns,
  FIRST,
  type Place,
  SECOND,
  startedMeanwhile,
  THIRD,
  tickAfter,
  tickBefore,
} from './place.ts';
import { rightTo } from './rights.ts';

const CREATE = [rightTo('create', DEFRAG), rightTo('update', POLICY, 'finalizers')];
const STATUS = rightTo('patch', POLICY, 'status');
const TELL = rightTo('create', EVENT);
const DELETE = rightTo('delete', DEFRAG);

function policy({ namespace }: Place, name: string, spec = {}): readonly [typeof POLICY, CreateBody] {
  return [POLICY, defragPolicy(`${namespace}/${name}`, { spec: { schedule: DAILY, ...spec } })];
}

/** The runs of these nights, each of them over half a minute after its slot. */
async function runNights(place: Place, slots: readonly (typeof FIRST)[]): Promise<void> {
  for (const slot of slots) {
    await tickBefore(place, tickAfter(slot));
    await endRuns(place, DEFRAG, ({ name }) =>
      name.endsWith(`-${slot}`) ? { phase: 'Complete', completedAt: at(tickAfter(slot)) } : undefined,
    );
  }
}

function run(slot: typeof FIRST, name = 'nightly'): string {
  return `EtcdDefrag ${name}-${slot} of ${name}`;
}

const SETTLED = [`nightly ${at(THIRD)}`];

export const DEFRAG_BEHAVIOURS: readonly Behaviour[] = [
  {
    does: 'stamps the run of an EtcdDefragPolicy',
    needs: [...CREATE, STATUS, TELL, rightTo('list', POLICY), rightTo('list', DEFRAG)],
    plant: (place) => createAll(place, [policy(place, 'nightly')]),
    wants: { runs: [run(THIRD)], settled: SETTLED, told: ['StampedRun nightly'] },
  },
  {
    does: 'trims the history of an EtcdDefragPolicy, and deletes runs that have outlived their time',
    needs: [...CREATE, STATUS, TELL, DELETE],
    plant: async (place) => {
      const limited = policy(place, 'limited', { historyLimit: 1 });
      const shortLived = policy(place, 'short-lived', { ttlSecondsAfterFinished: 60 });
      await createAll(place, [limited, shortLived]);
      await runNights(place, [FIRST, SECOND]);
    },
    wants: {
      runs: [run(SECOND, 'limited'), run(THIRD, 'limited'), run(THIRD, 'short-lived')],
      settled: [`limited ${at(THIRD)}`, `short-lived ${at(THIRD)}`],
      told: ['StampedRun limited', 'StampedRun short-lived'],
    },
  },
  {
    does: 'finds the EtcdDefrag of a tick that ended before it could write the status',
    needs: [...CREATE, STATUS, rightTo('get', DEFRAG)],
    plant: (place) => createAll(place, [policy(place, 'nightly')]),
    meanwhile: startedMeanwhile,
    wants: { runs: [run(THIRD)], settled: SETTLED, told: [] },
  },
  {
    does: 'records the slot of an EtcdDefragPolicy that was edited meanwhile',
    needs: [...CREATE, STATUS, TELL, rightTo('get', POLICY)],
    plant: (place) => createAll(place, [policy(place, 'nightly')]),
    meanwhile: (place) => editedMeanwhile(place, 'apply', POLICY),
    wants: { runs: [run(THIRD)], settled: SETTLED, told: ['StampedRun nightly'] },
    leaves: [STATUS],
  },
  {
    does: 'looks again at an EtcdDefrag that changed before it was deleted',
    needs: [...CREATE, STATUS, TELL, DELETE, rightTo('get', DEFRAG)],
    plant: async (place) => {
      await createAll(place, [policy(place, 'nightly', { historyLimit: 0 })]);
      await runNights(place, [SECOND]);
    },
    meanwhile: (place) => editedMeanwhile(place, 'delete', DEFRAG),
    wants: { runs: [run(THIRD)], settled: SETTLED, told: ['StampedRun nightly'] },
  },
  {
    does: 'tells only once that the name of an EtcdDefrag is taken',
    needs: [STATUS, TELL, rightTo('list', EVENT)],
    plant: async (place) => {
      const { server, namespace } = place;
      await createAll(place, [policy(place, 'nightly')]);
      await create(server, DEFRAG, {
        apiVersion: 'etcd-operator.cozystack.io/v1alpha2',
        kind: 'EtcdDefrag',
        metadata: { name: `nightly-${THIRD}`, namespace },
        spec: { clusterRef: { name: 'kv' } },
      });
    },
    wants: {
      runs: [`EtcdDefrag nightly-${THIRD}`],
      settled: ['nightly never'],
      told: ['StampFailed nightly'],
    },
  },
];
