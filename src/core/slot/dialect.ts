/** Which grammar an expression is read by (cron.md 2). */
export type DialectName = 'kubernetes' | 'defrag' | 'plan' | 'kopiur';

/** What a clock change does to fixed times (cron.md 1). */
export type DstRule = 'clean' | 'safe';

/** One column of the table of cron.md 2. */
export interface Dialect {
  readonly macros: boolean;
  readonly every: boolean;
  readonly prefix: 'honoured' | 'stored' | 'refused';
  /** Where a zone is written instead of a prefix, if anywhere. */
  readonly zoneField: string;
  readonly sundayAsSeven: boolean;
  readonly hash: boolean;
  readonly extendedDays: boolean;
  /** Blanks around the whole text are cut off first. */
  readonly trims: boolean;
  readonly dst: DstRule;
}

const COMMON = { sundayAsSeven: false, hash: false, extendedDays: false, dst: 'clean' } as const;

export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  kubernetes: {
    ...COMMON,
    macros: true,
    every: true,
    prefix: 'stored',
    zoneField: 'the timeZone field',
    trims: false,
  },
  defrag: { ...COMMON, macros: false, every: false, prefix: 'honoured', zoneField: '', trims: true },
  plan: { ...COMMON, macros: true, every: false, prefix: 'honoured', zoneField: '', trims: true },
  kopiur: {
    macros: true,
    every: false,
    prefix: 'refused',
    zoneField: 'schedule.timezone',
    sundayAsSeven: true,
    hash: true,
    extendedDays: true,
    trims: false,
    dst: 'safe',
  },
};
