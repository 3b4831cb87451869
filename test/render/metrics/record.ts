import type { ApplyReport } from '#core/change/applied.ts';
import { countChanges } from '#core/change/change-set.ts';
import { lagOf } from '#core/lag.ts';
import type { Requests } from '#core/requests.ts';
import type { TickRecord } from '#core/tick-record.ts';
import { instant } from '#core/time/instant.ts';

const NOTHING = { '2xx': 0, '3xx': 0, '4xx': 0, '429': 0, '5xx': 0, none: 0 };

const REQUESTS: Requests = {
  sent: {
    GET: { ...NOTHING, '2xx': 9, '5xx': 1 },
    POST: { ...NOTHING, '2xx': 1, '429': 2 },
    PATCH: { ...NOTHING, '4xx': 1, none: 1 },
    DELETE: NOTHING,
  },
  retries: 3,
};

const REPORT: ApplyReport = { schedules: [], retention: [], works: [], diagnostics: [], partial: false };

/** A tick on a cluster without schedules, two minutes behind. */
export const RECORD: TickRecord = {
  exitCode: 0,
  now: instant(1_781_060_410),
  outcome: {
    changeSet: {
      formatVersion: 1,
      now: instant(1_781_060_410),
      graceSeconds: 90,
      schedules: [],
      retention: [],
      works: [],
      counts: countChanges([], []),
      diagnostics: [],
    },
    report: REPORT,
    works: new Map(),
    kinds: ['EtcdDefragPolicy', 'CronJob'],
    orderKinds: ['BackupJob'],
  },
  durations: { read: 120, decide: 7, apply: 30, total: 160 },
  requests: REQUESTS,
  lag: lagOf(instant(1_781_060_221), instant(1_781_060_410)),
};
