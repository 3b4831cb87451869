import type { Generated } from '#test/gen/generated.ts';
import { DATASOURCE, panelJson } from './panel.ts';
import { ROWS, type Row } from './panels.ts';

const COLUMNS = 24;
const SCHEMA_VERSION = 39;

function variable(name: string, label: string, query: string): object {
  return {
    name,
    label,
    type: 'query',
    datasource: DATASOURCE,
    query: { query, refId: name },
    refresh: 2,
    sort: 1,
    multi: true,
    includeAll: true,
    allValue: '.*',
    current: { text: 'All', value: '$__all' },
  };
}

interface Laid {
  readonly panels: readonly object[];
  readonly y: number;
}

/** Panels side by side, and below where a row of the grid is full. */
function layRow({ title, panels }: Row, top: number, firstId: number): Laid {
  const header = {
    id: firstId,
    type: 'row',
    title,
    collapsed: false,
    panels: [],
    gridPos: { x: 0, y: top, w: COLUMNS, h: 1 },
  };
  const laid: object[] = [header];
  let [x, y, height] = [0, top + 1, 0];
  for (const panel of panels) {
    if (x + panel.width > COLUMNS) [x, y, height] = [0, y + height, 0];
    laid.push(panelJson(panel, firstId + laid.length, { x, y, w: panel.width, h: panel.height }));
    x += panel.width;
    height = Math.max(height, panel.height);
  }
  return { panels: laid, y: y + height };
}

function layRows(): readonly object[] {
  const panels: object[] = [];
  let y = 0;
  for (const row of ROWS) {
    const laid = layRow(row, y, panels.length + 1);
    panels.push(...laid.panels);
    y = laid.y;
  }
  return panels;
}

/** The dashboard as Grafana imports it. */
export const DASHBOARD: Generated = {
  path: 'examples/monitoring/dashboard.json',
  make: async () => {
    const dashboard = {
      uid: 'minutehand',
      title: 'Minutehand',
      tags: ['minutehand', 'kubernetes'],
      schemaVersion: SCHEMA_VERSION,
      version: 1,
      editable: true,
      timezone: 'utc',
      refresh: '1m',
      time: { from: 'now-24h', to: 'now' },
      templating: {
        list: [
          { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' },
          variable(
            'namespace',
            'Namespace',
            'label_values(minutehand:schedule_created_timestamp_seconds, namespace)',
          ),
          variable('kind', 'Kind', 'label_values(minutehand:schedule_created_timestamp_seconds, kind)'),
        ],
      },
      annotations: { list: [] },
      panels: layRows(),
    };
    return `${JSON.stringify(dashboard, undefined, 2)}\n`;
  },
};
