/** Flags that many verbs have, by what they are about; all others are the verb's own. */
const GROUPS: readonly { readonly title: string; readonly flags: readonly string[] }[] = [
  { title: 'Manifest flags', flags: ['filename', 'recursive', 'kustomize', 'policies', 'from'] },
  { title: 'Cluster flags', flags: ['kubeconfig', 'context', 'cluster', 'user', 'as'] },
  { title: 'Selection flags', flags: ['namespace', 'all-namespaces', 'selector'] },
  { title: 'Decision flags', flags: ['state', 'now', 'grace', 'dst', 'config'] },
  {
    title: 'Budget and exit code flags',
    flags: [
      'max-creates',
      'max-creates-per-lane',
      'max-deletes',
      'fail-on',
      'acknowledge',
      'strict',
      'detailed-exitcode',
    ],
  },
  { title: 'Telemetry flags', flags: ['log-format', 'pushgateway', 'ping', 'ping-fail'] },
  {
    title: 'Output flags',
    flags: ['output', 'report', 'comment-id', 'comment-limit', 'full-report', 'no-color', 'help'],
  },
];

export interface FlagGroup<Row> {
  readonly title: string;
  readonly rows: readonly Row[];
}

export interface Groupable {
  readonly name: string;
  /** The verb cannot be run without it. */
  readonly isRequired: boolean;
}

/** The rows of a verb in groups: its own first, each in the order in which it was given. */
export function groupFlags<Row extends Groupable>(rows: readonly Row[]): readonly FlagGroup<Row>[] {
  const shared = new Set(GROUPS.flatMap(({ flags }) => flags));
  const isOwn = ({ name, isRequired }: Row): boolean => isRequired || !shared.has(name);
  const own = { title: 'Flags', rows: rows.filter(isOwn) };
  const others = GROUPS.map(({ title, flags }) => ({
    title,
    rows: rows.filter((row) => flags.includes(row.name) && !isOwn(row)),
  }));
  const [first, ...more] = [own, ...others].filter((group) => group.rows.length > 0);
  if (first === undefined) return [];
  return more.length === 0 ? [{ ...first, title: 'Flags' }] : [first, ...more];
}
