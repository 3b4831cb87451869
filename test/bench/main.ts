import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { diffSection } from './diff.section.ts';
import { inClusterSection } from './in-cluster.section.ts';
import { reconcileSection } from './reconcile.section.ts';
import type { Section } from './section.ts';
import { slotSection } from './slot.section.ts';
import { snapshotsSection } from './snapshots.section.ts';
import { startUpSection } from './start-up.section.ts';
import { type Figure, figures, table } from './table.ts';

/*
 * node test/bench/main.ts [--json FILE] [SECTION...]
 * One table of medians; without names every section runs.
 */

const SECTIONS: readonly Section[] = [
  slotSection,
  reconcileSection,
  snapshotsSection,
  startUpSection,
  inClusterSection,
  diffSection,
];

const { values, positionals } = parseArgs({
  options: { json: { type: 'string' } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !SECTIONS.some((section) => section.name === name));
if (unknown.length > 0) {
  console.error(
    `no such section: ${unknown.join(', ')}; there are: ${SECTIONS.map((section) => section.name).join(', ')}`,
  );
  process.exit(64);
}

const rows: Figure[] = [];
for (const section of SECTIONS) {
  if (positionals.length > 0 && !positionals.includes(section.name)) continue;
  rows.push(...figures(section.name, await section.run((line) => console.error(`${section.name}: ${line}`))));
}
const machine = {
  node: process.version,
  zoneData: process.versions.tz,
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
};
console.log(table(rows));
console.log(`\nNode ${machine.node}, zone data ${machine.zoneData}, ${machine.cores} x ${machine.cpu}`);
if (values.json !== undefined) {
  writeFileSync(values.json, `${JSON.stringify({ formatVersion: 1, machine, figures: rows }, null, 2)}\n`);
}
