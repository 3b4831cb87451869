import type { KubeObject } from '#core/object/object.ts';
import { instant } from '#core/time/instant.ts';
import { openZone } from '#core/time/zone.ts';
import { type Timeline, timelineOf } from '#core/timeline/timeline.ts';
import { at, cronJobNamed, jobOf, policy, tick } from '#test/support/given-tick.ts';

export interface Given {
  readonly now?: string;
  readonly from?: string;
  readonly days?: number;
  readonly zone?: string;
  readonly settings?: Parameters<typeof tick>[2];
}

/** The timeline of these objects. */
export function timelineOfObjects(
  objects: readonly KubeObject[],
  {
    now = '2026-11-30T10:07:00Z',
    from = '2026-11-30T00:00:00Z',
    days = 3,
    zone = 'UTC',
    settings,
  }: Given = {},
): Timeline {
  const window = { from: at(from), end: instant(at(from) + days * 86_400), zone: openZone(zone) };
  return timelineOf(tick(now, objects, settings), window);
}

/** A day like any other: runs that ended well and badly, one that waits, one that is paused, one that nobody can read. */
export function ordinaryObjects(): readonly KubeObject[] {
  const ended = (type: string): object => ({ conditions: [{ type, status: 'True' }] });
  return [
    policy('bad', { schedule: '61 * * * *' }),
    cronJobNamed(
      'dump',
      { schedule: '0 */4 * * *', successfulJobsHistoryLimit: 9 },
      { lastScheduleTime: '2026-11-30T08:00:00Z' },
    ),
    jobOf('dump', '2026-11-30T04:00:00Z', ended('Failed')),
    jobOf('dump', '2026-11-30T08:00:00Z', ended('Complete')),
    policy('minutely', { schedule: '* * * * *' }, { lastScheduleTime: '2026-11-30T10:06:00Z' }),
    policy('nightly', { schedule: '0 4 * * *' }, { lastScheduleTime: '2026-11-29T04:00:00Z' }),
    policy('paused', { schedule: '30 4 * * *', suspend: true }),
  ];
}

/** What objects may say to speak to a terminal, a page or a picture. */
export const HOSTILE: readonly string[] = [
  '</script><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  "' onmouseover='alert(1)",
  '-->]]><!--',
  '\u001b[2J\u001b[1;1HAll good\rOK',
  'a\u2028b\u2029c',
  '\u202egnp.yaml',
  '&lt;b&gt;&amp;',
  'x\u0000\ufffe\uffff',
  '::error::all is lost',
  '{{constructor.constructor("alert(1)")()}}',
];

/** They stand in names, expressions, zones and what is said of faults. */
export function hostileObjects(): readonly KubeObject[] {
  return HOSTILE.flatMap((text, index) => {
    const named = policy(`p${index}`, {});
    const run = jobOf(`c${index}`, '2026-11-30T03:00:00Z', {
      conditions: [{ type: 'Complete', status: 'True', message: text }],
    });
    return [
      { ...named, metadata: { ...named.metadata, name: `${index} ${text}`, namespace: text } },
      policy(`q${index}`, { schedule: `${text} * * * *` }),
      cronJobNamed(`z${index}`, { timeZone: text }),
      cronJobNamed(`c${index}`, {}),
      { ...run, metadata: { ...run.metadata, name: `${index} ${text}` } },
    ];
  });
}
