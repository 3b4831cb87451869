/** What a panel asks for, and how its answer is called. */
export interface Query {
  readonly expr: string;
  readonly legend: string;
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** A value and the colour from it on; the first one is the base. */
type Threshold = readonly [from: number | null, color: string];

export interface Panel {
  readonly title: string;
  readonly description: string;
  /** A number, lines over time, or the newest values as rows. */
  readonly type: 'stat' | 'timeseries' | 'table';
  readonly width: number;
  readonly height: number;
  readonly unit?: string;
  readonly stacked?: boolean;
  readonly thresholds?: readonly Threshold[];
  readonly queries: readonly Query[];
}

export const DATASOURCE = { type: 'prometheus', uid: '$datasource' };

/** Columns that every series of Prometheus has, and that tell a reader nothing. */
const HIDDEN = { Time: true, __name__: true, job: true, instance: true };

const OPTIONS: Readonly<Record<Panel['type'], object>> = {
  stat: { reduceOptions: { calcs: ['lastNotNull'] }, colorMode: 'background', graphMode: 'none' },
  timeseries: {
    legend: { displayMode: 'list', placement: 'bottom' },
    tooltip: { mode: 'multi', sort: 'desc' },
  },
  table: { showHeader: true, sortBy: [{ displayName: 'Value', desc: false }] },
};

function target({ expr, legend }: Query, index: number, type: Panel['type']): object {
  const rows = type === 'table' ? { format: 'table', instant: true, range: false } : { range: true };
  return {
    datasource: DATASOURCE,
    refId: String.fromCharCode(65 + index),
    expr,
    legendFormat: legend,
    ...rows,
  };
}

function fieldConfig({ type, unit, stacked = false, thresholds }: Panel): object {
  const steps = (thresholds ?? [[null, 'green']]).map(([value, color]) => ({ value, color }));
  const lines = { fillOpacity: stacked ? 40 : 0, stacking: { mode: stacked ? 'normal' : 'none' } };
  return {
    defaults: {
      ...(unit === undefined ? {} : { unit }),
      thresholds: { mode: 'absolute', steps },
      ...(type === 'timeseries' ? { custom: lines } : {}),
    },
    overrides: [],
  };
}

export function panelJson(panel: Panel, id: number, gridPos: Place): object {
  const { type, title, description, queries } = panel;
  const organize = { id: 'organize', options: { excludeByName: HIDDEN } };
  return {
    id,
    type,
    title,
    description,
    datasource: DATASOURCE,
    gridPos,
    targets: queries.map((query, index) => target(query, index, type)),
    fieldConfig: fieldConfig(panel),
    options: OPTIONS[type],
    ...(type === 'table' ? { transformations: [organize] } : {}),
  };
}
